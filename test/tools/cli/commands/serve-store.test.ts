/** What `serve FILES` keeps and deletes of the commands in a store that outlives it, and of a bot that logs in. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placeholderToken, hello, ping } from '../../../support/fixtures.ts'
import { loginAt } from '../../../interop/gateway/serve-gateway.ts'
import { serveOnFreePort, sqliteDrivers, withDrivers } from '../program.ts'

const OPEN_APP = '1000000000000000000'
const BOT = '1000000000002'

/** Requests to the API of a service. */
const api =
  (url: string) =>
  async (method: string, path: string, body?: unknown, credential = 'Bot any') => {
    const headers = { authorization: credential, 'content-type': 'application/json' }
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as any
  }

const role = { id: '5001', type: 1, permission: false }

describe('a lasting store', () => {
  const args = ['c', '--store', 'sqlite:x.db', '--deploy', '--application', '1001']

  it.each([
    ['half a file', '{ "name": "pi', '1 error'],
    ['an empty file', '', '1 error'],
    ['an invalid command', '{ "name": "ping", "description": "" }', '1 error'],
    ['data that are not commands', '{ "title": "ping" }', 'skipped'],
  ])('loses no command, id or permission at a start with %s', async (_, text, words) => {
    const cwd = await withDrivers({ 'c/hello.json': hello, 'c/ping.json': ping }, ...sqliteDrivers)
    const first = await serveOnFreePort(args, cwd)
    await first.called.lineWith('2 commands\n')
    const before = await api(first.url)('GET', '/applications/1001/commands')
    const { id } = before.find(({ name }: { name: string }) => name === 'ping')
    const permissions = `/applications/1001/guilds/2001/commands/${id}/permissions`
    await api(first.url)('PUT', permissions, { permissions: [role] }, 'Bearer any')
    first.called.interrupt()
    await first.called

    await writeFile(join(cwd, 'c/ping.json'), text)
    const second = await serveOnFreePort(args, cwd)
    expect(await second.called.lineWith('; not deleted: /ping (not seen: c/ping.json)')).toContain(words)
    const ask = api(second.url)
    expect(await ask('GET', '/applications/1001/commands')).toEqual(before)
    await writeFile(join(cwd, 'c/ping.json'), JSON.stringify(ping))
    await second.called.lineWith('2 commands\n')
    expect(await ask('GET', '/applications/1001/commands')).toEqual(before)
    expect(await ask('GET', permissions)).toMatchObject({ permissions: [role] })
    await rm(join(cwd, 'c/ping.json'))
    await second.called.lineWith('1 command\n')
    expect(await ask('GET', '/applications/1001/commands')).toMatchObject([{ name: 'hello' }])
  })
})

describe('the first login of a bot', () => {
  it.each([
    ['keeps everything in a lasting store', ['--store', 'sqlite:x.db', '--deploy'], ['hello']],
    ['moves the commands of the files in memory, and nothing else', [], []],
  ])('%s', async (_, store, left) => {
    const cwd = await withDrivers({ 'hello.json': hello }, 'ws', ...sqliteDrivers)
    const { called, url, origin } = await serveOnFreePort(['hello.json', '--gateway', ...store], cwd)
    const ask = api(url)
    const names = async (path: string) =>
      (await ask('GET', `/applications/${path}/commands`)).map(({ name }: { name: string }) => name).sort()
    await ask('PUT', `/applications/${OPEN_APP}/guilds/2001/commands`, [ping])
    await ask('PUT', `/applications/${BOT}/commands`, [{ ...ping, name: 'own' }])
    await loginAt(origin, placeholderToken(BOT))
    await called.lineWith('beside its own commands')
    expect(await names(BOT)).toEqual(['hello', 'own'])
    expect([await names(OPEN_APP), await names(`${OPEN_APP}/guilds/2001`)]).toEqual([left, ['ping']])

    // Later saves leave what the bot deploys by itself, and delete what the file had.
    await ask('POST', `/applications/${BOT}/commands`, { ...ping, name: 'later' })
    await writeFile(join(cwd, 'hello.json'), JSON.stringify([{ ...ping, name: 'other' }]))
    await expect.poll(() => names(BOT)).toEqual(['later', 'other', 'own'])
  })
})
