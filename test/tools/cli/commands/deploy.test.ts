import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { describe, expect } from 'vitest'
import { CommandRegistry, guildScope, type Scope } from 'commandry'
import { commandSet } from 'commandry/arbitraries'
import { listening } from '../../../support/listening.ts'
import { call, directoryOf, ending, failing, type CallOptions } from '../program.ts'
import { after, before, expectPlanned, it, role, run, serving } from '../services.ts'
import { app, everywhere, guild, hello } from '../../../support/fixtures.ts'
import { fc, forAnyAsync } from '../../../support/properties.ts'

const deploy = (cwd: string, url: string, args: readonly string[], options: CallOptions = {}) =>
  call(['deploy', ...args, '--to', url, '--application', app], { cwd, ...options })

/** Deploys one command from a folder of its own, whose path is in the result. */
async function deployHello(url: string, args: readonly string[] = ['--yes'], options: CallOptions = {}) {
  const cwd = await directoryOf({ 'a.json': [hello] })
  return { cwd, ...(await deploy(cwd, url, ['a.json', ...args], options)) }
}

/** The address of a service that lists no commands, and how it responds to writes. */
const withoutCommands = (write: RequestListener) =>
  listening((request, response) =>
    request.method === 'GET' ? void response.end('[]') : write(request, response),
  )

const namesOf = async (registry: CommandRegistry, scope: Scope = everywhere) =>
  (await registry.list(scope)).map(({ name }) => name).sort()

/**
 * Sets whose `integration_types` have the order of the default. Over HTTP a plan cannot see the order of the service's
 * default and uses that of the deployed commands.
 */
function inDefaultOrder(sets: ReturnType<typeof commandSet>): ReturnType<typeof commandSet> {
  return sets.map((set) =>
    set.map((command) =>
      command.integration_types === undefined
        ? command
        : { ...command, integration_types: command.integration_types.toSorted() },
    ),
  )
}

describe('commandry deploy', () => {
  it('[4.1-07] shows the plan, saves the old commands, deploys, prints the undo', async ({
    registry,
    url,
  }) => {
    const was = await registry.list(everywhere)
    const cwd = await directoryOf({ 'commands.json': after })
    const questions: string[] = []
    const { code, out, err } = await deploy(cwd, url, ['commands.json', '--permissions-in', guild], {
      ask: async (question) => (questions.push(question), app),
    })
    expect([code, err]).toEqual([0, ''])
    expect(questions).toEqual([
      `Deploy to ${url}, and lose 4 permissions? Type the application id to continue: `,
    ])
    const [saved] = (await readdir(cwd)).filter((file) => file !== 'commands.json')
    expect(saved).toMatch(/^1001-global-\d{8}T\d{4}\.json$/)
    // The saved file is in the folder of the next deploy.
    expect((await call(['check', '.'], { cwd })).out).toContain('4 commands in 1 file')
    expect(out.slice(out.indexOf('Saved'))).toMatch(
      new RegExp(
        [
          `^Saved the 5 deployed commands: ${saved}`,
          '✓ Deployed in \\d+\\.\\d s: 1 created, 2 updated, 2 deleted, 1 unchanged',
          `  Undo: commandry deploy ${saved} --to ${url} --application 1001 \\(it does not restore permissions\\)`,
          '$',
        ].join('\n'),
      ),
    )
    expect(out).toMatch(/^commands\.json \(4 commands\) → global commands of 1001 at http/)
    expect(await namesOf(registry)).toEqual(['banish', 'ping', 'roll', 'stay'])

    const undone = await deploy(cwd, url, [saved!, '--yes'])
    expect([undone.code, undone.err]).toEqual([0, ''])
    const fields = (list: readonly { id: string; version: string }[]) =>
      list.map(({ id, version, ...command }) => command)
    expect(fields(await registry.list(everywhere))).toEqual(fields(was))
  })

  it('deploys nothing when there are no changes', async ({ url }) => {
    const cwd = await directoryOf({ 'same.json': before })
    const ended = await deploy(cwd, url, ['same.json'])
    expect(ended).toMatchObject(ending(0, '✓ No changes'))
    expect(await readdir(cwd)).toEqual(['same.json'])
  })

  it('writes nothing without a confirmation', async ({ registry, url }) => {
    const names = await namesOf(registry)
    const cwd = await directoryOf({ 'new.json': after, 'more.json': [...before, hello] })
    const lossy = ['new.json', '--permissions-in', guild]
    for (const [args, answer, code, message] of [
      [lossy, null, 1, 'there is no terminal to ask in; add --yes --allow-loss'],
      [['more.json'], null, 1, 'there is no terminal to ask in; add --yes.'],
      [lossy, 'y', 1, 'Nothing was written.'],
      [['more.json'], 'no', 1, 'Nothing was written.'],
      [['more.json'], '', 1, 'Nothing was written.'],
      [[...lossy, '--yes'], null, 2, '4 permissions would be lost; add --allow-loss'],
    ] as const) {
      const ended = await deploy(cwd, url, args, { ask: async () => answer })
      expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(message)])
      expect(ended.out).toContain('Plan: ')
      expect(await namesOf(registry)).toEqual(names)
      expect((await readdir(cwd)).sort()).toEqual(['more.json', 'new.json'])
    }
    expect((await deploy(cwd, url, [...lossy, '--yes', '--allow-loss'])).code).toBe(0)
    expect((await deploy(cwd, url, ['more.json'], { ask: async () => 'Yes' })).code).toBe(0)
    expect(await namesOf(registry)).toContain('hello')
  })

  it('deletes more commands than stay, or all, only with their exact number', async ({ registry, url }) => {
    const cwd = await directoryOf({
      'none.json': [],
      'one.json': before.slice(0, 1),
      'most.json': before.slice(1),
    })
    for (const [file, more, message] of [
      ['none.json', [], '5 of 5 deployed commands would be deleted; add --delete 5 to accept that'],
      ['one.json', [], '4 of 5 deployed commands would be deleted; add --delete 4 to accept that'],
      ['one.json', ['--delete', '5'], '4 of 5 deployed commands would be deleted, not 5'],
      ['most.json', ['--delete', '2'], '1 of 5 deployed commands would be deleted, not 2'],
    ] as const) {
      const { code, err } = await deploy(cwd, url, [file, ...more, '--yes', '--allow-loss'])
      expect([code, err]).toEqual([2, `Nothing was written: ${message}.\n`])
      expect(await namesOf(registry)).toHaveLength(5)
    }
    expect((await deploy(cwd, url, ['most.json', '--yes'])).code).toBe(0)
    expect((await deploy(cwd, url, ['none.json', '--yes', '--delete', '4'])).code).toBe(0)
    expect(await namesOf(registry)).toEqual([])
    expect((await deploy(cwd, url, ['one.json', '--yes', '--delete', 'all'])).code).toBe(2)
  })

  it('prints an undo that works as it is printed, also of the first deploy', async () => {
    const registry = new CommandRegistry()
    const url = await serving(registry)
    const { cwd, out } = await deployHello(url)
    const [, undo = ''] = /Undo: commandry (.*)/.exec(out) ?? []
    expect(undo).toMatch(/ --delete 1$/)
    expect(await call(undo.split(' '), { cwd, ask: async () => 'y' })).toMatchObject(ending(0, '1 deleted'))
    expect(await namesOf(registry)).toEqual([])
  })

  it('saves a file that plan can compare with', async ({ url }) => {
    const cwd = await directoryOf({ 'a.json': [...before.slice(1), hello], 'old.json': [hello] })
    const { out } = await deploy(cwd, url, ['a.json', '--yes', '--allow-loss'])
    const [, saved = ''] = /^Saved the 5 deployed commands: (.*)$/m.exec(out) ?? []
    const planned = await call(['plan', 'a.json', '--against', saved], { cwd })
    expect(planned).toMatchObject(ending(0, `→ global commands of ${app} in ${saved}`))
    expect(planned.out).toMatch(/1 to create, 1 to delete, 4 unchanged/)
    expect(planned.out).toContain(
      'Creates left today and permissions that would be lost: unknown from a list.',
    )
    // A list without ids, such as one of an earlier commit.
    const older = await call(['plan', 'a.json', '--against', 'old.json', '--application', app], { cwd })
    expect(older).toMatchObject(ending(0, '4 to create, 1 unchanged'))
  })

  it('fails when the service answers with something else than was sent, by the comparison of the plan', async () => {
    const made = { id: '11', application_id: app, version: '1', type: 1, ...hello }
    for (const [answer, message] of [
      [[], '/hello   is not there'],
      [[{ ...made, description: 'Other' }], 'description  "Other" → '],
      [[made, { ...made, id: '12', name: 'more' }], '/more   is there, and no file defines it'],
    ] as const) {
      const url = await withoutCommands((_, response) => void response.end(JSON.stringify(answer)))
      const { code, out } = await deployHello(url)
      expect([code, out]).toEqual([1, expect.stringContaining(message)])
      expect(out).toContain('✗ The deployed commands are not as defined:')
      expect(out).not.toContain('✓')
    }
  })

  it('deletes nothing while a file of the folder is not understood, unless the number is given', async ({
    registry,
    url,
  }) => {
    const others = { 'c/b.json': { title: 'remind' }, 'c/c.yaml': 'name: remind', 'c/d.mjs': 'export {}' }
    for (const [name, content] of Object.entries(others)) {
      const cwd = await directoryOf({ 'c/a.json': before.slice(1), [name]: content })
      const { code, err } = await deploy(cwd, url, ['c', '--yes', '--allow-loss'])
      expect([code, err]).toEqual([2, expect.stringContaining(`skipped, as they hold no command: ${name}`)])
      expect(err).toContain(
        '1 of 5 deployed commands would be deleted, and 1 file that may define them was skipped; repair or move it, or add --delete 1 to accept that',
      )
    }
    const misspelt = { 'c/a.json': before.slice(1), 'c/b.json': { nmae: 'remind', description: 'd' } }
    const ended = await deploy(await directoryOf(misspelt), url, ['c', '--yes', '--delete', '1'])
    expect(ended).toMatchObject(ending(1, 'name: is missing'))
    expect(await namesOf(registry)).toHaveLength(5)
    const cwd = await directoryOf({ 'c/a.json': before.slice(1), ...others })
    expect((await deploy(cwd, url, ['c', '--yes', '--allow-loss', '--delete', '1'])).code).toBe(0)
    const kept = await directoryOf({ 'c/a.json': before.slice(1), ...others })
    expect((await deploy(kept, url, ['c', '--yes'])).code).toBe(0)
  })

  it('refuses a folder without commands', async ({ registry, url }) => {
    const cwd = await directoryOf({ 'commands/index.mjs': 'export default () => []' })
    const ended = await deploy(cwd, url, ['commands', '--yes', '--delete', '5'])
    expect(ended).toMatchObject(ending(1, 'no command found in 1 file'))
    expect(await namesOf(registry)).toHaveLength(5)
  })

  it('writes nothing when definitions are invalid, and prints the problems', async ({ registry, url }) => {
    const names = await namesOf(registry)
    const cwd = await directoryOf({ 'bad.json': [{ ...hello, name: 'Bad' }] })
    const { code, out, err } = await deploy(cwd, url, ['bad.json', '--yes'])
    expect([code, err]).toEqual([1, 'Nothing was written.\n'])
    expect(out).toMatch(/^bad\.json\n +1:10 {2}error {4}\/Bad, name: /)
    expect(await namesOf(registry)).toEqual(names)
  })

  it('shows a refusal of the service at its lines, and prints that nothing was written', async () => {
    const url = await withoutCommands((_, response) => {
      const errors = { 0: { name: { _errors: [{ code: 'TABOO', message: 'Not this name' }] } } }
      response.writeHead(400).end(JSON.stringify({ code: 50035, message: 'Invalid Form Body', errors }))
    })
    const { code, out, err } = await deployHello(url)
    expect(code).toBe(1)
    expect(out).toMatch(/1:10 {2}error {4}\/hello, name: "hello" Not this name {2}TABOO/)
    expect(err).toBe(
      `commandry deploy: ${url}/api/v10: responds with 400 "Invalid Form Body"\nNothing was written.\n`,
    )
  })

  it.each([
    ['a timeout of a proxy', 408, {}, '', 'responds with 408', false],
    ['a proxy that was left', 499, {}, '', 'responds with 499', false],
    ['a success without commands', 200, {}, '{}', 'returns an object instead of a list of commands', false],
    [
      'a long rate limit',
      429,
      { 'retry-after': '90' },
      '{}',
      'responds with 429; try again in 90 seconds',
      true,
    ],
    [
      'a JSON rate limit',
      429,
      {},
      '{"retry_after":60.4}',
      'responds with 429; try again in 61 seconds',
      true,
    ],
  ] as const)(
    'says after %s whether the commands were written',
    async (_, status, headers, body, message, isRefused) => {
      const url = await withoutCommands((_, response) => response.writeHead(status, headers).end(body))
      const { code, err, cwd } = await deployHello(url)
      const [saved] = (await readdir(cwd)).filter((file) => file !== 'a.json')
      const uncertain = `The commands may have been written; run the plan again; the commands from before are in ${saved}.`
      const written = isRefused ? 'Nothing was written.' : uncertain
      expect([code, err]).toEqual([1, `commandry deploy: ${url}/api/v10: ${message}\n${written}\n`])
    },
  )

  it('waits for a short rate limit, and then deploys', async () => {
    let writes = 0
    const url = await withoutCommands((_, response) =>
      ++writes < 3
        ? response.writeHead(429).end('{"retry_after":0.05}')
        : response.end(JSON.stringify([{ ...hello, id: '1', version: '1' }])),
    )
    expect(await deployHello(url)).toMatchObject(ending(0, '1 created'))
    expect(writes).toBe(3)
  })

  it('says when it is interrupted that the commands may have been written', async () => {
    const cwd = await directoryOf({ 'a.json': [hello] })
    let interrupt = () => {}
    const url = await withoutCommands(() => interrupt())
    const called = deploy(cwd, url, ['a.json', '--yes'])
    interrupt = called.interrupt
    expect(await called).toMatchObject(
      failing(1, /may have been written; .* are in 1001-global-.*\.json\.\n$/),
    )
  })

  it('[5-03] shows errors of the service without its escape codes, its length and the token', async () => {
    const url = await withoutCommands((request, response) => {
      const message = `\u001b[2J${request.headers.authorization}${'x'.repeat(10_000)}`
      const errors = { 0: { '\u001b[1m': { _errors: [{ code: '\u001b[31mGEHEIM geheim', message }] } } }
      response.writeHead(400).end(JSON.stringify({ code: 50035, message, errors }))
    })
    const { out, err } = await deployHello(url, ['--yes'], { env: { COMMANDRY_TOKEN: 'geheim' } })
    expect(out).toContain('\\u001b[2JBot')
    expect(out).toContain('\\u001b[31mGEHEIM ***')
    expect(out + err).not.toMatch(/\u001b|geheim|x{300}/)
  })

  it('stops when the deployed commands change after the plan', async () => {
    const registry = new CommandRegistry()
    const url = await serving(registry)
    const { code, err } = await deployHello(url, [], {
      async ask() {
        await registry.upsert(everywhere, { name: 'other', description: 'b' })
        return 'y'
      },
    })
    expect([code, err]).toEqual([1, expect.stringContaining('have changed since the plan was made')])
    expect(await namesOf(registry)).toEqual(['other'])
  })

  it('stops when more permissions would be lost than in the plan', async ({
    registry,
    url,
    filled: { ban },
  }) => {
    const cwd = await directoryOf({ 'commands.json': after })
    const was = await registry.list(everywhere)
    const { code, err } = await deploy(cwd, url, ['commands.json', '--permissions-in', guild], {
      async ask() {
        await registry.setPermissions(app, guild, ban, [role('99', true)])
        return app
      },
    })
    expect([code, err]).toEqual([1, expect.stringContaining('permissions have changed since the plan was')])
    expect(await registry.list(everywhere)).toEqual(was)
  })

  it('[4.2-06] deploys the commands of one server', async () => {
    const registry = new CommandRegistry()
    const { code, out } = await deployHello(await serving(registry), ['--guild', guild, '--yes'])
    expect(code).toBe(0)
    expect(out).toMatch(/Saved the 0 deployed commands: 1001-2001-\d{8}T\d{4}\.json/)
    expect(await namesOf(registry, guildScope(app, guild))).toEqual(['hello'])
    expect(await namesOf(registry)).toEqual([])
  })

  it('[5-03] takes the token from the environment only, and never shows it', async () => {
    const seen: (string | undefined)[] = []
    const url = await listening((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(401).end('{"message":"401: Unauthorized","code":0}')
    })
    const { code, out, err } = await deployHello(url, [], { env: { COMMANDRY_TOKEN: 'geheim' } })
    expect([code, seen[0]]).toEqual([1, 'Bot geheim'])
    expect(out + err).not.toContain('geheim')
    expect((await deployHello(url, ['--token', 'geheim'])).code).toBe(2)
  })

  it('[4.1-06] [4.1-07] makes exactly the changes of the plan', async () => {
    const sets = inDefaultOrder(commandSet({ maxCommands: 8 }))
    await forAnyAsync([sets, sets, fc.nat()], 12, async (first, second, pick) => {
      const registry = new CommandRegistry()
      const was = await registry.overwrite(everywhere, first)
      const lucky = was[pick % Math.max(1, was.length)]
      if (lucky !== undefined) await registry.setPermissions(app, guild, lucky.id, [role('5001', true)])
      const url = await serving(registry)
      const cwd = await directoryOf({ 'set.json': JSON.stringify(second) })
      const args = ['set.json', '--permissions-in', guild]
      const planned = await run([...args, '--against', url, '--application', app, '--format=json'], cwd)
      const { ok, plan } = JSON.parse(planned.out)
      const deletes = plan === null ? [] : ['--delete', String(plan.deletes.length)]
      const deployed = await deploy(cwd, url, [...args, ...deletes, '--yes', '--allow-loss'])
      if (!ok) {
        expect(deployed.code).toBe(planned.code)
        expect(await registry.list(everywhere)).toEqual(was)
        return
      }
      expect(deployed.code).toBe(0)

      expectPlanned(plan, was, await registry.list(everywhere))
      const left = await registry.listPermissions(app, guild)
      expect(plan.permissionsLost.length).toBe((lucky === undefined ? 0 : 1) - left.length)
    })
  })
})
