import { describe, expect, it } from 'vitest'
import { CommandRegistry, memoryStore, type Store, StoreError } from 'commandry'
import { attempt, codeOf } from '../../support/attempt.ts'
import { allow } from './bodies.ts'
import { documents, missing, replaced } from './filled.ts'
import { app, everywhere, guild, here, ping } from '../../support/fixtures.ts'
import { failingOnce, storeWith } from '../../support/stores.ts'

describe('a store that fails', () => {
  const broken = (part: Partial<Store>): CommandRegistry =>
    new CommandRegistry({ store: { ...memoryStore(), ...part } })

  it('causes a storage error that states whether the change may have happened', async () => {
    const cause = new Error('disk full')
    const reading = broken({ read: () => Promise.reject(cause) })
    for (const call of [() => reading.list(everywhere), () => reading.upsert(everywhere, ping)])
      expect(await attempt(call)).toMatchObject({ code: 'storage', mayHaveHappened: false, cause })
    for (const [error, mayHaveHappened, message] of [
      [cause, true, 'the store failed, and the change may have been written; repeating the call is safe'],
      [
        Object.assign(new Error(), { mayHaveHappened: false }),
        false,
        'the store failed; nothing was written',
      ],
    ] as const) {
      const writing = broken({ write: () => Promise.reject(error) })
      const expected = { code: 'storage', mayHaveHappened, message, cause: error }
      expect(await attempt(() => writing.upsert(everywhere, ping))).toMatchObject(expected)
    }
  })

  it.each([
    ['before the write, and says so', 'before', false, false],
    ['before the write, and does not know', 'before', true, true],
    ['before the write, in its own words', 'before', undefined, true],
    ['after the write', 'after', true, true],
    ['after the write, in its own words', 'after', undefined, true],
  ] as const)(
    '%s: rejects with mayHaveHappened, publishes no event, and allows a safe retry',
    async (_, when, says, mayHaveHappened) => {
      const cause = new Error('disk full')
      const failure =
        says === undefined ? cause : new StoreError('writing failed', { cause, mayHaveHappened: says })
      const registry = new CommandRegistry({ store: failingOnce(when, failure) })
      const events: string[] = []
      registry.subscribe(({ type }) => events.push(type))
      const error = await attempt(() => registry.upsert(here, ping))
      expect(error).toMatchObject({ code: 'storage', mayHaveHappened, cause: expect.any(Error) as Error })
      expect(events).toEqual([])
      expect(await registry.list(here)).toHaveLength(when === 'after' ? 1 : 0)
      const { command, created } = await registry.upsert(here, ping)
      expect(created).toBe(when === 'before')
      expect(await registry.list(here)).toEqual([command])
      expect((await registry.plan(here, [ping])).createsLeft).toBe(199)
    },
  )

  it.each<readonly [string, unknown]>([
    ...[undefined, null, {}, []].flatMap((answer) =>
      ['read', 'write'].map((name) => [name, answer] as const),
    ),
    ...[[null], [5], [{ value: {} }], [{ revision: '1' }]].map((answer) => ['read', answer] as const),
    ['write', true],
  ])('causes a storage error when %s answers %j', async (method, answer) => {
    const registry = broken({ [method]: async () => answer })
    const error = await attempt(() => registry.upsert(everywhere, ping))
    expect(error).toMatchObject({ code: 'storage', mayHaveHappened: method === 'write' })
    expect(String(error?.cause)).toMatch(new RegExp(`^TypeError: ${method}: expected .*, got `))
    if (method === 'read') expect(await codeOf(() => registry.list(everywhere))).toBe('storage')
  })

  it('causes a storage error when keys are no strings', async () => {
    for (const keys of [[5], undefined])
      expect(await codeOf(() => broken({ keys: () => keys as never }).snapshot(app))).toBe('storage')
  })

  it('does not prevent later writes', async () => {
    let failing = true
    const store = storeWith((apply) => (failing ? Promise.reject(new Error('once')) : apply()))
    const registry = new CommandRegistry({ store })
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
    const store = storeWith(async () => {
      writes++
      return { ok: false }
    })
    const registry = new CommandRegistry({ store, attempts: 4 })
    expect(await codeOf(() => registry.upsert(everywhere, ping))).toBe('busy')
    expect(writes).toBe(4)
  })

  const scope = 'scope/1001/global'
  const rights = 'permissions/1001/2001'

  /** The documents of an application with one command, one guild command and permissions. */
  async function written(): Promise<Map<string, any>> {
    const store = memoryStore()
    const registry = new CommandRegistry({ store })
    const options = [{ type: 3, name: 'o', description: 'b', choices: [{ name: 'c', value: 'v' }] }]
    const { command } = await registry.upsert(everywhere, { ...ping, options })
    await registry.upsert(here, ping)
    await registry.setPermissions(app, guild, command.id, allow)
    return new Map(Object.entries(await documents(store)).map(([key, text]) => [key, JSON.parse(text)]))
  }

  const command = 'commands.0'

  it.each<[key: string, path: string, value: unknown]>([
    ...[null, 'text', []].map((value): [string, string, unknown] => [scope, '', value]),
    [scope, 'format', 99],
    [scope, 'commands', missing],
    [scope, 'commands', {}],
    [scope, command, null],
    [scope, command, missing],
    [scope, `${command}.options.0`, missing],
    [scope, `${command}.options.0.choices.0`, missing],
    [scope, `${command}.name`, missing],
    [scope, `${command}.id`, 5],
    [scope, `${command}.type`, { toString: 0 }],
    [scope, `${command}.name_localizations`, []],
    [scope, `${command}.options`, {}],
    [scope, `${command}.options.0`, 5],
    [scope, `${command}.options.0.choices.0`, 'c'],
    [scope, `${command}.contexts`, '0'],
    [scope, `${command}.handler`, 'app'],
    [scope, `${command}.dm_permission`, 0],
    [scope, `${command}.default_permission`, 'no'],
    [scope, `${command}.guild_id`, { toString: 0 }],
    [scope, `${command}.default_member_permissions`, ''],
    [scope, 'tenures', missing],
    [scope, 'tenures', []],
    [scope, 'tenures.0', missing],
    [scope, 'creates', missing],
    [scope, 'creates', { day: '2026-01-01' }],
    [scope, 'latest', missing],
    [scope, 'latest', 'x'],
    [rights, 'sets', missing],
    [rights, 'sets.0', missing],
    [rights, 'sets.0.permissions', missing],
    [rights, 'sets.0.permissions.0', missing],
    [rights, 'sets.0.permissions.0.id', missing],
    [rights, 'tenures', [5]],
    [rights, 'tenures.0', missing],
  ])('causes a storage error that names the key: %s with %j as %j', async (key, path, value) => {
    const all = await written()
    all.set(key, replaced(all.get(key), path === '' ? [] : path.split('.'), value))
    const store = memoryStore()
    // A copy that keeps holes, which the documents of a store in memory may have.
    for (const [each, value] of all) await store.write(each, null, structuredClone(value))
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
