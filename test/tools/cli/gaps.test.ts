/** Each way in which a source of definitions is not seen as a whole, and what each command does then. */
import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope } from 'commandry'
import { freePort } from '../../support/ports.ts'
import { app } from '../../support/fixtures.ts'
import { openPlace } from '../../storage/place.ts'
import { call, serveOnFreePort, sqliteDrivers, withDrivers, type Ended } from './program.ts'
import { serving } from './services.ts'

const good = { name: 'good', description: 'Stays' }
const gone = { name: 'gone', description: 'May be defined where nothing was seen' }
const node = (file: string) => `"${process.execPath}" ${file}`
const builder = `class Command { serialize() { return { name: this.name, type: this.type, description: 'x' } } }\n`

/** A gap: what is written, and its name in reports. */
interface Gap {
  readonly what: string
  readonly name: string
  /** Whether the result of a run with it must not be a success. */
  readonly fails: boolean
  plant(cwd: string): Promise<unknown> | unknown
}

const written = (file: string, text: string) => (cwd: string) => writeFile(join(cwd, file), text)
const fifo = (file: string) => (cwd: string) => execFileSync('mkfifo', [join(cwd, file)])

const inFolders: readonly Gap[] = [
  { what: 'half a JSON file', name: 'c/a.json', fails: true, plant: written('c/a.json', '[{"name":"gone",') },
  { what: 'an empty file', name: 'c/a.json', fails: true, plant: written('c/a.json', '') },
  {
    what: 'a module that throws',
    name: 'c/a.mjs',
    fails: true,
    plant: written('c/a.mjs', 'throw new Error("no database")'),
  },
  {
    what: 'a module that ends its process',
    name: 'c/a.mjs',
    fails: true,
    plant: written('c/a.mjs', 'process.exit(0)'),
  },
  {
    what: 'a module that connects',
    name: 'c/a.mjs',
    fails: false,
    plant: written('c/a.mjs', 'fetch("https://discord.com/").catch(() => {}); export const no = 1'),
  },
  {
    what: 'data that are not commands',
    name: 'c/a.json',
    fails: false,
    plant: written('c/a.json', '{"a":1}'),
  },
  {
    what: 'a format that is not read',
    name: 'c/a.yaml',
    fails: false,
    plant: written('c/a.yaml', 'name: gone'),
  },
  { what: 'a pipe', name: 'c/a.json', fails: false, plant: fifo('c/a.json') },
  {
    what: 'a link to nothing',
    name: 'c/a.json',
    fails: false,
    plant: (cwd) => symlink('no', join(cwd, 'c/a.json')),
  },
  {
    what: 'a link out of the folder',
    name: 'c/other',
    fails: false,
    async plant(cwd) {
      await mkdir(join(cwd, 'other'))
      await symlink('../other', join(cwd, 'c/other'))
    },
  },
  {
    what: 'a class that its program builds',
    name: 'Gone of c/a.mjs',
    fails: false,
    plant: written(
      'c/a.mjs',
      `${builder}export class Gone extends Command { constructor(client) { super(); client.x } }`,
    ),
  },
  {
    what: 'a class with the fields of a command beside a command',
    name: 'Gone of c/a.mjs',
    fails: false,
    plant: written(
      'c/a.mjs',
      'export const b = { name: "b", description: "b" }; export class Gone { constructor(c) { this.data = { name: c.x } } }',
    ),
  },
  {
    what: 'an object that its program completes',
    name: 'that of c/a.mjs',
    fails: false,
    plant: written(
      'c/a.mjs',
      `${builder}export default new (class extends Command { name = 'gone'; serialize() { throw 1 } })()`,
    ),
  },
  {
    what: 'a definition without a name',
    name: 'default of c/a.mjs',
    fails: false,
    plant: written('c/a.mjs', 'export default { description: "Gone", options: [], execute() {} }'),
  },
  {
    what: 'a list of what may be context menu commands',
    name: '0 of c/a.mjs',
    fails: false,
    plant: written('c/a.mjs', 'export default [{ name: "the server", type: 3 }]'),
  },
  {
    what: 'a JSON list of what may be context menu commands',
    name: 'c/a.json',
    fails: false,
    plant: written('c/a.json', '[{ "name": "the server", "type": 3 }]'),
  },
  {
    what: 'a default function beside a command',
    name: 'default of c/a.mjs',
    fails: false,
    plant: written(
      'c/a.mjs',
      'export const b = { name: "b", description: "b" }; export default async () => []',
    ),
  },
  {
    what: 'a function beside a command',
    name: 'more of c/a.mjs',
    fails: false,
    plant: written(
      'c/a.mjs',
      'export const b = { name: "b", description: "b" }; export function more() { return [] }',
    ),
  },
  {
    what: 'a promise beside a command',
    name: 'more of c/a.mjs',
    fails: false,
    plant: written(
      'c/a.mjs',
      'export const b = { name: "b", description: "b" }; export const more = Promise.resolve([])',
    ),
  },
]

const asFiles: readonly Gap[] = [
  { what: 'half a JSON file', name: 'a.json', fails: true, plant: written('a.json', '[{"name":"gone",') },
  { what: 'a missing file', name: 'a.json', fails: true, plant: () => {} },
  { what: 'a pipe', name: 'a.json', fails: true, plant: fifo('a.json') },
]

const requests = `const base = process.env.COMMANDRY_URL + '/api/v10/applications/' + process.env.CLIENT_ID
  const send = (method, path, body, more) => fetch(base + path, { method, body, headers: {
    authorization: 'Bot ' + process.env.DISCORD_TOKEN, 'content-type': 'application/json', ...more } })
  await send('PUT', '/commands', '[${JSON.stringify(good)}]')\n`

const program = (what: string, fails: boolean, rest: string, name = 'deploy.mjs'): Gap => ({
  ...{ what, name, fails },
  plant: written('deploy.mjs', requests + rest),
})

const put = (what: string, rest: string): Gap => program(what, true, rest, '/commands')

const ofPrograms: readonly Gap[] = [
  program('a program that throws', true, 'throw new Error("no database")'),
  program('a program that exits with a code', true, 'process.exit(3)'),
  program(
    'a program that is killed',
    true,
    'process.kill(process.pid, "SIGKILL"); await new Promise(() => {})',
  ),
  program(
    'a program that is stopped at the limit',
    true,
    `for (;;) { await send('GET', '/commands'); await new Promise((resolve) => setTimeout(resolve, 20)) }`,
  ),
  program('a program that is silent', false, 'await new Promise((resolve) => setTimeout(resolve, 1e6))'),
  put(
    'a refused list',
    `await send('PUT', '/commands', '[{"name":"BAD"}]'); await send('PUT', '/commands', '[]')`,
  ),
  put('a list that is not JSON', `await send('PUT', '/guilds/1/commands', '[')`),
  put(
    'a list of another type',
    `await send('PUT', '/guilds/1/commands', '[]', { 'content-type': 'text/plain' })`,
  ),
  put('a list without a token', `await send('PUT', '/guilds/1/commands', '[]', { authorization: '' })`),
  put('an edit of an unknown command', `await send('PATCH', '/commands/1', '{}')`),
  program(
    'a path that the service does not have',
    true,
    `await fetch(process.env.COMMANDRY_URL + '/api/v10/aplications/1/commands', { method: 'POST', body: '{}' })`,
    '/aplications/1/commands',
  ),
]

const snapshot = (id: string) =>
  JSON.stringify({ format: 1, application_id: id, scopes: [], permissions: [] })
const [head, end] = [
  '{"format":"commandry-export","version":2}',
  '{"format":"commandry-export","applications":2}',
]
const backup = (what: string, ...lines: readonly string[]): Gap => ({
  ...{ what, name: 'a.jsonl', fails: true },
  plant: written('a.jsonl', lines.join('\n')),
})

const ofBackups: readonly Gap[] = [
  backup('an empty file', ''),
  backup('a file that is cut at the end of a line', head, snapshot(app), ''),
  backup('a file that is cut after its first line', head, ''),
  backup('a file that is cut within a line', head, snapshot(app), snapshot('7').slice(0, 20)),
  backup('a file that lacks a line', head, snapshot(app), end),
  backup('an older file that is cut within a line', snapshot(app), snapshot('7').slice(0, 20)),
  backup('a file with an invalid application', head, snapshot(app), snapshot('x'), end),
  backup('a file with an application twice', snapshot(app), snapshot(app)),
]

/** A source of definitions, and how a command line names it. */
interface Source {
  readonly gaps: readonly Gap[]
  readonly args: readonly string[]
}

const sources: Readonly<Record<string, Source>> = {
  folder: { gaps: inFolders, args: ['c'] },
  file: { gaps: asFiles, args: ['c', 'a.json'] },
  stdin: {
    args: ['c', '-'],
    gaps: [{ what: 'half a list', name: '<stdin>', fails: true, plant: () => {} }],
  },
  'file of targets': { gaps: inFolders.slice(0, 1), args: [] },
  'program of --run': { gaps: ofPrograms, args: ['--run', node('deploy.mjs')] },
  backup: { gaps: ofBackups, args: ['a.jsonl'] },
}

/** A run of a command in a folder, beside a service that has the commands `good` and `gone`. */
interface Run {
  readonly cwd: string
  readonly args: readonly string[]
  readonly url: string
  readonly options: NonNullable<Parameters<typeof call>[1]>
}

/** A command, and what it does with a gap. */
interface Tool {
  run(run: Run): Promise<Ended>
  /** `refuses`: it changes nothing and fails. `reports`: it fails for a gap that fails. `keeps`: it goes on. */
  readonly does: 'refuses' | 'reports' | 'keeps'
  /** The sources that it does not take, with the reason. */
  readonly not: Readonly<Record<string, string>>
}

const at = (option: string, url: string) => [option, url, '--application', app]
const target = (args: readonly string[], url: string) => (args.length > 0 ? at('--against', url) : [])

const noRun = { 'program of --run': 'it has no --run' }
const noBackup = { backup: 'import reads backups' }
const noTargets = { 'file of targets': 'it takes files' }

const tools: Readonly<Record<string, Tool>> = {
  check: {
    run: ({ args, options }) => call(['check', ...args], options),
    ...{ does: 'reports', not: { ...noTargets, ...noBackup } },
  },
  plan: {
    run: ({ args, url, options }) => call(['plan', ...args, ...at('--against', url)], options),
    ...{ does: 'reports', not: { ...noTargets, ...noBackup } },
  },
  deploy: {
    run: ({ args, url, options }) => call(['deploy', ...args, ...at('--to', url), '--yes'], options),
    ...{ does: 'refuses', not: { ...noTargets, ...noBackup } },
  },
  status: {
    run: ({ args, url, options }) => call(['status', ...args, ...target(args, url)], options),
    ...{ does: 'reports', not: { ...noRun, ...noBackup } },
  },
  'status --prune': {
    run: ({ args, url, options }) =>
      call(['status', ...args, ...target(args, url), '--prune'], { ...options, ask: async () => '1' }),
    ...{ does: 'refuses', not: { ...noRun, ...noBackup } },
  },
  review: {
    run: ({ args, options }) => call(['review', '--base', 'HEAD', ...args], options),
    does: 'reports',
    not: { ...noRun, ...noBackup, stdin: 'a commit has no stdin' },
  },
  changes: {
    run: ({ args, options }) => call(['changes', ...args], options),
    ...{ does: 'reports', not: { ...noRun, ...noTargets, ...noBackup } },
  },
  page: {
    run: ({ args, options }) => call(['page', ...args, '--out', 'page.html'], options),
    ...{ does: 'reports', not: { ...noRun, ...noTargets, ...noBackup } },
  },
  fuzz: {
    async run({ args, options }) {
      const port = await freePort()
      const bot = ['--url', `http://127.0.0.1:${port}/`, '--env', `PORT=${port}`, '--runs=1', '--seed=1']
      return call(['fuzz', ...args, ...bot, '--', process.execPath, 'bot.mjs'], options)
    },
    ...{ does: 'reports', not: { ...noRun, ...noTargets, ...noBackup } },
  },
  serve: {
    async run({ args, cwd }) {
      const { called } = await serveOnFreePort([...args, ...store, '--deploy', '--application', app], cwd)
      await called.lineWith('; not deleted: /gone (not seen: ')
      called.interrupt()
      return called
    },
    does: 'keeps',
    not: {
      ...noRun,
      ...noTargets,
      ...noBackup,
      stdin: 'it follows files',
      file: 'a missing file is wrong usage',
    },
  },
  import: {
    run: ({ args, options }) => call(['import', ...args, '--all', ...store], options),
    does: 'refuses',
    not: Object.fromEntries(
      Object.keys(sources).flatMap((name) => (name === 'backup' ? [] : [[name, 'it takes a backup']])),
    ),
  },
}

const store = ['--store', 'sqlite:x.db']

/** A bot over HTTP that answers every use. */
const bot = `
import { createServer } from 'node:http'
import { verified } from '${new URL('../../support/verified.mjs', import.meta.url)}'
createServer((request, response) => {
  let text = ''
  request.on('data', (data) => (text += data)).on('end', async () => {
    if (!(await verified(process.env.PUBLIC_KEY, request.headers, text))) return response.writeHead(401).end()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.parse(text).type === 1 ? '{"type":1}' : '{"type":4,"data":{"content":"pong"}}')
  })
}).listen(process.env.PORT, '127.0.0.1')`

const everywhere = globalScope(app)
const namesIn = async (registry: CommandRegistry) => (await registry.list(everywhere)).map(({ name }) => name)

/** The registry of the store of a folder. */
async function withStore<T>(cwd: string, use: (registry: CommandRegistry) => Promise<T>): Promise<T> {
  const place = await openPlace({ kind: 'sqlite', file: join(cwd, 'x.db') })
  try {
    return await use(new CommandRegistry({ store: place.store }))
  } finally {
    await place.close()
  }
}

const cells = Object.entries(sources).flatMap(([source, { gaps, args }]) =>
  Object.entries(tools).flatMap(([tool, { not }]) =>
    gaps.map((gap) => ({
      source,
      tool,
      gap,
      args,
      reason: not[source],
      title: `${tool}, ${source}: ${gap.what}`,
    })),
  ),
)

describe('of each gap in each source', () => {
  it('every command has a row, or a reason why it does not take the source', () => {
    expect(cells.filter(({ reason }) => reason === '')).toEqual([])
    for (const name of Object.keys(sources))
      expect(cells.some(({ source, reason }) => source === name && reason === undefined)).toBe(true)
  })

  it.each(cells.filter(({ reason }) => reason === undefined))('$title', async ({ tool, gap, args }) => {
    const { run, does } = tools[tool]!
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [good, gone])
    const url = await serving(registry)
    const targets = { definitions: ['c'], targets: { one: { application: app, url } } }
    const cwd = await withDrivers(
      { 'c/good.json': good, 'bot.mjs': bot, 'commandry.targets.json': targets },
      ...sqliteDrivers,
    )
    if (tool === 'review') {
      const git = (...words: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...words], { cwd })
      git('init', '-q')
      git('add', 'c')
      git('commit', '-q', '-m', 'base')
    }
    if (does === 'keeps' || tool === 'import')
      await withStore(cwd, (one) => one.overwrite(everywhere, [good, gone]))
    await gap.plant(cwd)

    const env = { PATH: process.env.PATH }
    const limits = {
      ...(gap.what.includes('silent') && { quiet: 2_000 }),
      ...(gap.what.includes('limit') && { run: 3_000 }),
    }
    const { code, out, err } = await run({ cwd, args, url, options: { cwd, env, limits, stdin: '[' } })

    const expected = does === 'refuses' ? [1, 2] : [does === 'reports' && gap.fails ? 1 : 0]
    expect({ code, out, err }).toMatchObject({
      code: expect.toSatisfy((one: number) => expected.includes(one)),
    })
    expect(out + err).toContain(gap.name)
    expect(await namesIn(registry)).toEqual(['good', 'gone'])
    if (does === 'keeps' || tool === 'import')
      expect((await withStore(cwd, namesIn)).sort()).toEqual(expect.arrayContaining(['gone', 'good']))
  })
})
