import { describe, expect, it } from 'vitest'
import { CommandRegistry, memoryStore, type Store } from 'commandry'
import { attempt } from '../support/attempt.ts'
import { allow } from './bodies.ts'
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
    if (method === 'read')
      expect(await attempt(() => registry.list(everywhere))).toMatchObject({ code: 'storage' })
  })

  it('causes a storage error when keys are no strings', async () => {
    const registry = broken({
      async *keys() {
        yield 5 as unknown as string
      },
    })
    expect(await attempt(() => registry.snapshot('1001'))).toMatchObject({ code: 'storage' })
    const without = broken({ keys: () => undefined as never })
    expect(await attempt(() => without.snapshot('1001'))).toMatchObject({ code: 'storage' })
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
    expect(await attempt(() => registry.upsert(everywhere, ping))).toMatchObject({ code: 'busy' })
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

  it.each<[string, string, (document: any) => unknown]>([
    ['another format', scope, (d) => ({ ...d, format: 99 })],
    ['no object', scope, () => 'text'],
    ['null', scope, () => null],
    ['a list', scope, () => []],
    ['no commands', scope, ({ commands, ...d }) => d],
    ['commands that are an object', scope, (d) => ({ ...d, commands: {} })],
    ['a command that is null', scope, (d) => ({ ...d, commands: [null] })],
    ['a command without a name', scope, (d) => void delete d.commands[0].name],
    ['a command whose id is a number', scope, (d) => void (d.commands[0].id = 5)],
    ['a command with a type that is an object', scope, (d) => void (d.commands[0].type = { toString: 0 })],
    ['dictionaries that are a list', scope, (d) => void (d.commands[0].name_localizations = [])],
    ['options that are an object', scope, (d) => void (d.commands[0].options = {})],
    ['an option that is a number', scope, (d) => void (d.commands[0].options[0] = 5)],
    ['a choice that is a text', scope, (d) => void (d.commands[0].options[0].choices[0] = 'c')],
    ['contexts that are a text', scope, (d) => void (d.commands[0].contexts = '0')],
    ['a command of a guild that is an object', scope, (d) => void (d.commands[0].guild_id = { toString: 0 })],
    ['bits that are an empty text', scope, (d) => void (d.commands[0].default_member_permissions = '')],
    ['no tenures', scope, ({ tenures, ...d }) => d],
    ['too few tenures', scope, (d) => ({ ...d, tenures: [] })],
    ['no creates', scope, ({ creates, ...d }) => d],
    ['creates without a number', scope, (d) => ({ ...d, creates: { day: '2026-01-01' } })],
    ['no latest id', scope, ({ latest, ...d }) => d],
    ['a latest id that is none', scope, (d) => ({ ...d, latest: 'x' })],
    ['permissions without sets', rights, ({ sets, ...d }) => d],
    ['a set without entries', rights, (d) => void delete d.sets[0].permissions],
    ['an entry without id', rights, (d) => void delete d.sets[0].permissions[0].id],
    ['a tenure that is a number', rights, (d) => ({ ...d, tenures: [5] })],
    ['a scope where permissions should be', rights, (d) => ({ ...d, sets: undefined, commands: [] })],
  ])('causes a storage error that names the key of %s', async (_, key, change) => {
    const all = await documents()
    const document = all.get(key)
    const changed = change(document)
    all.set(key, changed === undefined ? document : changed)
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
