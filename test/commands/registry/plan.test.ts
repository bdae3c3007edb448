import { describe, expect } from 'vitest'
import { applicationDirectory, CommandRegistry } from 'commandry'
import { attempt, codeOf, issuesOf } from '../../support/attempt.ts'
import { allow, it, registryOf } from './bodies.ts'
import { app, everywhere, guild, here, ping } from '../../support/fixtures.ts'

describe('an edit', () => {
  const full = {
    name: 'config',
    description: 'Changes a setting',
    name_localizations: { de: 'einstellung', fr: 'reglage' },
    options: [
      { type: 3, name: 'key', description: 'Which', required: true },
      { type: 3, name: 'value', description: 'To what' },
    ],
    default_member_permissions: '32',
    nsfw: true,
    contexts: [0],
  }

  it('[4.1-04] [4.2-04] replaces given fields completely and keeps the rest', async ({ registry }) => {
    const { command } = await registry.upsert(everywhere, full)
    const edited = await registry.edit(everywhere, command.id, {
      name_localizations: { pl: 'ustawienie' },
      options: [{ type: 5, name: 'all', description: 'Everything' }],
    })
    const unset = { name_localizations: null, description_localizations: null }
    expect(edited).toEqual({
      ...command,
      version: edited.version,
      name_localizations: { pl: 'ustawienie' },
      options: [{ type: 5, name: 'all', description: 'Everything', ...unset }],
    })
    expect(await registry.get(everywhere, command.id)).toBe(edited)
    const { command: local } = await registry.upsert(here, ping)
    const restricted = await registry.edit(here, local.id, { nsfw: true })
    expect(restricted).toEqual({ ...local, version: restricted.version, nsfw: true })
  })

  it('[2.1-22] resets a field to its default by null', async ({ registry }) => {
    const { command } = await registry.upsert(everywhere, full)
    const unset = { name_localizations: null, default_member_permissions: null, contexts: null }
    const edited = await registry.edit(everywhere, command.id, { ...unset, options: null, nsfw: null })
    expect(edited).toMatchObject({ ...unset, nsfw: false })
    expect(edited).not.toHaveProperty('options')
    for (const field of ['name', 'description']) {
      const unset = () => registry.edit(everywhere, command.id, { [field]: null })
      expect(await issuesOf(unset)).toEqual([`shape.required ${field}`])
    }
  })

  it('[2.1-02] refuses a change of the type', async ({ registry, command }) => {
    const edit = (type: number) => registry.edit(everywhere, command.id, { type })
    expect(await issuesOf(() => edit(2))).toEqual(['patch.type type'])
    expect(await edit(1)).toBe(command)
    const list = [{ id: command.id, type: 2, name: 'ping' }]
    expect(await issuesOf(() => registry.overwrite(everywhere, list))).toEqual(['patch.type 0.type'])
  })

  it('[4.2-07] refuses a name in use, unless it is its own', async ({ registry, command }) => {
    await registry.upsert(everywhere, { ...ping, name: 'pong' })
    await registry.upsert(everywhere, { type: 2, name: 'free' })
    const rename = () => registry.edit(everywhere, command.id, { name: 'pong' })
    expect(await codeOf(rename)).toBe('name_taken')
    expect(await issuesOf(rename)).toEqual(['scope.name_taken name'])
    expect((await registry.get(everywhere, command.id)).name).toBe('ping')
    expect((await registry.edit(everywhere, command.id, { name: 'ping' })).name).toBe('ping')
    expect((await registry.edit(everywhere, command.id, { name: 'free' })).name).toBe('free')
  })

  /** Two commands of an application whose settings then forbid some of their fields. */
  async function underNewSettings() {
    const settings = { id: app, discoverable: false, integration_types: [0, 1], flags: 1 << 17 } as const
    const applications = applicationDirectory([settings])
    const registry = new CommandRegistry({ applications })
    const { command } = await registry.upsert(everywhere, { ...ping, nsfw: true, integration_types: [0, 1] })
    const { command: entry } = await registry.upsert(everywhere, { type: 4, name: 'Play', handler: 2 })
    await applications.put!(app, { ...settings, discoverable: true, integration_types: [0], flags: 0 })
    return { registry, command, entry }
  }

  it('[4.1-04] [2.1-25] checks its fields against the settings of the application', async () => {
    const { registry, command, entry } = await underNewSettings()
    for (const [id, body, issue] of [
      [command.id, { nsfw: true }, 'nsfw.discoverable nsfw'],
      [command.id, { integration_types: [0, 1] }, 'integration_types.supported integration_types.1'],
      [entry.id, { handler: 1 }, 'handler.embedded handler'],
    ] as const)
      expect(await issuesOf(() => registry.edit(everywhere, id, body))).toEqual([issue])
    const edited = await registry.edit(everywhere, command.id, { nsfw: false })
    expect(edited).toMatchObject({ nsfw: false, integration_types: [0, 1] })
  })

  it('[2.1-25] keeps stored fields that the settings of the application no longer allow', async () => {
    const { registry, command, entry } = await underNewSettings()
    const described = await registry.edit(everywhere, command.id, { description: 'Another' })
    expect(described).toMatchObject({ description: 'Another', nsfw: true, integration_types: [0, 1] })
    const renamed = await registry.edit(everywhere, entry.id, { name: 'Start' })
    expect(renamed).toMatchObject({ name: 'Start', handler: 2 })
  })

  it('[2.1-25] adds no handler to an entry point that was stored without one', async () => {
    const registry = registryOf({})
    const { command } = await registry.upsert(everywhere, { type: 4, name: 'Play' })
    expect(command).not.toHaveProperty('handler')
    expect(await registry.edit(everywhere, command.id, { name: 'Start' })).not.toHaveProperty('handler')
  })

  it('[4.2-07] names the command and the scope of a name in use', async ({ registry }) => {
    const { command } = await registry.upsert(here, ping)
    await registry.upsert(here, { ...ping, name: 'pong' })
    const error = await attempt(() => registry.edit(here, command.id, { name: 'pong' }))
    expect(error?.message).toBe(
      `command ${command.id} among the commands of application 1001 in guild 2001: name: is "pong", the name of another slash command of the scope`,
    )
  })
})

it('[4.2-02] [4.2-07] an upsert over a command resets absent fields and keeps id and permissions', async ({
  registry,
}) => {
  const { command } = await registry.upsert(here, { ...ping, nsfw: true, default_member_permissions: '8' })
  await registry.setPermissions(app, guild, command.id, allow)
  const { command: again } = await registry.upsert(here, ping)
  expect(again).toMatchObject({ id: command.id, nsfw: false, default_member_permissions: null })
  expect((await registry.getPermissions(app, guild, command.id)).permissions).toEqual(allow)
})

it('[2.1-25] an upsert or bulk item without handler keeps the stored handler', async ({ registry }) => {
  const { command } = await registry.upsert(everywhere, { type: 4, name: 'Play', handler: 2 })
  const again = await registry.upsert(everywhere, { type: 4, name: 'Play', nsfw: true })
  expect(again.command).toMatchObject({ id: command.id, handler: 2, nsfw: true })
  expect(await registry.overwrite(everywhere, [{ type: 4, name: 'Play' }, ping])).toMatchObject([
    { id: command.id, handler: 2, nsfw: false },
    { name: 'ping' },
  ])
  const renamed = [{ type: 4, id: command.id, name: 'Start' }]
  expect(await registry.overwrite(everywhere, renamed)).toMatchObject([{ name: 'Start', handler: 2 }])
  class Builder {
    toJSON = () => ({ type: 4, name: 'Start', handler: 1 })
  }
  expect((await registry.upsert(everywhere, new Builder())).command.handler).toBe(1)
  expect(await registry.overwrite(everywhere, [{ ...renamed[0], handler: 2 }])).toMatchObject([
    { handler: 2 },
  ])
})

it('[2.1-22] a handler of null is unset, on POST, PATCH and PUT alike', async ({ registry }) => {
  const body = { type: 4, name: 'Play' }
  const unset = { ...body, handler: null }
  const { command } = await registry.upsert(everywhere, { ...body, handler: 2 })
  expect((await registry.upsert(everywhere, unset)).command).toMatchObject({ id: command.id, handler: 1 })
  await registry.edit(everywhere, command.id, { handler: 2 })
  expect(await registry.edit(everywhere, command.id, { handler: null })).toMatchObject({ handler: 1 })
  await registry.edit(everywhere, command.id, { handler: 2 })
  expect(await registry.overwrite(everywhere, [unset])).toMatchObject([{ id: command.id, handler: 1 }])
})

it('[2.1-25] an upsert or bulk item without handler keeps the stored handler even when the application has no Activity any more', async () => {
  const applications = applicationDirectory([{ id: app, flags: 1 << 17 }])
  const registry = new CommandRegistry({ applications })
  await registry.upsert(everywhere, { type: 4, name: 'Play', handler: 2 })
  await applications.put!(app, { flags: 0 })
  const { command } = await registry.upsert(everywhere, { type: 4, name: 'Play', nsfw: true })
  expect(command).toMatchObject({ handler: 2, nsfw: true })
})

describe('[2.1-02] an edit to the type of an entry point', () => {
  const entry = { id: '5', type: 2, permission: true }

  it('makes a command without options the entry point, and keeps its id and permissions', async ({
    registry,
  }) => {
    const { command } = await registry.upsert(everywhere, { ...ping, nsfw: true, contexts: [0] })
    await registry.setPermissions(app, '2001', command.id, [entry])
    const edited = await registry.edit(everywhere, command.id, { type: 4, name: command.name })
    expect(edited).toEqual({ ...command, type: 4, handler: 1, version: expect.any(String) })
    expect(BigInt(edited.version)).toBeGreaterThan(BigInt(command.version))
    expect((await registry.getPermissions(app, '2001', command.id)).permissions).toEqual([entry])
    expect(await registry.list(everywhere)).toEqual([edited])
  })

  it('takes a handler, and user commands', async ({ registry }) => {
    const { command } = await registry.upsert(everywhere, { type: 2, name: 'Report It' })
    const edited = await registry.edit(everywhere, command.id, { type: 4, handler: 2 })
    expect(edited).toMatchObject({ type: 4, handler: 2, name: 'Report It' })
  })

  it('[8-01] is refused beside another entry point', async ({ registry }) => {
    await registry.upsert(everywhere, { type: 4, name: 'Launch' })
    const { command } = await registry.upsert(everywhere, ping)
    await expect(registry.edit(everywhere, command.id, { type: 4 })).rejects.toMatchObject({
      code: 'too_many_commands',
    })
    expect(await registry.get(everywhere, command.id)).toEqual(command)
  })

  it('is refused with options, in a guild, without Activities, and back', async ({ registry }) => {
    const options = [{ type: 3, name: 'a', description: 'b' }]
    const { command: long } = await registry.upsert(everywhere, { ...ping, options })
    const { command: local } = await registry.upsert(here, ping)
    const { command: launch } = await registry.upsert(everywhere, { type: 4, name: 'Launch' })
    const plain = new CommandRegistry({ applications: applicationDirectory([{ id: app }]) })
    const { command: other } = await plain.upsert(everywhere, ping)
    const edits = [
      registry.edit(everywhere, long.id, { type: 4 }),
      registry.edit(here, local.id, { type: 4 }),
      plain.edit(everywhere, other.id, { type: 4 }),
      registry.edit(everywhere, launch.id, { type: 1, description: 'd' }),
    ]
    for (const edit of edits)
      await expect(edit).rejects.toMatchObject({ code: 'invalid', issues: [{ code: 'patch.type' }] })
  })

  it('is refused with new options', async ({ registry }) => {
    const { command } = await registry.upsert(everywhere, ping)
    const options = [{ type: 3, name: 'a', description: 'b' }]
    await expect(registry.edit(everywhere, command.id, { type: 4, options })).rejects.toMatchObject({
      issues: [{ code: 'command.options' }],
    })
  })
})

it('[4.1-07] a bulk overwrite keeps the existing entry point, by id or by name, and takes no other for it', async ({
  registry,
}) => {
  const { command: launch } = await registry.upsert(everywhere, { type: 4, name: 'Launch' })
  await registry.setPermissions(app, '2001', launch.id, [{ id: '5', type: 2, permission: true }])
  const another = { type: 4, name: 'Another' }
  for (const bodies of [[another], [ping, another], [{ ...another, id: '7' }], [ping], []]) {
    const error = await registry.overwrite(everywhere, bodies).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'entry_point_required' })
  }
  expect(await registry.list(everywhere)).toEqual([launch])
  await expect(registry.overwrite(everywhere, [another])).rejects.toThrow(
    `puts another entry point command in place of "Launch"; give it "id": "${launch.id}"`,
  )
  await expect(registry.plan(everywhere, [another])).rejects.toMatchObject({ code: 'entry_point_required' })
  const byName = await registry.overwrite(everywhere, [ping, { type: 4, name: 'Launch' }])
  expect(byName[1]).toEqual(launch)
  const byId = await registry.overwrite(everywhere, [{ ...another, id: launch.id }])
  expect(byId).toMatchObject([{ id: launch.id, name: 'Another' }])
})

it('[2.1-18] contexts, integration_types and channel_types are sets: another order changes nothing', async ({
  registry,
}) => {
  const channels = (...channel_types: number[]) => [{ type: 7, name: 'c', description: 'd', channel_types }]
  const body = { ...ping, contexts: [0, 1, 2], integration_types: [0, 1], options: channels(0, 2, 5) }
  const turned = { ...ping, contexts: [2, 0, 1], integration_types: [1, 0], options: channels(5, 0, 2) }
  const { command } = await registry.upsert(everywhere, body)
  const events: string[] = []
  registry.subscribe(({ type }) => void events.push(type))
  expect((await registry.upsert(everywhere, turned)).command).toEqual(command)
  expect(await registry.edit(everywhere, command.id, turned)).toEqual(command)
  expect(await registry.overwrite(everywhere, [turned])).toEqual([command])
  expect(events).toEqual([])
  expect(await registry.plan(everywhere, [turned])).toMatchObject({ updates: [], unchanged: [command] })
  const { updates } = await registry.plan(everywhere, [{ ...turned, description: 'other' }])
  expect(updates.map(({ fields }) => fields)).toEqual([['description']])
  for (const other of [
    { contexts: [0, 1] },
    { integration_types: [0] },
    { options: channels(0, 2, 3) },
    { options: channels(0, 2) },
  ])
    expect((await registry.plan(everywhere, [{ ...body, ...other }])).updates).toHaveLength(1)
  const swapped = [...channels(0), { ...channels(2)[0], name: 'e' }]
  await registry.edit(everywhere, command.id, { options: swapped })
  const reordered = await registry.plan(everywhere, [{ ...body, options: swapped.toReversed() }])
  expect(reordered.updates).toHaveLength(1)
})

it('[2.1-01] ids of commands that are not snowflakes are TypeErrors that name them', async ({ registry }) => {
  const { command } = await registry.upsert(everywhere, ping)
  const ids: readonly unknown[] = [
    BigInt(command.id),
    Number(command.id),
    [command.id],
    null,
    undefined,
    '01',
    'x',
  ]
  for (const id of ids as readonly string[]) {
    const calls = {
      commandId: [
        () => registry.get(everywhere, id),
        () => registry.edit(everywhere, id, {}),
        () => registry.delete(everywhere, id),
      ],
      targetId: [
        () => registry.getPermissions(app, '2001', id),
        () => registry.setPermissions(app, '2001', id, []),
      ],
    }
    for (const [name, those] of Object.entries(calls))
      for (const call of those) {
        const error: unknown = await call().catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(TypeError)
        expect(String(error)).toContain(`${name}: expected a snowflake`)
      }
  }
})
