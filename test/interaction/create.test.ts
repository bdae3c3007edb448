import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  CommandRegistry,
  CommandType,
  globalScope,
  guildScope,
  OptionType,
  snowflakeTime,
  validateCommand,
} from 'commandry'
import { defineCommand, type CommandBody } from '../../src/command/define.ts'
import { createInteraction, createPing } from '../../src/interaction/create.ts'
import { handClock } from '../support/clock.ts'
import { accepted, messages, slash } from '../support/found.ts'
import { faults, ids, typing, used } from '../support/invoked.ts'

const app = '1001'
const guild = '2001'
const { STRING, INTEGER, NUMBER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT } = OptionType
const { SUB_COMMAND, SUB_COMMAND_GROUP } = OptionType

function withOptions(...options: object[]): CommandBody {
  return slash({ options: options.map((one) => ({ name: 'o', description: 'b', ...one })) }) as never
}

const permissions = defineCommand({
  name: 'permissions',
  description: 'b',
  options: [
    {
      type: SUB_COMMAND_GROUP,
      name: 'user',
      description: 'b',
      options: [
        {
          type: SUB_COMMAND,
          name: 'get',
          description: 'b',
          options: [{ type: USER, name: 'user', description: 'b', required: true }],
        },
      ],
    },
    { type: SUB_COMMAND, name: 'reset', description: 'b' },
  ],
})

describe('the payload', () => {
  it('[2.11-01] [6-02] has exactly these fields in a guild', async () => {
    const registry = new CommandRegistry({ clock: handClock() })
    const { command } = await registry.upsert(globalScope(app), { name: 'ping', description: 'Says pong' })
    const interaction = used(command, {
      guildId: guild,
      channel: { id: '4001', type: 0, name: 'general', permission_overwrites: [] },
      member: { user: { id: '3001', username: 'ada' }, roles: ['5001'], permissions: 1n << 31n, nick: 'Ada' },
      locale: 'de',
      guildLocale: 'fr',
      tokens: (id) => `token of ${id}`,
    })
    const user = { id: '3001', username: 'ada', discriminator: '0', global_name: null, avatar: null }
    expect(interaction).toEqual({
      id: interaction.id,
      application_id: app,
      type: 2,
      token: `token of ${interaction.id}`,
      version: 1,
      app_permissions: String([10, 11, 14, 15, 17, 18].reduce((bits, bit) => bits | (1 << bit), 0)),
      entitlements: [],
      entitlement_sku_ids: [],
      authorizing_integration_owners: { 0: guild, 1: '3001' },
      attachment_size_limit: 10_485_760,
      context: 0,
      channel: { id: '4001', type: 0, name: 'general' },
      channel_id: '4001',
      locale: 'de',
      guild_id: guild,
      guild: { id: guild, features: [], locale: 'fr' },
      guild_locale: 'fr',
      member: {
        user,
        roles: ['5001'],
        nick: 'Ada',
        avatar: null,
        joined_at: new Date(snowflakeTime('3001')).toISOString(),
        premium_since: null,
        pending: false,
        is_pending: false,
        communication_disabled_until: null,
        flags: 0,
        permissions: '2147483648',
        mute: false,
        deaf: false,
      },
      data: { id: command.id, name: 'ping', type: 1 },
    })
    expect(snowflakeTime(interaction.id)).toBe(Date.UTC(2026, 0, 1, 12))
  })

  it('[2.11-01] has a user and no member, guild or guild locale outside of guilds', () => {
    const direct = used(slash() as never, { user: { id: '3001' }, channel: { id: '4001' } })
    expect(direct).toMatchObject({
      context: 1,
      user: { id: '3001', username: 'user3001' },
      channel: { type: 1 },
    })
    for (const key of ['member', 'guild', 'guild_id', 'guild_locale']) expect(direct).not.toHaveProperty(key)
    expect(direct.authorizing_integration_owners).toEqual({ 0: '0', 1: '3001' })
    // ATTACH_FILES, EMBED_LINKS, MENTION_EVERYONE, and in the DM with the bot USE_EXTERNAL_EMOJIS.
    const bits = (1 << 15) | (1 << 14) | (1 << 17)
    expect(direct.app_permissions).toBe(String(bits | (1 << 18)))
    const group = used(slash() as never, { user: { id: '3001' }, channel: { id: '4001', type: 3 } })
    expect(group).toMatchObject({ context: 2, app_permissions: String(bits) })
    expect(group.authorizing_integration_owners).toEqual({ 1: '3001' })
  })

  it('[2.11-01] names who brought the command, as far as it comes with that', () => {
    const command = slash({ integration_types: [1] }) as never
    const owners = (request: object) =>
      used(command, { user: { id: '3001' }, ...request }).authorizing_integration_owners
    expect(owners({ guildId: guild })).toEqual({ 1: '3001' })
    expect(owners({ guildId: guild, installed: [0] })).toEqual({})
    const own = { ...(slash() as object), guild_id: guild } as never
    expect(used(own, { guildId: guild, user: { id: '3001' } }).authorizing_integration_owners).toEqual({
      0: guild,
    })
  })

  it('[2.11-02] names the guild of a guild command', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(guildScope(app, guild), { name: 'ping', description: 'b' })
    expect(used(command, { guildId: guild }).data).toEqual({
      id: command.id,
      name: 'ping',
      type: 1,
      guild_id: guild,
    })
  })

  it('[2.10-07] carries default names and the language of the client', () => {
    const command = defineCommand({
      name: 'roll',
      name_localizations: { de: 'würfeln' },
      description: 'b',
      options: [{ type: INTEGER, name: 'sides', name_localizations: { de: 'seiten' }, description: 'b' }],
    })
    const { data, locale } = used(command, { options: { sides: 6 }, locale: 'de' })
    expect(locale).toBe('de')
    expect(data).toMatchObject({ name: 'roll', options: [{ name: 'sides', type: 4, value: 6 }] })
    expect(used(command).data).not.toHaveProperty('options')
  })

  it('[2.11-02] nests the options below the subcommand, and leaves out what there is none of', () => {
    expect(used(permissions, { subcommand: 'user get', options: { user: '7' } }).data.options).toEqual([
      {
        type: 2,
        name: 'user',
        options: [{ type: 1, name: 'get', options: [{ name: 'user', type: 6, value: '7' }] }],
      },
    ])
    expect(used(permissions, { subcommand: 'reset' }).data.options).toEqual([{ type: 1, name: 'reset' }])
  })

  it('is frozen, survives JSON, and has nothing of the request in it that could change', () => {
    const roles = ['5001']
    const interaction = used(withOptions({ type: NUMBER }), {
      guildId: guild,
      member: { user: { id: '3001' }, roles },
      options: { o: -0 },
    })
    roles.push('5002')
    expect(interaction.member!.roles).toEqual(['5001'])
    expect(JSON.parse(JSON.stringify(interaction))).toEqual(interaction)
    expect(Object.isFrozen(interaction.member)).toBe(true)
    expect(Object.isFrozen(roles)).toBe(false)
  })

  it('draws tokens that differ, and takes ids from the source', () => {
    const source = ids()
    const [a, b] = [
      used(permissions, { subcommand: 'reset', ids: source }),
      used(permissions, { subcommand: 'reset', ids: source }),
    ]
    expect(a.token).not.toBe(b.token)
    expect(a.token).toMatch(/^[0-9a-f]{64}$/)
    expect(BigInt(b.id)).toBeGreaterThan(BigInt(a.id))
    const fixed = { subcommand: 'reset', tokens: () => 't' }
    expect(used(permissions, fixed)).toEqual(used(permissions, fixed))
  })

  it('refuses ids of the place and the person that are none', () => {
    expect(() => createInteraction(permissions, { guildId: 'here' })).toThrow(
      'guildId: expected a snowflake such as "1029384756", got the string "here"',
    )
    expect(() => createInteraction(permissions, { member: { user: { id: '' } } })).toThrow(
      /^member\.user\.id: /,
    )
    expect(() => createPing('app')).toThrow(TypeError)
    expect(createPing(app)).toMatchObject({ type: 1, application_id: app, version: 1 })
  })
})

describe('user, message and entry point commands', () => {
  const report = defineCommand({ type: CommandType.USER, name: 'Report' })
  const pin = defineCommand({ type: CommandType.MESSAGE, name: 'Pin It' })

  it('[2.11-03] a user command carries the user, and in a guild the member', () => {
    const request = { guildId: guild, target: '7', resolved: { users: { 7: { id: '7', username: 'bob' } } } }
    const { data } = accepted(createInteraction(report, request))
    expect(data).toMatchObject({ type: 2, name: 'Report', target_id: '7' })
    const { resolved } = data as { resolved: any }
    expect(Object.keys(resolved)).toEqual(['users', 'members'])
    expect(resolved.users['7'].username).toBe('bob')
    expect(Object.keys(resolved.members['7'])).not.toEqual(expect.arrayContaining(['user']))
    for (const key of ['user', 'deaf', 'mute']) expect(resolved.members['7']).not.toHaveProperty(key)
    const direct = accepted(createInteraction(report, { target: '7' })).data as { resolved: any }
    expect(Object.keys(direct.resolved)).toEqual(['users'])
    const gone = accepted(createInteraction(report, { ...request, resolved: { members: { 7: null } } })).data
    expect(Object.keys((gone as { resolved: any }).resolved)).toEqual(['users'])
  })

  it('[2.11-03] a message command carries the message', () => {
    const message = { id: '8', content: 'hello' }
    const { data } = accepted(createInteraction(pin, { target: '8', resolved: { messages: { 8: message } } }))
    expect(data).toMatchObject({
      type: 3,
      target_id: '8',
      resolved: { messages: { 8: { ...message, embeds: [] } } },
    })
  })

  it('[2.11-03] take no arguments, and need their target', () => {
    expect(faults(report)).toEqual([['target.required', ['target'], '2.11-03']])
    expect(faults(pin, { target: 'x' })).toEqual([['target.required', ['target'], '2.11-03']])
    expect(faults(report, { target: '1', options: { o: 'x' } })).toEqual([
      ['arguments.none', ['options'], '2.11-03'],
    ])
    expect(faults(report, { target: '1', subcommand: 's' })).toEqual([
      ['subcommand.unknown', ['subcommand'], '2.7-03'],
    ])
    expect(faults(slash() as never, { target: '1' })).toEqual([['target.none', ['target'], '2.11-03']])
  })

  it('[2.3-03] an entry point carries nothing', () => {
    const { data } = accepted(createInteraction({ type: 4, name: 'Launch' }, { ids: ids() }))
    expect(Object.keys(data)).toEqual(['id', 'name', 'type'])
    expect(faults({ type: 4, name: 'Launch' }, { target: '1' })).toEqual([
      ['target.none', ['target'], '2.11-03'],
    ])
  })
})

describe('subcommands', () => {
  it('[2.7-03] the base command is none, and neither is a group', () => {
    expect(faults(permissions)).toEqual([['subcommand.missing', ['subcommand'], '2.7-03']])
    for (const subcommand of ['user', 'get', 'user get more', 'reset reset', 'user  get', 'constructor']) {
      expect(faults(permissions, { subcommand })).toEqual([['subcommand.unknown', ['subcommand'], '2.7-03']])
    }
    expect(faults(slash() as never, { subcommand: 'x' })).toEqual([
      ['subcommand.unknown', ['subcommand'], '2.7-03'],
    ])
  })

  it('[2.11-07] takes only options of the subcommand', () => {
    expect(faults(permissions, { subcommand: 'reset', options: { user: '7' } })).toEqual([
      ['argument.unknown', ['options', 'user'], '2.11-07'],
    ])
  })
})

describe('values', () => {
  it.each([
    ['STRING', STRING, ['', 'text'], [5, true, null, {}]],
    ['INTEGER', INTEGER, [0, -5, 2 ** 53 - 1, -(2 ** 53) + 1], [1.5, '1', NaN, null, Infinity]],
    ['NUMBER', NUMBER, [0.5, 2 ** 53, -(2 ** 53)], ['1', NaN, Infinity, null]],
    ['BOOLEAN', BOOLEAN, [true, false], ['true', 1, null]],
    ['USER', USER, ['7'], [7, 'x', '', '-1', null]],
    ['CHANNEL', CHANNEL, ['7'], [7, 'x']],
    ['ROLE', ROLE, ['7'], [7, '07']],
    ['MENTIONABLE', MENTIONABLE, ['7'], [7, '9223372036854775808']],
    ['ATTACHMENT', ATTACHMENT, ['7'], [7, {}]],
  ] as const)('[2.11-07] [2.5-03] of type %s', (_, type, good, bad) => {
    for (const value of good) {
      expect(used(withOptions({ type }), { options: { o: value } }).data.options).toEqual([
        { name: 'o', type, value },
      ])
    }
    for (const value of bad) {
      expect(faults(withOptions({ type }), { options: { o: value as never } })).toEqual([
        ['argument.type', ['options', 'o'], '2.11-07'],
      ])
    }
  })

  it('[2.5-01] [2.5-02] are inside the range of their type', () => {
    for (const value of [2 ** 53, -(2 ** 53)]) {
      expect(faults(withOptions({ type: INTEGER }), { options: { o: value } })[0]?.[0]).toBe('argument.range')
      expect(faults(withOptions({ type: NUMBER }), { options: { o: value } })).toEqual([])
    }
    for (const value of [2 ** 53 + 2, -1e300]) {
      expect(faults(withOptions({ type: NUMBER }), { options: { o: value } })[0]?.[0]).toBe('argument.range')
    }
  })

  it('[2.11-07] are between the bounds of their option', () => {
    const code = (fields: object, value: string | number) =>
      faults(withOptions({ type: typeof value === 'string' ? STRING : INTEGER, ...fields }), {
        options: { o: value },
      })[0]?.[0]
    expect([1, 2, 3, 4].map((value) => code({ min_value: 2, max_value: 3 }, value))).toEqual([
      'argument.range',
      undefined,
      undefined,
      'argument.range',
    ])
    // Characters count, not UTF-16 units.
    expect(['x', '𐐨𐐨', '𐐨𐐨𐐨', '𐐨𐐨𐐨𐐨'].map((value) => code({ min_length: 2, max_length: 3 }, value))).toEqual([
      'argument.length',
      undefined,
      undefined,
      'argument.length',
    ])
    expect(code({ min_length: 0 }, '')).toBeUndefined()
    // Bounds that nothing satisfies are legal, and nothing satisfies them.
    expect(code({ min_value: 3, max_value: 2 }, 3)).toBe('argument.range')
  })

  it('[2.6-03] are among the choices, where there are any; [2.6-04] autocomplete binds nobody', () => {
    const choices = [{ name: 'One', value: 1 }]
    expect(faults(withOptions({ type: INTEGER, choices }), { options: { o: 1 } })).toEqual([])
    expect(faults(withOptions({ type: INTEGER, choices }), { options: { o: 2 } })).toEqual([
      ['argument.choice', ['options', 'o'], '2.6-03'],
    ])
    expect(faults(withOptions({ type: INTEGER, choices: [] }), { options: { o: 2 } })).toEqual([])
    expect(faults(withOptions({ type: INTEGER, autocomplete: true }), { options: { o: 2 } })).toEqual([])
  })

  it('[2.1-22] are bound by no field that is null', () => {
    const fields = {
      required: null,
      choices: null,
      options: null,
      channel_types: null,
      min_value: null,
      max_value: null,
      min_length: null,
      max_length: null,
      autocomplete: null,
    }
    for (const [type, values] of [
      [STRING, ['', 'text']],
      [INTEGER, [-5, 5]],
      [NUMBER, [-0.5, 0.5]],
      [BOOLEAN, [true]],
      [CHANNEL, ['7']],
      [ATTACHMENT, ['7']],
    ] as const) {
      const command = withOptions({ type, ...fields })
      expect(validateCommand(command).ok).toBe(true)
      expect(faults(command)).toEqual([])
      for (const value of values) {
        expect(used(command, { options: { o: value } }).data.options).toEqual([{ name: 'o', type, value }])
      }
      expect(faults(command, { focused: 'o' })).toEqual([['focused.option', ['focused'], '2.11-05']])
    }
    expect(
      messages(
        createInteraction(withOptions({ type: STRING, min_length: null, max_length: 2 }), {
          options: { o: 'xyz' },
        }),
      ),
    ).toEqual(['has 3 characters; 0 to 2 are allowed'])
    const typed = (type: number, bounds: object, text: string) =>
      faults(withOptions({ type, ...bounds, autocomplete: true }), { focused: 'o', options: { o: text } })
    expect(typed(STRING, { max_length: null }, 'text')).toEqual([])
    expect(typed(INTEGER, { min_value: null, max_value: null }, '-5')).toEqual([])
  })

  it('[2.1-22] and a command whose fields are null is one that leaves them out', () => {
    const nothing = {
      type: null,
      guild_id: null,
      options: null,
      contexts: null,
      integration_types: null,
      nsfw: null,
      dm_permission: null,
      default_permission: null,
      default_member_permissions: null,
      handler: null,
    }
    const command = slash(nothing) as never
    expect(validateCommand(command).ok).toBe(true)
    for (const place of [{ guildId: guild }, {}]) {
      const request = { ...place, user: { id: '3001' }, ids: ids(), tokens: () => 't' }
      expect(used(command, request)).toEqual(used(slash() as never, { ...request, ids: ids() }))
    }
    expect(
      faults(
        slash({ options: [{ type: SUB_COMMAND, name: 's', description: 'b', options: null }] }) as never,
        { subcommand: 's' },
      ),
    ).toEqual([])
  })

  it('[2.11-07] are given when they are required, and are for options there are', () => {
    const command = withOptions({ type: STRING, required: true }, { type: STRING, name: 'p' })
    expect(faults(command)).toEqual([['argument.required', ['options', 'o'], '2.11-07']])
    expect(faults(command, { options: { o: undefined as never } })[0]?.[0]).toBe('argument.required')
    expect(faults(command, { options: { o: 'x', q: 1, constructor: 1 } })).toEqual([
      ['argument.unknown', ['options', 'q'], '2.11-07'],
      ['argument.unknown', ['options', 'constructor'], '2.11-07'],
    ])
    expect(faults(withOptions({ type: STRING, name: 'constructor' }))).toEqual([])
    const hostile = JSON.parse('{"__proto__": "v"}')
    expect(used(withOptions({ type: STRING, name: '__proto__' }), { options: hostile }).data.options).toEqual(
      [{ name: '__proto__', type: 3, value: 'v' }],
    )
  })

  it('[7-01] tells all that is wrong, in the order in which it was said', () => {
    const command = withOptions(
      { type: INTEGER, name: 'a' },
      { type: STRING, name: 'b', choices: [{ name: 'x', value: 'x' }] },
      { type: BOOLEAN, name: 'c', required: true },
    )
    expect(
      faults(command, { options: { b: 'y', z: 1, a: 1.5 }, target: '1' }).map(([code, path]) => [code, path]),
    ).toEqual([
      ['argument.required', ['options', 'c']],
      ['argument.choice', ['options', 'b']],
      ['argument.unknown', ['options', 'z']],
      ['argument.type', ['options', 'a']],
      ['target.none', ['target']],
    ])
  })
})

describe('what ids stand for', () => {
  const where = {
    guildId: guild,
    channel: { id: '4001', type: 0 },
    member: { user: { id: '3001', username: 'ada' } },
  }

  it('[2.11-07] is in resolved, in the maps that apply and no others', () => {
    const command = withOptions(
      ...[USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT].map((type) => ({ type, name: `t${type}` })),
      { type: STRING, name: 's' },
    )
    const { resolved } = used(command, {
      ...where,
      options: { t6: '11', t7: '12', t8: '13', t9: '14', t11: '15', s: '16' },
      resolved: {
        users: { 11: { id: '11', username: 'bob' } },
        members: { 11: { nick: 'Bob', permissions: 8n } },
        channels: { 12: { id: '12', name: 'talk', type: 2 } },
        roles: { 14: { id: '14', name: 'mods' } },
        attachments: { 15: { id: '15', filename: 'a.png', size: 3 } },
      },
    }).data
    expect(Object.keys(resolved!).sort()).toEqual(['attachments', 'channels', 'members', 'roles', 'users'])
    expect(resolved).toMatchObject({
      users: { 11: { id: '11', username: 'bob', discriminator: '0' } },
      members: { 11: { nick: 'Bob', permissions: '8', roles: [] } },
      channels: { 12: { id: '12', name: 'talk', type: 2, permissions: '0' } },
      roles: { 13: { id: '13', permissions: '0' }, 14: { name: 'mods' } },
      attachments: { 15: { filename: 'a.png', size: 3 } },
    })
    expect(used(command, { ...where, options: { s: 'x' } }).data).not.toHaveProperty('resolved')
  })

  it('knows the person, the channel and everyone without being told', () => {
    const user = used(withOptions({ type: MENTIONABLE }), { ...where, options: { o: '3001' } }).data.resolved
    expect(user?.users?.['3001']?.username).toBe('ada')
    const everyone = used(withOptions({ type: MENTIONABLE }), { ...where, options: { o: guild } }).data
      .resolved
    expect(everyone?.roles?.[guild]?.name).toBe('@everyone')
    const channel = used(withOptions({ type: CHANNEL }), { ...where, options: { o: '4001' } }).data.resolved
    expect(channel?.channels?.['4001']).toMatchObject({ id: '4001', type: 0 })
  })

  it('[2.5-03] [2.11-07] is of the kind and the channel type that the option takes', () => {
    const known = {
      users: { 7: { id: '7' } },
      roles: { 8: { id: '8' } },
      channels: { 9: { id: '9', type: 2 as const } },
    }
    const code = (option: object, id: string) =>
      faults(withOptions(option), { ...where, options: { o: id }, resolved: known })[0]?.[0]
    expect(code({ type: USER }, '8')).toBe('argument.kind')
    expect(code({ type: ROLE }, '7')).toBe('argument.kind')
    expect(code({ type: MENTIONABLE }, '9')).toBe('argument.kind')
    expect(code({ type: MENTIONABLE }, '7')).toBeUndefined()
    expect(code({ type: MENTIONABLE }, '8')).toBeUndefined()
    expect(code({ type: CHANNEL, channel_types: [0] }, '9')).toBe('argument.channel_type')
    expect(code({ type: CHANNEL, channel_types: [0, 2] }, '9')).toBeUndefined()
    expect(code({ type: CHANNEL, channel_types: [13] }, '4001')).toBe('argument.channel_type')
    // Of an unknown channel it is taken that the client offered it.
    const made = used(withOptions({ type: CHANNEL, channel_types: [13] }), { ...where, options: { o: '99' } })
    expect(made.data.resolved?.channels?.['99']?.type).toBe(13)
  })

  it('[2.11-07] the channel one is in is of an unknown type unless that is told', async () => {
    const command = withOptions({ type: CHANNEL, channel_types: [5] })
    const options = { o: '4001' }
    const made = used(command, { ...where, channel: { id: '4001' }, options })
    expect(made.data.resolved?.channels?.['4001']?.type).toBe(5)
    // The app is not told two things of it.
    expect(made.channel).toEqual({ id: '4001', type: 5 })
    const channels = (type: 0 | 5) => ({ resolved: { channels: { 4001: { id: '4001', type } } } })
    const told = used(command, { ...where, channel: { id: '4001' }, options, ...channels(5) })
    expect(told.channel.type).toBe(5)
    for (const request of [{}, { channel: { id: '4001' }, ...channels(0) }]) {
      expect(faults(command, { ...where, options, ...request })).toEqual([
        ['argument.channel_type', ['options', 'o'], '2.11-07'],
      ])
    }
    expect(
      used(withOptions({ type: CHANNEL }), { ...where, channel: { id: '4001' }, options }).channel,
    ).toEqual({
      id: '4001',
      type: 0,
    })

    const registry = new CommandRegistry()
    await registry.upsert(globalScope(app), command)
    const client = new ChatClient(registry, {
      applicationId: app,
      guildId: guild,
      channel: { id: '4001' } as never,
      member: { user: { id: '3001', username: 'ada' }, roles: [], permissions: 1n << 31n },
      locale: 'en-US',
    })
    expect((await client.invoke('a', options)).data.resolved?.channels?.['4001']?.type).toBe(5)
  })
})

describe('autocomplete', () => {
  const search = defineCommand({
    name: 'search',
    description: 'b',
    options: [
      { type: STRING, name: 'query', description: 'b', required: true, autocomplete: true, max_length: 5 },
      { type: INTEGER, name: 'page', description: 'b', required: true, autocomplete: true, min_value: 1 },
      { type: NUMBER, name: 'score', description: 'b', autocomplete: true },
      { type: BOOLEAN, name: 'exact', description: 'b' },
      { type: ATTACHMENT, name: 'file', description: 'b' },
    ],
  })

  it('[2.11-05] [2.11-02] [6-03] sends what is typed as text, with what is filled in, and no attachments', () => {
    const { data, type } = typing(search, { focused: 'page', options: { page: 12, exact: true, file: '7' } })
    expect(type).toBe(4)
    expect(data.options).toEqual([
      { name: 'page', type: 4, value: '12', focused: true },
      { name: 'exact', type: 5, value: true },
    ])
    expect(data.version).toMatch(/^[0-9]+$/)
    expect(typing(search, { focused: 'query' }).data.options).toEqual([
      { name: 'query', type: 3, value: '', focused: true },
    ])
  })

  it('[2.11-05] sends beginnings of texts, and no numbers that are none', () => {
    const sent = (focused: string, value: string | number) =>
      faults(search, { focused, options: { [focused]: value } }).length === 0
    expect(['', 'p', 'parts'].map((text) => sent('query', text))).toEqual([true, true, true])
    expect(sent('query', 'partsx')).toBe(false)
    expect(['', '1', '12', 3].map((text) => sent('page', text))).toEqual([true, true, true, true])
    expect(['0', '-1', '1.5', '1x', ' 1', '0x1', '1e3'].map((text) => sent('page', text))).toEqual(
      Array(7).fill(false),
    )
    expect(['1.5', '-2', '.5', '1.', 'NaN', 'Infinity'].map((text) => sent('score', text))).toEqual([
      ...[true, true],
      ...[false, false, false, false],
    ])
    expect(faults(search, { focused: 'page', options: { page: 'x' } })).toEqual([
      ['focused.value', ['options', 'page'], '2.11-05'],
    ])
  })

  it('[2.11-05] is for options that have it', () => {
    for (const focused of ['exact', 'nothing', '__proto__']) {
      expect(faults(search, { focused })).toEqual([['focused.option', ['focused'], '2.11-05']])
    }
    const [menu, launch] = [
      { type: CommandType.USER, name: 'R' },
      { type: CommandType.PRIMARY_ENTRY_POINT, name: 'R' },
    ] as const
    for (const [command, request] of [
      [menu, { target: '5' }],
      [launch, {}],
      [slash() as never, {}],
      [permissions, { subcommand: 'reset' }],
    ] as const) {
      expect(faults(command, { ...request, focused: 'o' })).toEqual([
        ['focused.option', ['focused'], '2.11-05'],
      ])
    }
    // What is filled in already still has to be right.
    expect(faults(search, { focused: 'query', options: { page: 0 } })[0]?.[0]).toBe('argument.range')
  })
})
