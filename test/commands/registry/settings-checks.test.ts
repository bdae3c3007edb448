import { applicationDirectory, CommandRegistry, globalScope, guildScope, RegistryError } from 'commandry'
import { describe, expect, it } from 'vitest'

/** The flags of all privileged intents, which an application without flags has. */
const EVERY_INTENT = (1 << 13) | (1 << 15) | (1 << 19)

const applicationId = '1001'
const guildId = '2001'
const body = { name: 'ping', description: 'd' }

/** A registry whose directory returns a value of any kind for every application. */
const hosting = (settings: unknown) => new CommandRegistry({ applications: { get: () => settings as never } })

const creating = (settings: unknown) => hosting(settings).upsert(guildScope(applicationId, guildId), body)

describe('[5-05] the settings that a directory returns', () => {
  it.each<readonly [string, unknown]>([
    ['no settings', {}],
    ['the guild', { guilds: ['1', guildId] }],
    ['fields of the host', { id: applicationId, guilds: [guildId], plan: 'free', owner: null }],
    [
      'getters of a class',
      new (class {
        get guilds() {
          return [guildId]
        }
      })(),
    ],
  ])('allow a command of a guild: %s', async (_, settings) => {
    expect((await creating(settings)).created).toBe(true)
  })

  it.each<readonly [string, unknown]>([
    ['an empty list', { guilds: [] }],
    ['other guilds', { guilds: ['2002'] }],
    [
      'a getter of a class',
      new (class {
        get guilds() {
          return ['2002']
        }
      })(),
    ],
  ])('refuse a command of a guild: %s', async (_, settings) => {
    await expect(creating(settings)).rejects.toMatchObject({ code: 'missing_access' })
  })

  it.each<readonly [string, unknown, string]>([
    ['true', true, 'applications.get("1001"): expected the settings of an application, got true'],
    ['a Map', new Map([['guilds', []]]), 'got a Map'],
    ['a list', [{}], 'got a list'],
    ['guilds as a text with the id in it', { guilds: `1${guildId}` }, '.guilds: expected a list'],
    ['guilds as a text of ids', { guilds: `2000,${guildId}` }, '.guilds: expected a list of the ids'],
    [
      'a Set of guilds',
      { guilds: new Set([guildId]) },
      '.guilds: expected a list of the ids of guilds, got a Set',
    ],
    ['null guilds', { guilds: null }, '.guilds'],
    ['an object of guilds', { guilds: { [guildId]: true } }, '.guilds'],
    ['guilds with includes', { guilds: { includes: () => true } }, '.guilds'],
    ['numeric guilds', { guilds: [2001] }, '.guilds[0]: expected a snowflake'],
    ['bigint guilds', { guilds: ['1', 2001n] }, '.guilds[1]: expected a snowflake'],
    ['flags as a text', { flags: '131072' }, '.flags: expected an integer of ApplicationFlag bits'],
    ['flags as a bigint', { flags: 131072n }, '.flags'],
    ['null flags', { flags: null }, '.flags'],
    ['discoverable as a text', { discoverable: 'false' }, '.discoverable: expected true or false'],
    ['discoverable as a number', { discoverable: 0 }, '.discoverable'],
    ['bot as a text', { bot: 'false' }, '.bot: expected true or false'],
    ['types as a text', { integration_types: '01' }, '.integration_types: expected a list'],
    ['types as texts', { integration_types: ['0'] }, '.integration_types[0]: expected 0 (guild install)'],
    ['an unknown type', { integration_types: [0, 2] }, '.integration_types[1]'],
    ['a Set of types', { integration_types: new Set([0]) }, '.integration_types'],
    ['a numeric id', { id: 1001 }, '.id: expected a snowflake'],
    ['another application', { id: '1002' }, 'expected this application, got application 1002'],
  ])('allow nothing, and say why: %s', async (_, settings, message) => {
    const registry = hosting(settings)
    const scope = guildScope(applicationId, guildId)
    for (const refused of [registry.upsert(scope, body), registry.list(scope)]) {
      const error: unknown = await refused.catch((reason: unknown) => reason)
      expect([error instanceof TypeError, error instanceof RegistryError]).toEqual([true, false])
      expect(String(error)).toContain(message)
    }
  })

  it('is read once, so that a getter cannot change it after the check', async () => {
    let reads = 0
    const settings = {
      get guilds() {
        return reads++ === 0 ? ['2002'] : [guildId]
      },
    }
    await expect(creating(settings)).rejects.toMatchObject({ code: 'missing_access' })
  })

  it('[2.3-02] keeps fields of the host when Activities are enabled', async () => {
    let stored: object = { id: applicationId, plan: 'free' }
    const put = (_: string, settings: object) => void (stored = settings)
    const registry = new CommandRegistry({ applications: { get: () => stored, put } })
    await registry.enableActivities(applicationId)
    expect(stored).toEqual({ id: applicationId, plan: 'free', flags: 131_072 | EVERY_INTENT })
  })

  it.each<readonly [object, string]>([
    [{ id: applicationId, guilds: new Set([guildId]) }, 'applications[0].guilds: expected a list'],
    [{ id: applicationId, guilds: [2001] }, 'applications[0].guilds[0]: expected a snowflake'],
    [{ id: applicationId, guild: [] }, 'applications[0]: unknown option "guild"; did you mean "guilds"?'],
    [{ id: 1001 }, 'applications[0].id: expected a snowflake'],
    [{ guilds: [] }, 'applications[0].id: expected a snowflake'],
  ])('are checked when applicationDirectory gets them: %j', (settings, message) => {
    expect(() => applicationDirectory([settings as never])).toThrow(message)
  })
})

describe('[5-05] [5-02] the manager of setPermissions', () => {
  const scope = globalScope(applicationId)
  const user = { id: '3001' }
  const setting = async (options: object) => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(scope, body)
    const entries = [{ id: '5', type: 1, permission: true }]
    const setting = registry.setPermissions(applicationId, guildId, command.id, entries, options)
    return setting.catch((reason: unknown) => reason)
  }

  it('is not checked without one', async () => {
    expect(await setting({})).toMatchObject({ permissions: [{ id: '5' }] })
  })

  it.each<readonly [string, object, string]>([
    ['undefined', { manager: undefined }, 'manager: expected the person who sets the permissions'],
    ['null', { manager: null }, 'manager: expected the person'],
    ['false', { manager: false }, 'manager: expected the person'],
    ['a text', { manager: '3001' }, 'manager: expected the person'],
    [
      'a misspelt option',
      { managr: { member: { user } } },
      'unknown option "managr"; did you mean "manager"?',
    ],
    ['no member', { manager: {} }, 'manager.member'],
    ['a member as a Map', { manager: { member: new Map() } }, 'manager.member'],
    ['numeric permissions', { manager: { member: { user, permissions: 8 } } }, 'manager.member.permissions'],
    ['null roles', { manager: { member: { user, roles: null } } }, 'manager.member.roles'],
    ['roles as a text', { manager: { member: { user, roles: '5' } } }, 'manager.member.roles'],
    [
      'a position that is not a number',
      { manager: { member: { user, roles: [] }, roles: [{ id: '5', permissions: '8', position: 'top' }] } },
      'manager.roles[0].position: expected an integer',
    ],
    ['a Map of members', { manager: { member: { user }, members: new Map() } }, 'manager.members'],
    ['members without roles', { manager: { member: { user }, members: [{ user }] } }, 'members[0].roles'],
    ['channels as a text', { manager: { member: { user }, channels: '9' } }, 'manager.channels'],
  ])('sets nothing, and says why: %s', async (_, options, message) => {
    const error = await setting(options)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(message)
  })
})
