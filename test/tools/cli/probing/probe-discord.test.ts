import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ending, failing } from '../program.ts'
import { able, answer, cut, discord, TOKEN, type Fate, withoutVersions } from './discord.ts'
import { expectRepeated, expectResumed, furnished, unseen } from './failing-runs.ts'
import { rows, seenIn } from './plant.ts'

describe('before it writes', () => {
  it.each([
    ['another answer', async () => '1002', 'Nothing was sent.\n'],
    ['no terminal', async () => null, 'Nothing was sent: there is no terminal to ask in; add --yes.\n'],
  ])('commandry vectors --against discord sends nothing after %s', async (_, ask, err) => {
    const { run, sent } = await discord()
    const ended = await run([], { ask })
    expect(ended).toEqual({ code: 1, out: expect.stringContaining('This asks Discord'), err })
    expect(sent).toEqual([])
  })

  it('commandry vectors --against discord asks for the application, and says what it will do', async () => {
    const { run, bed } = await discord()
    let question = ''
    const { out } = await run([], { ask: async (text) => ((question = text), bed.applicationId) })
    expect(question).toBe('Type the application id to continue: ')
    const plan = /about (\d+) requests, in (\d+) minutes.*\n- about (\d+) of the 200 commands/.exec(out)!
    const [requests, minutes, creates] = plan.slice(1).map(Number)
    const made = /^(\d+) requests; /m.exec(out)!
    expect(Math.abs(Number(made[1]) - requests!)).toBeLessThan(25)
    expect(minutes).toBeLessThanOrEqual(5)
    const { scopes } = await bed.registry.snapshot(bed.applicationId)
    const created = scopes.reduce((sum, scope) => sum + scope.creates.count, 0)
    expect(Math.abs(created - creates!)).toBeLessThan(25)
  })

  it('commandry vectors treats an address of another machine as Discord', async () => {
    const { run, sent } = await discord()
    const ended = await run(['--against', 'https://discord.com/api/v10'], { ask: async () => 'no' })
    expect(ended).toMatchObject(failing(1, 'Nothing was sent.'))
    expect(sent).toEqual([])
  })

  it('commandry vectors --against discord needs a server, and a file that is new', async () => {
    const { run, cwd, sent } = await discord()
    const ended = await run(['--out', '.'])
    expect(ended).toMatchObject(
      failing(2, '. exists: go on with --resume ., or name another file with --out'),
    )
    expect(await run(['--resume', 'no.json'])).toMatchObject(failing(1, 'no.json'))
    expect([sent, readdirSync(cwd)]).toEqual([[], []])
  })

  it.each([
    [
      'a wrong token',
      401,
      { message: '401: Unauthorized', code: 0 },
      /responds with 401.*the token is invalid/,
    ],
    [
      'a token of another application',
      200,
      { id: '7', flags: 0 },
      /the token is not that of application \d+\n/,
    ],
    ['a server that it may not read', 403, { message: 'Missing Access', code: 50001 }, /responds with 403/],
  ])('commandry vectors --against discord writes nothing with %s', async (_, status, body, err) => {
    const isIt = (path: string) => (status === 403 ? path.includes('/guilds/') : path.endsWith('/@me'))
    const { run, sent, cwd } = await discord(able, async ({ path }, pass) =>
      isIt(path) ? answer(status, body) : pass(),
    )
    expect(await run()).toMatchObject(failing(1, err))
    expect(sent.every(({ method }) => method === 'GET')).toBe(true)
    expect(readdirSync(cwd)).toEqual([])
  })

  it('commandry vectors --against discord ends at once where there are commands', async () => {
    const { run, sent } = await furnished()
    const ended = await run()
    expect(ended).toMatchObject(
      failing(2, 'the application has 1 command; use one without, or add --replace'),
    )
    expect(sent.every(({ method }) => method === 'GET')).toBe(true)
  })
})

it('commandry vectors --against discord refuses an application with many commands', async () => {
  const menus = Array.from({ length: 6 }, (_, i) => ({ type: 2, name: `Menu ${i}` }))
  const { run, sent } = await discord({ ...able, flags: 0, commands: menus })
  const ended = await run(['--replace'])
  expect(ended).toMatchObject(
    failing(2, 'the application has more than 25 commands or 5 menus; use another one'),
  )
  expect(sent.every(({ method }) => method === 'GET')).toBe(true)
})

describe('after it', () => {
  it('commandry vectors --against discord --replace leaves commands, ids, versions and permissions', async () => {
    const { run, state, cwd } = await furnished()
    const before = await state()
    const { code, out } = await run(['--replace', '--yes'], { ask: async () => null })
    expect([code, await state()]).toEqual([0, before])
    expect(out).toContain('The commands are as before, and the channel is deleted.')
    const backups = readdirSync(cwd).filter((name) => name !== 'verified.json')
    expect(backups).toHaveLength(2)
    for (const name of backups) expect(readFileSync(`${cwd}/${name}`, 'utf8')).toContain('"ping"')
  })

  it('commandry vectors --against discord writes neither the token, nor ids, nor who is there', async () => {
    const member = { user: { id: '300000000000000001', username: 'ada' }, nick: 'addie', roles: [] }
    const secret: Fate = async ({ path }, pass) => {
      const response = path.endsWith('/members?limit=1') ? answer(200, [member]) : await pass()
      const { status } = response
      return status < 400 ? response : answer(status, { ...(await response.json()), hint: `Bot ${TOKEN}` })
    }
    const { run, cwd, sent } = await discord(able, secret)
    const { out, err } = await run()
    const file = readFileSync(`${cwd}/verified.json`, 'utf8')
    expect(sent[0]!.headers.authorization).toBe(`Bot ${TOKEN}`)
    for (const text of [out, err, file]) expect(text).not.toContain(TOKEN)
    expect(file).not.toMatch(/"\d{17,19}"|ada|addie/)
    expect(file).toContain('"roles": []')
  })

  it('commandry vectors --against discord can be run again', async () => {
    const { run, state } = await discord()
    const before = withoutVersions(await state())
    expect(await run()).toMatchObject({ code: 0 })
    expect(await run(['--out', 'second.json'])).toMatchObject({ code: 0 })
    expect(withoutVersions(await state())).toEqual(before)
  })

  it('commandry vectors --against discord says what came, and what it means', async () => {
    const { run } = await discord(able, async ({ path }, pass) =>
      !path.includes('/bans/') ? pass() : answer(404, { message: 'No', code: 7 }),
    )
    const otherwise = /^7-01 {8}otherwise {5}an unknown ban: 404, 7 "No"; then another code$/m
    expect(await run()).toMatchObject(ending(1, otherwise))
  })
})

describe('what a bot may not do', () => {
  it('commandry vectors --against discord does not observe messages without MANAGE_CHANNELS', async () => {
    const { run, cwd, state } = await discord({ ...able, bot: { roles: ['Reader'] } })
    const before = withoutVersions(await state())
    expect(await run()).toMatchObject({ code: 0 })
    const lines = unseen(cwd)
    expect(
      lines.filter((line) => line.includes(': creating a channel responds with 403')).length,
    ).toBeGreaterThan(20)
    expect(lines).toContainEqual(expect.stringMatching(/^@everyone cannot be given: 403, 50013/))
    expect(lines).toContainEqual(
      expect.stringMatching(/^only an administrator .*: the bot is an administrator, or lacks/),
    )
    expect(withoutVersions(await state())).toEqual(before)
  })

  it('commandry vectors --against discord asks only what the application can show', async () => {
    const { run, cwd } = await discord({})
    expect(await run()).toMatchObject({ code: 0 })
    const reasons = new Set(unseen(cwd).map((line) => line.replace(/^.*?: /, '')))
    expect([...reasons].sort()).toEqual([
      'the application has the intent GUILD_MEMBERS',
      'the application lacks an Activity',
      'the bot is an administrator, or lacks MANAGE_CHANNELS or MANAGE_ROLES',
    ])
  })
})

describe('failures', () => {
  it.each(['cut connections', 'rate limits'] as const)(
    'commandry vectors --against discord asks again after %s',
    (kind) => expectRepeated(kind),
  )

  it('commandry vectors --against discord waits before a route has nothing left', async () => {
    const times: number[] = []
    const { run } = await discord(able, async ({ method, path }, pass) => {
      if (method !== 'POST' || !path.endsWith('/guilds/2001/commands')) return pass()
      times.push(performance.now())
      const { status, body } = await pass()
      const limits = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '0.03' }
      return new Response(body, { status, headers: times.length === 1 ? limits : {} })
    })
    expect(await run()).toMatchObject({ code: 0 })
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(29)
  })

  it.each(['the creates of the day', 'a connection that is gone'] as const)(
    'commandry vectors --against discord stops after %s, and goes on later',
    (kind) => expectResumed(kind),
  )

  it('commandry vectors --against discord names what it could not restore', async () => {
    const { run } = await furnished(async ({ method }, pass, index) =>
      index > 60 && (method === 'PUT' || method === 'DELETE')
        ? answer(403, { message: 'No', code: 7 })
        : pass(),
    )
    const { code, err } = await run(['--replace'])
    expect(code).toBe(1)
    expect(err).toMatch(/^Not as before: the global commands: the overwrite responds with 403$/m)
    expect(err).toMatch(/^Not as before: a channel named commandry-\w+: deleting responds with 403$/m)
    expect(err).toContain('--resume verified.json')
  })

  it('commandry vectors --against discord refuses to resume the run of another server', async () => {
    const { run, bed } = await furnished(async (_, pass, index) => (index > 30 ? cut() : pass()))
    await run(['--replace'])
    const { applicationId } = bed
    const ended = await run(['--resume', 'verified.json', '--guild', '2002'])
    expect(ended).toMatchObject(failing(2, `verified.json is of application ${applicationId} in server 2001`))
  })
})

describe('an interruption', () => {
  // The first requests, some of the probes, and the last ones.
  it.each([0, 7, 130])('at request %i leaves everything as it was', async (at) => {
    let interrupt = () => {}
    const { run, state, cwd } = await furnished(async (_, pass, index) => {
      if (index === at) interrupt()
      return pass()
    })
    const before = await state()
    const called = run(['--replace'])
    interrupt = called.interrupt
    onTestFinished(() => called.interrupt())
    expect(await called).toMatchObject(failing(1, 'interrupted'))
    expect(await state()).toEqual(before)
    if (at < 6) return
    expect(await run(['--resume', 'verified.json', '--replace'])).toMatchObject({ code: 0 })
    expect(await state()).toEqual(before)
    expect(seenIn(cwd)).toHaveLength(rows.length)
  })
})
