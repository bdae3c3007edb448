import { describe, expect, it } from 'vitest'
import { ApplicationFlag, validateCommand, type ApplicationSettings, type ValidationContext } from 'commandry'
import { commandTypes as types, found, inGuild, typed } from '../../../support/bodies.ts'
import { accepted, advice, messages, reasons, refused, warned } from '../../../support/found.ts'

const of = (application: ApplicationSettings): ValidationContext => ({ application })
const embedded = { flags: ApplicationFlag.EMBEDDED }

describe('`default_member_permissions`', () => {
  const field = 'default_member_permissions'

  it.each([
    ['0', '0'],
    ['0008', '8'],
    ['000', '0'],
    ['9007199254740993', '9007199254740993'],
    ['0018446744073709551615', '18446744073709551615'],
    [-0, '0'],
    [2 ** 53 - 1, '9007199254740991'],
    [0n, '0'],
    [2n ** 64n - 1n, '18446744073709551615'],
    [null, null],
    [undefined, null],
  ])('[2.1-12] reads %s as %j for every type', (given, bits) => {
    for (const type of types) {
      const result = typed(type, { [field]: given })
      expect(accepted(result)[field]).toBe(bits)
      expect(warned(result).filter((line) => !line.includes('unknown_bits'))).toEqual([])
    }
  })

  it.each([
    ...['', ' ', ' 8', '8 ', '+8', '-1', '-0', '1.0', '1e3', '0x8', '8n', '٨', 'ADMINISTRATOR'],
    ...['18446744073709551616', '1'.repeat(1000), -1, 0.5, 2 ** 53, Number.NaN, Infinity, true],
    ...[[], ['8'], {}, -1n, 2n ** 64n],
  ])('[2.1-12] rejects %s', (given) => {
    expect(refused(found({ [field]: given }))).toEqual([`default_member_permissions.value ${field} 2.1-12`])
  })

  it('[2.1-12] suggests the string to write', () => {
    expect(messages(found({ [field]: '0x8' }))).toEqual([
      'is the string "0x8"; write the bit set, which is below 2^64, as a string of digits such as "8192"',
    ])
    expect(messages(found({ [field]: 2n ** 64n }))[0]).toContain('below 2^64')
  })
})

it('[2.1-15] `nsfw` is false by default', () => {
  for (const type of types)
    for (const nsfw of [undefined, false, true])
      expect(accepted(typed(type, { nsfw })).nsfw).toBe(nsfw ?? false)
  expect(accepted(found({ nsfw: true }, inGuild)).nsfw).toBe(true)
})

it('[2.1-15] `nsfw` rejects true for an app with discovery enabled, also in a guild', () => {
  for (const scope of ['global', 'guild'] as const) {
    const context: ValidationContext = { scope, application: { discoverable: true } }
    const result = found({ nsfw: true }, context)
    expect(reasons(result)).toEqual([
      'nsfw.discoverable nsfw 2.1-15: is true, but the app has discovery enabled and so cannot have age-restricted commands',
    ])
    expect(refused(found({ nsfw: false }, context))).toEqual([])
    expect(refused(found({}, context))).toEqual([])
  }
  expect(refused(found({ nsfw: true }, of({ discoverable: false })))).toEqual([])
})

describe.each([
  ['contexts', '2.1-17', [[0], [1], [2], [0, 1, 2], [2, 0]], 3, '0 GUILD, 1 BOT_DM or 2 PRIVATE_CHANNEL'],
  ['integration_types', '2.1-16', [[0], [1], [0, 1], [1, 0]], 2, '0 GUILD_INSTALL or 1 USER_INSTALL'],
] as const)('the list `%s`', (field, clause, lists, unknown, known) => {
  it(`[${clause}] [2.8-01] [2.8-02] keeps its order for every type`, () => {
    for (const type of types)
      for (const list of lists) expect(accepted(typed(type, { [field]: list }))[field]).toEqual(list)
  })

  it(`[${clause}] is not empty`, () => {
    expect(reasons(found({ [field]: [] }))).toEqual([
      `${field}.empty ${field} ${clause}: is empty; leave it out for the default`,
    ])
  })

  it.each([unknown, -1, 0.5, '0', null, true, {}])('[2.8-01] [2.8-02] rejects the item %j', (item) => {
    const result = found({ [field]: [0, item] })
    expect(refused(result)).toEqual([`${field}.known ${field}[1] ${clause}`])
    expect(messages(result)).toEqual([expect.stringMatching(new RegExp(`; expected ${known}$`))])
  })

  it(`[${clause}] rejects repeated items`, () => {
    expect(reasons(found({ [field]: [0, 1, 0, 1] }))).toEqual([
      `${field}.repeated ${field}[2] ${clause}: is 0 a second time`,
      `${field}.repeated ${field}[3] ${clause}: is 1 a second time`,
    ])
  })
})

it('[2.1-17] `contexts` accepts null as never set, without a warning', () => {
  expect(accepted(found({ contexts: null })).contexts).toBe(null)
  expect(warned(found({ contexts: null }))).toEqual([])
})

it('[2.8-03] `contexts` warns about PRIVATE_CHANNEL without USER_INSTALL', () => {
  const idle = found({ contexts: [0, 2], integration_types: [0] })
  expect(accepted(idle).contexts).toEqual([0, 2])
  expect(advice(idle)).toEqual([
    'contexts.private_channel contexts[1] 2.8-03: is 2 PRIVATE_CHANNEL, which has no effect unless integration_types includes 1 USER_INSTALL',
  ])
  expect(warned(found({ contexts: [2] }, of({ integration_types: [0] })))).toHaveLength(1)
  for (const fields of [{ integration_types: [0, 1] }, {}])
    expect(warned(found({ contexts: [2], ...fields }))).toEqual([])
})

it('[2.1-16] `integration_types` are by default those of the app, or GUILD_INSTALL', () => {
  for (const integration_types of [[1], [1, 0]] as const) {
    const command = accepted(found({}, of({ integration_types })))
    expect(command.integration_types).toEqual(integration_types)
    // The command does not share its list with the settings.
    expect(command.integration_types).not.toBe(integration_types)
  }
  for (const settings of [{}, { integration_types: [] }])
    expect(accepted(found({}, of(settings))).integration_types).toEqual([0])
})

it.each<[number[], ApplicationSettings, ...string[]]>([
  [[0, 1], { integration_types: [0] }, '[1] 2.1-16: is 1, which the app does not support (it supports 0)'],
  [[1], {}, '[0] 2.1-16: is 1, which the app does not support (it supports 0)'],
  [[0], { integration_types: [1] }, '[0] 2.1-16: is 0, which the app does not support (it supports 1)'],
  [[1], { integration_types: [1] }],
])(
  '[2.1-16] `integration_types` are those that the app supports: %j for an app with %j',
  (list, settings, ...problems) => {
    const advised = "; change the app's installation contexts or leave it out"
    expect(reasons(found({ integration_types: list }, of(settings)))).toEqual(
      problems.map((problem) => `integration_types.supported integration_types${problem}${advised}`),
    )
  },
)

describe('fields of global commands in a guild', () => {
  const idle = { contexts: [0, 1, 2], integration_types: [0], dm_permission: false }

  const idleFields = Object.entries(idle)
  it.each(idleFields)('[2.8-04] [2.1-13] [2.1-16] [2.1-17] ignores `%s` with a warning', (field, value) => {
    for (const given of [value, ...(Array.isArray(value) ? [[], [0, 0]] : [true])]) {
      const result = found({ [field]: given }, inGuild)
      expect(accepted(result)).not.toHaveProperty(field)
      expect(advice(result)).toEqual([
        `field.no_effect ${field} 2.8-04: has no effect on a guild command, which is used in its guild only; leave it out`,
      ])
    }
    expect(warned(found({ [field]: null }, inGuild))).toEqual([])
  })

  it.each([
    ['contexts', 'x', 'shape.list contexts 2.1-24'],
    ['contexts', { 0: 0 }, 'shape.list contexts 2.1-24'],
    ['contexts', [0, 9], 'contexts.known contexts[1] 2.1-17'],
    ['contexts', ['0'], 'contexts.known contexts[0] 2.1-17'],
    ['integration_types', true, 'shape.list integration_types 2.1-24'],
    ['integration_types', [5], 'integration_types.known integration_types[0] 2.1-16'],
    ['dm_permission', 'x', 'shape.boolean dm_permission 2.1-24'],
    ['dm_permission', 0, 'shape.boolean dm_permission 2.1-24'],
  ])('[2.8-04] [2.1-24] refuses the %s %j', (field, value, expected) => {
    const result = found({ [field]: value }, inGuild)
    expect(refused(result)).toEqual([expected])
    expect(warned(result)).toEqual([])
  })
})

describe('deprecated fields', () => {
  it('[9-03] [2.1-13] supports `dm_permission`, true by default, and names its replacement', () => {
    for (const type of types) {
      for (const dm_permission of [true, false]) {
        const result = typed(type, { dm_permission })
        expect(accepted(result).dm_permission).toBe(dm_permission)
        expect(advice(result)).toEqual(['field.deprecated dm_permission 9-03: is deprecated; use contexts'])
      }
      for (const dm_permission of [null, undefined]) {
        expect(accepted(typed(type, { dm_permission })).dm_permission).toBe(true)
        expect(warned(typed(type, { dm_permission }))).toEqual([])
      }
    }
  })

  const scopes = [undefined, inGuild]
  it.each(scopes)('[9-03] [2.1-14] supports `default_permission` and names its replacements', (context) => {
    for (const [value, stored] of [
      [true, undefined],
      [false, false],
    ]) {
      const result = found({ default_permission: value }, context)
      expect(accepted(result).default_permission).toBe(stored)
      // In a guild, contexts have no effect.
      const contexts = context?.scope === 'guild' ? '' : ' or contexts'
      expect(advice(result)).toEqual([
        `field.deprecated default_permission 9-03: is deprecated; use default_member_permissions ("0" for administrators only)${contexts}`,
      ])
    }
    for (const default_permission of [null, undefined]) {
      expect(accepted(found({ default_permission }, context))).not.toHaveProperty('default_permission')
      expect(warned(found({ default_permission }, context))).toEqual([])
    }
  })
})

describe('`handler`', () => {
  it.each([1, 2])('[2.1-19] [2.3-01] accepts %i for an entry point of an app with an Activity', (handler) => {
    expect(accepted(typed(4, { handler }, of(embedded))).handler).toBe(handler)
    expect(accepted(typed(4, { handler })).handler).toBe(handler)
  })

  it('[2.1-19] is APP_HANDLER by default', () => {
    expect(accepted(typed(4, {}, of(embedded))).handler).toBe(1)
    expect(accepted(typed(4, { handler: null }, of(embedded))).handler).toBe(1)
    expect(warned(typed(4, { handler: null }))).toEqual(['shape.null handler 2.1-22'])
  })

  it.each([0, 3, -1, 1.5, '1', true, [], {}])('[2.3-01] rejects %j', (handler) => {
    const result = typed(4, { handler })
    expect(refused(result)).toEqual(['handler.known handler 2.3-01'])
    expect(messages(result)[0]).toMatch(/; expected 1 APP_HANDLER or 2 SERVICE_LAUNCH_ACTIVITY$/)
  })

  it.each([1, 2, 3])('[2.1-19] is refused for a command of type %i', (type) => {
    const result = typed(type, { handler: 1 }, of(embedded))
    expect(reasons(result)).toEqual([
      'handler.type handler 2.1-19: is for commands of type 4 PRIMARY_ENTRY_POINT only; leave it out',
    ])
    expect(accepted(typed(type, { handler: null }))).not.toHaveProperty('handler')
    expect(accepted(typed(type))).not.toHaveProperty('handler')
  })

  it.each([0, undefined, 0xffffff ^ (1 << 17)])('[2.1-19] needs the flag EMBEDDED: %j', (flags) => {
    const application = flags === undefined ? {} : { flags }
    expect(reasons(typed(4, { handler: 2 }, of(application)))).toEqual([
      'handler.embedded handler 2.1-19: needs an app with an Activity (the EMBEDDED flag); enable Activities or leave it out',
    ])
  })

  it('[2.1-19] has no default for an app without an Activity, so that the command can be sent back', () => {
    const command = accepted(typed(4, {}, of({})))
    expect(command).not.toHaveProperty('handler')
    expect(refused(validateCommand({ ...command, id: '1' }, of({})))).toEqual([])
  })

  it('[2.3-01] [2.1-19] reports both problems', () => {
    expect(refused(typed(4, { handler: 9 }, of({})))).toEqual([
      'handler.known handler 2.3-01',
      'handler.embedded handler 2.1-19',
    ])
  })
})

it('[4.4-02] an entry point is refused in a guild', () => {
  const result = typed(4, {}, inGuild)
  expect(reasons(result)).toEqual([
    'entry_point.guild type 4.4-02: is 4 PRIMARY_ENTRY_POINT, which a guild cannot have; register it globally',
  ])
  for (const type of [1, 2, 3]) expect(refused(typed(type, {}, inGuild))).toEqual([])
})
