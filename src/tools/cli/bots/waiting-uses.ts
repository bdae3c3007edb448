/** What a program writes while uses wait for its answers, and which use an error in it belongs to. */
import { ProgramOutput } from '../../../testing/testbed/programs/program-output.ts'
import { lastErrorIn } from './output-errors.ts'

/** A part of the output, by the characters before its beginning and its end. */
type Span = readonly [from: number, to: number]

interface Waiting {
  readonly from: number
  /** The parts in which no other use waited. */
  readonly alone: Span[]
}

/** The output of a program, cut at the uses that wait for it. */
export class WaitingUses extends ProgramOutput {
  #since = 0
  readonly #waiting = new Set<Waiting>()

  /** A use begins to wait. `error` is what was written about its failure, empty for nothing. */
  begin() {
    this.#cut()
    const use: Waiting = { from: this.length, alone: [] }
    this.#waiting.add(use)
    return {
      /**
       * The last error that was written while this use waited alone; else the last one while it waited, which then may be
       * of another use that fails as well.
       */
      error: (): string => {
        this.#cut()
        const spans: readonly Span[] = [...use.alone, [use.from, this.length]]
        return (
          spans.map((span) => lastErrorIn(this.between(...span))).find((error) => error !== undefined) ?? ''
        )
      },
      /** What was written while it waited. */
      written: (): string => this.between(use.from, this.length),
      end: (): void => {
        this.#cut()
        this.#waiting.delete(use)
      },
    }
  }

  /** Ends the part in which the same uses wait. */
  #cut(): void {
    const [only] = this.#waiting
    if (this.#waiting.size === 1 && this.length > this.#since) only!.alone.push([this.#since, this.length])
    this.#since = this.length
  }
}
