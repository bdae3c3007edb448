/**
 * Decides which mutants the tests notice. First one worker runs all tests that reach any of them, cheapest file first; each
 * test repeats with every mutant that it reaches and that is still unnoticed. A mutant of code that runs while a module
 * loads or before the tests of a file, or whose tests cannot be repeated, then runs alone in fresh workers.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killWorkers } from './tests.mjs'

/** Milliseconds that one test may take with one mutant, beyond five times what it takes without. */
const PATIENCE = 25_000

/** The id of no mutant. */
const NONE = -1

/** How many test files a mutant that runs alone begins with. */
const FIRST = 8

/** Most mutants are noticed by the first few of their test files. */
const PARTS = [
  [0, 3],
  [3, 10],
  [10, Infinity],
]

function partOf(selections, [from, to]) {
  return [...selections]
    .filter(([, { isLoaded }]) => !isLoaded)
    .map(([id, { choices }]) => [id, choices.filter(({ inside }) => inside.length > 0).slice(from, to)])
}

/**
 * Puts into `outcomes` by id `{ outcome, by }`: `noticed`, `timeout`, `survived` or `unreached`.
 *
 * @param outcomes a map, which may show what is decided as it goes
 * @param again repeats unnoticed mutants once, with so many times the limits; 0 repeats none
 */
export async function judge(mutants, outcomes, select, tests, cap, again) {
  const folder = mkdtempSync(join(tmpdir(), 'commandry-mutants-'))
  /** Files whose tests failed with the mutant and afterwards without any. */
  const doubtful = new Map(mutants.map(({ id }) => [id, new Set()]))
  /** Mutants whose time is used up. */
  const cut = new Set()
  const selections = new Map(mutants.map((mutant) => [mutant.id, select(mutant)]))
  for (const [id, { choices }] of selections)
    if (choices.length === 0) outcomes.set(id, { outcome: 'unreached' })
  try {
    for (const times of again > 0 ? [1, again] : [1]) {
      for (const [id, { outcome }] of outcomes) if (outcome === 'survived') outcomes.delete(id)
      cut.clear()
      for (const part of PARTS)
        await together(partOf(selections, part), tests, cap * times, folder, { outcomes, doubtful, cut })
      for (const { id } of mutants)
        if (!outcomes.has(id))
          outcomes.set(id, await alone(id, selections.get(id), doubtful.get(id), tests, cap * times))
    }
  } finally {
    await tests.close()
    rmSync(folder, { recursive: true })
  }
}

/** Runs the plan; a worker that hangs is ended, and the rest of the plan runs in another one. */
async function together(selections, tests, cap, folder, found) {
  const { outcomes, cut } = found
  const files = {
    results: join(folder, 'results'),
    progress: join(folder, 'progress'),
    plan: join(folder, 'plan'),
  }
  const done = new Set()
  const stuck = new Map()
  for (;;) {
    const pending = selections.filter(([id]) => !outcomes.has(id) && !cut.has(id))
    const plan = planOf(pending, done, stuck)
    if (plan.choices.length === 0) break
    writeFileSync(files.plan, JSON.stringify({ ...files, cap, tests: plan.tests }))
    writeFileSync(files.results, '')
    writeFileSync(files.progress, '{}')
    const timer = watchProgress(files.progress, () => readResults(files.results, done, found))
    await tests.run(plan.choices, { MUTANTS_PLAN: files.plan })
    clearInterval(timer)
    readResults(files.results, done, found)
    const last = JSON.parse(readFileSync(files.progress, 'utf8') || '{}')
    const isComplete = plan.choices.every(({ file }) => done.has(file))
    if (isComplete) break
    if (last.id >= 0) stuck.set(last.id, (stuck.get(last.id) ?? 0) + 1)
    if (stuck.get(last.id) > 1) outcomes.set(last.id, { outcome: 'timeout', by: last.test })
    if (last.id === undefined || last.id < 0) done.add(plan.choices.find(({ file }) => !done.has(file)).file)
  }
}

function planOf(pending, done, stuck) {
  const tests = {}
  const byFile = new Map()
  for (const [id, choices] of pending)
    for (const { file, inside, ms } of choices) {
      if (done.has(file) || stuck.get(id) > 1) continue
      const choice = byFile.get(file) ?? { file, ms: 0, ids: new Set() }
      byFile.set(file, { ...choice, ms: Math.max(choice.ms, ms) })
      for (const test of inside) {
        choice.ids.add(test.id)
        ;(tests[test.id] ??= { ms: test.ms, ids: [] }).ids.push(id)
      }
    }
  const choices = [...byFile.values()].sort((one, other) => one.ms - other.ms)
  return { tests, choices: choices.map(({ file, ids }) => ({ file, ids: [...ids] })) }
}

/** Ends the worker when one try of a test takes too long. */
function watchProgress(file, heard) {
  let text = ''
  let since = Date.now()
  return setInterval(() => {
    const now = readFileSync(file, 'utf8')
    if (now !== text) since = Date.now()
    if (now !== text) heard()
    text = now
    const limit = PATIENCE + 5 * (/"ms":([\d.]+)/.exec(text)?.[1] ?? 0)
    if (Date.now() - since < limit) return
    since = Date.now()
    killWorkers()
  }, 1000)
}

function readResults(file, done, found) {
  const { outcomes, doubtful } = found
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { id, done: finished, timeout, name, file: path, message, cut: isCut, void: ids } = JSON.parse(line)
    for (const id of ids ?? []) doubtful.get(id).add(path.slice(process.cwd().length + 1))
    if (finished !== undefined) done.add(finished.slice(process.cwd().length + 1))
    if (isCut) found.cut.add(id)
    if (id === undefined || isCut) continue
    const by = `${path.slice(process.cwd().length + 1)}: ${name}: ${message.slice(0, 100).replaceAll('\n', ' ')}`
    if (outcomes.has(id) && (timeout || outcomes.get(id).outcome === 'noticed')) continue
    outcomes.set(id, { outcome: timeout ? 'timeout' : 'noticed', by })
  }
}

async function alone(id, { choices, isLoaded }, doubtful, tests, limit) {
  const isBeside = choices.some(({ isOutside }) => isOutside)
  if (!isLoaded && !isBeside && doubtful.size === 0) return { outcome: 'survived' }
  let ms = 0
  const first = choices.filter(({ file }) => doubtful.has(file))
  const others = choices.filter(({ file }) => !doubtful.has(file))
  const chosen = [...first, ...others].filter((choice, index) => {
    const isChosen = ms + choice.ms < limit || index < Math.max(1, first.length)
    if (isChosen) ms += choice.ms
    return isChosen
  })
  const run = async (some, mutant) => {
    const timer = setTimeout(killWorkers, PATIENCE + 10 * ms)
    const failures = await tests.run(
      some.map(({ file, tests }) => ({ file, ids: tests.map(({ id }) => id) })),
      { MUTANT: String(mutant) },
    )
    clearTimeout(timer)
    return failures
  }
  // Most are noticed by the nearest tests.
  let some = chosen.slice(0, FIRST)
  let failures = await run(some, id)
  if (failures.length === 0 && chosen.length > FIRST) {
    some = chosen.slice(FIRST)
    failures = await run(some, id)
  }
  if (failures.length > 0) {
    // Some of the tests of a file may fail without the others, or after those of other files, with no mutant at all.
    const usual = await run(some, NONE)
    failures = failures.filter(
      ({ file, name }) => !usual.some((one) => one.file === file && one.name === name),
    )
  }
  const [failure] = failures
  if (failure === undefined)
    return { outcome: 'survived', by: `(${choices.length - chosen.length} test files not run alone)` }
  const isTimeout = failures.every(({ message }) => /timed out|Worker exited|vitest-pool/.test(message))
  const by = `alone, ${failure.file}: ${failure.name}: ${failure.message.slice(0, 100).replaceAll('\n', ' ')}`
  return { outcome: isTimeout ? 'timeout' : 'noticed', by }
}
