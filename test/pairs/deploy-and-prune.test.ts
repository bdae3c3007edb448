/** A pair: `deploy` and `status --prune` delete under the same conditions, say the same and keep the same. */
import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { applicationDirectory, CommandRegistry } from 'commandry'
import { openAccess } from 'commandry/http'
import { app, everywhere, guild } from '../support/fixtures.ts'
import { listening } from '../support/listening.ts'
import { call, directoryOf, type CallOptions, type Ended } from '../tools/cli/program.ts'
import { role, serving } from '../tools/cli/services.ts'

const ping = { name: 'ping', description: 'Says pong' }
const old = { name: 'old', description: 'Is old' }

const ways = {
  deploy: (files: string, url: string) => ['deploy', files, '--to', url, '--application', app],
  'status --prune': (files: string, url: string) => [
    ...['status', files, '--prune', '--against', url],
    ...['--application', app],
  ],
} as const

interface Situation {
  readonly registry: CommandRegistry
  readonly url: string
  readonly cwd: string
  /** Runs the command, which deletes /old. */
  readonly run: (args?: readonly string[], options?: CallOptions) => Promise<Ended>
  readonly names: () => Promise<readonly string[]>
}

/** `ping` is in the file, and `old` is deployed besides. */
async function situation(
  way: keyof typeof ways,
  {
    files = { 'a.json': [ping] } as Readonly<Record<string, unknown>>,
    through = (url: string) => url as string | Promise<string>,
    flags = 0,
  } = {},
): Promise<Situation> {
  const applications = applicationDirectory([{ id: app, name: 'a', flags }])
  const registry = new CommandRegistry({ applications })
  if (flags !== 0) await registry.enableActivities(app)
  for (const command of [ping, old]) await registry.upsert(everywhere, command)
  const url = await through(await serving(registry, openAccess(), applications))
  const cwd = await directoryOf(files)
  const path = 'a.json' in files ? 'a.json' : 'commands'
  return {
    ...{ registry, url, cwd },
    run: (args = ['--yes'], options = {}) => call([...ways[way](path, url), ...args], { cwd, ...options }),
    names: async () => (await registry.list(everywhere)).map(({ name }) => name).sort(),
  }
}

/** The service behind an address that handles the first writes itself. */
const refusingWrites = (count: number, refuse: RequestListener) => async (service: string) => {
  let writes = 0
  return listening(async (request, response) => {
    const isWrite = request.method !== 'GET'
    if (isWrite && ++writes <= count) return refuse(request, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await fetch(service + request.url, {
      method: request.method!,
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
}

const refuseWith =
  (status: number, body: object): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

describe.each(Object.keys(ways) as (keyof typeof ways)[])('commandry %s', (way) => {
  it('deletes what no file defines, and has saved it before', async () => {
    const { run, names, cwd } = await situation(way)
    const { code, err } = await run(['--yes', '--delete', '1'])
    expect([code, err, await names()]).toEqual([0, expect.any(String), ['ping']])
    expect((await readdir(cwd)).filter((file) => /^1001-global-.*\.json$/.test(file))).toHaveLength(1)
  })

  it('deletes nothing when the answer is no, or another number', async () => {
    for (const answer of ['n', '', '2', null]) {
      const { run, names } = await situation(way)
      const { code } = await run([], { ask: async () => answer })
      expect([code === 0, await names()]).toEqual([false, ['old', 'ping']])
    }
  })

  it('loses no permission without --allow-loss, and names the permission', async () => {
    const { run, names, registry } = await situation(way)
    const { id } = (await registry.list(everywhere)).find(({ name }) => name === 'old')!
    await registry.setPermissions(app, guild, id, [role('5001', true)])
    const args = ['--yes', '--delete', '1', way === 'deploy' ? '--permissions-in' : '--guild', guild]
    const refused = await run(args)
    expect([refused.code === 0, await names()]).toEqual([false, ['old', 'ping']])
    expect(refused.out).toContain('role 5001 allowed')
    expect(refused.err).toContain('--allow-loss')
    expect((await run([...args, '--allow-loss'])).code).toBe(0)
    expect(await names()).toEqual(['ping'])
  })

  it('deletes nothing while a file of the folder is not understood, unless the number is given', async () => {
    const files = { 'commands/a.json': [ping], 'commands/b.yaml': 'name: old' }
    const { run, names } = await situation(way, { files })
    const refused = await run(['--yes'])
    expect([refused.code === 0, await names()]).toEqual([false, ['old', 'ping']])
    expect(refused.err).toContain('--delete 1')
    expect((await run(['--yes', '--delete', '1'])).code).toBe(0)
  })

  it('deletes nothing while a file is broken, or no file has a command', async () => {
    for (const content of ['{', [], [{ name: 'Bad', description: 'x' }]]) {
      const { run, names } = await situation(way, { files: { 'a.json': content } })
      const { code } = await run(['--yes', '--delete', '1'])
      expect([code === 0, await names()]).toEqual([false, ['old', 'ping']])
    }
  })

  it('deletes nothing when the commands change between the question and the answer', async () => {
    const { run, names, registry } = await situation(way)
    const { code, err } = await run([], {
      ask: async () => {
        await registry.upsert(everywhere, { ...old, description: 'Is wanted again' })
        return way === 'deploy' ? 'y' : '1'
      },
    })
    expect([code === 0, await names()]).toEqual([false, ['old', 'ping']])
    expect(err).toMatch(/ha(s|ve) changed since/)
  })

  it('keeps the entry point that the service makes for an Activity', async () => {
    const { run, names } = await situation(way, { flags: 1 << 17 })
    const { out } = await run(['--yes', '--delete', '1'])
    // A list that leaves it out is refused as a whole, as the service does.
    if (way === 'deploy') expect(out).toContain('leaves out the entry point command "Launch"')
    expect(await names()).toEqual(way === 'deploy' ? ['Launch', 'old', 'ping'] : ['Launch', 'ping'])
  })

  it('waits for a short rate limit, and goes on', async () => {
    const through = refusingWrites(2, refuseWith(429, { retry_after: 0.02 }))
    const { run, names } = await situation(way, { through })
    expect((await run(['--yes', '--delete', '1'])).code).toBe(0)
    expect(await names()).toEqual(['ping'])
  })

  it('says after a refusal that nothing was deleted, and after a lost response that it may be', async () => {
    const refused = await situation(way, {
      through: refusingWrites(1, refuseWith(403, { message: 'No', code: 1 })),
    })
    expect((await refused.run(['--yes', '--delete', '1'])).err).toMatch(/Nothing was (written|deleted)/)
    const lost = await situation(way, { through: refusingWrites(9, (_, response) => response.destroy()) })
    expect((await lost.run(['--yes', '--delete', '1'])).err).toMatch(/may have been (written|deleted)/)
    expect(await lost.names()).toEqual(['old', 'ping'])
  })
})
