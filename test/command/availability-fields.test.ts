import { describe, expect, it } from 'vitest'
import { ApplicationFlag, validateCommand, type ApplicationSettings, type ValidationContext } from 'commandry'
import { accepted, messages, option, refusals, several, slash, warnings } from '../support/found.ts'

const types = [1, 2, 3, 4]
const typed = (type: number, fields: object = {}, context?: ValidationContext) =>
  validateCommand({ type, name: 'a', ...(type === 1 ? { description: 'b' } : {}), ...fields }, context)
const found = (fields: object, context?: ValidationContext) => validateCommand(slash(fields), context)
const of = (application: ApplicationSettings): ValidationContext => ({ application })
const inGuild: ValidationContext = { scope: 'guild' }
const embedded = { flags: ApplicationFlag.EMBEDDED }

describe('a minimal command', () => {
  it('[2.1-02] [2.1-09] [2.1-13] [2.1-15] [2.1-16] [2.1-17] gets every default value', () => {
    expect(accepted(validateCommand({ name: 'a', description: 'b' }))).toEqual({
      type: 1,
      name: 'a',
      name_localizations: null,
      description: 'b',
      description_localizations: null,
      default_member_permissions: null,
      nsfw: false,
      dm_permission: true,
      contexts: null,
      integration_types: [0, 1],
    })
  })

  it('[2.1-13] [2.1-16] [2.1-17] has no fields of global commands in a guild', () => {
    expect(accepted(validateCommand({ type: 3, name: 'a' }, inGuild))).toEqual({
      type: 3,
      name: 'a',
      name_localizations: null,
      description: '',
      description_localizations: null,
      default_member_permissions: null,
      nsfw: false,
    })
  })

  it('[2.1-21] is deeply frozen', () => {
    const command = accepted(
      found({ options: [option(3, { choices: [{ name: 'c', value: 'v' }] })], contexts: [0] }),
    )
    for (const part of [command, command.options, command.options?.[0]?.choices?.[0], command.contexts]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })
})

describe('bodies of a command', () => {
  it.each([
    [undefined, 'is missing; expected an object'],
    [null, 'is null; expected an object'],
    ['a', 'is the string "a"; expected an object'],
    [[slash()], 'is a list; expected an object'],
    [5, 'is the number 5; expected an object'],
  ])('[2.1-04] are not %j', (body, message) => {
    expect(refusals(validateCommand(body))).toEqual([['shape.object', [], '2.1-24']])
    expect(messages(validateCommand(body))).toEqual([message])
  })

  it('[2.1-20] may be builders with `toJSON`', () => {
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
    expect(refusals(found({ type }))).toEqual([['command.type', ['type'], '2.2-01']])
  })

  it('[2.2-01] lists the four types in the message', () => {
    expect(messages(found({ type: 5 }))).toEqual([
      'is the number 5; the types are 1 CHAT_INPUT, 2 USER, 3 MESSAGE, 4 PRIMARY_ENTRY_POINT',
    ])
  })

  it('[2.2-01] does not prevent reading the common fields when it is unknown', () => {
    expect(refusals(validateCommand({ type: 9, name: '', nsfw: 1, contexts: [9], options: 5 }))).toEqual([
      ['command.type', ['type'], '2.2-01'],
      ['name.length', ['name'], '2.1-04'],
      ['shape.boolean', ['nsfw'], '2.1-24'],
      ['contexts.known', ['contexts', 0], '2.1-17'],
      ['shape.list', ['options'], '2.1-24'],
    ])
  })
})

describe('`options`', () => {
  it.each([2, 3, 4])('[2.1-11] are refused for a command of type %i', (type) => {
    const taken = typed(type, { options: [option(3), option(99)] })
    expect(refusals(taken)).toEqual([['command.options', ['options'], '2.1-11']])
    expect(messages(taken)).toEqual([
      'is for slash commands only: user, message and entry point commands have no options',
    ])
  })

  it.each([2, 3, 4])(
    '[2.1-11] are tolerated as an empty list or null for type %i, and not stored',
    (type) => {
      expect(accepted(typed(type, { options: [] }))).toEqual(accepted(typed(type)))
      expect(warnings(typed(type, { options: [] }))).toEqual([])
      expect(accepted(typed(type, { options: null }))).toEqual(accepted(typed(type)))
      expect(warnings(typed(type, { options: null }))).toEqual([['shape.null', ['options'], '2.1-22']])
    },
  )
})

describe('`default_member_permissions`', () => {
  const field = 'default_member_permissions'

  it.each([
    ['0', '0'],
    ['8', '8'],
    ['0008', '8'],
    ['000', '0'],
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['0018446744073709551615', '18446744073709551615'],
    [0, '0'],
    [-0, '0'],
    [8, '8'],
    [2 ** 53 - 1, '9007199254740991'],
    [0n, '0'],
    [2n ** 64n - 1n, '18446744073709551615'],
    [null, null],
    [undefined, null],
  ])('[2.1-12] reads %s as %j for every type', (given, bits) => {
    for (const type of types) {
      const result = typed(type, { [field]: given })
      expect(accepted(result)[field]).toBe(bits)
      expect(warnings(result).filter(([code]) => code !== 'default_member_permissions.unknown_bits')).toEqual(
        [],
      )
    }
  })

  it.each([
    ...[
      '',
      ' ',
      ' 8',
      '8 ',
      '+8',
      '-1',
      '-0',
      '1.0',
      '1e3',
      '0x8',
      '8n',
      '٨',
      'ADMINISTRATOR',
      '18446744073709551616',
    ],
    ...[
      '99999999999999999999',
      '1'.repeat(1000),
      -1,
      0.5,
      2 ** 53,
      1e300,
      Number.NaN,
      Infinity,
      true,
      [],
      ['8'],
      {},
    ],
    -1n,
    2n ** 64n,
  ])('[2.1-12] rejects %s', (given) => {
    expect(refusals(found({ [field]: given }))).toEqual([
      ['default_member_permissions.value', [field], '2.1-12'],
    ])
  })

  it('[2.1-12] suggests the string to write', () => {
    expect(messages(found({ [field]: '0x8' }))).toEqual([
      'is the string "0x8"; write the bit set, which is below 2^64, as a string of digits such as "8192"',
    ])
    expect(messages(found({ [field]: 2n ** 64n }))[0]).toContain('below 2^64')
  })
})

describe('`nsfw`', () => {
  it('[2.1-15] is false by default', () => {
    for (const type of types) {
      expect(accepted(typed(type)).nsfw).toBe(false)
      expect(accepted(typed(type, { nsfw: false })).nsfw).toBe(false)
      expect(accepted(typed(type, { nsfw: true })).nsfw).toBe(true)
    }
    expect(accepted(found({ nsfw: true }, inGuild)).nsfw).toBe(true)
  })

  it.each(['true', 1, 0, [], {}])('[2.1-15] rejects %j', (nsfw) => {
    expect(refusals(found({ nsfw }))).toEqual([['shape.boolean', ['nsfw'], '2.1-24']])
  })

  it('[2.1-15] rejects true for an app with discovery enabled, also in a guild', () => {
    for (const scope of ['global', 'guild'] as const) {
      const context: ValidationContext = { scope, application: { discoverable: true } }
      const result = found({ nsfw: true }, context)
      expect(refusals(result)).toEqual([['nsfw.discoverable', ['nsfw'], '2.1-15']])
      expect(messages(result)).toEqual([
        'is true, but the app has discovery enabled and so cannot have age-restricted commands',
      ])
      expect(refusals(found({ nsfw: false }, context))).toEqual([])
      expect(refusals(found({}, context))).toEqual([])
    }
    expect(refusals(found({ nsfw: true }, of({ discoverable: false })))).toEqual([])
  })
})

describe('`contexts`', () => {
  it.each([[[0]], [[1]], [[2]], [[0, 1, 2]], [[2, 0]]])(
    '[2.1-17] [2.8-02] accepts %j and keeps the order',
    (contexts) => {
      for (const type of types) expect(accepted(typed(type, { contexts })).contexts).toEqual(contexts)
    },
  )

  it('[2.1-17] accepts null as never set, without a warning', () => {
    expect(accepted(found({ contexts: null })).contexts).toBe(null)
    expect(warnings(found({ contexts: null }))).toEqual([])
  })

  it('[2.1-17] rejects an empty list', () => {
    expect(refusals(found({ contexts: [] }))).toEqual([['contexts.empty', ['contexts'], '2.1-17']])
    expect(messages(found({ contexts: [] }))).toEqual(['is empty; leave it out for the default'])
  })

  it.each([3, -1, 0.5, '0', null, true, {}])('[2.8-02] rejects the item %j', (context) => {
    expect(refusals(found({ contexts: [0, context] }))).toEqual([
      ['contexts.known', ['contexts', 1], '2.1-17'],
    ])
  })

  it('[2.8-02] lists the three contexts in the message', () => {
    expect(messages(found({ contexts: [3] }))).toEqual([
      'is the number 3; expected 0 GUILD, 1 BOT_DM or 2 PRIVATE_CHANNEL',
    ])
  })

  it('[2.1-17] rejects repeated items', () => {
    expect(refusals(found({ contexts: [0, 1, 0, 0] }))).toEqual([
      ['contexts.repeated', ['contexts', 2], '2.1-17'],
      ['contexts.repeated', ['contexts', 3], '2.1-17'],
    ])
    expect(messages(found({ contexts: [1, 1] }))).toEqual(['is 1 a second time'])
  })

  it.each([0, '0', true, {}])('[2.1-17] rejects %j as a list', (contexts) => {
    expect(refusals(found({ contexts }))).toEqual([['shape.list', ['contexts'], '2.1-24']])
  })

  it('[2.8-03] warns about PRIVATE_CHANNEL without USER_INSTALL', () => {
    const idle = found({ contexts: [0, 2], integration_types: [0] })
    expect(accepted(idle).contexts).toEqual([0, 2])
    expect(warnings(idle)).toEqual([['contexts.private_channel', ['contexts', 1], '2.8-03']])
    expect(messages(idle)).toEqual([
      'is 2 PRIVATE_CHANNEL, which has no effect unless integration_types includes 1 USER_INSTALL',
    ])
    expect(warnings(found({ contexts: [2] }, of({ integration_types: [0] })))).toHaveLength(1)
    expect(warnings(found({ contexts: [2], integration_types: [0, 1] }))).toEqual([])
    expect(warnings(found({ contexts: [2] }))).toEqual([])
  })
})

describe('`integration_types`', () => {
  it.each([[[0]], [[1]], [[0, 1]], [[1, 0]]])(
    '[2.1-16] [2.8-01] accepts %j and keeps the order',
    (integration_types) => {
      for (const type of types) {
        expect(accepted(typed(type, { integration_types })).integration_types).toEqual(integration_types)
      }
    },
  )

  it('[2.1-16] defaults to the settings of the app, or to GUILD_INSTALL', () => {
    expect(accepted(found({}, of({}))).integration_types).toEqual([0])
    expect(accepted(found({}, of({ integration_types: [1] }))).integration_types).toEqual([1])
    expect(accepted(found({}, of({ integration_types: [1, 0] }))).integration_types).toEqual([1, 0])
  })

  it('[2.1-16] does not change the settings of the app by its default', () => {
    const settings = { integration_types: [0 as const] as (0 | 1)[] }
    const command = accepted(found({}, of(settings)))
    settings.integration_types.push(1)
    expect(settings.integration_types).toEqual([0, 1])
    expect(command.integration_types).toEqual([0])
  })

  it('[2.1-22] reads null as absent, with a warning', () => {
    const nothing = found({ integration_types: null }, of({}))
    expect(accepted(nothing).integration_types).toEqual([0])
    expect(warnings(nothing)).toEqual([['shape.null', ['integration_types'], '2.1-22']])
  })

  it('[2.1-16] rejects an empty list', () => {
    expect(refusals(found({ integration_types: [] }))).toEqual([
      ['integration_types.empty', ['integration_types'], '2.1-16'],
    ])
  })

  it.each([2, -1, 0.5, '0', null, true, {}])('[2.8-01] rejects the item %j', (type) => {
    const result = found({ integration_types: [0, type] })
    expect(refusals(result)).toEqual([['integration_types.known', ['integration_types', 1], '2.1-16']])
    expect(messages(result)[0]).toMatch(/; expected 0 GUILD_INSTALL or 1 USER_INSTALL$/)
  })

  it('[2.1-16] rejects repeated items', () => {
    expect(refusals(found({ integration_types: [1, 0, 1] }))).toEqual([
      ['integration_types.repeated', ['integration_types', 2], '2.1-16'],
    ])
  })

  it('[2.1-16] rejects installations that the app does not support', () => {
    const result = found({ integration_types: [0, 1] }, of({ integration_types: [0] }))
    expect(refusals(result)).toEqual([['integration_types.supported', ['integration_types', 1], '2.1-16']])
    expect(messages(result)).toEqual([
      "is 1, which the app does not support (it supports 0); change the app's installation contexts or leave it out",
    ])
    expect(refusals(found({ integration_types: [1] }, of({})))).toHaveLength(1)
    expect(refusals(found({ integration_types: [1] }, of({ integration_types: [1] })))).toEqual([])
    expect(refusals(found({ integration_types: [0] }, of({ integration_types: [1] })))).toHaveLength(1)
  })

  it.each([0, '0', true, {}])('[2.1-16] rejects %j as a list', (integration_types) => {
    expect(refusals(found({ integration_types }))).toEqual([['shape.list', ['integration_types'], '2.1-24']])
  })
})

describe('fields of global commands in a guild', () => {
  const idle = { contexts: [0, 1, 2], integration_types: [0], dm_permission: false }

  it.each(Object.entries(idle))(
    '[2.8-04] [2.1-13] [2.1-16] [2.1-17] ignores `%s` with a warning',
    (field, value) => {
      for (const given of [value, [], [9], 'x', true]) {
        const result = found({ [field]: given }, inGuild)
        expect(accepted(result)).not.toHaveProperty(field)
        expect(warnings(result)).toEqual([['field.no_effect', [field], '2.8-04']])
        expect(messages(result)).toEqual([
          'has no effect on a guild command, which is used in its guild only; leave it out',
        ])
      }
      expect(warnings(found({ [field]: null }, inGuild))).toEqual([])
    },
  )
})

describe('deprecated fields', () => {
  it('[9-03] [2.1-13] supports `dm_permission`, true by default, and names its replacement', () => {
    for (const type of types) {
      for (const dm_permission of [true, false]) {
        const result = typed(type, { dm_permission })
        expect(accepted(result).dm_permission).toBe(dm_permission)
        expect(warnings(result)).toEqual([['field.deprecated', ['dm_permission'], '9-03']])
        expect(messages(result)).toEqual(['is deprecated; use contexts'])
      }
      for (const dm_permission of [null, undefined]) {
        expect(accepted(typed(type, { dm_permission })).dm_permission).toBe(true)
        expect(warnings(typed(type, { dm_permission }))).toEqual([])
      }
    }
  })

  it.each([undefined, inGuild])(
    '[9-03] [2.1-14] supports `default_permission` and names its replacements',
    (context) => {
      for (const [value, stored] of [
        [true, undefined],
        [false, false],
      ]) {
        const result = found({ default_permission: value }, context)
        expect(accepted(result).default_permission).toBe(stored)
        expect(warnings(result)).toEqual([['field.deprecated', ['default_permission'], '9-03']])
        // In a guild, contexts have no effect.
        const contexts = context?.scope === 'guild' ? '' : ' or contexts'
        expect(messages(result)).toEqual([
          `is deprecated; use default_member_permissions ("0" for administrators only)${contexts}`,
        ])
      }
      for (const default_permission of [null, undefined]) {
        expect(accepted(found({ default_permission }, context))).not.toHaveProperty('default_permission')
        expect(warnings(found({ default_permission }, context))).toEqual([])
      }
    },
  )

  it.each(['dm_permission', 'default_permission'])(
    '[2.1-13] [2.1-14] accepts only true and false for `%s`',
    (field) => {
      for (const value of [0, 'false', [], {}]) {
        expect(refusals(found({ [field]: value }))).toEqual([['shape.boolean', [field], '2.1-24']])
      }
    },
  )
})

describe('`handler`', () => {
  it.each([1, 2])('[2.1-19] [2.3-01] accepts %i for an entry point of an app with an Activity', (handler) => {
    expect(accepted(typed(4, { handler }, of(embedded))).handler).toBe(handler)
    expect(accepted(typed(4, { handler })).handler).toBe(handler)
  })

  it('[2.1-19] is APP_HANDLER by default', () => {
    expect(accepted(typed(4, {}, of(embedded))).handler).toBe(1)
    expect(accepted(typed(4, { handler: null }, of(embedded))).handler).toBe(1)
    expect(warnings(typed(4, { handler: null }))).toEqual([['shape.null', ['handler'], '2.1-22']])
  })

  it.each([0, 3, -1, 1.5, '1', true, [], {}])('[2.3-01] rejects %j', (handler) => {
    const result = typed(4, { handler })
    expect(refusals(result)).toEqual([['handler.known', ['handler'], '2.3-01']])
    expect(messages(result)[0]).toMatch(/; expected 1 APP_HANDLER or 2 SERVICE_LAUNCH_ACTIVITY$/)
  })

  it.each([1, 2, 3])('[2.1-19] is refused for a command of type %i', (type) => {
    const result = typed(type, { handler: 1 }, of(embedded))
    expect(refusals(result)).toEqual([['handler.type', ['handler'], '2.1-19']])
    expect(messages(result)).toEqual(['is for commands of type 4 PRIMARY_ENTRY_POINT only; leave it out'])
    expect(accepted(typed(type, { handler: null }))).not.toHaveProperty('handler')
    expect(accepted(typed(type))).not.toHaveProperty('handler')
  })

  it.each([0, undefined, 0xffffff ^ (1 << 17)])('[2.1-19] needs the flag EMBEDDED: %j', (flags) => {
    const application = flags === undefined ? {} : { flags }
    const result = typed(4, { handler: 2 }, of(application))
    expect(refusals(result)).toEqual([['handler.embedded', ['handler'], '2.1-19']])
    expect(messages(result)).toEqual([
      'needs an app with an Activity (the EMBEDDED flag); enable Activities or leave it out',
    ])
  })

  it('[2.1-19] has no default for an app without an Activity, so that the command can be sent back', () => {
    const command = accepted(typed(4, {}, of({})))
    expect(command).not.toHaveProperty('handler')
    expect(refusals(validateCommand({ ...command, id: '1' }, of({})))).toEqual([])
  })

  it('[2.3-01] [2.1-19] reports both problems', () => {
    expect(refusals(typed(4, { handler: 9 }, of({}))).map(([code]) => code)).toEqual([
      'handler.known',
      'handler.embedded',
    ])
  })
})

describe('an entry point', () => {
  it('[4.4-02] is refused in a guild', () => {
    const result = typed(4, {}, inGuild)
    expect(refusals(result)).toEqual([['entry_point.guild', ['type'], '4.4-02']])
    expect(messages(result)).toEqual([
      'is 4 PRIMARY_ENTRY_POINT, which a guild cannot have; register it globally',
    ])
    for (const type of [1, 2, 3]) expect(refusals(typed(type, {}, inGuild))).toEqual([])
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
      expect(warnings(typed(type, { [field]: null }))).toEqual([])
    }
    for (const field of others.filter((field) => field !== 'type')) {
      expect(accepted(typed(type, { ...rest, [field]: null }))).toEqual(accepted(typed(type)))
      expect(warnings(typed(type, { [field]: null }))).toEqual([['shape.null', [field], '2.1-22']])
    }
  })

  it('[2.1-22] reads as type slash command, with a warning', () => {
    const result = found({ type: null })
    expect(accepted(result).type).toBe(1)
    expect(warnings(result)).toEqual([['shape.null', ['type'], '2.1-22']])
    expect(messages(result)).toEqual(['is null, which counts as absent; leave it out'])
  })

  it('[2.1-22] is tolerated as the description of a user or message command, with a warning', () => {
    for (const type of [2, 3]) {
      expect(warnings(typed(type, { description: null }))).toEqual([
        ['shape.null', ['description'], '2.1-22'],
      ])
    }
  })
})

describe('unknown keys', () => {
  it.each(types)('[2.1-20] are ignored for type %i with a warning that suggests the known key', (type) => {
    const result = typed(type, {
      defaultMemberPermissions: '8',
      dmPermission: true,
      cooldown: 5,
      nothing: undefined,
    })
    expect(accepted(result)).toEqual(accepted(typed(type)))
    expect(warnings(result)).toEqual(
      ['defaultMemberPermissions', 'dmPermission', 'cooldown'].map((key) => [
        'keys.unknown',
        [key],
        '2.1-20',
      ]),
    )
    expect(messages(result)[0]).toContain('did you mean "default_member_permissions"?')
    expect(messages(result)[1]).toContain('did you mean "dm_permission"?')
    expect(messages(result)[2]).not.toContain('did you mean')
  })

  it('[2.1-20] may be `__proto__` or `constructor`', () => {
    const body: unknown = JSON.parse(
      '{ "name": "a", "description": "b", "__proto__": { "nsfw": true }, "constructor": 1 }',
    )
    const result = validateCommand(body)
    expect(accepted(result).nsfw).toBe(false)
    expect(warnings(result).map(([, path]) => path)).toEqual([['__proto__'], ['constructor']])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('[2.1-20] exclude the keys of responses', () => {
    const answered = {
      ...{ id: '1', application_id: '2', guild_id: '3', version: '4' },
      ...{ name_localized: 'x', description_localized: 'y' },
    }
    expect(warnings(found(answered))).toEqual([])
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
    expect(refusals(validateCommand(body)).map(([code, path]) => `${path.join('.')} ${code}`)).toEqual([
      'description shape.required',
      'nsfw shape.boolean',
      'options.0.name name.case',
      'options.0.required shape.boolean',
      'options.1.type option.type',
      'name name.characters',
      'name name.case',
      'contexts.0 contexts.known',
      'default_member_permissions default_member_permissions.value',
      'integration_types integration_types.empty',
      'handler handler.type',
      'name_localizations.xx localization.locale',
      'name_localizations.de name.case',
    ])
  })

  it('[2.1-21] are absent from a definition that is read again', () => {
    const once = accepted(
      found({ options: [option(2, { options: [option(1)] })], contexts: [1], default_member_permissions: 8 }),
    )
    expect(accepted(validateCommand(once))).toEqual(once)
  })

  it('[7-01] are reported up to a limit', () => {
    const options = several(25, (i) =>
      option(3, { name: `O${i}`, choices: several(25, () => ({ name: '', value: 1 })) }),
    )
    expect(refusals(found({ options }))).toHaveLength(25 * (1 + 25 * 2))
  })
})
