/** Parses a typed line as chat clients do: `/ban user:@alan reason:"two words"`. */
import type { LocalizedOption } from '../../../commands/definition/localization-resolver.ts'
import { OptionType } from '../../../model/command-types.ts'
import type { OptionValues } from '../../../interactions/client/use-options.ts'
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { findByName } from '../../../interactions/client/names.ts'
import type { AttachedFile, KnownObjects } from '../../../interactions/usage/complete.ts'
import type { OptionValue } from '../../../interactions/usage/usage.ts'
import { listed, quoted } from '../../../core/text.ts'
import { invalidArgument } from './people.ts'
import { mentionKinds, type MentionKind } from '../../../interactions/usage/usage-rules.ts'

interface LineContext {
  /** The id of a mention; undefined for other texts. */
  idOfMention(text: string, kinds: readonly MentionKind[]): string | undefined
  /** The id of a new attachment with a file name. */
  attach(filename: string): string
}

/** The names of the command and its subcommand, separated by spaces, or their mention, and the rest of the line. */
export function splitLine(line: string): { readonly path: string; readonly rest: string } {
  const [, mention, options = ''] = /^\/?\s*(<\/[^<>:]+:\d+>)(.*)$/su.exec(line) ?? []
  if (mention !== undefined) return { path: mention, rest: options.trimStart() }
  const [, path = '', rest = ''] = /^\/?\s*((?:[^\s:"<@#]+(?=\s|$)\s*)*)(.*)$/su.exec(line) ?? []
  return { path: path.trim(), rest }
}

interface Typed {
  readonly name: string
  readonly text: string
}

/**
 * The values of a line by the typed names. An option starts with its name and a colon, and its value ends before the next
 * option, so values need quotes only if they contain the name of an option and a colon. An option without a text is not
 * sent.
 *
 * @throws InvocationError `invalid_options` when the line does not start with an option, or has one twice
 */
export function readValues(
  rest: string,
  options: readonly LocalizedOption[],
  context: LineContext,
): OptionValues {
  const typed = splitValues(rest, options)
  const names = typed.map(({ name }) => findByName(options, name)?.name ?? name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined)
    throw new InvocationError('invalid_options', { message: `the option ${quoted(twice)} is given twice` })
  // fromEntries defines keys, so that `__proto__` is a name like any other.
  return Object.fromEntries(
    typed
      .filter(({ text }) => text !== '')
      .map(({ name, text }) => [name, valueOf(text, findByName(options, name), context)]),
  )
}

/** The last option of a line, in which the person is typing. */
export function lastOption(rest: string, options: readonly LocalizedOption[]): Typed | undefined {
  return splitValues(rest, options).at(-1)
}

function splitValues(line: string, options: readonly LocalizedOption[]): readonly Typed[] {
  const found: { name: string; text: string; isQuoted: boolean }[] = []
  let rest = line.trim()
  while (rest !== '') {
    const last = found.at(-1)
    const [start, name] = /^([^\s:"]+):\s*/u.exec(rest) ?? []
    if (
      name !== undefined &&
      (last === undefined || last.isQuoted || findByName(options, name) !== undefined)
    ) {
      rest = rest.slice(start!.length)
      const [quote = '', inner] = /^"((?:[^"\\]|\\.)*)"(?:\s+|$)/su.exec(rest) ?? []
      found.push({ name, text: inner?.replace(/\\(.)/gsu, '$1') ?? '', isQuoted: inner !== undefined })
      rest = rest.slice(quote.length)
      continue
    }
    if (last === undefined || last.isQuoted) throw misplaced(rest, options)
    const [word] = /^\S+\s*/u.exec(rest)!
    last.text += word
    rest = rest.slice(word.length)
  }
  return found.map(({ name, text, isQuoted }) => ({ name, text: isQuoted ? text : text.trimEnd() }))
}

function misplaced(text: string, options: readonly LocalizedOption[]): InvocationError {
  const [word = ''] = text.split(/\s/u, 1)
  const [first] = options
  const remedy = first === undefined ? 'the command has no options' : `write "${first.name}:${word}"`
  return new InvocationError('invalid_options', {
    message: `${quoted(word)} is not the value of an option; ${remedy}`,
  })
}

const { INTEGER, NUMBER, BOOLEAN, ATTACHMENT } = OptionType

/**
 * A value of the option's type; that of a choice by its name. Invalid text is returned unchanged, for the checks of the
 * client.
 */
function valueOf(
  text: string,
  option: LocalizedOption | undefined,
  context: LineContext,
): string | number | boolean {
  if (option === undefined) return text
  const { type, choices = [] } = option
  const choice = findByName(choices, text)
  if (choice !== undefined) return choice.value
  switch (type) {
    case INTEGER:
    case NUMBER:
      return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : text
    case BOOLEAN:
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text
    case ATTACHMENT:
      return context.attach(text)
    default: {
      const kinds = mentionKinds[type]
      return (kinds && context.idOfMention(text, kinds)) ?? text
    }
  }
}

/** The value of an option as a test gives it: a value, a file, or something with an id. @throws InputError for anything else */
export function givenValue(
  name: string,
  value: unknown,
  attach: (file: AttachedFile) => string,
): OptionValue | undefined {
  if (typeof value !== 'object' || value === null) return value as OptionValue | undefined
  const { id, filename } = value as { readonly id?: unknown; readonly filename?: unknown }
  if (typeof filename === 'string') return attach(value as AttachedFile)
  if (typeof id === 'string') return id
  throw invalidArgument(name, 'a value, a file with its filename, or something with an id', value)
}

/** What is wrong with an id that none of the known objects has. */
export function unknownId(
  id: string,
  kinds: readonly MentionKind[],
  known: KnownObjects,
): string | undefined {
  if (kinds.some((kind) => known[kind]?.[id])) return undefined
  const nouns = kinds.map((kind) => kind.slice(0, -1).replace('user', 'person'))
  return `no ${listed(nouns, 'or')} has the id ${quoted(id)}`
}
