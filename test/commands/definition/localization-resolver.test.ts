import { describe, expect, test } from 'vitest'
import { Locale, locales, LocalizationResolver, validateCommand } from 'commandry'
import type { ApplicationCommand, Localizations } from 'commandry'
import { command as anyCommand } from 'commandry/arbitraries'
import { option } from '../../support/bodies.ts'
import { accepted } from '../../support/found.ts'
import { words } from '../../support/words.ts'
import { fc, forAny } from '../../support/properties.ts'

const resolver = new LocalizationResolver()

const neighbours: Partial<Record<Locale, Locale>> = { 'en-US': 'en-GB', 'en-GB': 'en-US', 'es-419': 'es-ES' }

const oddKeys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'xx', 'de-AT', 'DE', 'en_US']
const anyLocale = fc.oneof(fc.constantFrom<string>(...locales, ...oddKeys), fc.string())
const dictionary: fc.Arbitrary<Localizations | null> = fc.option(
  fc.dictionary(fc.constantFrom(...locales), fc.string({ maxLength: 3 }), { maxKeys: 6 }),
  { nil: null },
)

describe('one text', () => {
  test.each(locales)(
    '[2.10-03] [2.10-05] shows readers in %s their own text, that of their fallback, or the default',
    (locale) => {
      const neighbour = neighbours[locale]
      for (const other of locales) {
        if (other === locale) continue
        const isShown = other === neighbour
        const fallback = neighbour === undefined ? [] : [{ key: neighbour, found: isShown }]
        expect(resolver.resolve('default', { [other]: 'other' }, locale)).toEqual({
          ...(isShown ? { text: 'other', locale: other } : { text: 'default', locale: null }),
          trace: [{ key: locale, found: false }, ...fallback],
        })
        const own = { text: 'own', locale, trace: [{ key: locale, found: true }] }
        expect(resolver.resolve('default', { [other]: 'other', [locale]: 'own' }, locale)).toEqual(own)
      }
    },
  )

  test('[2.10-04] counts entries that are empty or equal to the default', () => {
    expect(resolver.resolve('color', { 'en-US': 'color', 'en-GB': 'colour' }, 'en-US').locale).toBe('en-US')
    const empty = resolver.resolve('', { 'en-US': '', 'en-GB': 'colour' }, 'en-US')
    expect(empty).toMatchObject({ text: '', locale: 'en-US' })
  })

  test('[2.10-02] accepts any string as a locale and shows the default when it has no entry', () => {
    forAny([fc.string(), dictionary, anyLocale], 100, (text, localizations, locale) => {
      const resolved = resolver.resolve(text, localizations, locale)
      const entries = new Map(Object.entries(localizations ?? {}))
      if (resolved.locale === null) {
        expect(resolved.text).toBe(text)
        expect(entries.has(locale)).toBe(false)
      } else expect(resolved.text).toBe(entries.get(resolved.locale))
      expect(resolved.trace.length).toBeLessThanOrEqual(2)
      expect(resolved.trace[0]!.key).toBe(locale)
      expect(resolved.trace.findIndex(({ found }) => found)).toBe(
        resolved.locale === null ? -1 : resolved.trace.length - 1,
      )
    })
  })

  test.each(oddKeys)('[2.10-02] ignores the inherited property %j of a dictionary', (locale) => {
    const inherited = Object.create({ [locale]: 'inherited', de: 'inherited' }) as Localizations
    const unset = { text: 'default', locale: null }
    for (const localizations of [{}, { fr: 'x' }, inherited, Object.create(null) as Localizations])
      expect(resolver.resolve('default', localizations, locale)).toMatchObject(unset)
    expect(resolver.resolve('default', inherited, 'de').text).toBe('default')
  })

  test('[2.10-02] reads own keys of any name', () => {
    const localizations = JSON.parse('{ "__proto__": "own" }') as Localizations
    expect(resolver.resolve('default', localizations, '__proto__').text).toBe('own')
  })

  test('[2.10-02] ignores entries that are not strings', () => {
    const localizations = { 'en-US': null, 'en-GB': 7, de: undefined } as unknown as Localizations
    for (const locale of ['en-US', 'en-GB', 'de'])
      expect(resolver.resolve('default', localizations, locale).text).toBe('default')
    expect(resolver.resolve('default', undefined, 'de').text).toBe('default')
  })

  test.each(['en-US', 'de'])('[2.10-02] is returned frozen, with its trace: in %s', (locale) => {
    const resolved = resolver.resolve('default', { 'en-US': 'color' }, locale)
    for (const part of [resolved, resolved.trace, ...resolved.trace]) expect(Object.isFrozen(part)).toBe(true)
  })
})

describe('custom fallbacks', () => {
  const key = fc.constantFrom<string>(...locales, 'nb', '__proto__')
  const table = fc.dictionary(key, fc.constantFrom(...locales))

  test('[2.10-03] are used after own entries, and once', () => {
    forAny([table, dictionary, anyLocale], 100, (fallbacks, localizations, locale) => {
      const { text, trace } = new LocalizationResolver({ fallbacks }).resolve('', localizations, locale)
      const entries = new Map(Object.entries(localizations ?? {}))
      const next = new Map(Object.entries(fallbacks)).get(locale)
      expect(text).toBe(entries.get(locale) ?? (next && entries.get(next)) ?? '')
      expect(trace.length).toBeLessThanOrEqual(2)
    })
  })

  test('[2.10-03] are followed for one step only', () => {
    const chain = new LocalizationResolver({ fallbacks: { 'pt-BR': 'es-419', 'es-419': 'es-ES' } })
    expect(chain.resolve('hello', { 'es-ES': 'hola' }, 'es-419').text).toBe('hola')
    expect(chain.resolve('hello', { 'es-ES': 'hola' }, 'pt-BR').text).toBe('hello')
  })

  test('[2.10-03] replace the default fallbacks, as an object or a Map', () => {
    const dictionary = { 'en-GB': 'colour', no: 'farge' }
    const textOf = (options: ConstructorParameters<typeof LocalizationResolver>[0], locale: string) =>
      new LocalizationResolver(options).resolve('color', dictionary, locale).text
    for (const fallbacks of [{ nb: 'no' } as const, new Map([['nb', 'no']] as const)]) {
      expect(textOf({ fallbacks }, 'nb')).toBe('farge')
      expect(textOf({ fallbacks }, 'en-US')).toBe('color')
    }
    expect(textOf({ fallbacks: {} }, 'en-US')).toBe('color')
    expect(textOf({}, 'en-US')).toBe('colour')
  })

  test('[2.10-03] are not affected by later changes of the table', () => {
    const fallbacks: Record<string, Locale> = {}
    const map = new Map<string, Locale>()
    const resolvers = [fallbacks, map].map((table) => new LocalizationResolver({ fallbacks: table }))
    fallbacks.nb = 'no'
    map.set('nb', 'no')
    for (const own of resolvers) expect(own.resolve('color', { no: 'farge' }, 'nb').text).toBe('color')
  })

  test('[2.10-03] look up a locale that falls back to itself once', () => {
    const own = new LocalizationResolver({ fallbacks: { de: 'de' } })
    expect(own.resolve('color', null, 'de').trace).toEqual([{ key: 'de', found: false }])
  })

  test('[2.10-03] may only lead to known locales', () => {
    const make = () => new LocalizationResolver({ fallbacks: { de: 'xx' as Locale } })
    expect(make).toThrow(new TypeError('fallbacks.de: expected a locale of the service, got the string "xx"'))
  })
})

const choices = [
  { name: 'short', name_localizations: { de: 'kurz' }, value: 's' },
  { name: 'long', value: 'l' },
]
const form = { name: 'form', name_localizations: { de: 'art' }, description: 'In which form', required: true }
const get = { name: 'get', description: 'Get them', description_localizations: { 'es-ES': 'Obtener' } }
const user = { name: 'user', name_localizations: { de: 'person' }, description: 'Of a user' }

const deep: ApplicationCommand = {
  ...accepted(
    validateCommand({
      name: 'permissions',
      name_localizations: { de: 'rechte', 'en-GB': 'permissions-gb' },
      description: 'Look at permissions',
      description_localizations: { de: 'Rechte ansehen' },
      options: [
        option(2, { ...user, options: [option(1, { ...get, options: [option(3, { ...form, choices })] })] }),
      ],
    }),
  ),
  id: '10',
  application_id: '1',
  version: '11',
}

const command = anyCommand({ locales: [...locales] }).map((body) => accepted(validateCommand(body)))

/** Every object of a command that has a name, as a flat list. */
function named(holder: Named): Named[] {
  return [holder, ...(holder.choices ?? []).flatMap(named), ...(holder.options ?? []).flatMap(named)]
}
interface Named {
  readonly name: string
  readonly description?: string
  readonly name_default?: string
  readonly description_default?: string
  readonly name_localizations?: Localizations | null
  readonly description_localizations?: Localizations | null
  readonly choices?: readonly Named[]
  readonly options?: readonly Named[]
}

describe('a whole command', () => {
  test('[2.10-03] uses fallbacks at every depth', () => {
    const seen = resolver.localize(deep, 'es-419')
    expect(seen.name).toBe('permissions')
    expect(seen.options?.[0]?.options?.[0]?.description).toBe('Obtener')
    expect(resolver.localize(deep, 'en-US').name).toBe('permissions-gb')
  })

  test('[2.10-01] resolves each text as when resolved alone, and keeps the defaults', () => {
    forAny([command, anyLocale], 60, (command, locale) => {
      const before = structuredClone(command)
      const seen = named(resolver.localize(command, locale))
      const given = named(command)
      expect(seen.length).toBe(given.length)
      given.forEach((holder, i) => {
        const shown = seen[i]!
        expect(shown.name).toBe(resolver.resolve(holder.name, holder.name_localizations, locale).text)
        expect(shown.name_default).toBe(holder.name)
        expect(shown.description_default).toBe(holder.description)
        if (holder.description !== undefined) {
          const { text } = resolver.resolve(holder.description, holder.description_localizations, locale)
          expect(shown.description).toBe(text)
        }
        const added = Object.keys(shown).filter((key) => /_default$|_localizations$/.test(key))
        const defaults = holder.description === undefined ? [] : ['description_default']
        expect(added.sort()).toEqual([...defaults, 'name_default'])
        const ours = /^(name|description|choices|options)|_localizations$/
        for (const [key, value] of Object.entries(holder)) {
          if (!ours.test(key)) expect(Object.entries(shown)).toContainEqual([key, value])
        }
      })
      expect(command).toEqual(before)
    })
  })

  test('[2.10-01] returns a frozen result and does not freeze the command', () => {
    const mutable = structuredClone(deep) as ApplicationCommand & { name: string }
    const seen = resolver.localize(mutable, 'de')
    // Primitive values and absent lists count as frozen.
    const parts = named(seen).flatMap((part) => [part, part.options, part.choices])
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true)
    mutable.name = 'changed'
    expect(seen.name_default).toBe('permissions')
  })
})

describe('coverage', () => {
  test('[2.10-02] lists the missing texts of a locale and what its readers see instead', () => {
    const [spanish] = resolver.coverage([deep], ['es-419'])
    expect(spanish).toMatchObject({ locale: 'es-419', texts: 10, translated: 0 })
    expect(spanish!.missing).toContainEqual({
      path: [0, 'options', 0, 'options', 0, 'description'],
      defaultText: 'Get them',
      shown: 'Obtener',
      from: 'es-ES',
    })
    const [german] = resolver.coverage([deep], ['de'])
    expect(german).toMatchObject({ texts: 10, translated: 5 })
    expect(german!.missing.map(({ path }) => path.join('.'))).toEqual(
      words(`
      0.options.0.description 0.options.0.options.0.name 0.options.0.options.0.description
      0.options.0.options.0.options.0.description 0.options.0.options.0.options.0.choices.1.name
    `),
    )
    for (const { shown, from, defaultText } of german!.missing)
      expect([from, shown]).toEqual([null, defaultText])
  })

  test('[2.10-02] covers the locales in use in a fixed order, or the requested ones in theirs', () => {
    const other = { ...deep, name_localizations: { ko: 'x', id: 'x' } }
    const covered = (...call: Parameters<typeof resolver.coverage>) =>
      resolver.coverage(...call).map(({ locale }) => locale)
    expect(covered([deep, other])).toEqual(words('id de en-GB es-ES ko'))
    expect(covered([deep])).toEqual(words('de en-GB es-ES'))
    expect(covered([deep], ['fr', 'de', '__proto__'])).toEqual(words('fr de __proto__'))
    expect(resolver.coverage([])).toEqual([])
    expect(resolver.coverage([], ['de'])).toEqual([{ locale: 'de', texts: 0, translated: 0, missing: [] }])
  })

  test('[2.10-02] does not require translations of an empty description', () => {
    const user = accepted(validateCommand({ type: 2, name: 'Report' }))
    expect(user.description).toBe('')
    expect(resolver.coverage([user], ['de'])[0]).toMatchObject({ texts: 1, translated: 0 })
  })

  test('[2.10-02] counts existing texts and lists missing ones with the text that localize shows', () => {
    forAny([fc.array(command, { maxLength: 3 })], 40, (commands) => {
      const all = commands.flatMap(named)
      for (const { locale, texts, translated, missing } of resolver.coverage(commands)) {
        const dictionaries = all.flatMap((holder) => [
          holder.name_localizations,
          holder.description && holder.description_localizations,
        ])
        const own = dictionaries.filter((dictionary) => Object.keys(dictionary || {}).includes(locale))
        expect(translated).toBe(own.length)
        expect(translated + missing.length).toBe(texts)
        const seen: unknown = commands.map((command) => resolver.localize(command, locale))
        for (const { path, defaultText, shown } of missing) {
          expect(at(commands, path)).toBe(defaultText)
          expect(at(seen, path)).toBe(shown)
        }
      }
    })
  })
})

function at(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((value, step) => (value as Record<string | number, unknown>)[step], root)
}
