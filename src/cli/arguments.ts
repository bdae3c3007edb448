import { parseArgs, type ParseArgsConfig } from 'node:util'

/** How a program ends: all is well, the answer is no, or it was not asked properly; the usage tells more. */
export type ExitCode = 0 | 1 | 2

/** The program was asked for something it does not have; the message says what. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>

interface Strictly<O extends Options> {
  readonly args: string[]
  readonly options: O
  readonly allowPositionals: true
  readonly strict: true
}

/** The options and other words of a command line. @throws UsageError for what is not among the options */
export function readArguments<const O extends Options>(
  argv: readonly string[],
  options: O,
): ReturnType<typeof parseArgs<Strictly<O>>> {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    // The first sentence tells what is wrong; the rest, in other words, how to write what looks like an option.
    const [sentence] = (error as Error).message.split(/\.\s/)
    const ambiguous = /^Option '(--[\w-]+)' argument is ambiguous$/.exec(sentence!)?.[1]
    const remedy = ambiguous === undefined ? '' : `; a value that begins with "-" is written ${ambiguous}=-…`
    throw new UsageError(sentence!.charAt(0).toLowerCase() + sentence!.slice(1) + remedy)
  }
}

/** A value that has to be one of a few words. */
export function oneOf<const Word extends string>(
  option: string,
  value: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value)
  if (found === undefined) throw new UsageError(`--${option} is ${words.join(' or ')}, not "${value}"`)
  return found
}

/** A whole number, from 0 unless told otherwise. */
export function wholeNumber(option: string, value: string, most: number, least = 0): number {
  const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : -1
  if (number < least || number > most) {
    throw new UsageError(`--${option} is a whole number from ${least} to ${most}, not "${value}"`)
  }
  return number
}
