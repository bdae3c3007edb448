/** What a program writes, of which the last lines are kept. */
import { printable, withoutColors } from '../../../core/text.ts'

const LAST_CHARACTERS = 20_000

export class ProgramOutput {
  #kept = ''
  #length = 0
  #isInCutLine = false

  add(text: string): void {
    this.#length += text.length
    const all = this.#kept + text
    const isCut = this.#isInCutLine || all.length > LAST_CHARACTERS
    const last = all.slice(-LAST_CHARACTERS)
    const next = last.indexOf('\n') + 1
    // A line that is cut could begin within a token.
    this.#isInCutLine = isCut && next === 0
    this.#kept = this.#isInCutLine ? '' : last.slice(isCut ? next : 0)
  }

  clear(): void {
    this.#kept = ''
  }

  /** The characters that were written in all. */
  get length(): number {
    return this.#length
  }

  /** All of it that is kept, without colors. */
  get text(): string {
    return this.between(0, this.#length)
  }

  /** What is kept of a part of it, which is given by the characters before its beginning and its end. */
  between(from: number, to: number): string {
    const before = this.#length - this.#kept.length
    return withoutColors(this.#kept.slice(Math.max(0, from - before), Math.max(0, to - before)))
  }
}

// They would push out the message of the error.
const LIBRARY_FRAME = /^ +at .*(?:\bnode:|[\\/]node_modules[\\/])/

/** The last lines of an output, so many, without the calls inside libraries. */
export function lastLines(text: string, most: number): string {
  const lines = text.trimEnd().split('\n')
  const own = lines.filter((line) => !LIBRARY_FRAME.test(line)).slice(-most)
  return own.map((line) => printable(line)).join('\n')
}
