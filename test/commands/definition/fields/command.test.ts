import { describe, expect, it } from 'vitest'
import { validateCommand } from 'commandry'
import { commandTypes as types, found, inGuild, option, several, typed } from '../../../support/bodies.ts'
import { accepted, advice, isDeeplyFrozen, reasons, refused, warned } from '../../../support/found.ts'

describe('a minimal command', () => {
  const localizations = { name_localizations: null, description_localizations: null }
  const common = { ...localizations, default_member_permissions: null, nsfw: false }

  it('[2.1-02] [2.1-09] [2.1-13] [2.1-15] [2.1-16] [2.1-17] gets every default value', () => {
    const places = { dm_permission: true, contexts: null, integration_types: [0, 1] }
    const command = { type: 1, name: 'a', description: 'b', ...common, ...places }
    expect(accepted(validateCommand({ name: 'a', description: 'b' }))).toEqual(command)
  })

  it('[2.1-13] [2.1-16] [2.1-17] has no fields of global commands in a guild', () => {
    const command = { type: 3, name: 'a', description: '', ...common }
    expect(accepted(validateCommand({ type: 3, name: 'a' }, inGuild))).toEqual(command)
  })

  it('[2.1-21] is deeply frozen', () => {
    const choices = [{ name: 'c', value: 'v' }]
    const result = found({ options: [option(3, { choices })], contexts: [0] })
    expect(isDeeplyFrozen(accepted(result))).toBe(true)
  })

  it('[2.1-20] may be a builder with `toJSON`', () => {
    class Builder {
      toJSON() {
        return { name: 'built', description: 'b' }
      }
    }
    expect(accepted(validateCommand(new Builder())).name).toBe('built')
  })
})

describe('`type`', () => {
  it.each(types)('[1-01] [2.2-01] accepts %i', (type) => {
    expect(accepted(typed(type)).type).toBe(type)
  })

  it.each([0, 5, -1, 1.5, '1', true, [], [1], {}, Number.NaN])('[2.2-01] rejects %j', (type) => {
    expect(refused(found({ type }))).toEqual(['command.type type 2.2-01'])
  })

  it('[2.2-01] lists the four types in the message', () => {
    expect(reasons(found({ type: 5 }))).toEqual([
      'command.type type 2.2-01: is the number 5; the types are 1 CHAT_INPUT, 2 USER, 3 MESSAGE, 4 PRIMARY_ENTRY_POINT',
    ])
  })

  it.each(['CHAT_INPUT', 9])('[2.2-01] [7-01] reports what no type allows beside %j', (type) => {
    const localized = { description: 'd'.repeat(101), description_localizations: { '': 'x', de: '' } }
    const sub = { type: 'SUB_COMMAND', name: 's', description: 'd', options: [{ type: 'STRING' }] }
    const group = { type: 'GROUP', name: 'g', description: 'd', options: [{ ...sub, name: 'S' }] }
    const options = [sub, group]
    expect(refused(validateCommand({ type, name: 'x', ...localized, options }))).toEqual([
      'command.type type 2.2-01',
      'description.entry_point description 2.1-09',
      'localization.locale description_localizations. 2.1-08',
      'description.length description_localizations.de 2.1-09',
      'option.type options[0].type 2.4-01',
      'shape.required options[0].options[0].name 2.1-22',
      'shape.required options[0].options[0].description 2.1-22',
      'option.type options[0].options[0].type 2.4-01',
      'option.type options[1].type 2.4-01',
      'option.type options[1].options[0].type 2.4-01',
      'name.case options[1].options[0].name 2.1-06',
      'shape.required options[1].options[0].options[0].name 2.1-22',
      'shape.required options[1].options[0].options[0].description 2.1-22',
      'option.type options[1].options[0].options[0].type 2.4-01',
    ])
  })

  it('[2.2-01] allows beside an invalid one what some type allows', () => {
    const options = [{ type: 'SUB_COMMAND', name: 's', description: 'd', options: [option(3)] }]
    const fields = { name: 'Two words', description: '', description_localizations: {} }
    expect(refused(validateCommand({ ...fields, type: 'USER', options }))).toEqual([
      'command.type type 2.2-01',
      'option.type options[0].type 2.4-01',
    ])
  })

  it('[2.4-09] ends reading options of options without a type', () => {
    let options: object[] = [{ type: 'x', name: 'x', description: 'd' }]
    for (let depth = 0; depth < 50; depth++) options = [{ type: 'x', name: 'x', description: 'd', options }]
    expect(refused(found({ options }))).toHaveLength(3)
  })

  it('[2.2-01] does not prevent reading the common fields when it is unknown', () => {
    expect(refused(validateCommand({ type: 9, name: '', nsfw: 1, contexts: [9], options: 5 }))).toEqual([
      'command.type type 2.2-01',
      'name.length name 2.1-04',
      'shape.boolean nsfw 2.1-24',
      'contexts.known contexts[0] 2.1-17',
      'shape.list options 2.1-24',
    ])
  })
})

describe('`options`', () => {
  it.each([2, 3, 4])('[2.1-11] are refused for a command of type %i', (type) => {
    const taken = typed(type, { options: [option(3), option(99)] })
    expect(reasons(taken)).toEqual([
      'command.options options 2.1-11: is for slash commands only: user, message and entry point commands have no options',
    ])
  })

  const menus = [2, 3, 4]
  it.each(menus)('[2.1-11] are tolerated as an empty list or null for type %i, and not stored', (type) => {
    expect(accepted(typed(type, { options: [] }))).toEqual(accepted(typed(type)))
    expect(warned(typed(type, { options: [] }))).toEqual([])
    expect(accepted(typed(type, { options: null }))).toEqual(accepted(typed(type)))
    expect(warned(typed(type, { options: null }))).toEqual(['shape.null options 2.1-22'])
  })
})

describe('null', () => {
  // Fields the specification marks as nullable, and those it does not.
  const nullable = [
    ...['name_localizations', 'description_localizations', 'default_member_permissions', 'dm_permission'],
    ...['default_permission', 'contexts'],
  ]
  const others = ['type', 'options', 'nsfw', 'integration_types', 'handler']

  it.each(types)('[2.1-22] unsets any optional field of a command of type %i', (type) => {
    const rest = type === 1 ? { type: undefined } : {}
    for (const field of nullable) {
      expect(accepted(typed(type, { [field]: null }))).toEqual(accepted(typed(type)))
      expect(warned(typed(type, { [field]: null }))).toEqual([])
    }
    for (const field of others.filter((field) => field !== 'type')) {
      expect(accepted(typed(type, { ...rest, [field]: null }))).toEqual(accepted(typed(type)))
      expect(warned(typed(type, { [field]: null }))).toEqual([`shape.null ${field} 2.1-22`])
    }
  })

  it('[2.1-22] reads as type slash command, with a warning', () => {
    const result = found({ type: null })
    expect(accepted(result).type).toBe(1)
    expect(advice(result)).toEqual(['shape.null type 2.1-22: is null, which counts as absent; leave it out'])
  })
})

describe('unknown keys', () => {
  it.each(types)('[2.1-20] are ignored for type %i with a warning that suggests the known key', (type) => {
    const unknown = { defaultMemberPermissions: '8', dmPermission: true, cooldown: 5 }
    const result = typed(type, { ...unknown, nothing: undefined })
    expect(accepted(result)).toEqual(accepted(typed(type)))
    expect(warned(result)).toEqual(Object.keys(unknown).map((key) => `keys.unknown ${key} 2.1-20`))
    expect(advice(result)[0]).toContain('did you mean "default_member_permissions"?')
    expect(advice(result)[1]).toContain('did you mean "dm_permission"?')
    expect(advice(result)[2]).not.toContain('did you mean')
  })

  it('[2.1-20] may be `__proto__` or `constructor`', () => {
    const body: unknown = JSON.parse(
      '{"name":"a","description":"b","__proto__":{"nsfw":true},"constructor":1}',
    )
    const result = validateCommand(body)
    expect(accepted(result).nsfw).toBe(false)
    expect(warned(result)).toEqual(['keys.unknown __proto__ 2.1-20', 'keys.unknown constructor 2.1-20'])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('[2.1-20] exclude the keys of responses', () => {
    const ids = { id: '1', application_id: '2', guild_id: '3', version: '4' }
    const answered = { ...ids, name_localized: 'x', description_localized: 'y' }
    expect(warned(found(answered))).toEqual([])
    expect(accepted(found(answered))).toEqual(accepted(found({})))
  })
})

describe('several problems', () => {
  it('[7-01] are reported in document order', () => {
    const body = {
      nsfw: 'yes',
      options: [option(3, { name: 'X', required: 'no' }), option(0)],
      name: 'My Command',
      contexts: [7],
      default_member_permissions: -1,
      integration_types: [],
      handler: 1,
      name_localizations: { xx: 'x', de: 'Y' },
    }
    expect(refused(validateCommand(body)).map((line) => line.replace(/ [\d.-]+$/, ''))).toEqual([
      'shape.required description',
      'shape.boolean nsfw',
      'name.case options[0].name',
      'shape.boolean options[0].required',
      'option.type options[1].type',
      'name.characters name',
      'name.case name',
      'contexts.known contexts[0]',
      'default_member_permissions.value default_member_permissions',
      'integration_types.empty integration_types',
      'handler.type handler',
      'localization.locale name_localizations.xx',
      'name.case name_localizations.de',
    ])
  })

  it('[2.1-21] are absent from a definition that is read again', () => {
    const once = accepted(
      found({ options: [option(2, { options: [option(1)] })], contexts: [1], default_member_permissions: 8 }),
    )
    expect(accepted(validateCommand(once))).toEqual(once)
  })

  it('[7-01] are reported up to a limit', () => {
    const choices = several(25, () => ({ name: '', value: 1 }))
    const options = several(25, (i) => option(3, { name: `O${i}`, choices }))
    expect(refused(found({ options }))).toHaveLength(25 * (1 + 25 * 2))
  })
})
