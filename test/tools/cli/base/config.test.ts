import { describe, expect, it } from 'vitest'
import { readConfiguration } from '../../../../src/tools/cli/base/config.ts'
import { pathText } from '../../../../src/tools/authoring/words.ts'
import type { ServerInput } from 'commandry/gateway'
import { tokenDirectory } from 'commandry/http'
import { fences, read } from '../../../support/markdown.ts'
import { words } from '../../../support/words.ts'
import { fc, forAny } from '../../../support/properties.ts'

/** The problems of a configuration, one line each. */
function problems(value: unknown): string[] {
  const result = readConfiguration(value)
  return result.ok ? [] : result.issues.map(({ path, message }) => `${pathText(path)} ${message}`)
}

const application = (more: object) => problems({ applications: [{ id: '1001', ...more }], tokens: [] })

const bearer = (more: object) =>
  problems({
    applications: [{ id: '1001' }],
    tokens: [{ type: 'Bearer', token: 'a', application_id: '1001', ...more }],
  })

describe('readConfiguration', () => {
  it('reports conflicts between entries and problems of each, in file order', () => {
    expect(
      problems({
        applications: [{ id: '1001', discoverable: 'no' }, { id: '1001' }],
        tokens: [
          { type: 'Bot', token: 'a', application_id: '1002' },
          { type: 'Bot', token: 'a', application_id: '1001', scope: 1 },
        ],
      }),
    ).toEqual([
      'applications[0].discoverable is the string "no"; expected true or false',
      'applications[1].id is the same as applications[0].id',
      'tokens[0].application_id is not the id of an application of this file',
      'tokens[1].token is the same as tokens[0].token',
      'tokens[1].scope is not a known field; the fields are type, token and application_id',
    ])
  })

  it('reports no conflicts with entries that it could not read', () => {
    const tokens = [{ type: 'Bot', token: 'a', application_id: '1001' }]
    for (const applications of [[{ id: 1001 }], [{}], [null], {}]) {
      expect(problems({ applications, tokens })).toHaveLength(1)
    }
    expect(problems({ applications: [{ id: 1 }, { id: 1 }], tokens: [{}, {}] })).toEqual([
      expect.stringMatching(/^applications\[0\]\.id is the number 1; /),
      expect.stringMatching(/^applications\[1\]\.id is the number 1; /),
      ...[0, 1].flatMap((i) =>
        words('type token application_id').map((key) => `tokens[${i}].${key} is missing`),
      ),
    ])

    const unknown = 'tokens[0].application_id is not the id of an application of this file'
    expect(problems({ tokens })).toEqual([unknown])
  })

  it('describes values of the wrong type, and unknown fields', () => {
    const user = { id: '3001', locale: 'xx', guilds: { a: { permissions: '0x8' } } }
    const id = 'expected an id: a string of digits such as "1029384756", without leading zeros and below 2^63'
    expect(
      problems({
        applications: [
          { id: '1001', flag: 1, flags: -1, guilds: ['x'], integration_types: [2] },
          { name: 5 },
          'demo',
        ],
        tokens: [
          { type: 'Bot', token: 'a', application_id: 1001 },
          { type: 'Bearer', token: 'b', application_id: '1001', user },
          null,
        ],
      }),
    ).toEqual([
      'applications[0].flag is not a known field; the fields are id, name, flags, discoverable, integration_types, guilds and bot',
      'applications[0].flags is the number -1; expected a whole number from 0',
      `applications[0].guilds[0] is the string "x"; ${id}`,
      'applications[0].integration_types[0] is the number 2; expected 0 (guild install) or 1 (user install)',
      'applications[1].id is missing',
      'applications[1].name is the number 5; expected a string',
      'applications[2] is the string "demo"; expected an object',
      `tokens[0].application_id is the number 1001; ${id}`,
      'tokens[1].user.locale is the string "xx"; expected a locale of the service, such as "de"',
      `tokens[1].user.guilds.a is the string "a"; ${id}`,
      expect.stringMatching(/^tokens\[1\]\.user\.guilds\.a\.permissions is the string "0x8"; /),
      'tokens[2] is null; expected an object',
    ])
  })

  it('checks all fields of a token with an unknown type', () => {
    expect(problems({ applications: [], tokens: [{ type: 'bot', token: 'x' }] })).toEqual([
      'tokens[0].application_id is missing',
      'tokens[0].type is not "Bot" or "Bearer"',
    ])
    const untyped = { token: 'a b', application_id: '2', scopes: 'all', user: {} }
    expect(problems({ applications: [{ id: '1' }], tokens: [untyped] })).toEqual([
      'tokens[0].type is missing',
      'tokens[0].token is not a text of 1 to 1024 visible ASCII characters',
      'tokens[0].application_id is not the id of an application of this file',
      'tokens[0].scopes is the string "all"; expected a list',
      'tokens[0].user.id is missing',
    ])
  })

  it('[2.1-16] requires unique integration types, at least one', () => {
    expect(application({ integration_types: [] })).toEqual([
      'applications[0].integration_types is empty; expected 0 (guild install), 1 (user install) or both',
    ])
    expect(application({ integration_types: [0, 0] })).toEqual([
      'applications[0].integration_types[1] is the same as applications[0].integration_types[0]',
    ])
    expect(application({ integration_types: [2, 2] })).toHaveLength(2)
    for (const integration_types of [[0], [1], [0, 1], [1, 0]])
      expect(application({ integration_types })).toEqual([])
  })

  it('[1-03] rejects a repeated guild and accepts an empty list', () => {
    expect(application({ guilds: ['2001', '2002', '2001'] })).toEqual([
      'applications[0].guilds[2] is the same as applications[0].guilds[0]',
    ])
    expect(application({ guilds: [] })).toEqual([])
  })

  it('refuses scopes that resemble those of the service', () => {
    for (const scope of words(`
      applications.command.update application.commands.update Applications.Commands.Update
      applications.commands.permission.update applications.commands.write applications.command
    `)) {
      expect(bearer({ scopes: ['identify', scope] })).toEqual([
        `tokens[0].scopes[1] is the string "${scope}"; the scopes of this service are applications.commands.update, applications.commands.permissions.update and applications.commands`,
      ])
    }
    for (const scope of ['', 'applications.commands applications.commands.update', 'à', 7]) {
      expect(bearer({ scopes: [scope] })).toEqual([
        'tokens[0].scopes[0] is not one scope, a text of visible ASCII characters without spaces',
      ])
    }
  })

  it('refuses a scope that differs in up to three letters, and accepts four', () => {
    const own = 'applications.commands'
    for (const scope of words(
      'pplications.commands plications.commands lications.commands xyzlications.commands',
    ))
      expect(bearer({ scopes: [scope] })).toEqual([
        expect.stringContaining(`is the string "${scope}"; the scopes`),
      ])
    for (const scope of ['ications.commands', 'wxyzications.commands', `${own}xyzw`])
      expect(bearer({ scopes: [scope] })).toEqual([])
  })

  it('accepts every scope of Discord', () => {
    expect(
      bearer({
        scopes: words(`
          applications.commands applications.commands.update applications.commands.permissions.update
          applications.builds.read applications.entitlements applications.store.update
          application_identities.write bot identify guilds.members.read sdk.social_layer
          https://example.org/scope
        `),
      }),
    ).toEqual([])
  })

  it("[2.1-12] requires a user's permissions to be a bit set below 2^64", () => {
    const permissions = (text: unknown) =>
      bearer({ user: { id: '3001', guilds: { '2001': { permissions: text } } } })
    for (const bits of ['0', '08', '268435488', String(2n ** 64n - 1n)]) expect(permissions(bits)).toEqual([])
    for (const bits of [String(2n ** 64n), '99999999999999999999', '0'.repeat(21), '', '-1', '0x8']) {
      expect(permissions(bits)).toEqual([
        `tokens[0].user.guilds.2001.permissions is the string "${bits}"; expected a bit set below 2^64, a string of digits such as "268435488"`,
      ])
    }
  })

  it('[2.1-01] describes the form of an id', () => {
    for (const id of ['01', '9223372036854775808', 'demo']) {
      expect(application({ id })).toEqual([
        `applications[0].id is the string "${id}"; expected an id: a string of digits such as "1029384756", without leading zeros and below 2^63`,
      ])
    }
  })

  it('escapes control characters in paths', () => {
    expect(problems({ applications: [], tokens: [], '\u001b[2J': 1 })).toEqual([
      '["\\u001b[2J"] is not a known field; the fields are applications, tokens and servers',
    ])
  })

  it('accepts only configurations from which a service can be created', () => {
    const id = fc.constantFrom('1001', '1002', '01')
    const bits = fc.record({ permissions: fc.constantFrom('8', '0008', '9'.repeat(20)) })
    const upToTwo = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 })
    const application = fc.record({ id, integration_types: upToTwo(fc.constantFrom(0, 1)) })
    const token = fc.record(
      {
        type: fc.constantFrom('Bot', 'Bearer', 'bot'),
        token: fc.constantFrom('a', 'b', ''),
        application_id: id,
        user: fc.record({ id, guilds: fc.dictionary(id, bits, { maxKeys: 1 }) }),
      },
      { requiredKeys: ['type', 'token', 'application_id'] },
    )
    const loose = fc.record(
      { applications: upToTwo(application), tokens: upToTwo(token) },
      { noNullPrototype: true },
    )
    let taken = 0
    forAny([loose], 1000, (value) => {
      const read = readConfiguration(value)
      if (!read.ok) return
      taken++
      tokenDirectory(read.value.tokens ?? [])
    })
    expect(taken).toBeGreaterThan(20)
  })

  const found = (...servers: unknown[]) => problems({ applications: [], tokens: [], servers })

  it('reads servers as a testbed takes them, with null where Discord has it', () => {
    const user = { id: '3001', username: 'ada', global_name: null, avatar: null, discriminator: '0' }
    const role = { id: '5001', name: 'Helpers', permissions: '0', icon: null, unicode_emoji: null }
    const member = {
      ...{
        user: { ...user, premium_type: 2 as const },
        roles: ['5001'],
        nick: null,
        avatar: null,
        banner: null,
      },
      ...{ joined_at: '2026-01-31T12:00:00Z', premium_since: null, communication_disabled_until: null },
      ...{ pending: true, flags: 0, voice_channel_id: null },
    }
    const channel = { id: '4001', name: 'general', position: 0, topic: null, parent_id: null }
    const server: ServerInput = {
      ...{ id: '2001', name: 'Ours', members: [member] },
      roles: [{ ...role, tags: { bot_id: '1001' } }],
      channels: [{ ...channel, guild_id: '2001', rate_limit_per_user: 5, application_id: null }],
    }
    expect(found(server)).toEqual([])
    const wrong = {
      ...server,
      members: [{ ...member, premium_since: 'yesterday', user: { ...user, premium_type: 4 } }],
    }
    expect(found(wrong)).toEqual([
      'servers[0].members[0].user.premium_type is the number 4; expected 0, 1, 2 or 3',
      expect.stringMatching(/^servers\[0\]\.members\[0\]\.premium_since is .*expected a time/),
    ])
  })

  it('reads servers with roles, channels and members, and reports inconsistencies', () => {
    const everyone = { id: '2001', name: '@everyone', permissions: '2048' }
    const moderators = { id: '5001', name: 'Moderators', permissions: '4' }
    const ada = { user: { id: '3001', username: 'ada' }, roles: ['5001'] }
    const overwrite = { id: '5001', type: 0, allow: '0', deny: '2048' }
    const general = { id: '4001', name: 'general', type: 0, nsfw: false, permission_overwrites: [overwrite] }
    const server = {
      id: '2001',
      name: 'Demo',
      owner_id: '3001',
      roles: [everyone, moderators],
      channels: [general],
      members: [ada],
    }
    expect(found(server)).toEqual([])
    expect(found({ id: '2001', name: 'Demo' })).toEqual([])
    expect(found(server, { id: '2001', name: 'Again' })).toEqual([
      'servers[1].id is the same as servers[0].id',
    ])
    expect(
      found({
        id: 2001,
        roles: [everyone, { ...everyone, permissions: -1 }],
        channels: [general, general],
        members: [ada, { ...ada, roles: ['5009'] }, { user: {} }],
      }),
    ).toEqual([
      'servers[0].name is missing',
      expect.stringMatching(/^servers\[0\]\.id is the number 2001; /),
      'servers[0].roles[1].id is the same as servers[0].roles[0].id',
      expect.stringMatching(/^servers\[0\]\.roles\[1\]\.permissions is the number -1; /),
      'servers[0].channels[1].id is the same as servers[0].channels[0].id',
      'servers[0].members[0].roles[0] is not the id of a role of this server',
      'servers[0].members[1].user.id is the same as servers[0].members[0].user.id',
      'servers[0].members[1].roles[0] is not the id of a role of this server',
      'servers[0].members[2].user.id is missing',
      'servers[0].members[2].user.username is missing',
    ])
  })
})

it('docs/cli.md has a valid configuration', () => {
  const example = fences(read('docs/cli.md')).find(({ code }) => code.includes('"applications"'))
  expect(readConfiguration(JSON.parse(example!.code))).toMatchObject({ ok: true })
})
