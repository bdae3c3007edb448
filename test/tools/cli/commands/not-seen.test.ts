/** What `check` says that it has not seen, and what to do about it. */
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { call, check, directoryOf, ending, failing } from '../program.ts'

const ping = { name: 'ping', description: 'Answers' }
const base = `class Command { serialize() { return { name: this.name, type: this.type, ...this.more } } }\n`
const env = { PATH: process.env.PATH }
const node = (file: string) => `"${process.execPath}" ${file}`

/** The result of `check` for a folder of modules. */
async function checked(files: Readonly<Record<string, unknown>>, ...more: readonly string[]) {
  const cwd = await directoryOf({ 'c/ping.json': ping, ...files })
  return check(cwd, ['c', ...more])
}

describe('commandry check', () => {
  it.each([
    [
      'a class that needs its client',
      'export class Ban extends Command { constructor(client) { super(); this.name = client.name } }',
      'class',
      'Ban of c/ban.mjs',
    ],
    [
      'a command whose serialize() throws',
      'export default new (class Ban extends Command { name = "ban"; serialize() { throw 1 } })()',
      'object',
      'that of c/ban.mjs',
    ],
    [
      'a class with the data of a command',
      'export const pong = { name: "pong", description: "x" }; export class Ban { data = { name: "ban" } }',
      'class',
      'Ban of c/ban.mjs',
    ],
  ])('names %s, and advises to run the program', async (_, text, kind, name) => {
    const files = { 'c/ban.mjs': base + text }
    const { code, out, err } = await checked(files)
    expect([code, err]).toEqual([0, expect.stringContaining('check --run "node deploy.js"')])
    expect(out).toContain(`Not seen:\n  1 ${kind}, only the program builds the command: ${name}\n`)
    const json = JSON.parse((await checked(files, '--format', 'json')).out)
    expect(json).toMatchObject({ ok: true, not_seen: [{ kind, name }] })
  })

  it('names a function beside commands that may return more of them', async () => {
    const text = 'export const pong = { name: "pong", description: "x" }\nexport default async () => []'
    const { code, out } = await checked({ 'c/ban.mjs': text })
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('function, only the program calls it: default of c/ban.mjs'),
    ])
  })

  it('has nothing to add when all was read, also beside helpers and events', async () => {
    const helper = 'export class Database {}\nexport class ReadyEvent { run() {} }'
    const { out, err } = await checked({ 'c/helper.mjs': helper, 'c/b.json': { ...ping, name: 'b' } })
    expect(out + err).not.toContain('Not seen')
  })

  it('names files that were not loaded, and fails', async () => {
    const { code, out } = await checked(
      { 'c/a.mjs': 'undefined.missing', 'c/b.json': '{' },
      '--format',
      'json',
    )
    const file = { kind: 'file', reason: 'not loaded' }
    expect(JSON.parse(out)).toMatchObject({
      ...{ ok: false },
      not_seen: [
        { ...file, name: 'c/a.mjs' },
        { ...file, name: 'c/b.json' },
      ],
    })
    expect(code).toBe(1)
  })

  it('reads what serialize() returns, which the fields of a class are not', async () => {
    const user = `export default class User extends Command { name = 'User'; description = 'For help'; type = 2; run() {} }`
    const others = `export class Two extends Command { name = 'two'; type = 1; more = { description: 'x', options: [] } }
      export const three = new (class extends Command { name = 'three'; more = { description: 'x' } })()`
    const { code, out } = await checked({ 'c/user.mjs': base + user, 'c/others.mjs': base + others })
    expect([code, out]).toEqual([0, expect.stringMatching(/^✓ 4 commands in 3 files/)])
  })

  it('has one note about names in camel case for all files', async () => {
    const text = (name: string, field: string) =>
      `export default { name: '${name}', description: 'x', ${field} }`
    const { out } = await checked({
      'c/a.mjs': text('a', 'nameLocalizations: {}'),
      'c/b.mjs': text('b', 'nameLocalizations: {}, defaultMemberPermissions: "0"'),
      'c/c.mjs': text('c', 'nameLocalizations: {}'),
    })
    expect(out.match(/^note: .+/gm)).toEqual([
      'note: c/a.mjs and 2 other files read nameLocalizations and defaultMemberPermissions as name_localizations and default_member_permissions, as client.application.commands.set() does; rest.put() does not',
    ])
  })

  it('breaks no word in a terminal of 80 columns', async () => {
    const file = 'a-file-with-a-long-name.json'
    const cwd = await directoryOf({ [file]: { ...ping, name: 'Ping' } })
    const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 80 })
    await call(['check', file, '--color', 'never'], { cwd, stdout: terminal })
    const lines = String(terminal.read()).split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(/^ {2}1 can be fixed: /),
      '  About a rule: commandry explain name.case',
      '',
    ])
  })
})

describe('commandry check --run', () => {
  const put = `const url = process.env.COMMANDRY_URL + '/api/v10'
    const headers = { authorization: 'Bot x', 'content-type': 'application/json' }
    await fetch(url + '/applications/' + process.env.CLIENT_ID + '/commands', { method: 'PUT', headers, body: '[{"name":"a","description":"a"}]' })\n`

  it.each([
    [
      'names the routes that the service does not have',
      "await fetch(url + '/users/@me/nothing', { headers })",
      1,
    ],
    ['names no route that it has', "await fetch(url + '/users/@me', { headers })", 0],
  ])('%s', async (_, text, count) => {
    const cwd = await directoryOf({ 'deploy.mjs': put + text })
    const { code, out } = await call(['check', '--run', node('deploy.mjs'), '--format', 'json'], { cwd, env })
    const routes = JSON.parse(out).not_seen
    expect(code).toBe(0)
    expect(routes).toHaveLength(count)
    if (count === 1)
      expect(routes[0]).toMatchObject({ kind: 'route', name: 'GET /users/@me/nothing (1 time)' })
  })

  it.each([
    ['--', [process.execPath, 'deploy.mjs']],
    ['--run --', ['node deploy.mjs']],
    ['--run --', [process.execPath, 'deploy.mjs']],
  ])('runs the program after "%s": %j', async (before, program) => {
    const cwd = await directoryOf({ 'deploy.mjs': put })
    const args = [...before.split(' '), ...program]
    expect(await call(['check', ...args], { cwd, env })).toMatchObject(ending(0, '✓ 1 command in 1 list'))
  })

  const scripts = { build: 'tsc', start: 'node dist/index.js' }
  const bot = 'export class Ban extends Command { constructor(client) { super(); this.name = client.name } }'

  it.each([
    ['advises the build script first that was not run', {}, '"npm run build && npm start"'],
    ['advises no build script that was run', { 'dist/index.js': '' }, '"npm start"'],
  ])('%s', async (_, files, advice) => {
    const cwd = await directoryOf({
      'package.json': { scripts },
      'c/ban.mjs': base + bot,
      'c/a.json': ping,
      ...files,
    })
    expect((await check(cwd, ['c'])).err).toContain(`check --run ${advice}`)
  })

  it('names the build script when a built file is missing', async () => {
    const cwd = await directoryOf({ 'package.json': { scripts }, 'c/ban.mjs': `import '../dist/base.js'` })
    const ended = await call(['check', '--run', node('dist/index.js')], { cwd, env })
    expect(ended).toMatchObject(failing(1, 'run "npm run build" first'))
    expect(await check(cwd, ['c'])).toMatchObject(
      ending(1, /Cannot find module .+; run "npm run build" first/),
    )
    const other = await directoryOf({ 'c/ban.mjs': `import './gone.js'` })
    expect((await check(other, ['c'])).out).not.toContain('npm run build')
  })
})
