/**
 * Runs in a worker of Vitest. With `MUTANT` one mutant is switched on all the time. With `MUTANTS_PLAN` each test repeats with
 * the mutants of the plan that reach it and that no test has noticed yet, and at last without any: a test that
 * fails then cannot be repeated, so what it noticed is void.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { VitestTestRunner } from 'vitest/runners'

const { MUTANT, MUTANTS_PLAN } = process.env
const NONE = -1
let active = MUTANT === undefined ? NONE : Number(MUTANT)
globalThis.mutant = (id) => id === active

const plan = MUTANTS_PLAN === undefined ? undefined : JSON.parse(readFileSync(MUTANTS_PLAN, 'utf8'))
/** Mutants that need no further test, and the milliseconds that the others have used. */
const settled = new Set()
const spent = new Map()
const timedOut = new Map()
const report = (line) => appendFileSync(plan.results, `${JSON.stringify(line)}\n`)

let strayError
if (plan !== undefined)
  process.on(
    'unhandledRejection',
    (error) => (strayError ??= `unhandled: ${String(error?.message ?? error)}`),
  )

const now = () => ({ processor: process.cpuUsage().user / 1000, clock: performance.now() })
/** Milliseconds of the processor, or a third of those on the clock: a test that waits uses next to no processor. */
const usedSince = (then) => Math.max(now().processor - then.processor, (now().clock - then.clock) / 3)
const isTimeout = (message) => /timed out in \d+ms/.test(message)

export default class extends VitestTestRunner {
  #mutants = []
  #noticed = new Map()
  #since = now()
  #ms = 0

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test)
    if (plan === undefined || test.mode === 'skip') return
    const { ids = [], ms } = plan.tests[test.id] ?? {}
    const canRepeat = !test.concurrent && !test.fails && ids.length > 0
    if (!canRepeat && ids.length > 0) report({ file: test.file.filepath, void: ids })
    this.#mutants = canRepeat ? ids.filter((id) => !settled.has(id)) : []
    this.#noticed = new Map()
    if (this.#mutants.length === 0) test.mode = 'skip'
    test.repeats = this.#mutants.length
    test.retry = 0
    this.#ms = ms
  }

  async onBeforeTryTask(test, { repeats }) {
    await super.onBeforeTryTask(test)
    if (plan === undefined) return
    if (repeats > 0) this.#judge(test, this.#mutants[repeats - 1])
    active = this.#mutants[repeats] ?? NONE
    this.#since = now()
    strayError = undefined
    writeFileSync(
      plan.progress,
      JSON.stringify({ id: active, test: test.id, ms: this.#ms, file: test.file.filepath }),
    )
  }

  async onAfterRunTask(test) {
    await super.onAfterRunTask(test)
    if (plan === undefined || this.#mutants.length === 0) return
    const noticed = [...this.#noticed]
    const failsAlways = test.result?.state !== 'pass' || strayError !== undefined
    active = NONE
    if (failsAlways && noticed.length > 0)
      report({ file: test.file.filepath, void: noticed.map(([id]) => id) })
    else
      for (const [id, message] of noticed) {
        const timeouts = (timedOut.get(id) ?? 0) + 1
        if (isTimeout(message)) timedOut.set(id, timeouts)
        if (!isTimeout(message) || timeouts > 1) settled.add(id)
        report({
          id,
          test: test.id,
          name: test.fullName,
          file: test.file.filepath,
          message,
          timeout: isTimeout(message),
        })
      }
    test.result = { ...test.result, state: 'pass', errors: undefined }
    this.#mutants = []
  }

  async onAfterRunFiles(files) {
    await super.onAfterRunFiles?.(files)
    if (plan !== undefined) report({ done: files[0].filepath })
  }

  #judge(test, id) {
    const message = test.result.errors?.[0]?.message ?? strayError
    if (test.result.state === 'fail' || strayError !== undefined) this.#noticed.set(id, message ?? 'failed')
    test.result.state = 'run'
    test.result.errors = undefined
    const ms = (spent.get(id) ?? 0) + usedSince(this.#since)
    spent.set(id, ms)
    if (ms < plan.cap || this.#noticed.has(id)) return
    settled.add(id)
    report({ id, cut: true })
  }
}
