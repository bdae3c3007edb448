import { describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope, validateCommand } from 'commandry'
import { ChatClient } from 'commandry/interactions'
import { createInteraction } from '../../src/interaction/create.ts'
import { messages, slash } from '../support/found.ts'
import { faults, ids, used } from '../support/invoked.ts'
import {
  app,
  guild,
  STRING,
  INTEGER,
  NUMBER,
  BOOLEAN,
  USER,
  CHANNEL,
  ROLE,
  MENTIONABLE,
  ATTACHMENT,
  SUB_COMMAND,
  withOptions,
} from './commands.ts'

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
  ] as const)('[2.11-07] [2.5-03] are checked for type %s', (_, type, good, bad) => {
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

  it('[2.5-01] [2.5-02] must be in the range of their type', () => {
    for (const value of [2 ** 53, -(2 ** 53)]) {
      expect(faults(withOptions({ type: INTEGER }), { options: { o: value } })[0]?.[0]).toBe('argument.range')
      expect(faults(withOptions({ type: NUMBER }), { options: { o: value } })).toEqual([])
    }
    for (const value of [2 ** 53 + 2, -1e300]) {
      expect(faults(withOptions({ type: NUMBER }), { options: { o: value } })[0]?.[0]).toBe('argument.range')
    }
  })

  it('[2.11-07] must be within the bounds of their option', () => {
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
    // Lengths count characters, not UTF-16 units.
    expect(['x', '𐐨𐐨', '𐐨𐐨𐐨', '𐐨𐐨𐐨𐐨'].map((value) => code({ min_length: 2, max_length: 3 }, value))).toEqual([
      'argument.length',
      undefined,
      undefined,
      'argument.length',
    ])
    expect(code({ min_length: 0 }, '')).toBeUndefined()
    // Bounds that exclude every value are legal, and refuse every value.
    expect(code({ min_value: 3, max_value: 2 }, 3)).toBe('argument.range')
  })

  it('[2.6-03] must be one of the choices, if any; [2.6-04] are not restricted by autocomplete', () => {
    const choices = [{ name: 'One', value: 1 }]
    expect(faults(withOptions({ type: INTEGER, choices }), { options: { o: 1 } })).toEqual([])
    expect(faults(withOptions({ type: INTEGER, choices }), { options: { o: 2 } })).toEqual([
      ['argument.choice', ['options', 'o'], '2.6-03'],
    ])
    expect(faults(withOptions({ type: INTEGER, choices: [] }), { options: { o: 2 } })).toEqual([])
    expect(faults(withOptions({ type: INTEGER, autocomplete: true }), { options: { o: 2 } })).toEqual([])
  })

  it('[2.1-22] are not restricted by null fields', () => {
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

  it('[2.1-22] are the same for null fields as for absent fields', () => {
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

  it('[2.11-07] are reported when a required one is missing, or when its option is unknown', () => {
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

  it('[7-01] are reported with all their problems, in the given order', () => {
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

describe('resolved', () => {
  const where = {
    guildId: guild,
    channel: { id: '4001', type: 0 },
    member: { user: { id: '3001', username: 'ada' } },
  }

  it('[2.11-07] has only the maps that apply', () => {
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

  it('includes the user, the channel and @everyone without details in the request', () => {
    const user = used(withOptions({ type: MENTIONABLE }), { ...where, options: { o: '3001' } }).data.resolved
    expect(user?.users?.['3001']?.username).toBe('ada')
    const everyone = used(withOptions({ type: MENTIONABLE }), { ...where, options: { o: guild } }).data
      .resolved
    expect(everyone?.roles?.[guild]?.name).toBe('@everyone')
    const channel = used(withOptions({ type: CHANNEL }), { ...where, options: { o: '4001' } }).data.resolved
    expect(channel?.channels?.['4001']).toMatchObject({ id: '4001', type: 0 })
  })

  it('[2.5-03] [2.11-07] has entries of the kind and channel type that the option accepts', () => {
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
    // An unknown channel is assumed to be one that the client offers.
    const made = used(withOptions({ type: CHANNEL, channel_types: [13] }), { ...where, options: { o: '99' } })
    expect(made.data.resolved?.channels?.['99']?.type).toBe(13)
  })

  it('[2.11-07] assumes an accepted type for the current channel unless the request has one', async () => {
    const command = withOptions({ type: CHANNEL, channel_types: [5] })
    const options = { o: '4001' }
    const made = used(command, { ...where, channel: { id: '4001' }, options })
    expect(made.data.resolved?.channels?.['4001']?.type).toBe(5)
    // Both entries of the payload agree.
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

describe('details of resolved', () => {
  const ada = { user: { id: '3001', username: 'ada' }, roles: ['5001'], nick: 'Ada', permissions: 8n }

  it("[2.11-07] returns the user's own member, and an empty one for others", () => {
    const command = withOptions({ type: USER, name: 'a' }, { type: USER, name: 'b' })
    const interaction = used(command, {
      guildId: guild,
      member: ada,
      options: { a: '3001', b: '3002' },
    }) as never as { data: { resolved: object } }
    const empty = {
      avatar: null,
      premium_since: null,
      pending: false,
      communication_disabled_until: null,
      flags: 0,
      joined_at: expect.any(String),
    }
    expect(interaction.data.resolved).toEqual({
      users: {
        '3001': { id: '3001', username: 'ada', discriminator: '0', global_name: null, avatar: null },
        '3002': { id: '3002', username: 'user3002', discriminator: '0', global_name: null, avatar: null },
      },
      members: {
        '3001': { ...empty, roles: ['5001'], nick: 'Ada', permissions: '8' },
        '3002': { ...empty, roles: [], nick: null, permissions: '0' },
      },
    })
  })

  it('[2.11-07] returns the details of the current channel', () => {
    const channel = { id: '4001', type: 0, name: 'staff', topic: 'Plans', nsfw: true } as const
    const interaction = used(withOptions({ type: CHANNEL }), {
      guildId: guild,
      channel,
      member: ada,
      options: { o: '4001' },
    }) as never as { data: { resolved: object } }
    expect(interaction.data.resolved).toEqual({ channels: { '4001': { ...channel, permissions: '8' } } })
  })

  it.each([
    [STRING, 5, 'is the number 5; an option of type STRING takes a string'],
    [INTEGER, 1.5, 'is the number 1.5; an option of type INTEGER takes a whole number'],
    [NUMBER, 'x', 'is the string "x"; an option of type NUMBER takes a finite number'],
    [BOOLEAN, 1, 'is the number 1; an option of type BOOLEAN takes true or false'],
    [USER, 'ada', 'is the string "ada"; an option of type USER takes an id such as "1029384756"'],
    [CHANNEL, 7, 'is the number 7; an option of type CHANNEL takes an id such as "1029384756"'],
    [ROLE, true, 'is true; an option of type ROLE takes an id such as "1029384756"'],
    [MENTIONABLE, '', 'is the string ""; an option of type MENTIONABLE takes an id such as "1029384756"'],
    [ATTACHMENT, [], 'is a list; an option of type ATTACHMENT takes an id such as "1029384756"'],
  ])('[2.11-07] describes the values of an option of type %i in the message', (type, value, message) => {
    const found = createInteraction(withOptions({ type }), { options: { o: value as never } })
    expect(messages(found)).toEqual([message])
  })

  it.each([
    ['request', null],
    ['request.resolved', { resolved: null }],
    ['request.resolved.users', { resolved: { users: null } }],
    ['request.resolved.members', { resolved: { members: [] } }],
    ['request.options', { options: null }],
    ['request.member', { guildId: guild, member: null }],
    ['request.user', { user: 'ada' }],
    ['request.channel', { channel: null }],
  ])('[2.11-01] names the field %s when it is not an object', (field, request) => {
    expect(() => createInteraction(slash() as never, request as never)).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: expect.stringContaining(`${field}: expected an object, got `),
      }),
    )
  })

  it('[2.11-01] names a command that is not an object', () => {
    expect(() => createInteraction(null as never)).toThrow(
      new TypeError('command: expected an object, got null'),
    )
  })
})
