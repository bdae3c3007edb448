/** Runs all trials in turn until the time is over, and prints one table. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { buildProgram, underWay } from '../storage/processes.ts'
import { answers } from './answers.ts'
import { histories } from './histories.ts'
import { hostile } from './hostile.ts'
import { kills } from './kills.ts'
import { restores } from './restores.ts'
import type { Outcome, Trial } from './trial.ts'
import { seeded, shuffled } from '../support/random.ts'
import { passed } from '../support/waiting.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    // How many trials, which the seed draws. Default: all.
    draw: { type: 'string', default: 'Infinity' },
    // The minutes after which a round hangs. One takes seconds.
    limit: { type: 'string', default: '5' },
    // Of each of the processes that share answers.
    calls: { type: 'string', default: '600' },
  },
})
const end = performance.now() + Number(values.minutes) * 60_000

interface Row {
  readonly what: string
  readonly store: string
  rounds: number
  calls: number
  faults: number
  lost: number
  note: string
}

const problems: string[] = []

let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true))

/** Rejects when work hangs, and lets no round begin after it: it may hold what they need. */
async function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        isStopped = true
        reject(new Error([`did not end within ${values.limit} minutes`, ...underWay()].join('\n')))
      },
      Number(values.limit) * 60_000,
    )
  })
  return Promise.race([work, hangs]).finally(() => clearTimeout(timer))
}

async function runOnce(trial: Trial, row: Row, seed: number): Promise<void> {
  row.rounds++
  try {
    const { calls, faults, note = '' } = await withinLimit(trial.run(seed))
    row.calls += calls
    row.faults += faults
    row.note = note
  } catch (error) {
    row.lost++
    const reason = error instanceof Error ? error.message : String(error)
    const problem = `${trial.what}, ${trial.store}, --seed ${seed}: ${reason.slice(0, 4_000)}`
    problems.push(problem)
    console.log(problem)
  }
}

/** Starts the use of a service that goes on beside everything else; `stop` ends it and returns what happened. */
async function startSoak() {
  const program = await buildProgram('test/torture/soak-program.ts')
  const child = fork(program.file, { execArgv: ['--no-warnings'] })
  const ended = once(child, 'exit').then(() => program.remove())
  const answer = async () => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) ?? [{ failure: 'it has ended' }]
    return message as { readonly outcome: Outcome } | { readonly failure: string }
  }
  await answer()
  return {
    async stop(): Promise<Outcome> {
      const result = answer()
      if (child.connected) child.send('stop')
      const found = await result
      await ended
      if ('failure' in found) throw new Error(found.failure)
      return found.outcome
    },
  }
}

/** The table as Markdown, which docs/reliability.md shows. */
function printed(rows: readonly Row[]): string {
  const cells = rows.map(({ what, store, rounds, calls, faults, lost, note }) => [
    what,
    store,
    ...[rounds, calls, faults, lost].map((count) => count.toLocaleString('en')),
    note,
  ])
  const lines = [['what', 'against', 'rounds', 'calls checked', 'faults', 'lost', ''], ...cells]
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  const asLine = (line: readonly string[]) =>
    `| ${line.map((cell, i) => (i >= 2 && i <= 5 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i >= 2 && i <= 5 ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`
  return [asLine(lines[0]!), rule, ...lines.slice(1).map(asLine)].join('\n')
}

const program = await buildProgram('test/storage/writer.ts')
const chosen = [
  ...histories(program),
  ...kills(program),
  ...restores(),
  ...answers(Number(values.calls)),
  hostile(),
].filter(({ what, store }) => `${what}, ${store}`.includes(values.only))
const skipped = chosen.filter(({ missing }) => missing !== undefined)
const ready = chosen.filter(({ missing }) => missing === undefined)
const trials = shuffled(ready, seeded(Number(values.seed))).slice(0, Number(values.draw))
const rows = trials.map(({ what, store }): Row => {
  return { what, store, rounds: 0, calls: 0, faults: 0, lost: 0, note: '' }
})

const withSoak = 'soak'.includes(values.only)
const start = performance.now()
const soak = withSoak ? await startSoak() : undefined
const isOver = () => isStopped || performance.now() > end
let pass = 0
for (let seed = Number(values.seed); trials.length > 0; seed++, pass++) {
  for (const [i, trial] of trials.entries()) {
    // Every trial runs at least once.
    if (isStopped || (pass > 0 && isOver())) break
    await runOnce(trial, rows[i]!, seed)
  }
  if (isOver()) break
  console.log(`pass ${pass + 1} after ${Math.round((performance.now() - start) / 1000)} s`)
}
while (!isOver()) await passed(200)
if (soak !== undefined) {
  const row: Row = {
    what: 'soak',
    store: 'serve --gateway',
    rounds: 0,
    calls: 0,
    faults: 0,
    lost: 0,
    note: '',
  }
  rows.push(row)
  await runOnce({ ...row, run: soak.stop }, row, Number(values.seed))
}
await withinLimit(Promise.all(trials.map(({ close }) => close?.()))).catch((error: Error) =>
  problems.push(`the end: ${error.message}`),
)
program.remove()

console.log(`\n${printed(rows)}\n`)
for (const { what, store, missing } of skipped) {
  console.log(`skipped: ${what}, ${store}: ${missing}`)
  if (process.env['REQUIRE_SERVERS'] !== undefined && missing?.endsWith('_URL')) problems.push(`${missing}`)
}
const minutes = ((performance.now() - start) / 60_000).toFixed(1)
console.log(`${minutes} minutes, --seed ${values.seed}; ${problems.length} rounds lost something`)
for (const problem of problems) console.log(`\n${problem}`)
process.exit(problems.length === 0 ? 0 : 1)
