import { describe, expect, it } from 'vitest'
import { CommandRegistry, CommandType, defineCommand, globalScope, guildScope, OptionType } from 'commandry'
import type { CommandBody } from 'commandry'
import { createInteraction, createPing, readOptions } from 'commandry/interactions'
import { handClock } from '../../support/clock.ts'
import { interactionFor } from 'commandry/testing'
import { slash } from '../../support/bodies.ts'
import { accepted, lines, messages, reasons, refusals } from '../../support/found.ts'
import { faults, ids, used } from '../../support/invoked.ts'
import { withOptions, permissions } from './commands.ts'
import { app, guild, ping } from '../../support/fixtures.ts'
import { snowflakeTime } from '../../support/snowflakes.ts'

describe('createInteraction', () => {
  it('[2.11-01] [6-02] returns exactly the documented fields in a guild', async () => {
    const registry = new CommandRegistry({ clock: handClock() })
    const { command } = await registry.upsert(globalScope(app), ping)
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
        banner: null,
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

  it('[2.11-01] returns a user and no member, guild or guild locale outside guilds', () => {
    expect(used(ping, { guildId: guild })).toMatchObject({ locale: 'en-US', guild_locale: 'en-US' })
    const direct = used(ping, { user: { id: '3001' }, channel: { id: '4001' } })
    const user = { id: '3001', username: 'user3001' }
    expect(direct).toMatchObject({ context: 1, user, channel: { type: 1 } })
    for (const key of ['member', 'guild', 'guild_id', 'guild_locale']) expect(direct).not.toHaveProperty(key)
    expect(direct.authorizing_integration_owners).toEqual({ 0: '0', 1: '3001' })
    // ATTACH_FILES, EMBED_LINKS, MENTION_EVERYONE, and in the DM with the bot USE_EXTERNAL_EMOJIS.
    const bits = (1 << 15) | (1 << 14) | (1 << 17)
    expect(direct.app_permissions).toBe(String(bits | (1 << 18)))
    const group = used(ping, { user: { id: '3001' }, channel: { id: '4001', type: 3 } })
    expect(group).toMatchObject({ context: 2, app_permissions: String(bits) })
    expect(group.authorizing_integration_owners).toEqual({ 1: '3001' })
  })

  it('[2.11-01] returns the authorizing integration owners that apply to the command', () => {
    const command = slash({ integration_types: [1] }) as never
    const owners = (request: object) =>
      used(command, { user: { id: '3001' }, ...request }).authorizing_integration_owners
    expect(owners({ guildId: guild })).toEqual({ 1: '3001' })
    expect(owners({ guildId: guild, installed: [0] })).toEqual({})
    const own = used(slash({ guild_id: guild }) as never, { guildId: guild, user: { id: '3001' } })
    expect(own.authorizing_integration_owners).toEqual({ 0: guild })
  })

  it('[2.11-02] returns the guild of a guild command', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(guildScope(app, guild), ping)
    const { data } = used(command, { guildId: guild })
    expect(data).toEqual({ id: command.id, name: 'ping', type: 1, guild_id: guild })
  })

  it('[2.10-07] returns default names and the language of the client', () => {
    const command = defineCommand({
      name: 'roll',
      name_localizations: { de: 'würfeln' },
      description: 'b',
      options: [{ type: 4, name: 'sides', name_localizations: { de: 'seiten' }, description: 'b' }],
    })
    const { data, locale } = used(command, { options: { sides: 6 }, locale: 'de' })
    expect(locale).toBe('de')
    expect(data).toMatchObject({ name: 'roll', options: [{ name: 'sides', type: 4, value: 6 }] })
    expect(used(command).data).not.toHaveProperty('options')
  })

  it('[2.11-02] nests the options below the subcommand, and omits empty lists', () => {
    const get = { type: 1, name: 'get', options: [{ name: 'user', type: 6, value: '7' }] }
    expect(used(permissions, { subcommand: 'user get', options: { user: '7' } }).data.options).toEqual([
      { type: 2, name: 'user', options: [get] },
    ])
    expect(used(permissions, { subcommand: 'reset' }).data.options).toEqual([{ type: 1, name: 'reset' }])
  })

  it('returns a frozen copy that survives JSON', () => {
    const roles = ['5001']
    const interaction = used(withOptions({ type: OptionType.NUMBER }), {
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

  it('creates different tokens and takes ids from the source', () => {
    const request = { subcommand: 'reset', ids: ids() } as const
    const [a, b] = [used(permissions, request), used(permissions, request)]
    expect(a.token).not.toBe(b.token)
    expect(a.token).toMatch(/^[0-9a-f]{64}$/)
    expect(BigInt(b.id)).toBeGreaterThan(BigInt(a.id))
    const fixed = { subcommand: 'reset', tokens: () => 't' }
    expect(used(permissions, fixed)).toEqual(used(permissions, fixed))
  })

  const noId = 'ids: expected next() to return a snowflake'
  const noToken = 'tokens: expected a function that returns a text'

  it.each<[string, object]>([
    [noId, { ids: { next: async () => '5' } }],
    [noId, { ids: { next: () => undefined } }],
    [noToken, { tokens: async () => 't' }],
    [noToken, { tokens: () => '' }],
  ])('rejects a wrong source: %s', (message, sources) => {
    expect(() => used(permissions, { subcommand: 'reset', ...sources })).toThrow(message)
    expect(() => createPing('1001', sources)).toThrow(message)
  })

  it('rejects invalid ids of guild, channel and user', () => {
    expect(() => createInteraction(permissions, { subcommand: 'reset', guildId: 'here' })).toThrow(
      'guildId: expected a snowflake such as "1029384756", got the string "here"',
    )
    expect(() =>
      createInteraction(permissions, { subcommand: 'reset', member: { user: { id: '' } } }),
    ).toThrow(/^member\.user\.id: /)
    expect(() => createPing('app')).toThrow(TypeError)
    expect(createPing(app)).toMatchObject({ type: 1, application_id: app, version: 1 })
  })

  it.each<[string, unknown, unknown?]>([
    ['command', {}, null],
    ['request', null],
    ['request.resolved', { resolved: null }],
    ['request.resolved.users', { resolved: { users: null } }],
    ['request.resolved.members', { resolved: { members: [] } }],
    ['request.options', { options: null }],
    ['request.member', { guildId: guild, member: null }],
    ['request.user', { user: 'ada' }],
    ['request.channel', { channel: null }],
  ])('[2.11-01] names the field %s when it is not an object', (field, request, command = ping) => {
    const run = () => createInteraction(command as never, request as never)
    expect(run).toThrow(TypeError)
    expect(run).toThrow(`${field}: expected an object, got `)
  })
})

describe('a builder that keeps its data private', () => {
  class Private {
    readonly #data: object
    constructor(data: object) {
      this.#data = data
    }
    toJSON() {
      return this.#data
    }
  }
  const choice = new Private({ name: 'One', value: 1 })
  const option = (name: string, more: object = {}) =>
    new Private({ type: 4, name, description: 'x', ...more })
  const options = [option('o', { choices: [choice] })]
  const subcommand = new Private({ type: 1, name: 's', description: 'x', options })
  const group = new Private({ type: 2, name: 'g', description: 'x', options: [subcommand] })

  it('[1-06] is used as what its toJSON returns', () => {
    const whole = new Private({ name: 'a', description: 'x', options: [group] })
    const options = [{ name: 'g', options: [{ name: 's', options: [{ name: 'o', value: 1 }] }] }]
    const data = { name: 'a', type: 1, options }
    const request = { subcommand: 'g s', options: { o: 1 } }
    expect(accepted(createInteraction(whole, request)).data).toMatchObject(data)
    expect(interactionFor(whole, request).data).toMatchObject(data)
    expect(lines(refusals(createInteraction(whole, { subcommand: 'g s', options: { o: 2 } })))).toEqual([
      'argument.choice options.o 2.6-03',
    ])
  })

  it('[1-06] is used inside the options of a definition', () => {
    const command = { name: 'a', description: 'x', options: [option('o')] }
    const interaction = accepted(createInteraction(command as never, { options: { o: 3 } }))
    expect(interaction.data).toMatchObject({ options: [{ name: 'o', value: 3 }] })
  })

  it('[1-06] is not searched for in options that contain themselves', () => {
    const options: object[] = []
    options.push({ type: 1, name: 'sub', description: 'b', options })
    const request = { guildId: guild } as never
    const result = createInteraction({ ...ping, options } as never, request)
    expect(lines(refusals(result))).toEqual(['subcommand.missing subcommand 2.7-03'])
  })

  it('[1-06] gives its name to readOptions', () => {
    const whole = new Private({ name: 'a', description: 'x', options: [option('o')] })
    const interaction = interactionFor(whole, { options: { o: 3 } })
    expect(readOptions(interaction, whole).values).toEqual({ o: 3 })
    expect(() => readOptions(interaction, new Private({ name: 'b' }))).toThrow('expected the string "a"')
  })
})

describe('user, message and entry point commands', () => {
  const report = defineCommand({ type: CommandType.USER, name: 'Report' })
  const pin = defineCommand({ type: CommandType.MESSAGE, name: 'Pin It' })

  it('[2.11-03] carry the user, and in a guild the member', () => {
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

  it('[2.11-03] carry the message', () => {
    const message = { id: '8', content: 'hello' }
    const { data } = accepted(createInteraction(pin, { target: '8', resolved: { messages: { 8: message } } }))
    expect(data).toMatchObject({ type: 3, target_id: '8' })
    expect(data).toMatchObject({ resolved: { messages: { 8: { ...message, embeds: [] } } } })
  })

  it('carry the author of a message with all fields', () => {
    const message = { id: '8', author: { id: '9', username: 'zed' } }
    const resolved = { messages: { 8: message } }
    const { data } = accepted(createInteraction(pin, { target: '8', resolved }))
    const { author } = (data as any).resolved.messages[8]
    expect(author).toEqual({ ...message.author, discriminator: '0', global_name: null, avatar: null })
  })

  it('[2.11-03] accept no options and require their target', () => {
    expect(faults(report)).toEqual(['target.required target 2.11-03'])
    expect(faults(pin, { target: 'x' })).toEqual(['target.required target 2.11-03'])
    expect(faults(report, { target: '1', options: { o: 'x' } })).toEqual(['arguments.none options 2.11-03'])
    expect(faults(report, { target: '1', subcommand: 's' })).toEqual(['subcommand.unknown subcommand 2.7-03'])
    expect(faults(slash() as never, { target: '1' })).toEqual(['target.none target 2.11-03'])
    const absent = messages(createInteraction(pin as CommandBody, { target: '8', options: { o: 'x' } }))
    expect(absent).toContain('must be absent: a message command has no options')
  })

  it('[2.3-03] carry no data for an entry point', () => {
    const launch: CommandBody = { type: 4, name: 'Launch' }
    const { data } = accepted(createInteraction(launch, { ids: ids() }))
    expect(Object.keys(data)).toEqual(['id', 'name', 'type'])
    const aimed = createInteraction(launch, { target: '1' })
    expect(reasons(aimed)).toEqual([
      'target.none target 2.11-03: must be absent: an entry point command has no target',
    ])
  })
})
