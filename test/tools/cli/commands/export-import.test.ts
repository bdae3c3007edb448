import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope, RegistryError } from 'commandry'
import { describeError } from '../../../../src/tools/cli/base/errors.ts'
import { connectSqlite, openPlace } from '../../../storage/place.ts'
import { call, failed, failing, sqliteDrivers, withDrivers } from '../program.ts'

const app = String(randomInt(1, 2 ** 47))
const run = (args: readonly string[], cwd: string) => call(args, { cwd })

describe('commandry export and import', () => {
  const nothing = { format: 1, application_id: app, scopes: [], permissions: [] }

  it('require a SQLite file, which must exist for an export', async () => {
    const cwd = await withDrivers({ 'app.json': nothing, 'empty.db': '' }, ...sqliteDrivers)
    expect(await run(['import', 'app.json', '--store', 'sqlite:'], cwd)).toMatchObject(
      failing(2, '--store sqlite: a file is required after the colon'),
    )
    expect(await run(['export', app, '--store', 'sqlite:typo.db'], cwd)).toEqual(
      failed('commandry export: --store sqlite:typo.db: file not found'),
    )
    expect((await run(['export', app, '--store', 'sqlite:empty.db'], cwd)).code).toBe(1)
    expect((await readdir(cwd)).sort()).toEqual(['app.json', 'empty.db', 'node_modules'])
    expect(await readFile(join(cwd, 'empty.db'), 'utf8')).toBe('')
  })

  it('print that an application has no data, and write no file', async () => {
    const cwd = await withDrivers({})
    expect(await run(['export', app, '--store', 'memory', '--out', 'app.json'], cwd)).toEqual(
      failed(`commandry export: the store has no data of application ${app}`),
    )
    expect(await readdir(cwd)).toEqual(['node_modules'])
  })

  it('say what was imported, also from a file of an earlier version, and compare it with the store', async () => {
    const sets = [
      {
        id: app,
        application_id: app,
        guild_id: '2001',
        permissions: [{ id: '5', type: 1, permission: true }],
      },
    ]
    const set = { guild_id: '2001', sets, tenures: [null] }
    // Permissions of a command that is not there do not count.
    const lost = { ...set, sets: [{ ...sets[0], id: '7' }], tenures: ['7'] }
    const cwd = await withDrivers(
      {
        'apps.jsonl': `${JSON.stringify({ ...nothing, permissions: [set] })}\n${JSON.stringify({ ...nothing, application_id: '7' })}\n`,
        'lost.json': { ...nothing, permissions: [lost] },
      },
      ...sqliteDrivers,
    )
    const all = await run(['import', 'apps.jsonl', '--all', '--store', 'sqlite:x.db'], cwd)
    expect(all).toEqual({ code: 0, out: 'Imported 2 applications with 0 commands\n', err: '' })
    const one = await run(['import', 'lost.json', '--store', 'sqlite:x.db'], cwd)
    expect(one).toEqual({
      code: 1,
      out: 'Imported 0 of 1 application with 0 commands\n',
      err: `lost.json: in the store, the permissions in server 2001 of application ${app} are not those of the file\n`,
    })
  })

  it('advise to retry only when that can help', async () => {
    const cwd = await withDrivers({ 'app.json': nothing }, ...sqliteDrivers)
    const file = join(cwd, 'commands.db')
    const { store, close } = await openPlace({ kind: 'sqlite', file })
    const written = await store.write(`scope/${app}/global`, null, { format: 2 })
    const restored = () => run(['import', 'app.json', '--store', `sqlite:${file}`], cwd)
    expect(await restored()).toMatchObject(
      failing(1, /^commandry import: .*another format(?!.*run it again).*\n$/),
    )
    const scope = { commands: [], tenures: [], creates: { day: '2026-01-01', count: 1 }, latest: '1' }
    await store.write(`scope/${app}/global`, written.ok ? written.revision : '', { format: 1, ...scope })
    await close()
    const rival = connectSqlite(file)
    rival.exec('BEGIN IMMEDIATE')
    expect(await restored()).toMatchObject(failing(1, /^commandry import: .*; run it again\n$/))
    rival.exec('ROLLBACK')
    rival.close()
    expect(await restored()).toMatchObject({ code: 0, err: '' })
  })

  it('print the cause of a failure in one line', () => {
    const cause = new Error('the disk\n is gone', { cause: 'no error' })
    const error = new RegistryError('storage', { cause })
    expect(describeError(error)).toBe(`${error.message}: the disk is gone`)
    expect(describeError(new Error('there is nothing'))).toBe('there is nothing')
  })

  it('move every application of a store with --all, one a line', async () => {
    const cwd = await withDrivers({ 'broken.jsonl': '{}\n' }, ...sqliteDrivers)
    const { store, close } = await openPlace({ kind: 'sqlite', file: join(cwd, 'a.db') })
    const registry = new CommandRegistry({ store })
    const ids = ['1001', '10010', '7']
    for (const id of ids) await registry.upsert(globalScope(id), { name: `of_${id}`, description: 'b' })
    await registry.setPermissions('8', '2001', '8', [{ id: '5', type: 1, permission: true }])
    const snapshots = await Promise.all([...ids, '8'].map((id) => registry.snapshot(id)))
    await close()

    expect(
      await run(['export', '--all', '--store', 'sqlite:a.db', '--out', 'apps.jsonl'], cwd),
    ).toMatchObject({ code: 0, err: '' })
    const lines = (await readFile(join(cwd, 'apps.jsonl'), 'utf8')).trimEnd().split('\n')
    expect(lines).toEqual([
      '{"format":"commandry-export","version":2}',
      ...snapshots.map((snapshot) => JSON.stringify(snapshot)),
      '{"format":"commandry-export","applications":4}',
    ])
    const imported = (file: string) => run(['import', file, '--all', '--store', 'sqlite:b.db'], cwd)
    expect(await imported('apps.jsonl')).toMatchObject({ code: 0, err: '' })
    const again = await run(['export', '--all', '--store', 'sqlite:b.db'], cwd)
    expect(again.out.trimEnd().split('\n').sort()).toEqual([...lines].sort())
    expect((await imported('broken.jsonl')).err).toMatch(/^broken\.jsonl:1: format /)

    expect(await run(['export', '7', '--all', '--store', 'sqlite:a.db'], cwd)).toMatchObject({ code: 2 })
    expect(await run(['export', '--all', '--store', 'memory'], cwd)).toEqual(
      failed('commandry export: the store has no data of any application'),
    )
  })

  it('report every problem of a file with its path', async () => {
    const scope = {
      guild_id: null,
      commands: [{ id: 1 }],
      tenures: [],
      creates: { day: '', count: 0 },
      latest: '0',
    }
    const bad = { format: 1, application_id: '1001', scopes: [scope], permissions: 5 }
    const cwd = await withDrivers({ 'bad.json': bad, 'broken.json': '{' }, ...sqliteDrivers)
    const imported = (file: string) => run(['import', file, '--store', 'sqlite:x.db'], cwd)
    const { code, err } = await imported('bad.json')
    expect(code).toBe(1)
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^bad\.json: scopes\[0\]\.commands\[0\]\.version is /),
      expect.stringMatching(/^bad\.json: scopes\[0\]\.commands\[0\]\.id is the number 1/),
      expect.stringMatching(/^bad\.json: scopes\[0\]\.tenures has 0 items/),
      expect.stringMatching(/^bad\.json: permissions is the number 5; /),
    ])
    const reasonOf = async (file: string) => (await imported(file)).err
    expect(await reasonOf('broken.json')).toMatch(/^commandry import: broken\.json: is not valid JSON/)
    expect(await reasonOf('none.json')).toBe('commandry import: none.json: file not found\n')
  })
})
