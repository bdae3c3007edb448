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
  const renamed = [{ type: 4, id: command.id, name: 'Start', handler: null }]
  expect(await registry.overwrite(everywhere, renamed)).toMatchObject([{ name: 'Start', handler: 2 }])
  class Builder {
    toJSON = () => ({ type: 4, name: 'Start', handler: 1 })
  }
  expect((await registry.upsert(everywhere, new Builder())).command.handler).toBe(1)
  expect(await registry.overwrite(everywhere, [{ ...renamed[0], handler: 2 }])).toMatchObject([
    { handler: 2 },
  ])
})

it('[2.1-25] an upsert or bulk item without handler keeps the stored handler even when the application has no Activity any more', async () => {
  const applications = applicationDirectory([{ id: app, flags: 1 << 17 }])
  const registry = new CommandRegistry({ applications })
  await registry.upsert(everywhere, { type: 4, name: 'Play', handler: 2 })
  await applications.put!(app, { flags: 0 })
  const { command } = await registry.upsert(everywhere, { type: 4, name: 'Play', nsfw: true })
  expect(command).toMatchObject({ handler: 2, nsfw: true })
})
