import { expect, it, onTestFinished, vi } from 'vitest'
import { CommandRegistry, type RegistryEvent } from 'commandry'
import { attempt } from '../../support/attempt.ts'
import { allow, slashes } from './bodies.ts'
import { app, everywhere, guild, ping } from '../../support/fixtures.ts'
import { turn } from '../../support/waiting.ts'

async function recorded(act: (registry: CommandRegistry) => Promise<unknown>): Promise<RegistryEvent[]> {
  const registry = new CommandRegistry()
  const events: RegistryEvent[] = []
  registry.subscribe((event) => events.push(event))
  await act(registry)
  return events
}

it('[6-01] events publish the whole new set of permissions, once', async () => {
  const events = await recorded(async (registry) => {
    await registry.setPermissions(app, guild, app, allow)
    await attempt(() => registry.setPermissions(app, guild, '999', allow))
  })
  expect(events).toEqual([
    {
      type: 'permissions_updated',
      applicationId: app,
      guildId: guild,
      permissions: { id: app, application_id: app, guild_id: guild, permissions: allow },
    },
  ])
})

it('events publish created, changed and deleted commands in the order of the writes', async () => {
  const events = await recorded(async (registry) => {
    const { command } = await registry.upsert(everywhere, ping)
    await registry.upsert(everywhere, ping)
    await registry.edit(everywhere, command.id, {})
    await Promise.all([
      registry.edit(everywhere, command.id, { description: 'one' }),
      registry.edit(everywhere, command.id, { description: 'two' }),
      registry.overwrite(everywhere, slashes(2)),
    ])
    await attempt(() => registry.upsert(everywhere, { name: 'Bad' }))
  })
  const texts = events.map((event) => `${event.type} ${'command' in event && event.command.description}`)
  expect(texts).toEqual([
    'command_created Says pong',
    'command_updated one',
    'command_updated two',
    'command_created b',
    'command_created b',
    'command_deleted two',
  ])
})

const broken = () => {
  throw new Error('broken listener')
}

it('events do not let a failing listener affect the change or other listeners', async () => {
  const errors: unknown[] = []
  const registry = new CommandRegistry({ onListenerError: (error) => errors.push(error) })
  const heard: string[] = []
  registry.subscribe(broken)
  const stop = registry.subscribe(({ type }) => heard.push(type))
  await registry.upsert(everywhere, ping)
  stop()
  await registry.upsert(everywhere, { ...ping, name: 'pong' })
  expect(heard).toEqual(['command_created'])
  expect(errors).toHaveLength(2)
  expect(await registry.list(everywhere)).toHaveLength(2)
})

it.each([
  [
    'throws',
    (failure: unknown) => {
      throw failure
    },
  ],
  ['rejects', (failure: unknown) => Promise.reject(failure)],
])('events keep a write although onListenerError %s', async (_, fail) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const failure = new Error('another')
  const registry = new CommandRegistry({ onListenerError: () => fail(failure) })
  registry.subscribe(broken)
  expect((await registry.upsert(everywhere, ping)).created).toBe(true)
  await turn()
  expect(printed.mock.calls).toEqual([[failure]])
})

it('events pass rejections of a listener to onListenerError', async () => {
  const errors: unknown[] = []
  const registry = new CommandRegistry({ onListenerError: (error) => errors.push(error) })
  const failure = new Error('rejected')
  registry.subscribe(async () => {
    await Promise.resolve()
    throw failure
  })
  // As clients of databases return it: not an instance of Promise.
  registry.subscribe(() => ({ then: (_: unknown, reject: (error: unknown) => void) => reject('thenable') }))
  expect((await registry.upsert(everywhere, ping)).created).toBe(true)
  await turn()
  expect(errors.sort()).toEqual([failure, 'thenable'])
})

it('events end a subscription by a call and at the end of a using block', async () => {
  const registry = new CommandRegistry()
  const heard: string[] = []
  const first = registry.subscribe(() => heard.push('first'))
  const second = registry.subscribe(() => heard.push('second'))
  first()
  await registry.upsert(everywhere, ping)
  second[Symbol.dispose]()
  await registry.upsert(everywhere, { ...ping, name: 'pong' })
  expect(heard).toEqual(['second'])
})
