/** The bodies that benches read: small, middle, large, the largest there can be, and an app with all sorts of them. */
import { locales } from '../../src/index.ts'
import { seeded, shuffled, type Random } from '../support/random.ts'

type Body = Record<string, unknown>

/** The letters of locales that are not written in Latin ones. */
const scripts: Readonly<Record<string, string>> = {
  bg: 'абвгдежзиклмнопрстуфхцчш',
  el: 'αβγδεζηθικλμνξοπρστυφχψω',
  he: 'אבגדהוזחטיכלמנסעפצקרשת',
  hi: 'कखगघचछजझटठडढतथदधन',
  ja: 'あいうえおかきくけこさしすせそたちつてと',
  ko: '가나다라마바사아자차카타파하',
  ru: 'абвгдежзиклмнопрстуфхцчш',
  th: 'กขคงจฉชซฌญฎฏ',
  uk: 'абвгдежзиклмнопрстуфхцчш',
  'zh-CN': '的一是不了人我在有他这中大来上',
  'zh-TW': '的一是不了人我在有他這中大來上',
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const five = ['de', 'fr', 'es-ES', 'pt-BR', 'ja']

function dictionary(keys: readonly string[], text: (locale: string) => string): Body {
  return Object.fromEntries(keys.map((key) => [key, text(key)]))
}

/** A name that no other option of the list has, in any locale. */
function word(place: number, locale: string): string {
  return `${locale.toLowerCase()}_name_${place}`
}

function option(place: number, keys: readonly string[], choices: number, extra: Body = {}): Body {
  const choice = (i: number) => ({
    name: `Choice number ${i}`,
    name_localizations: dictionary(keys, (locale) => `Auswahl ${i} in ${locale}`),
    value: `value_${i}`,
  })
  return {
    type: 3,
    name: `option_${place}`,
    name_localizations: dictionary(keys, (locale) => word(place, locale)),
    description: `What option ${place} is for`,
    description_localizations: dictionary(keys, (locale) => `Wozu Option ${place} in ${locale} da ist`),
    ...extra,
    ...(choices > 0 && { choices: numbers(choices).map(choice) }),
  }
}

function command(keys: readonly string[], options: readonly Body[]): Body {
  return {
    name: 'command',
    name_localizations: dictionary(keys, (locale) => word(0, locale)),
    description: 'What the command does',
    description_localizations: dictionary(keys, (locale) => `Was der Befehl in ${locale} tut`),
    options,
  }
}

export const small: Body = { name: 'ping', description: 'Answers with pong', type: 1 }
const most = locales.slice(0, 32)
const parameters = (keys: readonly string[], count: number, choices: number) =>
  numbers(count).map((i) => option(i, keys, choices))
const subcommands = numbers(25).map((i) => option(i, most, 0, { type: 1, options: parameters(most, 25, 0) }))

export const middle = worded(command(five, parameters(five, 6, 5)), 12)
export const large = worded(command(most, parameters(most, 25, 25)), 4)
export const nested = worded(command(most, subcommands), 4)

/**
 * A body with random words in place of its texts, in the letters of each locale: as in real commands, some translations are
 * equal in several locales, lists and options. The 8000 characters count the longest of each text's locales.
 */
function worded(body: Body, most: number): Body {
  const random = seeded(most)
  let place = 0
  const word = (locale: string) => {
    const letters = Array.from(scripts[locale] ?? 'abcdefghijklmnopqrstuvwxyz')
    return Array.from({ length: 2 + random.below(most - 2) }, () => random.pick(letters)).join('')
  }
  const visit = (value: unknown, key: string, locale: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, '', ''))
    if (typeof value === 'object' && value !== null) {
      const isDictionary = key.endsWith('_localizations')
      return Object.fromEntries(
        Object.entries(value).map(([k, inner]) => [k, visit(inner, k, isDictionary ? k : '')]),
      )
    }
    if (typeof value !== 'string') return value
    // Names of one list differ, in every locale.
    return locale === '' ? `${word('')}${(place++).toString(36)}` : `${word(locale)}${place % 25}`
  }
  return visit(body, '', '') as Body
}

/** Subcommands whose options have the same translations and other names: legal, and warned of. */
export const clashing = (() => {
  const subcommands = nested.options as readonly Body[]
  const first = subcommands[0]!.options as readonly Body[]
  const options = subcommands.map((subcommand, i) => ({
    ...subcommand,
    options: (subcommand.options as readonly Body[]).map((option, j) => ({
      ...option,
      name: `_${(25 * i + j).toString(36)}`,
      name_localizations: first[j]!.name_localizations,
    })),
  }))
  return { ...nested, options }
})()

/**
 * One hundred slash commands with keys in every order, fifteen user and fifteen message commands.
 *
 * @param localesOf chooses the locales of a dictionary; default: five or none
 */
export function app(
  seed = 7,
  localesOf: (random: Random) => readonly string[] = (random) => (random.next() < 0.5 ? five : []),
): Body[] {
  const random = seeded(seed)
  const reordered = (body: Body) => Object.fromEntries(shuffled(Object.entries(body), random))
  const some = <T>(value: T): T | undefined => (random.next() < 0.5 ? value : undefined)
  const slash = numbers(100).map((i) => {
    const options = numbers(random.below(7)).map((j) => {
      const type = random.pick([3, 4, 5, 6, 7, 8, 10])
      const body = option(j, localesOf(random), type === 3 && random.next() < 0.5 ? 4 : 0)
      const required = some(false)
      const bounds = type === 4 && { min_value: some(0), max_value: some(100) }
      const channels = type === 7 && { channel_types: some([0, 5]) }
      return defined({ ...body, type, required, ...bounds, ...channels })
    })
    return defined({
      ...command(localesOf(random), options.map(reordered)),
      name: `command_${i}`,
      type: some(1),
      nsfw: some(false),
      contexts: some([0, 1]),
      default_member_permissions: some('8192'),
    })
  })
  const menus = [2, 3].flatMap((type) =>
    numbers(15).map((i) => defined({ type, name: `Menu ${type} ${i}`, contexts: some([0]) })),
  )
  return [...slash.map(reordered), ...menus]
}

/**
 * What a process has seen before: three apps of 130 commands, whose dictionaries have any of the locales in any order.
 * Objects that are made alike share a shape in V8, and code that has seen one shape only is faster than that of a service.
 */
export const others: readonly Body[][] = [1, 2, 3].map((seed) =>
  app(seed, (random) => shuffled(locales, random).slice(0, random.below(locales.length))),
)

/** The body with one fault: the last of the innermost options of a command has the name of the one before it. */
export function withFault(body: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(body)) as any
  let holder = Array.isArray(copy) ? copy.findLast(({ options }) => options?.length > 1) : copy
  while (holder.options.at(-1).options?.length > 1) holder = holder.options.at(-1)
  holder.options.at(-1).name = holder.options.at(-2).name
  return copy
}

function defined(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/** As many strings as 8000 characters allow: names of one character, and choices with numbers as values. */
function asManyTexts(): Body {
  const one = (place: number) => String.fromCharCode(0x4e00 + place)
  const text = (place: number) => ({
    name: one(place),
    name_localizations: dictionary(locales, () => one(place + 1000)),
    description: one(place),
    description_localizations: dictionary(locales, () => one(place + 2000)),
  })
  let left = 8000 - 2 - 2 * 25 - 2 * 25 * 25
  const choices = () => {
    const count = Math.min(25, left)
    left -= count
    return numbers(count).map((i) => ({
      name: one(i),
      name_localizations: dictionary(locales, () => one(i + 100)),
      value: i,
    }))
  }
  const parameter = (j: number) => ({ type: 4, ...text(j), choices: choices() })
  const subcommand = (i: number) => ({ type: 1, ...text(i), options: numbers(25).map(parameter) })
  return { ...text(0), options: numbers(25).map(subcommand) }
}

export const widest = asManyTexts()

/** A command near 8000 characters: long texts, each in all locales. */
export function full(place: number): Body {
  const long = (start: string, length: number) => start.padEnd(length, 'x')
  const described = (start: string) => ({
    description: long(start, 95),
    description_localizations: dictionary(locales, (locale) => long(`${start} ${locale}`, 95)),
  })
  const named = (start: string, length: number) => ({
    name: long(start, length),
    name_localizations: dictionary(locales, (locale) => long(`${start}_${locale.toLowerCase()}_`, length)),
  })
  const option = (i: number) => ({
    type: 4,
    ...named(`option_${i}_`, 25),
    ...described(`Option ${i}`),
    choices: numbers(2).map((j) => ({ ...named(`Choice ${j}`, 95), value: j })),
  })
  return { ...named(`command_${place}_`, 25), ...described('Command'), options: numbers(25).map(option) }
}

/** In each of 25 options a dozen faults, and half as much that is legal but suspicious. */
export const wrong: Body = {
  ...small,
  options: numbers(25).map((i) => ({
    type: 3,
    name: `Option ${i}`,
    name_localizations: { de: 5, fr: 5, ja: 'X', tlh: 'x' },
    description: '',
    description_localizations: { de: 5, fr: '' },
    required: 'yes',
    choices: numbers(5).map((j) => ({ name: j < 2 ? '' : 'again', value: j === 0 ? 5 : 'v' })),
    hint: 'unknown',
    placeholder: 'unknown',
  })),
}

/** Bodies whose cost should be bounded by what is read, not by what was sent. */
export const longName: Body = { ...small, name: 'a'.repeat(4_000_000) }
const unknown = dictionary(
  numbers(100_000).map((i) => `key${i}`),
  () => 'x',
)
export const unknownKeys: Body = { ...small, ...unknown }
export const unknownLocales: Body = { ...small, name_localizations: unknown }

/** A body of almost eight megabytes, the default limit over HTTP: keys that are not known. */
export function unknownMegabytes(): string {
  const keys = numbers(480_000).map((i) => `"k${i}":"x"`)
  return `{"name":"ping","description":"Answers with pong","type":1,${keys.join(',')}}`
}
