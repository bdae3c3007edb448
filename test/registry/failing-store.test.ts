import { describe, expect, it } from 'vitest'
import { CommandRegistry, memoryStore, type Store } from 'commandry'
import { attempt, codeOf } from '../support/attempt.ts'
import { allow } from './bodies.ts'
import { missing, replaced } from './filled.ts'
import { app, everywhere, guild, here, ping } from '../support/fixtures.ts'

describe('a store that fails', () => {
  const broken = (part: Partial<Store>): CommandRegistry =>
    new CommandRegistry({ store: { ...memoryStore(), ...part } })

  it('causes a storage error that states whether the change may have happened', async () => {
    const cause = new Error('disk full')
    const reading = broken({ read: () => Promise.reject(cause) })
    expect(await attempt(() => reading.list(everywhere))).toMatchObject({
      code: 'storage',
      mayHaveHappened: false,
      cause,
    })
    const writing = broken({ write: () => Promise.reject(cause) })
    expect(await attempt(() => writing.upsert(everywhere, ping))).toMatchObject({
      code: 'storage',
      mayHaveHappened: true,
    })
    const knowing = broken({
      write: () => Promise.reject(Object.assign(new Error(), { mayHaveHappened: false })),
    })
    expect(await attempt(() => knowing.upsert(everywhere, ping))).toMatchObject({ mayHaveHappened: false })
  })

  it.each<readonly [string, unknown]>([
    ['read', undefined],
    ['read', null],
    ['read', {}],
    ['read', []],
    ['read', [null]],
    ['read', [5]],
    ['read', [{ value: {} }]],
    ['read', [{ revision: '1' }]],
    ['write', undefined],
    ['write', null],
    ['write', true],
    ['write', {}],
  ])('causes a storage error when %s answers %j', async (method, answer) => {
    const registry = broken({ [method]: async () => answer })
    const error = await attempt(() => registry.upsert(everywhere, ping))
    expect(error).toMatchObject({ code: 'storage', mayHaveHappened: method === 'write' })
    expect(String(error?.cause)).toMatch(new RegExp(`^TypeError: ${method}: expected .*, got `))
    if (method === 'read') expect(await codeOf(() => registry.list(everywhere))).toBe('storage')
  })

  it('causes a storage error when keys are no strings', async () => {
    const registry = broken({
      async *keys() {
        yield 5 as unknown as string
      },
    })
    expect(await codeOf(() => registry.snapshot('1001'))).toBe('storage')
    const without = broken({ keys: () => undefined as never })
    expect(await codeOf(() => without.snapshot('1001'))).toBe('storage')
  })

  it('does not prevent later writes', async () => {
    const store = memoryStore()
    let failing = true
    const registry = broken({
      ...store,
      write: (...call) => (failing ? Promise.reject(new Error('once')) : store.write(...call)),
    })
    const [first, second] = await Promise.all([
      attempt(() => registry.upsert(everywhere, ping)),
      attempt(async () => {
        await Promise.resolve()
        failing = false
        await registry.upsert(everywhere, ping)
      }),
    ])
    expect([first?.code, second?.code]).toContain(undefined)
    expect(await registry.list(everywhere)).toHaveLength(1)
  })

  it('causes the code busy after a bounded number of lost races', async () => {
    let writes = 0
    const store: Store = {
      ...memoryStore(),
      write: async () => {
        writes++
        return { ok: false }
      },
    }
    const registry = new CommandRegistry({ store, attempts: 4 })
    expect(await codeOf(() => registry.upsert(everywhere, ping))).toBe('busy')
    expect(writes).toBe(4)
  })

  it('causes a message that states whether the change may have been written', async () => {
    const failing = (error: Error) => broken({ write: () => Promise.reject(error) })
    const messageOf = async (error: Error) =>
      (await attempt(() => failing(error).upsert(everywhere, ping)))?.message
    expect(await messageOf(new Error('lost'))).toBe(
      'the store failed, and the change may have been written; repeating the call is safe',
    )
    expect(await messageOf(Object.assign(new Error('full'), { mayHaveHappened: false }))).toBe(
      'the store failed; nothing was written',
    )
  })

  const scope = 'scope/1001/global'
  const local = 'scope/1001/guild/2001'
  const rights = 'permissions/1001/2001'

  /** The documents of an application with one command, one guild command and permissions. */
  async function documents(): Promise<Map<string, any>> {
    const store = memoryStore()
    const registry = new CommandRegistry({ store })
    const options = [{ type: 3, name: 'o', description: 'b', choices: [{ name: 'c', value: 'v' }] }]
    const { command } = await registry.upsert(everywhere, { ...ping, options })
    await registry.upsert(here, ping)
    await registry.setPermissions(app, guild, command.id, allow)
    const found = new Map<string, unknown>()
    for (const key of [scope, local, rights]) {
      const [entry] = await store.read([key])
      found.set(key, JSON.parse(JSON.stringify(entry!.value)))
    }
    return found
  }

  const command = 'commands.0'

  it.each<[key: string, path: string, value: unknown]>([
    ...[null, 'text', []].map((value): [string, string, unknown] => [scope, '', value]),
    [scope, 'format', 99],
    [scope, 'commands', missing],
    [scope, 'commands', {}],
    [scope, command, null],
    [scope, `${command}.name`, missing],
    [scope, `${command}.id`, 5],
    [scope, `${command}.type`, { toString: 0 }],
    [scope, `${command}.name_localizations`, []],
    [scope, `${command}.options`, {}],
    [scope, `${command}.options.0`, 5],
    [scope, `${command}.options.0.choices.0`, 'c'],
    [scope, `${command}.contexts`, '0'],
    [scope, `${command}.guild_id`, { toString: 0 }],
    [scope, `${command}.default_member_permissions`, ''],
    [scope, 'tenures', missing],
    [scope, 'tenures', []],
    [scope, 'creates', missing],
    [scope, 'creates', { day: '2026-01-01' }],
    [scope, 'latest', missing],
    [scope, 'latest', 'x'],
    [rights, 'sets', missing],
    [rights, 'sets.0.permissions', missing],
    [rights, 'sets.0.permissions.0.id', missing],
    [rights, 'tenures', [5]],
  ])('causes a storage error that names the key: %s with %j as %j', async (key, path, value) => {
    const all = await documents()
    all.set(key, replaced(all.get(key), path === '' ? [] : path.split('.'), value))
    const store = memoryStore()
    for (const [each, value] of all) await store.write(each, null, JSON.parse(JSON.stringify(value)))
    const registry = new CommandRegistry({ store })
    const calls =
      key === scope
        ? [
            () => registry.list(everywhere),
            () => registry.get(everywhere, '1'),
            () => registry.upsert(everywhere, { ...ping, name: 'other' }),
            () => registry.edit(everywhere, '1', {}),
            () => registry.overwrite(everywhere, []),
            () => registry.plan(everywhere, []),
            () => registry.pickerSource({ applicationId: app }),
          ]
        : [() => registry.plan(everywhere, [])]
    for (const call of [
      ...calls,
      () => registry.listPermissions(app, guild),
      () => registry.setPermissions(app, guild, app, allow),
      () => registry.pickerSource({ applicationId: app, guildId: guild }),
      () => registry.snapshot(app),
    ]) {
      const error = await attempt(call)
      expect(error).toMatchObject({ code: 'storage', mayHaveHappened: false })
      expect(error?.message).toContain(`the stored document ${key} `)
    }
  })
})
