/** Reads options and positional arguments. */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from './errors.ts'
import { nearest } from '../core/nearest.ts'
import { listed, quoted } from '../core/text.ts'

type Options = NonNullable<ParseArgsConfig['options']>

interface Strictly<O extends Options> {
  readonly args: string[]
  readonly options: O
  readonly allowPositionals: true
  readonly strict: true
}

/** The options and positional arguments of a command line. @throws UsageError for an unknown option */
export function readArguments<const O extends Options>(
  argv: readonly string[],
  options: O,
): ReturnType<typeof parseArgs<Strictly<O>>> {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    // The other sentences explain how to write positional arguments.
    const [sentence = ''] = (error as Error).message.split(/\.\s/)
    throw new UsageError(sentence.charAt(0).toLowerCase() + sentence.slice(1) + remedyFor(sentence, options))
  }
}

function remedyFor(sentence: string, options: Options): string {
  const ambiguous = /^Option '(--[\w-]+)' argument is ambiguous$/.exec(sentence)?.[1]
  if (ambiguous !== undefined) return `; a value that begins with "-" is written ${ambiguous}=-…`
  const unknown = /^Unknown option '--([\w-]+)'$/.exec(sentence)?.[1]
  // An argument is visible to other processes, and stays in the history of the shell.
  if (unknown === 'token') return '; the token comes from the environment variable COMMANDRY_TOKEN'
  const meant = unknown === undefined ? undefined : nearest(unknown, Object.keys(options))
  return meant === undefined ? '' : `; did you mean --${meant}?`
}

/** @throws UsageError when definitions come neither from files nor from the program of `--run`, or from both */
export function requireFiles(files: readonly string[], run?: string): void {
  if (run === undefined && files.length === 0)
    throw new UsageError('FILE is required: a file, a folder, or "-" for stdin; or --run COMMAND')
  if (run !== undefined && files.length > 0)
    throw new UsageError(`--run takes the definitions from the program; leave out "${files[0]}"`)
}

/** The only positional argument. @throws UsageError when it is missing or not the only one */
export function onlyArgument(positionals: readonly string[], missing: string): string {
  const [value, surplus] = positionals
  if (value === undefined) throw new UsageError(missing)
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}"`)
  return value
}

/** A value that must be one of a few words. @throws UsageError */
export function oneOfWords<const Word extends string>(
  option: string,
  value: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value)
  if (found !== undefined) return found
  throw new UsageError(`--${option} "${value}" is not ${listed(words, 'or')}`)
}

/** The number of `--port`; 0 stands for any free port. @throws UsageError */
export function readPort(value: string): number {
  const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : -1
  if (number < 0 || number > 65_535)
    throw new UsageError(`--port "${value}" is not a whole number from 0 to 65535`)
  return number
}

/** A whole number from 0. @throws UsageError */
export function readCount(option: string, value: string): number {
  if (/^[0-9]{1,4}$/.test(value)) return Number(value)
  throw new UsageError(`--${option} ${quoted(value, 40)} is not a whole number`)
}

/** The seconds of `--timeout`: at least 0.1, at most an hour. @throws UsageError */
export function readTimeout(value: string): number {
  const number = /^[0-9]{1,9}(?:\.[0-9]{1,3})?$/.test(value) ? Number(value) : 0
  if (number < 0.1 || number > 3_600)
    throw new UsageError(`--timeout "${value}" is not a number of seconds from 0.1 to 3600`)
  return number
}
