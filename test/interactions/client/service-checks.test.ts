import { describe, expect, it } from 'vitest'
import { CommandRegistry, CommandType, OptionType, PermissionFlag } from 'commandry'
import { ChatClient } from 'commandry/interactions'
import { person, permissions, refused, code, serving } from './person.ts'
import { app, everywhere, guild, ping } from '../../support/fixtures.ts'

describe('ChatClient refuses', () => {
  it('[2.7-03] [7-01] a base command and a group', async () => {
    const { client } = await serving(permissions)
    const error = await refused(client.invoke('permissions'))
    expect(error).toMatchObject({
      code: 'not_invocable',
      message: 'permissions cannot be used by itself; it has user',
    })
    expect(error!.toBody()).toBeNull()
    expect(await code(client.invoke('permissions user'))).toBe('not_invocable')
    for (const unknown of ['permissions user set', 'permissions user get more', '', 'constructor'])
      expect(await code(client.invoke(unknown))).toBe('unknown_command')
  })

  it('[2.7-04] a command that has only empty groups', async () => {
    const empty = {
      ...permissions,
      options: [{ type: OptionType.SUB_COMMAND_GROUP, name: 'user', description: 'b' }],
    }
    const { client } = await serving(empty)
    expect(await code(client.invoke('permissions'))).toBe('not_invocable')
  })

  it('[2.11-07] [7-01] all values that do not match the definition, at once', async () => {
    const { events, client } = await serving({
      name: 'roll',
      description: 'b',
      options: [
        { type: OptionType.INTEGER, name: 'sides', description: 'b', required: true, min_value: 2 },
        { type: OptionType.STRING, name: 'why', description: 'b' },
      ],
    })
    const error = await refused(client.invoke('roll', { sides: 1, why: 5, who: 'me' }))
    expect(error!.issues.map(({ code, path }) => [code, path])).toEqual([
      ['argument.range', ['options', 'sides']],
      ['argument.type', ['options', 'why']],
      ['argument.unknown', ['options', 'who']],
    ])
    expect(error!.message).toContain('is 1; the option takes 2 to')
    expect(events).toEqual([])
  })

  it('[2.9-07] [2.11-08] commands that the user may not use', async () => {
    const { registry, client } = await serving({
      ...ping,
      default_member_permissions: String(PermissionFlag.BAN_MEMBERS),
    })
    const error = await refused(client.invoke('ping'))
    expect(error).toMatchObject({ code: 'permission_denied', access: { allowed: false } })
    expect(error!.message).toBe(
      'Default permissions: the command requires BAN_MEMBERS in this channel; the member lacks BAN_MEMBERS.',
    )
    expect(client.picker.entries).toEqual([])
    // Permissions are effective at once.
    const { id } = (await registry.list(everywhere))[0]!
    await registry.setPermissions(app, guild, id, [{ id: '3001', type: 2, permission: true }])
    expect(await code(client.invoke('ping'))).toBeUndefined()
    await registry.setPermissions(app, guild, id, [{ id: '3001', type: 2, permission: false }])
    expect(await code(client.invoke('ping'))).toBe('permission_denied')
  })

  it('[2.8-02] [2.11-08] a command in a context it does not support', async () => {
    const { registry, client } = await serving({ ...ping, contexts: [1] })
    const error = await refused(client.invoke('ping'))
    expect(error).toMatchObject({ code: 'wrong_context', availability: { available: false } })
    const message = 'Invalid interaction application command'
    const invalid = { code: 'INTERACTION_APPLICATION_COMMAND_INVALID', message }
    expect(error!.toBody()!.errors).toEqual({ data: { _errors: [invalid] } })
    const direct = { applicationId: app, locale: 'de', user: { id: '3001' }, channel: { id: '4001' } }
    expect(await code(new ChatClient(registry, direct).invoke('ping'))).toBeUndefined()
    const inGroup = new ChatClient(registry, { ...direct, context: 2 })
    expect(await code(inGroup.invoke('ping'))).toBe('wrong_context')
  })

  it('[2.8-01] [2.11-08] a command of an app without the required installation', async () => {
    const { client, clientOf } = await serving({ ...ping, integration_types: [1] })
    expect(await code(clientOf({ installed: [0] }).invoke('ping'))).toBe('not_installed')
    const { authorizing_integration_owners: owners } = await client.invoke('ping')
    expect(owners).toEqual({ 1: '3001' })
  })

  it('[2.1-15] [2.11-08] an age-restricted command where it is not allowed', async () => {
    const { client, clientOf } = await serving({ ...ping, nsfw: true })
    expect(await code(client.invoke('ping'))).toBe('age_restricted')
    const channel = { id: '4001', type: 0, nsfw: true }
    expect(await code(clientOf({ channel }).invoke('ping'))).toBeUndefined()
    expect(await code(clientOf({ channel, adult: false }).invoke('ping'))).toBe('age_restricted')
  })

  it('[2.11-06] [2.11-08] a stale version, before it checks the rules of the new one', async () => {
    const { registry, client } = await serving(ping)
    await client.refresh()
    await registry.upsert(everywhere, { ...ping, nsfw: true })
    expect(await code(client.invoke('ping'))).toBe('stale_command')
    expect(await code(client.invoke('ping'))).toBe('age_restricted')
  })
})

describe('typing errors', () => {
  const report = { type: CommandType.USER, name: 'Report' }
  const served = () => serving(ping, { name: 'search', description: 'b' }, report)

  it.each([
    ['pong', 'unknown command /pong; did you mean /ping?'],
    ['/serch', 'unknown command /serch; did you mean /search?'],
    ['completely', 'unknown command /completely; available: /ping and /search'],
  ])('names an unknown command %s and suggests the nearest', async (name, expected) => {
    const { client } = await served()
    await expect(client.invoke(name)).rejects.toMatchObject({ message: expected })
  })

  it('names an unknown menu command and suggests the nearest', async () => {
    const { client } = await served()
    await expect(client.invokeOnUser('Repot', '3002')).rejects.toMatchObject({
      message: 'unknown user command "Repot"; did you mean "Report"?',
    })
    await expect(client.invokeOnMessage('Pin', '8001')).rejects.toMatchObject({
      message: 'unknown message command "Pin"; none is available here',
    })
  })

  it.each([
    ['en', 'locale: expected a locale such as "en-US", got the string "en"'],
    ['pt-br', 'locale: expected a locale such as "pt-BR", got the string "pt-br"'],
    ['dee', 'locale: expected a locale such as "de", got the string "dee"'],
    ['klingon', /^locale: expected one of id, da, de, en-GB, .*, got the string "klingon"$/],
    [undefined, /^locale: expected one of .*, got missing$/],
  ])('[2.10-10] rejects an unknown locale %s and suggests the nearest', (locale, expected) => {
    expect(() => new ChatClient(new CommandRegistry(), { ...person, locale: locale as never })).toThrow(
      expected as string,
    )
  })
})
