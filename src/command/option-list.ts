/** Rules about a list of options: count, nesting, order, and names that must differ (clauses 2.4, 2.7, 2.10-06). */
import { rule, warning } from '../core/rule.ts'
import { counted, quoted } from '../core/text.ts'
import { maxLength } from '../core/wire.ts'
import { get, put, several, slash, withOptions, withSubcommand, type Body } from './breaking.ts'
import type { CommandOption } from './definition.ts'
import { OptionType } from './kinds.ts'

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, BOOLEAN } = OptionType

export const OPTIONS_MAX = 25

/** What a list of options belongs to. */
export type OptionHolder = 'command' | 'subcommand' | 'group'

export const optionCount = rule({
  code: 'options.count',
  clause: '8-03',
  limit: { max: OPTIONS_MAX },
  summary: `A command, a subcommand and a group have at most ${OPTIONS_MAX} options.`,
  check: (count: number) => count <= OPTIONS_MAX,
  message: ({ actual }: { actual: number }) =>
    `has ${counted(actual, 'option')}; at most ${OPTIONS_MAX} are allowed`,
  wire: maxLength(OPTIONS_MAX),
  breaks(body: Body, pick) {
    const options = several(OPTIONS_MAX + 1, (i) => ({ type: BOOLEAN, name: `o${i}`, description: 'b' }))
    if (pick(2) === 0) return { body: put(slash(body), ['options'], options), path: ['options'] }
    return withSubcommand(body, { type: SUB_COMMAND, options }, 'options')
  },
})

const NESTING = {
  code: 'APPLICATION_COMMAND_OPTIONS_NESTING_INVALID',
  message: 'Nesting of sub-commands is unsupported at this time',
}
const EXCLUSIVE = {
  code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
  message: 'Sub-command and sub-command group option types are mutually exclusive to all other types',
}

/** Whether a type of option is a subcommand or a group. */
export function isNesting(type: unknown): boolean {
  return type === SUB_COMMAND || type === SUB_COMMAND_GROUP
}

export const optionNesting = rule({
  code: 'options.nesting',
  clause: '2.7-02',
  summary: 'Subcommands stand in a command or in a group, groups only in a command, and nothing goes deeper.',
  check: (type: unknown, holder: OptionHolder) =>
    !isNesting(type) || holder === 'command' || (holder === 'group' && type === SUB_COMMAND),
  message: ({ holder, type }: { holder: OptionHolder; type: number }) =>
    `is a ${type === SUB_COMMAND ? 'subcommand' : 'group'} inside a ${holder}; only command > group > subcommand can be nested`,
  wire: NESTING,
  breaks(body: Body, pick) {
    const inner = { type: pick(2) === 0 ? SUB_COMMAND : SUB_COMMAND_GROUP, name: 'a', description: 'b' }
    return inner.type === SUB_COMMAND_GROUP && pick(2) === 0
      ? withSubcommand(body, { type: SUB_COMMAND_GROUP, options: [inner] }, 'options', 0)
      : withSubcommand(body, { type: SUB_COMMAND, options: [inner] }, 'options', 0)
  },
})

export const groupContent = rule({
  code: 'options.group',
  clause: '2.7-01',
  summary: 'A group holds subcommands and no options of its own.',
  check: (type: unknown, holder: OptionHolder) => holder !== 'group' || isNesting(type),
  message: () => 'stands in a group, which holds only subcommands; put it into one of them',
  wire: EXCLUSIVE,
  breaks: (body: Body) =>
    withSubcommand(
      body,
      { type: SUB_COMMAND_GROUP, options: [{ type: STRING, name: 'a', description: 'b' }] },
      'options',
      0,
    ),
})

export const optionMixture = rule({
  code: 'options.mixed',
  clause: '2.7-03',
  summary: 'A command has subcommands and groups, or options of its own, not both.',
  check: (type: unknown, firstType: unknown) => isNesting(type) === isNesting(firstType),
  message: ({ type }: { type: number }) =>
    isNesting(type)
      ? 'is a subcommand or group beside options of another kind; a command has one or the other'
      : 'stands beside subcommands; a command that has them cannot have options of its own',
  wire: EXCLUSIVE,
  breaks(body: Body, pick) {
    const options: Body[] = slash(body).options ?? []
    const nested = options.some(({ type }) => isNesting(type))
    if (!nested) {
      const { body: placed } = withOptions(body, pick, { type: STRING })
      const kept = placed.options.slice(0, 24)
      const added = { type: SUB_COMMAND, name: 'sub-command', description: 'b' }
      return { body: put(placed, ['options'], [...kept, added]), path: ['options', kept.length] }
    }
    return withSubcommand(withSubcommand(body, { type: SUB_COMMAND }).body as Body, { type: STRING })
  },
})

export const optionOrder = rule({
  code: 'options.order',
  clause: '2.4-07',
  summary: 'Required options stand before optional ones.',
  check: (required: boolean, optionalBefore: boolean) => !(required && optionalBefore),
  message: ({ before }: { before: string }) =>
    `is required but stands after the option ${before}, which is optional; move it up`,
  wire: {
    code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    message: 'Required options must be placed before non-required options',
  },
  breaks(body: Body, pick) {
    const { body: whole, path } = withOptions(body, pick, { type: STRING }, { type: STRING, required: true })
    return { body: whole, path: [...path.slice(0, -1), (path.at(-1) as number) + 1] }
  },
})

export interface Clash {
  readonly name: string
}

export const optionUnique = rule({
  code: 'options.unique',
  clause: '2.4-03',
  summary: 'The options of a list have different names.',
  check: (earlier: ReadonlyMap<string, number>, name: string) => !earlier.has(name),
  message: ({ name, index }: Clash & { index: number }) =>
    `has the name ${quoted(name, 40)}, which option ${index + 1} of the same list has already`,
  wire: ({ name }: Clash) => ({
    code: 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
    message: `Option name ${name} is already used in these options`,
  }),
  breaks(body: Body, pick) {
    const { body: whole, path } = withOptions(body, pick, { type: STRING }, { type: STRING })
    const later = [...path.slice(0, -1), (path.at(-1) as number) + 1]
    return { body: put(whole, [...later, 'name'], get(whole, [...path, 'name'])), path: later }
  },
})

export const optionLocalizedUnique = rule({
  code: 'options.unique_localized',
  clause: '2.10-06',
  summary:
    'A localized option name differs from the default names and, in its locale, from the names of the other options.',
  check: (owner: number | undefined, index: number) => owner === undefined || owner === index,
  message: ({ name, other, locale }: Clash & { other: string; locale: string | null }) =>
    locale === null
      ? `is ${quoted(name, 40)}, the default name of the option ${other} of the same list`
      : `is ${quoted(name, 40)}, which the option ${other} of the same list is called in ${locale} too`,
  wire: ({ name }: Clash) => ({
    code: 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
    message: `Option name ${name} is already used in these options`,
  }),
  breaks(body: Body, pick) {
    const { body: whole, path } = withOptions(body, pick, { type: STRING }, { type: STRING })
    const later = [...path.slice(0, -1), (path.at(-1) as number) + 1, 'name_localizations']
    const name = get(whole, [...path, 'name'])
    if (pick(2) === 0) return { body: put(whole, later, { fr: name }), path: [...later, 'fr'] }
    const twins = put(put(whole, later, { fr: 'jumeau' }), [...path, 'name_localizations'], { fr: 'jumeau' })
    return { body: twins, path: [...later, 'fr'] }
  },
})

export const groupEmpty = warning({
  code: 'options.empty_group',
  clause: '2.7-04',
  summary: 'A group has subcommands; one without is not shown.',
  check: (type: unknown, options: number) => type !== SUB_COMMAND_GROUP || options > 0,
  message: () => 'is a group without subcommands, which is not shown to anybody',
  breaks: (body: Body) => withSubcommand(body, { type: SUB_COMMAND_GROUP }),
})

export const optionListRules = [
  optionCount,
  optionNesting,
  groupContent,
  optionMixture,
  optionOrder,
  optionUnique,
  optionLocalizedUnique,
  groupEmpty,
] as const

/** What messages call an option after the word "option": its name, or its number when it has none. */
export function called({ name }: Partial<CommandOption>, index: number): string {
  return name ? quoted(name, 40) : `number ${index + 1}`
}

/** A clash of names: what a rule is told, and where. */
export interface NameClash {
  readonly index: number
  readonly locale: string | null
  readonly name: string
  /** The option that has the name already. */
  readonly other: number
  /** The locale in which the other has it; null when it is the other's default name. */
  readonly otherLocale: string | null
}

/**
 * Every clash of names in a list of options, each reported once, at the later of the two or at the localized
 * one. Exact and unhurried: it runs when `NameTable` has seen a hash twice.
 */
export function nameClashes(options: readonly Partial<CommandOption>[]): NameClash[] {
  const clashes: NameClash[] = []
  const defaults = new Map<string, number>()
  options.forEach(({ name }, index) => {
    if (!name) return // A name that is missing or empty is wrong enough.
    if (!optionUnique.check(defaults, name)) {
      clashes.push({ index, locale: null, name, other: defaults.get(name)!, otherLocale: null })
    } else defaults.set(name, index)
  })
  const localized = new Map<string, Map<string, number>>()
  options.forEach(({ name_localizations: dictionary }, index) => {
    for (const [locale, name] of Object.entries(dictionary ?? {})) {
      if (name === '') continue
      const owners = localized.get(locale) ?? new Map<string, number>()
      localized.set(locale, owners)
      const byDefault = defaults.get(name)
      const inLocale = owners.get(name)
      if (!optionLocalizedUnique.check(byDefault, index)) {
        clashes.push({ index, locale, name, other: byDefault!, otherLocale: null })
      } else if (!optionLocalizedUnique.check(inLocale, index)) {
        clashes.push({ index, locale, name, other: inLocale!, otherLocale: locale })
      }
      if (inLocale === undefined) owners.set(name, index)
    }
  })
  return clashes
}

const SLOTS = 4096

/**
 * Tells in passing whether two options of a list might share a name: a table of hashes, emptied by counting up
 * a generation. May be wrong only towards "perhaps", and then `nameClashes` looks closely.
 */
export class NameTable {
  readonly #hashes = new Int32Array(SLOTS)
  readonly #marks = new Int32Array(SLOTS)
  #generation = 0
  #filled = 0
  perhaps = false

  /** Forgets everything, for the next list. */
  clear(): void {
    this.perhaps = false
    this.#filled = 0
    // A mark is the generation with five bits of owner.
    if (++this.#generation >= 1 << 25) {
      this.#marks.fill(0)
      this.#generation = 1
    }
  }

  add(hash: number, owner: number): void {
    const mark = (this.#generation << 5) | owner
    const generation = this.#generation
    let slot = (hash ^ (hash >>> 16)) & (SLOTS - 1)
    for (;;) {
      const found = this.#marks[slot]!
      if (found >> 5 !== generation) {
        // A list within the limits has at most 25 x 35 names; a table this full is no table any more.
        if (++this.#filled > SLOTS / 2) {
          this.perhaps = true
          return
        }
        this.#marks[slot] = mark
        this.#hashes[slot] = hash
        return
      }
      if (this.#hashes[slot] === hash) {
        if (found !== mark) this.perhaps = true
        return
      }
      slot = (slot + 1) & (SLOTS - 1)
    }
  }
}
