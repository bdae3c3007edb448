/** What a bot writes while it is used, and which of it says why it failed. */
import { printable, withoutColors } from '../../../core/text.ts'

const MAX_LENGTH = 10_000
const LINES_BEFORE = 4
const LINES_AFTER = 5

/** A line that begins with the name of an error, such as `TypeError: …` or `discord.errors.NotFound`. */
const ERROR_FIRST = /^(?:[\w.]+ )?[\w.]*(?:Error|Exception)\b/
/** A line with the name and the message of an error behind the words of a logger. */
const ERROR_LATER = /\b[A-Z]\w*(?:Error|Exception)(?: ?\[\w+\])?: /
const TRACEBACK = /^Traceback /
const UNHANDLED = /\b(?:unhandled|uncaught)|^Traceback \(most recent call last\)/im
/** Python prints the cause first, and then the errors of the library that called it. */
const AFTER_CAUSE = 'The above exception was the direct cause'
/** A line of a Python traceback that names a file that is not of a library. */
const OWN_FRAME = /^ +File "(?!<|.*(?:-packages|lib.python))/

export class BotOutput {
  #text = ''

  /** Whether an error in it was left unhandled. */
  get isUnhandled(): boolean {
    return UNHANDLED.test(this.#text)
  }

  add(text: string): void {
    this.#text = (this.#text + withoutColors(text)).slice(-MAX_LENGTH)
  }

  clear(): void {
    this.#text = ''
  }

  /** The last error with the lines around it, and the author's line of a traceback; undefined without one. */
  takeError(): string | undefined {
    const [cause] = this.#text.split(AFTER_CAUSE, 1)
    this.clear()
    const lines = cause!.trimEnd().split('\n')
    const at = lines.findLastIndex((line) =>
      [ERROR_FIRST, ERROR_LATER, TRACEBACK].some((form) => form.test(line)),
    )
    if (at < 0) return undefined
    const from = Math.max(0, at - LINES_BEFORE)
    const own = lines.findLastIndex((line, index) => index < at && OWN_FRAME.test(line))
    return [
      ...(own < 0 ? [] : lines.slice(own, Math.min(own + 2, from))),
      ...lines.slice(from, at + 1 + LINES_AFTER),
    ].join('\n')
  }
}

const LIBRARY_FRAME = /^ +at .*(?:\bnode:|[\\/]node_modules[\\/])/

/** The last lines of an output, so many, without the calls inside libraries. */
export function lastLines(text: string, most: number): string {
  const lines = text.split('\n').filter((line) => !LIBRARY_FRAME.test(line))
  return lines
    .slice(-most)
    .map((line) => printable(line))
    .join('\n')
}
