/**
 * Mutation testing: draws a seeded sample of small wrong changes and lists those that no test detects.
 *
 *     node test/mutation/run.mjs [--sample 200] [--seed 1] [--folders core,service/http] [--beside]
 *
 * Draws from every room of `src`; from `tools/page` and `tools/cli`, whose tests need a browser and processes, only when
 * named.
 * Works in a copy of the tracked files, so the checkout stays as it is. Tests of the mutated folder run first; with
 * `--beside` they are the only ones. Then the tests that import the mutated file run, those of real clients too when
 * `npm run test:install` was run. With DATABASE_URL the tests of a folder include those of the drivers.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { mutantsOf } from './mutants.mjs'

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    beside: { type: 'boolean', default: false },
    folders: { type: 'string' },
  },
})
const MINUTES = 10
const root = fileURLToPath(new URL('../..', import.meta.url))
process.chdir(root)
const hasClients = fs.existsSync('test/node_modules/ws')
const drivers = process.env.DATABASE_URL === undefined ? [] : ['drivers']
const projects = ['fast', ...(hasClients ? ['clients', 'tools', ...drivers] : [])]
/** The tests of a folder. The redirect runs in processes of its own, so no test imports it. */
const testsOf = (folder) => (folder === 'testing/redirect' ? 'test/interop/redirect' : `test/${folder}/`)

/** Numbers from 0 to 1: mulberry32. */
function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function draw(list, count, random) {
  const left = [...list]
  const drawn = []
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(random() * left.length), 1))
  return drawn
}

function copyOfCheckout() {
  const copy = fs.mkdtempSync(join(tmpdir(), 'commandry-mutation-'))
  const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  for (const name of tracked) if (name !== '' && fs.existsSync(name)) fs.cpSync(name, join(copy, name))
  for (const modules of ['node_modules', 'test/node_modules'])
    if (fs.existsSync(modules)) fs.symlinkSync(join(root, modules), join(copy, modules))
  return copy
}

/** Whether the tests pass; `undefined` when they time out. */
function pass(copy, [command, among, ...filters], minutes) {
  const args = ['node_modules/vitest/vitest.mjs', command, '--run', '--bail', '1', '--passWithNoTests']
  args.push('--experimental.fsModuleCache', `--experimental.fsModuleCachePath=${join(copy, '.modules')}`)
  for (const project of among) args.push('--project', project)
  const options = { cwd: copy, stdio: 'ignore', timeout: minutes * 60_000, detached: true }
  const { status, error, pid } = spawnSync(process.execPath, [...args, ...filters], options)
  if (error === undefined) return status === 0
  // A worker in an endless loop outlives its parent.
  spawnSync('kill', ['-KILL', '--', `-${pid}`])
}

function outcomeOf(copy, mutant) {
  const file = join(copy, mutant.file)
  const text = fs.readFileSync(file, 'utf8')
  fs.writeFileSync(file, text.slice(0, mutant.start) + mutant.text + text.slice(mutant.end))
  try {
    const runs = [['run', projects, testsOf(mutant.folder)]]
    if (!values.beside) runs.push(['related', ['fast'], mutant.file])
    if (!values.beside && hasClients) runs.push(['related', ['clients', 'tools'], mutant.file])
    for (const run of runs) {
      const passed = pass(copy, run, MINUTES)
      if (passed !== true) return passed === undefined ? 'timeout' : 'noticed'
    }
    return 'survived'
  } finally {
    fs.writeFileSync(file, text)
  }
}

const foldersIn = (folder) =>
  fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
const byDefault = foldersIn('src')
  .flatMap((room) =>
    ['testing', 'tools'].includes(room) ? foldersIn(`src/${room}`).map((name) => `${room}/${name}`) : room,
  )
  .filter((folder) => !['tools/page', 'tools/cli'].includes(folder))
const folders = values.folders?.split(',') ?? byDefault
const all = folders.flatMap((folder) =>
  fs
    .readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => mutantsOf(`src/${folder}/${name}`).map((mutant) => ({ ...mutant, folder }))),
)
const sample = draw(all, Number(values.sample), seeded(Number(values.seed)))
console.log(`${all.length} mutants, ${sample.length} drawn with seed ${values.seed}`)

const copy = copyOfCheckout()
const counts = new Map()
try {
  const filters = values.beside ? folders.map(testsOf) : []
  if (!pass(copy, ['run', projects, ...filters], 60)) throw new Error('the tests fail without any mutant')
  for (const mutant of sample) {
    const outcome = outcomeOf(copy, mutant)
    const count = counts.get(mutant.folder) ?? { noticed: 0, timeout: 0, survived: 0 }
    counts.set(mutant.folder, { ...count, [outcome]: count[outcome] + 1 })
    const change = `${mutant.original}  ->  ${mutant.text}`.replaceAll(/\n\s*/g, ' ')
    console.log(`${outcome.padEnd(9)}${mutant.file}:${mutant.line}  ${change}`)
  }
} finally {
  fs.rmSync(copy, { recursive: true, force: true })
}
console.table(Object.fromEntries(counts))
