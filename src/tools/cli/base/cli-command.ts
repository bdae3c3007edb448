/** A command of the program as a row: its help, its options with the readers of their values, and its run. */
import { isHttpAddress } from '../../../core/rules/arguments.ts'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { suggestion } from '../../../core/nearest.ts'
import { isSnowflake } from '../../../core/snowflake.ts'
import { listed, quoted } from '../../../core/text.ts'
import { usageError } from './errors.ts'
import { print, warn, type Io } from './io.ts'

export interface Command<Own extends Options = any> {
  /** The text of `--help` before the options, and the text after them. */
  readonly help: readonly [before: string, after?: string]
  readonly options: Own
  /** Former names of options, which work until 0.5.0. */
  readonly formerly?: Readonly<Record<string, string & keyof Own>>
  /** Whether the arguments after `--` are those of another program; with `run`, it is the value of `--run`. */
  readonly takesProgram?: boolean | 'run'
  /**
   * @param args the arguments that are not options
   * @returns the exit code: 0 no problems; 1 problems, or something cannot be read; 2 for `plan` a loss
   * @throws CommandError
   */
  run(io: Io, values: Values<Own>, args: readonly string[], program: readonly string[]): Promise<number>
}

export interface Option<Value> {
  /** Stands for its value in the help; null for a flag. */
  readonly value: string | null
  readonly help: string
  /** Reads the texts that are given for it. @throws CommandError */
  readonly read: (given: readonly string[], name: string) => Value
}

export type Options = Readonly<Record<string, Option<any>>>

export type Values<Own extends Options> = {
  readonly [Name in keyof Own]: Own[Name] extends Option<infer Value> ? Value : never
}

/** Derives the types of the values from the options. */
export function command<const Own extends Options>(row: Command<Own>): Command<Own> {
  return row
}

// --- Options --------------------------------------------------------------------------------------------------

type ReadText<Value> = (text: string, name: string) => Value

const asIs: ReadText<string> = (text) => text

export function flag(help: string): Option<boolean> {
  return { value: null, help, read: (given) => given.length > 0 }
}

/** An option with a value, `undefined` without one. */
export function option<Value = string>(
  value: string,
  help: string,
  read = asIs as ReadText<Value>,
): Option<Value | undefined> {
  return { value, help, read: (given, name) => (given.length === 0 ? undefined : read(given.at(-1)!, name)) }
}

export function optionWith<Value = string>(
  value: string,
  help: string,
  otherwise: string,
  read = asIs as ReadText<Value>,
): Option<Value> {
  return { value, help, read: (given, name) => read(given.at(-1) ?? otherwise, name) }
}

export function list<Value = string>(
  value: string,
  help: string,
  read = asIs as ReadText<Value>,
): Option<readonly Value[]> {
  return { value, help, read: (given, name) => given.map((text) => read(text, name)) }
}

export function wordOf<const Word extends string>(...words: readonly Word[]): ReadText<Word> {
  return (text, name) => {
    const found = words.find((word) => word === text)
    if (found === undefined) throw usageError(`--${name} "${text}" is not ${listed(words, 'or')}`)
    return found
  }
}

export function asId(text: string): string {
  if (!isSnowflake(text)) throw usageError(`${quoted(text, 40)} is not an id; ids are digits only`)
  return text
}

function numberIn(form: RegExp, least: number, most: number, expected: string): ReadText<number> {
  return (text, name) => {
    const number = form.test(text) ? Number(text) : NaN
    if (number >= least && number <= most) return number
    throw usageError(`--${name} ${quoted(text, 40)} is not ${expected}`)
  }
}

/** Reads the number of a port; 0 stands for any free one. */
export const port = numberIn(/^[0-9]{1,9}$/, 0, 65_535, 'a whole number from 0 to 65535')

export const count = numberIn(/^[0-9]{1,4}$/, 0, 9_999, 'a whole number')

const seconds = numberIn(/^[0-9]{1,9}(?:\.[0-9]{1,3})?$/, 0.1, 3_600, 'a number of seconds from 0.1 to 3600')

export function asAddress(text: string, name: string): string {
  if (isHttpAddress(text)) return text
  throw usageError(`--${name} "${text}" is not an HTTP address such as http://127.0.0.1:3000/interactions`)
}

export const color = optionWith(
  'auto|always|never',
  '(auto; NO_COLOR and CLICOLOR_FORCE count)',
  'auto',
  wordOf('auto', 'always', 'never'),
)

export function timeout(otherwise: string): Option<number> {
  return optionWith('SECONDS', `the longest time for a response (${otherwise})`, otherwise, seconds)
}

// --- Running --------------------------------------------------------------------------------------------------

/** Runs a command with its arguments, or prints its help. @throws CommandError */
export async function runCommand(command: Command, argv: readonly string[], io: Io): Promise<number> {
  const { options, formerly = {}, takesProgram, run } = command
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const rest = argv.slice(end + 1)
  // The arguments after `--` may be files, whose names begin with "-".
  const isAfterRun = argv[end - 1] === '--run'
  const isRun = takesProgram === 'run' && rest.length > 0 && (isAfterRun || !isSource(io.cwd, rest[0]!))
  const own = argv.slice(0, isRun && isAfterRun ? end - 1 : end)
  if (own.includes('--help') || own.includes('-h')) {
    print(io, helpOf(command))
    return 0
  }
  const entries = Object.entries<Option<unknown>>(options)
  const former = Object.entries(formerly).map(([name, now]) => [name, options[now]!] as const)
  const types = [...entries, ...former].map(([name, { value }]) => {
    return [name, { type: value === null ? 'boolean' : 'string', multiple: true } as const]
  })
  let parsed: { values: Readonly<Record<string, unknown>>; positionals: readonly string[] }
  try {
    const config = { options: Object.fromEntries(types), allowPositionals: true, strict: true }
    parsed = parseArgs({ args: own, ...config })
  } catch (error) {
    // The other sentences explain how to write positional arguments.
    const [sentence = ''] = (error as Error).message.split(/\.\s/)
    throw usageError(sentence.charAt(0).toLowerCase() + sentence.slice(1) + remedyFor(sentence, options))
  }
  const { values, positionals } = parsed
  if (isRun && values.run !== undefined)
    throw usageError('--run and a program after -- are two programs; leave one out')
  const given: Record<string, unknown> = { ...values, ...(isRun && { run: await lineOf(rest) }) }
  for (const [old, name] of Object.entries(formerly)) {
    if (given[old] === undefined) continue
    warn(io, `--${old} is now --${name}; the old name works until 0.5.0`)
    given[name] = [given[old], given[name] ?? []].flat()
  }
  const read = entries.map(([name, { read }]) => [name, read([given[name] ?? []].flat().map(String), name)])
  const args = takesProgram === true || isRun ? positionals : [...positionals, ...rest]
  return run(io, Object.fromEntries(read) as never, args, rest)
}

/** Whether an argument is a file of definitions or a folder, and so not a program. */
function isSource(cwd: string, argument: string): boolean {
  const isFolder = statSync(resolve(cwd, argument), { throwIfNoEntry: false })?.isDirectory()
  return isFolder || /^-$|\.(?:json|[cm]?[jt]sx?)$/i.test(argument)
}

/** Loaded here: other commands start no program. */
async function lineOf(program: readonly string[]): Promise<string> {
  const { shellLine } = await import('../../../testing/testbed/programs/run-program.ts')
  return shellLine(program)
}

function remedyFor(sentence: string, options: Options): string {
  const ambiguous = /^Option '(--[\w-]+)' argument is ambiguous$/.exec(sentence)?.[1]
  if (ambiguous !== undefined) return `; a value that begins with "-" is written ${ambiguous}=-…`
  const unknown = /^Unknown option '--([\w-]+)'$/.exec(sentence)?.[1]
  // An argument is visible to other processes, and stays in the history of the shell.
  if (unknown === 'token') return '; the token comes from the environment variable COMMANDRY_TOKEN'
  return unknown === undefined ? '' : suggestion(unknown, Object.keys(options), '', (meant) => `--${meant}`)
}

// The widest option that others are aligned with.
const WIDEST = 24

export function helpOf({ help: [before, after], options }: Command): string {
  const rows = Object.entries<Option<unknown>>(options).map(
    ([name, { value, help }]) => [`--${name}${value === null ? '' : ` ${value}`}`, help] as const,
  )
  const width = Math.max(...rows.map(([label]) => (label.length > WIDEST ? 0 : label.length)), 0)
  const lines = rows.map(
    ([label, help]) => `  ${label.padEnd(width)}  ${help.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}`,
  )
  return [before, lines.join('\n'), after].filter((part) => part !== undefined && part !== '').join('\n\n')
}

// --- Arguments ------------------------------------------------------------------------------------------------

/** @throws CommandError when definitions come neither from files nor from the program of `--run`, or from both */
export function requireFiles(files: readonly string[], run?: string): void {
  if (run === undefined && files.length === 0)
    throw usageError('FILE is required: a file, a folder, or "-" for stdin; or --run COMMAND')
  if (run !== undefined && files.length > 0)
    throw usageError(`--run takes the definitions from the program; leave out "${files[0]}"`)
}

/** The only argument, if there is one. @throws CommandError for more, or with `missing` for none */
export function onlyArgument(args: readonly string[], missing: string): string {
  noMoreArguments(args.slice(1))
  return required(args[0], missing)
}

export function noMoreArguments([surplus]: readonly string[]): void {
  if (surplus !== undefined) throw usageError(`unexpected argument "${surplus}"`)
}

export function required<Value>(value: Value | undefined, missing: string): Value {
  if (value === undefined) throw usageError(missing)
  return value
}
