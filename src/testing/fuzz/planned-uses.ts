/** The uses of a command: first a list that tries every part of its definition, then generated ones. Pure. */
import fc, { type Arbitrary } from 'fast-check'
import { anyCharacter } from '../arbitraries/text-arbitrary.ts'
import { optionValue } from '../arbitraries/use-arbitrary.ts'
import type { ApplicationCommand, CommandOption } from '../../model/command-definition.ts'
import { LENGTH_MAX } from '../../commands/definition/rules/option-rules.ts'
import { optionTraits, ChannelType, CommandType, OptionType } from '../../model/command-types.ts'
import { isOfFileType } from '../../model/file-types.ts'
import type { OptionValue } from '../../interactions/usage/usage.ts'
import { subcommandsOf } from '../../interactions/usage/match.ts'
import { locales, type Locale } from '../../model/locales.ts'
import { mentionKinds, type MentionKind } from '../../interactions/usage/usage-rules.ts'
import type { ServerSettings } from '../../model/server.ts'

/** Who uses a command, where, in which language. */
export interface UsePlace {
  readonly as: string
  readonly channel: string
  readonly locale: Locale
  readonly installed?: 'server' | 'user'
}

/** A command, or one of its subcommands. */
export type Subject = ReturnType<typeof subjectsOf>[number]

export interface Given {
  readonly option: CommandOption
  readonly value: OptionValue
}

/** A use of a command, with what the person enters and chooses afterwards. */
export interface Use {
  readonly subject: Subject
  readonly values: readonly Given[]
  readonly place: UsePlace
  /** The option in which the person only asks for suggestions; the last one of `values`. */
  readonly focused?: string
  /** The username of the target of a user command. */
  readonly target: string
  /** The texts of modals, and of the target of a message command. */
  readonly texts: readonly string[]
  /** Numbers that choose among suggestions and entries of menus. */
  readonly picks: readonly number[]
}

/** The people and places in which a subject can be used: at least one of each. */
export interface FuzzStage {
  readonly server: ServerSettings
  readonly places: readonly Omit<UsePlace, 'locale'>[]
}

export function subjectsOf(commands: readonly ApplicationCommand[]) {
  return commands.flatMap((command) => {
    const { type, name, options = [] } = command
    const keys = new Set(Array.from(JSON.stringify(command).matchAll(/"([\w-]+)":/g), ([, key]) => key))
    const slash = type === CommandType.CHAT_INPUT ? '/' : ''
    const subjectAt = (words: readonly string[]) => ({
      type,
      /** The names of the command and its subcommand, separated by spaces. */
      path: [name, ...words].join(' '),
      /** The path, with the slash of a slash command. */
      name: slash + [name, ...words].join(' '),
      options: words.reduce((list, word) => list.find((one) => one.name === word)?.options ?? [], options),
      /** The languages that the command has. */
      locales: locales.filter((locale) => keys.has(locale)),
    })
    const nested = subcommandsOf(command)
    return nested.length === 0 ? [subjectAt([])] : nested.map((path) => subjectAt(path.split(' ')))
  })
}

const COMMON_LOCALES: readonly Locale[] = ['en-US', 'de', 'fr', 'es-ES', 'pt-BR', 'ja']

// Texts that break programs: they are parsed, echoed, used as keys and as regular expressions.
const SPECIAL_TEXTS = [
  ...['a', 'x'.repeat(LENGTH_MAX), '(', '👩‍👩‍👧', '@everyone', ' ', 'a\nb', '**a** _b_', '```', '"', "'", '[]{}'],
  ...['ا‏ب', '__proto__', '%s', '${x}', '\\', '0'],
]

const fileNames = ['cat.png', 'notes.txt', 'no extension', '🐈.jpg', 'clip.mp4', 'song.mp3']

/** Names of files that an option or an upload with some file types takes. */
export function fileNamesFor(types: unknown): readonly string[] {
  if (!Array.isArray(types) || types.length === 0) return fileNames
  const ofExtensions = types
    .map(String)
    .filter((type) => type.startsWith('.'))
    .map((type) => `notes${type}`)
  return [...fileNames.filter((filename) => isOfFileType({ filename }, types.map(String))), ...ofExtensions]
}

const texts = fc.oneof(fc.constantFrom(...SPECIAL_TEXTS), fc.string({ unit: anyCharacter, maxLength: 20 }))

/** A text within the bounds of an option or an input. */
export function fitted(text: string, { min = 0, max = LENGTH_MAX }): string {
  const characters = [...text]
  while (characters.length < min) characters.push(...(text === '' ? 'a' : text))
  return characters.slice(0, Math.max(min, max)).join('')
}

function fittedTo({ min_length: min = 0, max_length: max = LENGTH_MAX }: CommandOption, text: string) {
  return fitted(text, { min, max })
}

export function isTextOption({ type, choices = [] }: CommandOption): boolean {
  return optionTraits[type]?.length === true && choices.length === 0
}

/** The ids of the people, roles and channels that a person can choose. @param types those of channels. Default: all */
export function idsOf(
  kinds: readonly MentionKind[],
  { members, roles, channels }: ServerSettings,
  types: readonly number[] = [],
): readonly string[] {
  const isTaken = (type: number) => types.length === 0 || types.includes(type)
  const lists: { readonly [Kind in MentionKind]: readonly { readonly id: string }[] } = {
    users: members.map(({ user }) => user),
    roles,
    channels: channels.filter(({ type = ChannelType.GUILD_TEXT }) => isTaken(type)),
  }
  return kinds.flatMap((kind) => lists[kind].map(({ id }) => id))
}

function idsFor({ type, channel_types: types }: CommandOption, { server }: FuzzStage): readonly string[] {
  return idsOf(mentionKinds[type] ?? [], server, types).filter((id) => id !== server.id)
}

/** The simplest value of an option, to which others are shrunk; undefined if the option takes no value. */
export function simplest(option: CommandOption, stage: FuzzStage): OptionValue | undefined {
  const { type, choices = [], min_value: min = -Infinity, max_value: max = Infinity } = option
  if (choices.length > 0) return choices[0]!.value
  if (type === OptionType.BOOLEAN) return true
  if (type === OptionType.ATTACHMENT) return fileNamesFor(option.file_types)[0]
  if (isTextOption(option)) return fittedTo(option, 'a')
  if (optionTraits[type]?.range) return Math.min(max, Math.max(min, 1))
  return idsFor(option, stage)[0]
}

/** Every choice, and the smallest and the largest value. */
function edgesOf(option: CommandOption): readonly OptionValue[] {
  const { choices = [], min_value, max_value } = option
  const edges = [min_value, max_value].filter((value) => value !== undefined)
  return [...choices.map(({ value }) => value), ...edges]
}

function valuesOf(option: CommandOption, stage: FuzzStage): Arbitrary<OptionValue | undefined> {
  if (option.type === OptionType.ATTACHMENT) return fc.constantFrom(...fileNamesFor(option.file_types))
  if (isTextOption(option)) return texts.map((text) => fittedTo(option, text))
  const ids = idsFor(option, stage)
  return ids.length > 0 ? fc.constantFrom(...ids) : (optionValue(option) ?? fc.constant(undefined))
}

/** Values of some options; those without any are left out. */
function given(
  options: readonly CommandOption[],
  valueOf: (option: CommandOption, index: number) => OptionValue | undefined,
): readonly Given[] {
  const all = options.map((option, index) => ({ option, value: valueOf(option, index) }))
  return all.filter((one): one is Given => one.value !== undefined && one.value !== '')
}

/** Item `index` of a list that starts again at its end. */
function cycled<T>(list: readonly T[], index: number): T {
  return list[index % list.length]!
}

/** The listed uses of a subject, most useful first. */
function listedUses(subject: Subject, stage: FuzzStage): readonly Use[] {
  const { options } = subject
  const { members, roles, id: serverId } = stage.server
  const tongues = [...new Set<Locale>(['en-US', ...subject.locales, ...COMMON_LOCALES])]
  const role = roles.find(({ id }) => id !== serverId)
  const special = [...SPECIAL_TEXTS, ...(role === undefined ? [] : [`<@&${role.id}>`])]
  const use = (values: readonly Given[], index = 0, focused?: string): Use => ({
    subject,
    values,
    ...(focused !== undefined && { focused }),
    place: { ...cycled(stage.places, index), locale: cycled(tongues, index) },
    target: cycled(members, index).user.username,
    texts: [0, 1, 2].map((shift) => cycled(special, index + shift)),
    picks: [index, index + 1, index + 2],
  })
  const simple = (option: CommandOption) => simplest(option, stage)
  const required = (option: CommandOption) => (option.required === true ? simple(option) : undefined)
  const withValue = (option: CommandOption, value: OptionValue) =>
    use(given(options, (one) => (one === option ? value : required(one))))
  const asked = options.filter(({ autocomplete }) => autocomplete === true)
  const count = Math.max(special.length, tongues.length, stage.places.length)
  const varied = Array.from({ length: count }, (_, index) => {
    const valueOf = (option: CommandOption, shift: number) =>
      isTextOption(option) ? fittedTo(option, cycled(special, index + shift)) : simple(option)
    const typed = index === 0 ? '' : cycled(special, index - 1)
    const suggestions = asked.map((option) => {
      const others = options.filter((one) => one !== option)
      const value = fittedTo({ ...option, min_length: 0 }, typed)
      return use([...given(others, required), { option, value }], index, option.name)
    })
    return [use(given(options, valueOf), index), ...suggestions]
  })
  const edges = options.flatMap((option) => edgesOf(option).map((value) => withValue(option, value)))
  return [use(given(options, required)), use(given(options, simple)), ...edges, ...varied.flat()]
}

function generatedUses(subject: Subject, stage: FuzzStage): Arbitrary<Use> {
  const values = subject.options.map((option) => {
    const value = valuesOf(option, stage)
    return option.required === true ? value : fc.option(value, { nil: undefined })
  })
  return fc.record({
    subject: fc.constant(subject),
    values: fc.tuple(...values).map((list) => given(subject.options, (_, index) => list[index])),
    place: fc
      .tuple(
        fc.constantFrom(...stage.places),
        fc.constantFrom(...subject.locales, ...COMMON_LOCALES, ...locales),
      )
      .map(([place, locale]) => ({ ...place, locale })),
    target: fc.constantFrom(...stage.server.members.map(({ user }) => user.username)),
    texts: fc.array(texts, { minLength: 3, maxLength: 3 }),
    picks: fc.array(fc.nat(24), { minLength: 3, maxLength: 3 }),
  })
}

/** The values of a use that a person can choose at its place: in a DM no channel and no role of a server. */
function possibleAt({ server }: FuzzStage, use: Use): Use {
  if (use.place.channel !== 'dm') return use
  const isOfServer = (value: OptionValue) =>
    [...server.roles, ...server.channels].some(({ id }) => id === value)
  const isPossible = ({ option, value }: Given) =>
    mentionKinds[option.type] === undefined || !isOfServer(value)
  return { ...use, values: use.values.filter(isPossible) }
}

/** The listed and generated uses of a subject, the same for each seed. */
export function planUses(subject: Subject, stage: FuzzStage, runs: number, seed: number): readonly Use[] {
  const listed = listedUses(subject, stage).slice(0, runs)
  const numRuns = runs - listed.length
  const generated = numRuns === 0 ? [] : fc.sample(generatedUses(subject, stage), { seed, numRuns })
  return [...listed, ...generated].map((use) => possibleAt(stage, use))
}
