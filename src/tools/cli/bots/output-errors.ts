/** Which lines of an output say why a program failed. */
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

/** Whether a program left an error unhandled. */
export const hasUnhandledError = (output: string): boolean => UNHANDLED.test(output)

/** The last error with the lines around it, and the author's line of a traceback; undefined without one. */
export function lastErrorIn(output: string): string | undefined {
  const [cause] = output.split(AFTER_CAUSE, 1)
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
