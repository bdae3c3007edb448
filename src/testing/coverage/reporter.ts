/** Prints at the end of a run what its tests have used of the bot: a reporter of Vitest, Jest and node:test. */
import { Transform, type TransformCallback } from 'node:stream'
import { coverageText } from './coverage.ts'
import { CoverageFolder } from './kept-coverage.ts'

/**
 * A reporter of Vitest, Jest and node:test, beside the usual one. It counts the testbeds that the run has closed.
 *
 * @example
 * // vitest.config.js
 * export default { test: { reporters: ['default', 'commandry/coverage'] } }
 *
 * @example
 * // jest.config.js
 * module.exports = { reporters: ['default', 'commandry/coverage'] }
 *
 * @example
 * // node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=commandry/coverage --test-reporter-destination=stdout
 */
export class CoverageReporter extends Transform {
  // The processes of the tests start after it was created.
  #folder: CoverageFolder | undefined = new CoverageFolder()

  constructor() {
    super({ writableObjectMode: true })
  }

  /** Of Vitest, after each run. */
  onTestRunEnd(): void {
    const text = this.#text()
    if (text !== '') process.stdout.write(text)
  }

  /** Of Jest, after each run. */
  onRunComplete(): void {
    this.onTestRunEnd()
  }

  /** Of node:test: its events are not needed. */
  override _transform(_event: unknown, _encoding: string, done: TransformCallback): void {
    done()
  }

  /** Of node:test, after its last event. */
  override _flush(done: TransformCallback): void {
    done(null, this.#text())
  }

  #text(): string {
    const coverage = this.#folder?.take() ?? null
    // In watch mode, another run follows.
    this.#folder = new CoverageFolder()
    return coverage === null ? '' : `\n${coverageText(coverage, process.stdout.columns ?? Infinity)}\n`
  }
}

export default CoverageReporter
