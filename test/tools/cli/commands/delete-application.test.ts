import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CommandRegistry, globalScope, type Store } from 'commandry'
import { openPlace } from '../../../storage/place.ts'
import { call, failing, sqliteDrivers, withDrivers, type CallOptions } from '../program.ts'

const app = '1001'

async function withStore<T>(cwd: string, use: (registry: CommandRegistry, store: Store) => Promise<T>) {
  const { store, close } = await openPlace({ kind: 'sqlite', file: join(cwd, 'a.db') })
  try {
    return await use(new CommandRegistry({ store }), store)
  } finally {
    await close()
  }
}

const commandsIn = (cwd: string) =>
  withStore(cwd, async (registry) => (await registry.list(globalScope(app))).length)

it('commandry delete-application deletes what was confirmed, and nothing otherwise', async () => {
  const cwd = await withDrivers({}, ...sqliteDrivers)
  await withStore(cwd, async (registry) => {
    const bodies = [1, 2].map((i) => ({ name: `c${i}`, description: 'b' }))
    const [command] = await registry.overwrite(globalScope(app), bodies)
    await registry.setPermissions(app, '2001', command!.id, [{ id: '5', type: 1, permission: true }])
    await registry.upsert(globalScope('7'), bodies[0])
  })
  const run = (more: readonly string[], options: CallOptions = {}) =>
    call(['delete-application', app, '--store', 'sqlite:a.db', ...more], { cwd, ...options })

  const refused: readonly [readonly string[], string | null, RegExp][] = [
    [[], null, /^Nothing was deleted: there is no terminal to ask in; add --yes --delete 2\.\n$/],
    [[], 'y', /^Nothing was deleted\.\n$/],
    [['--yes'], null, /^Nothing was deleted: add --delete 2 to accept that\.\n$/],
    [['--yes', '--delete', '3'], null, /^Nothing was deleted: 2 commands would be deleted, not 3\.\n$/],
  ]
  for (const [args, answer, reason] of refused) {
    const ended = await run(args, { ask: async () => answer })
    expect(ended).toMatchObject(failing(1, reason))
    expect(ended.out).toBe('Application 1001: 2 commands and permissions in 1 server.\n')
    expect(await commandsIn(cwd)).toBe(2)
  }
  const deleted = await run([], { ask: async () => ` ${app}\n` })
  expect(deleted).toMatchObject({ code: 0, out: expect.stringMatching(/Deleted 2 documents\.\n$/), err: '' })
  expect(await run(['--yes', '--delete', '0'])).toMatchObject({ code: 0 })
  const left = await withStore(cwd, async (_, store) => {
    const keys: string[] = []
    for await (const key of store.keys('')) keys.push(key)
    return keys
  })
  expect(left).toEqual(['scope/7/global'])
})

it('commandry delete-application requires an id and a store', async () => {
  expect(await call(['delete-application', '--store', 'memory'])).toMatchObject(
    failing(2, 'APPLICATION is required'),
  )
  expect(await call(['delete-application', app])).toMatchObject(failing(2, '--store is required'))
})
