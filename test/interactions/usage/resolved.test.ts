import { describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope, OptionType } from 'commandry'
import { ChatClient } from 'commandry/interactions'
import { faults, firstFault, used } from '../../support/invoked.ts'
import { withOptions } from './commands.ts'
import { app, guild } from '../../support/fixtures.ts'

const { STRING, USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT } = OptionType

describe('resolved', () => {
  const user = { id: '3001', username: 'ada' }
  const where = { guildId: guild, channel: { id: '4001', type: 0 }, member: { user } }

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
    const of = (type: number, id: string) =>
      used(withOptions({ type }), { ...where, options: { o: id } }).data.resolved
    expect(of(MENTIONABLE, '3001')?.users?.['3001']?.username).toBe('ada')
    expect(of(MENTIONABLE, guild)?.roles?.[guild]?.name).toBe('@everyone')
    expect(of(CHANNEL, '4001')?.channels?.['4001']).toMatchObject({ id: '4001', type: 0 })
  })

  it('[2.5-03] [2.11-07] has entries of the kind and channel type that the option accepts', () => {
    const voice = { id: '9', type: 2 } as const
    const known = { users: { 7: { id: '7' } }, roles: { 8: { id: '8' } }, channels: { 9: voice } }
    const code = (option: object, id: string) =>
      firstFault(withOptions(option), { ...where, options: { o: id }, resolved: known })
    expect(code({ type: USER }, '8')).toBe('argument.kind')
    expect(code({ type: ROLE }, '7')).toBe('argument.kind')
    expect(code({ type: MENTIONABLE }, '9')).toBe('argument.kind')
    for (const id of ['7', '8']) expect(code({ type: MENTIONABLE }, id)).toBeUndefined()
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
    const refused = ['argument.channel_type options.o 2.11-07']
    for (const request of [{}, { channel: { id: '4001' }, ...channels(0) }])
      expect(faults(command, { ...where, options, ...request })).toEqual(refused)
    const usual = used(withOptions({ type: CHANNEL }), { ...where, channel: { id: '4001' }, options })
    expect(usual.channel).toEqual({ id: '4001', type: 0 })

    const registry = new CommandRegistry()
    await registry.upsert(globalScope(app), command)
    const client = new ChatClient(registry, {
      applicationId: app,
      guildId: guild,
      channel: { id: '4001' } as never,
      member: { user, roles: [], permissions: (1n << 31n) | (1n << 11n) },
      locale: 'en-US',
    })
    expect((await client.invoke('a', options)).data.resolved?.channels?.['4001']?.type).toBe(5)
  })
})

describe('details of resolved', () => {
  const ada = { user: { id: '3001', username: 'ada' }, roles: ['5001'], nick: 'Ada', permissions: 8n }

  it("[2.11-07] returns the user's own member, and an empty one for others", () => {
    const command = withOptions({ type: USER, name: 'a' }, { type: USER, name: 'b' })
    const { data } = used(command, { guildId: guild, member: ada, options: { a: '3001', b: '3002' } })
    const user = { discriminator: '0', global_name: null, avatar: null }
    const empty = {
      ...{ avatar: null, banner: null, premium_since: null, communication_disabled_until: null },
      ...{ pending: false, flags: 0, joined_at: expect.any(String) },
    }
    expect(data.resolved).toEqual({
      users: {
        '3001': { ...user, id: '3001', username: 'ada' },
        '3002': { ...user, id: '3002', username: 'user3002' },
      },
      members: {
        '3001': { ...empty, roles: ['5001'], nick: 'Ada', permissions: '8' },
        '3002': { ...empty, roles: [], nick: null, permissions: '0' },
      },
    })
  })

  it('[2.11-07] returns the details of the current channel', () => {
    const channel = { id: '4001', type: 0, name: 'staff', topic: 'Plans', nsfw: true } as const
    const request = { guildId: guild, channel, member: ada, appPermissions: '4', options: { o: '4001' } }
    const { data } = used(withOptions({ type: CHANNEL }), request)
    expect(data.resolved).toEqual({
      channels: {
        '4001': {
          ...channel,
          permissions: '8',
          app_permissions: '4',
          guild_id: guild,
          parent_id: null,
          position: 0,
          flags: 0,
          last_message_id: null,
          rate_limit_per_user: 0,
        },
      },
    })
  })
})
