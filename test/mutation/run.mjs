/**
 * Mutation testing: draws a seeded sample of small wrong changes of `src` and lists those that no test notices.
 *
 *     npm run mutants -- [--draw logic:100:1]... [--rooms core,tools/cli] [--key TEXT]... [--cap 5] [--again 10] [--record]
 *
 * A draw is `logic`, `words` or `deletions`, how many, and the seed. `--key` takes the mutants that contain a text instead.
 * Draws from every room in turn. Each mutant runs in the tests that reach it, up to `--cap` seconds of the processor
 * or three times as long on the clock; `--again 10` repeats unnoticed mutants once, with ten times the limits. The first run records what they reach, which
 * takes minutes; `--record` does so again. Ctrl+C ends with the table of what is decided. Tests of real clients run too
 * after `npm run test:install`, and those of servers with DATABASE_URL, REDIS_URL and MARIADB_URL.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { judge } from './judge.mjs'
import { allMutants } from './mutants.mjs'
import { createSelection, recordReach } from './reach.mjs'
import { startTests } from './tests.mjs'

const { values } = parseArgs({
  options: {
    draw: { type: 'string', multiple: true, default: ['logic:100:1'] },
    rooms: { type: 'string' },
    key: { type: 'string', multiple: true },
    cap: { type: 'string', default: '5' },
    again: { type: 'string', default: '0' },
    record: { type: 'boolean', default: false },
  },
})
process.chdir(fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, ''))
process.env.CI ??= '1' // Vitest must not write snapshots of a mutant.

/** Parts that run in a browser, or that only start programs. */
const elsewhere = /^src\/tools\/page\/|^src\/[\w-]+\.ts$/

/** Numbers from 0 to 1: mulberry32. */
function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const roomOf = ({ file }) => file.split('/')[1]

/** One of each room in turn, so that a small room counts as much as a large one. */
function draw(mutants, count, random) {
  const rooms = [...new Set(mutants.map(roomOf))].map((room) =>
    mutants.filter((mutant) => roomOf(mutant) === room),
  )
  const drawn = []
  for (let turn = 0; drawn.length < count && rooms.some(({ length }) => length > 0); turn++) {
    const room = rooms[turn % rooms.length]
    drawn.push(...room.splice(Math.floor(random() * room.length), 1))
  }
  return drawn
}

const all = allMutants()
const bySource = new Map(all.sources.map((source) => [source.file, source]))

async function recordMissing() {
  const load = (file) => (bySource.has(file) ? (position) => bySource.get(file).base + position : undefined)
  const tests = await startTests('reach', load, { maxWorkers: 2, testTimeout: 120_000 })
  try {
    const files = (await tests.project.globTestFiles()).testFiles.sort()
    const run = (missing, folder) =>
      tests.run(
        missing.map((file) => ({ file: file.slice(process.cwd().length + 1) })),
        { MUTANTS_REACHED: folder },
      )
    return await recordReach(all, files, run, values.record)
  } finally {
    await tests.close()
  }
}

const records = await recordMissing()
const select = createSelection(records, all)
const eligible = all.mutants.filter(
  ({ file }) =>
    !elsewhere.test(file) &&
    (values.rooms?.split(',').some((room) => file.startsWith(`src/${room}/`)) ?? true),
)
const draws = values.key
  ? [{ name: 'keys', sample: eligible.filter(({ key }) => values.key.some((text) => key.includes(text))) }]
  : values.draw.map((name) => {
      const [kind, count, seed] = name.split(':')
      const ofKind = eligible.filter((mutant) => mutant.kind === kind)
      return { name, sample: draw(ofKind, Number(count), seeded(Number(seed))) }
    })
const sample = [...new Set(draws.flatMap((draw) => draw.sample))]
const wanted = new Set(sample.map(({ id }) => id))
const toLoad = (file) => {
  const source = bySource.get(file)
  if (source === undefined || !sample.some((mutant) => mutant.file === file)) return undefined
  return (position) => (wanted.has(source.base + position) ? source.base + position : undefined)
}

const equivalents = JSON.parse(readFileSync('test/mutation/equivalent.json', 'utf8'))
const begun = performance.now()
const secondsSince = () => (performance.now() - begun) / 1000

/** Shows each outcome when it is decided: a run takes long. */
class Shown extends Map {
  set(id, found) {
    super.set(id, found)
    const { key } = all.mutants[id]
    const { outcome, by = '' } = found
    console.log(`${secondsSince().toFixed()} s, ${this.size} of ${sample.length}: ${outcome}  ${key}  ${by}`)
    return this
  }
}
const outcomes = new Shown()
process.once('SIGINT', () => {
  // What is not decided yet.
  for (const { id } of sample)
    if (!outcomes.has(id)) Map.prototype.set.call(outcomes, id, { outcome: 'open' })
  draws.forEach(printDraw)
  process.exit(1)
})
await judge(
  sample.filter(({ key }) => !(key in equivalents)),
  outcomes,
  select,
  await startTests('switch', toLoad, { maxWorkers: 1, testTimeout: 15_000 }),
  Number(values.cap) * 1000,
  Number(values.again),
)
const seconds = secondsSince()

function printDraw({ name, sample }) {
  const counts = {}
  console.log(`\n${name}`)
  for (const mutant of sample) {
    const { outcome, by = '' } = outcomes.get(mutant.id) ?? { outcome: 'equivalent' }
    const none = { noticed: 0, timeout: 0, survived: 0, equivalent: 0, unreached: 0, open: 0 }
    const count = (counts[roomOf(mutant)] ??= none)
    count[outcome]++
    console.log(`${outcome.padEnd(10)} ${mutant.line}  ${mutant.key}  ${by}`)
  }
  console.table(counts)
  const sum = (outcome) => Object.values(counts).reduce((total, count) => total + count[outcome], 0)
  const judged = sum('noticed') + sum('timeout') + sum('survived')
  const rate = `${sum('noticed')} of ${judged} noticed (${((100 * sum('noticed')) / judged).toFixed(1)} %)`
  console.log(`${rate}, ${sum('timeout')} only by a timeout; besides ${sum('equivalent')} equivalent,`)
  console.log(`${sum('unreached')} that no test of these projects reaches`)
}
draws.forEach(printDraw)
console.log(`${(seconds / sample.length).toFixed(1)} s a mutant`)
