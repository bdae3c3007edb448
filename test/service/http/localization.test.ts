import { locales } from 'commandry'
import { describe, expect } from 'vitest'
import { base, guildBase } from './ids.ts'
import { service, it, errorNode, invalidBody } from './service.ts'
import { words } from '../../support/words.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'

const body = {
  name: 'config',
  name_localizations: { de: 'einstellung', fr: 'reglage', 'en-GB': 'setup' },
  description: 'Settings',
  description_localizations: { de: 'Einstellungen' },
  options: [
    {
      type: 1,
      name: 'level',
      name_localizations: { de: 'stufe' },
      description: 'The level',
      description_localizations: { fr: 'Le niveau' },
      options: [
        {
          type: 3,
          name: 'to',
          description: 'Where to',
          choices: [{ name: 'High', name_localizations: { de: 'Hoch', fr: 'Haut' }, value: 'h' }],
        },
      ],
    },
  ],
}

describe.each([
  ['global', base],
  ['guild', guildBase],
])('a %s list', (_, path) => {
  async function list(headers: Record<string, string>, query = '', authorization = 'Bearer german') {
    const { send } = service()
    await send('POST', path, { body })
    const { status, body: listed } = await send('GET', `${path}${query}`, { headers, authorization })
    expect(status).toBe(200)
    return listed[0]
  }

  it('[2.10-08] has the texts of one locale instead of the dictionaries, at every depth', async () => {
    const command = await list({ 'x-service-locale': 'de' })
    expect(command).toMatchObject({
      name: 'config',
      name_localized: 'einstellung',
      description: 'Settings',
      description_localized: 'Einstellungen',
      options: [
        {
          name_localized: 'stufe',
          options: [{ choices: [{ name: 'High', name_localized: 'Hoch', value: 'h' }] }],
        },
      ],
    })
    // A locale that a dictionary lacks leaves the field out; there is no fallback here.
    expect(command.options[0]).not.toHaveProperty('description_localized')
    expect(command.options[0].options[0]).not.toHaveProperty('name_localized')
    expect(JSON.stringify(command)).not.toContain('_localizations')
    expect(await list({ 'x-service-locale': 'en-US' })).not.toHaveProperty('name_localized')
  })

  it('[2.10-08] with_localizations returns the dictionaries, or null', async () => {
    for (const query of words(`
      ?with_localizations=true ?with_localizations=True ?&a=b&with_localizations=1&
    `)) {
      const command = await list({ 'x-service-locale': 'de' }, query)
      expect(command.name_localizations).toEqual(body.name_localizations)
      expect(command.options[0].options[0].name_localizations).toBe(null)
      expect(JSON.stringify(command)).not.toContain('_localized"')
    }
    for (const query of words(`
      ?with_localizations=false ?with_localizations=False ?with_localizations=0 ?
      ?withLocalizations=true ?with_localizations ?with_localizations=&x
    `))
      expect(await list({ 'x-service-locale': 'de' }, query)).not.toHaveProperty('name_localizations')
  })

  it('[2.10-09] uses the service header, its alias, Accept-Language, then the user’s settings', async () => {
    for (const [headers, expected] of [
      [{ 'x-service-locale': 'fr', 'x-discord-locale': 'de', 'accept-language': 'de' }, 'reglage'],
      [{ 'x-discord-locale': 'fr', 'accept-language': 'de' }, 'reglage'],
      [{ 'x-service-locale': 'undefined', 'x-discord-locale': 'fr' }, 'reglage'],
      [{ 'x-discord-locale': 'undefined', 'accept-language': 'fr' }, 'reglage'],
      [{ 'x-service-locale': 'xx' }, 'einstellung'],
      [{ 'accept-language': 'it;q=0.1, fr;q=0.4, de;q=0.9, en-GB;q=0.8' }, 'einstellung'],
      [{ 'accept-language': 'fr;q=0.4, en-GB;q=0.8' }, 'setup'],
      [{ 'accept-language': '*' }, 'einstellung'],
      [{}, 'einstellung'],
    ] as const)
      expect([headers, (await list(headers)).name_localized]).toEqual([headers, expected])
    expect(await list({ 'accept-language': '*' }, '', 'Bot bot')).not.toHaveProperty('name_localized')
  })

  it('[2.10-08] responds with 400 to an invalid with_localizations', async ({ send }) => {
    for (const value of ['yes', '2', 'TRUE', 'true,false', '%00']) {
      const { status, body } = await send('GET', `${path}?with_localizations=${value}`)
      const error = errorNode('BOOLEAN_TYPE_CONVERT', 'Must be either true or false.')
      expect([status, body]).toEqual([400, invalidBody({ with_localizations: error })])
    }
  })
})

it('[2.10-11] returns a single command always with its dictionaries', async ({ send }) => {
  const { body: created } = await send('POST', base, { body })
  const headers = { 'x-discord-locale': 'de' }
  for (const query of ['', '?', ...['false', 'true', 'what'].map((value) => `?with_localizations=${value}`)])
    expect((await send('GET', `${base}/${created.id}${query}`, { headers })).body).toEqual(created)
})

it('[2.10-08] returns lists that follow every change', async ({ send }) => {
  const { body: created } = await send('POST', base, { body })
  const list = async (locale: string) =>
    (await send('GET', base, { headers: { 'x-service-locale': locale } })).body[0].name_localized
  for (const round of ['eins', 'zwei', 'drei']) {
    await send('PATCH', `${base}/${created.id}`, {
      body: { name_localizations: { de: round, fr: `f${round}` } },
    })
    expect(await list('de')).toBe(round)
    expect(await list('fr')).toBe(`f${round}`)
    expect(await list('de')).toBe(round)
    const { body: full } = await send('GET', `${base}?with_localizations=true`)
    expect(full[0].name_localizations).toEqual({ de: round, fr: `f${round}` })
  }
})

it('[2.10-09] accepts every locale in the header', async ({ send }) => {
  const name_localizations = Object.fromEntries(locales.map((locale, i) => [locale, `n${i}`]))
  await send('POST', base, { body: { ...body, name_localizations } })
  for (const [i, locale] of locales.entries()) {
    for (const header of ['X-Service-Locale', 'x-discord-locale', 'Accept-Language']) {
      const { body: list } = await send('GET', base, { headers: { [header]: locale } })
      expect([header, locale, list[0].name_localized]).toEqual([header, locale, `n${i}`])
    }
  }
})

it('[2.10-09] returns a list for any header', async ({ send }) => {
  await send('POST', base, { body })
  const value = fc.string({ unit: fc.constantFrom(...'abcdeDEfr-_*;q=0.1, 89'), maxLength: 40 })
  await forAnyAsync([value, value], 200, async (language, locale) => {
    const headers = { 'accept-language': language, 'x-service-locale': locale }
    expect((await send('GET', base, { headers })).status).toBe(200)
  })
})
