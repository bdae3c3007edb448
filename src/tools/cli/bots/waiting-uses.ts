/** What a program writes while uses wait for its answers, and which use an error in it belongs to. */
import { withoutColors } from '../../../core/text.ts'
import { BotOutput } from './bot-output.ts'

const MAX_OUTPUT = 20_000

/** A part of the output, by the characters before its beginning and its end. */
type Span = readonly [from: number, to: number]

interface Waiting {
  readonly from: number
  /** The parts in which no other use waited. */
  readonly alone: Span[]
}

/** The output of a program, cut at the uses that wait for it. */
export class WaitingUses {
  #text = ''
  /** The characters that were written in all. */
  #written = 0
  #since = 0
  readonly #waiting = new Set<Waiting>()

  add(text: string): void {
    this.#written += text.length
    const all = this.#text + text
    // A line that is cut could begin within a token.
    this.#text = all.length <= MAX_OUTPUT ? all : all.slice(-MAX_OUTPUT).replace(/^[^\n]*\n?/, '')
  }

  /** All of it that is kept. */
  get text(): string {
    return withoutColors(this.#text)
  }

  /** Forgets what was written; uses that wait go on. */
  clear(): void {
    this.#text = ''
  }

  /** A use begins to wait. `error` is what was written about its failure, empty for nothing. */
  begin() {
    this.#cut()
    const use: Waiting = { from: this.#written, alone: [] }
    this.#waiting.add(use)
    return {
      /**
       * The last error that was written while this use waited alone; else the last one while it waited, which then may be
       * of another use that fails as well.
       */
      error: (): string => {
        this.#cut()
        const spans: readonly Span[] = [...use.alone, [use.from, this.#written]]
        return spans.map((span) => errorIn(this.#between(span))).find((error) => error !== '') ?? ''
      },
      /** What was written while it waited. */
      written: (): string => withoutColors(this.#between([use.from, this.#written])),
      end: (): void => {
        this.#cut()
        this.#waiting.delete(use)
      },
    }
  }

  /** Ends the part in which the same uses wait. */
  #cut(): void {
    const [only] = this.#waiting
    if (this.#waiting.size === 1 && this.#written > this.#since)
      only!.alone.push([this.#since, this.#written])
    this.#since = this.#written
  }

  #between([from, to]: Span): string {
    const offset = this.#written - this.#text.length
    return this.#text.slice(Math.max(0, from - offset), Math.max(0, to - offset))
  }
}

function errorIn(text: string): string {
  const output = new BotOutput()
  output.add(text)
  return output.takeError() ?? ''
}
