import { describe, expect, it } from 'vitest'
import { ApplicationFlag, validatePatch, type ApplicationCommand } from 'commandry'
import { fullChoices, option } from '../../support/bodies.ts'
import { accepted, reasons, refused, warned } from '../../support/found.ts'

const texts = { name_localizations: null, description_localizations: null }
const parameter = { ...option(3, { name: 'who', required: true }), ...texts }

const slash = {
  id: '11',
  application_id: '1001',
  version: '12',
  type: 1,
  name: 'greet',
  name_localizations: { de: 'gruss' },
  description: 'Says hello',
  description_localizations: { de: 'Sagt hallo' },
  options: [parameter],
  default_member_permissions: '8',
  nsfw: true,
  default_permission: false,
  dm_permission: false,
  contexts: [0, 1],
  integration_types: [0],
} as unknown as ApplicationCommand

const { dm_permission, contexts, integration_types, ...local } = slash
const guildSlash: ApplicationCommand = { ...local, guild_id: '2001' }
const { options: _, ...withoutOptions } = slash
const menu = { type: 2, name: 'Greet', description: '', description_localizations: null } as const
const user: ApplicationCommand = { ...withoutOptions, ...menu }

/** A command without the fields that only the service sets. */
function definition({ id, application_id, guild_id, version, ...rest }: ApplicationCommand) {
  return rest
}

const found = (body: unknown, current = slash) => validatePatch(body, current)

describe('an edit', () => {
  it('[4.1-04] keeps every absent field', () => {
    for (const current of [slash, guildSlash, user]) {
      for (const nothing of [{}, { name: undefined, options: undefined, nsfw: undefined }]) {
        expect(accepted(found(nothing, current))).toEqual(definition(current))
        expect(warned(found(nothing, current))).toEqual([])
      }
    }
  })

  it.each(
    Object.entries({
      name: 'welcome',
      name_localizations: { fr: 'salut' },
      description: 'Welcomes',
      description_localizations: { fr: 'Salue' },
      options: [{ ...parameter, name: 'whom' }],
      default_member_permissions: '16',
      nsfw: false,
      dm_permission: true,
      contexts: [2],
      integration_types: [1],
    }),
  )('[4.1-04] replaces the whole of `%s` and nothing else', (field, value) => {
    expect(accepted(found({ [field]: value }))).toEqual({ ...definition(slash), [field]: value })
  })

  it('[4.1-04] replaces several fields at once', () => {
    const fields = { name: 'welcome', nsfw: false, contexts: null }
    expect(accepted(found(fields))).toEqual({ ...definition(slash), ...fields })
  })

  it.each(
    Object.entries({
      name_localizations: null,
      description_localizations: null,
      options: undefined,
      default_member_permissions: null,
      nsfw: false,
      default_permission: undefined,
      dm_permission: true,
      contexts: null,
      integration_types: [0, 1],
    }),
  )('[2.1-22] unsets `%s` by null', (field, unset) => {
    const command = accepted(found({ [field]: null })) as unknown as Record<string, unknown>
    expect(command[field]).toEqual(unset)
    expect(command).toEqual({ ...definition(slash), [field]: unset })
  })

  it('[2.1-11] [2.1-23] unsets options and dictionaries by empty ones', () => {
    expect(accepted(found({ options: [] }))).not.toHaveProperty('options')
    expect(accepted(found({ name_localizations: {} })).name_localizations).toBe(null)
  })

  it.each(['name', 'description'])('[2.1-22] rejects null as the %s', (field) => {
    expect(refused(found({ [field]: null }))).toEqual([`shape.required ${field} 2.1-22`])
  })

  it('[4.1-04] applies the rules of the type of the command', () => {
    expect(refused(found({ name: 'My Command', description: '', options: [option(0)], nsfw: 'no' }))).toEqual(
      [
        'name.characters name 2.1-05',
        'name.case name 2.1-06',
        'description.length description 2.1-09',
        'option.type options[0].type 2.4-01',
        'shape.boolean nsfw 2.1-24',
      ],
    )
    expect(accepted(found({ name: 'My Command' }, user)).name).toBe('My Command')
    expect(refused(found({ description: 'b', options: [parameter], handler: 1 }, user))).toEqual([
      'description.forbidden description 2.1-09',
      'command.options options 2.1-11',
      'handler.type handler 2.1-19',
    ])
  })

  it('[8-04] limits the size of the edited command', () => {
    const filled = (name: string, count: number) => option(3, { name, choices: fullChoices(count) })
    const options = [parameter, filled('p', 25), filled('q', 14)]
    const description = 'b'.repeat(100)
    const withOptions = (...options: object[]) => ({ ...slash, options }) as unknown as ApplicationCommand
    const parameters = 4 + 2 + 2 + 39 * 200
    const name = 'n'.repeat(32)
    expect(refused(found({ name, description }, withOptions(...options)))).toEqual([])
    const larger = withOptions(...options, option(5, { name: 's', description: 'b'.repeat(61) }))
    expect(parameters + 32 + 100 + 62).toBe(8002)
    expect(refused(found({ name, description }, larger))).toEqual(['command.size 8-04'])
  })

  it('[2.8-04] in a guild ignores the fields of global commands, with a warning', () => {
    for (const [field, value] of Object.entries({
      dm_permission: true,
      contexts: [0],
      integration_types: [1],
    })) {
      const result = found({ [field]: value }, guildSlash)
      expect(accepted(result)).toEqual(definition(guildSlash))
      expect(warned(result)).toEqual([`field.no_effect ${field} 2.8-04`])
    }
  })
})

it('[2.1-02] the type of a command cannot change, but may be repeated', () => {
  expect(accepted(found({ type: 1 }))).toEqual(definition(slash))
  expect(accepted(found({ type: null }))).toEqual(definition(slash))
  for (const type of [2, 3, 4, 9, '1']) expect(refused(found({ type }))).toEqual(['patch.type type 2.1-02'])
  expect(reasons(found({ type: 1 }, user))).toEqual([
    'patch.type type 2.1-02: is the number 1, but the command is of type 2 and types cannot change; delete it and create another',
  ])
})

it('[2.1-02] [7-01] the type of a command is reported beside other problems', () => {
  expect(refused(found({ type: 2, name: 'X' }))).toEqual(['patch.type type 2.1-02', 'name.case name 2.1-06'])
})

describe('warnings of an edit', () => {
  it('[9-03] concern the given fields, not the stored ones', () => {
    const name_localizations = { 'en-GB': 'x', de: 'greet' }
    const old: ApplicationCommand = { ...slash, name_localizations, contexts: [2] }
    expect(warned(found({ nsfw: false }, old))).toEqual([])
    expect(warned(found({ dm_permission: true }, old))).toEqual(['field.deprecated dm_permission 9-03'])
  })

  it('[2.1-20] report unknown keys, which change nothing', () => {
    const result = found({ defaultMemberPermissions: '0', id: '99', version: '99', guild_id: '5' })
    expect(accepted(result)).toEqual(definition(slash))
    expect(warned(result)).toEqual(['keys.unknown defaultMemberPermissions 2.1-20'])
  })

  it('[2.1-20] report a key `__proto__`, which changes nothing', () => {
    const body: unknown = JSON.parse('{"__proto__":{"options":[{"type":5,"name":"x","description":"b"}]}}')
    const { options, ...bare } = slash
    const result = found(body, bare)
    expect(accepted(result)).toEqual(definition(bare))
    expect(warned(result)).toEqual(['keys.unknown __proto__ 2.1-20'])
  })
})

describe('an edit and the app', () => {
  const entryPoint = { ...user, type: 4, name: 'Launch', description: '', handler: 1 } as ApplicationCommand

  it('[2.1-19] sets a handler only for an app with an Activity', () => {
    const application = { flags: ApplicationFlag.EMBEDDED }
    expect(accepted(validatePatch({ handler: 2 }, entryPoint, { application })).handler).toBe(2)
    expect(refused(validatePatch({ handler: 2 }, entryPoint, { application: {} }))).toEqual([
      'handler.embedded handler 2.1-19',
    ])
  })

  it('[2.1-19] changes an entry point of an app without an Activity', () => {
    const { handler, ...bare } = entryPoint
    expect(refused(validatePatch({ description: 'b' }, bare, { application: {} }))).toEqual([])
  })

  it('[2.1-13] uses the scope of the command and ignores that of the context', () => {
    const result = validatePatch({ dm_permission: true }, guildSlash, { scope: 'global' })
    expect(accepted(result)).not.toHaveProperty('dm_permission')
  })
})
