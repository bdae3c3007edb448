/** What a run of `fuzz` uses, restores and reports. */
import { expect, it, vi } from 'vitest'
import { ApplicationFlag, guildScope } from 'commandry'
import { fuzz, type FuzzReport } from 'commandry/fuzz'
import { testbed } from 'commandry/testbed'
import { thisProcess } from '../../../src/testing/fuzz/this-process.ts'
import { fuzzEndpoint, long, option, ping, row, short, withEndpoint } from './bot.ts'

const headers = { authorization: 'Bot x', 'content-type': 'application/json' }
const commandsOf = (...commands: readonly object[]) =>
  commands.map((more, at) => ({ ...ping, name: `c${at}`, ...more })) as never[]
const never = new Promise<never>(() => {})
/** For silences that real time decides. */
const brief = { timeout: 1_000 }

/** A bot in another process, whose errors a test reports. */
function otherBot(more: object = {}) {
  let listener: (error: string) => void = () => {}
  const watch = (report: typeof listener) => ((listener = report), () => {})
  return { bot: { watch, ...more }, report: (error: string) => listener(error) }
}

/** Sends JSON to the service, as a bot does. */
const send = (rest: string, method: string, path: string, body: object) =>
  fetch(`${rest}/v10${path}`, { method, headers, body: JSON.stringify(body) })
const webhookOf = ({ application_id, token }: any) => `/webhooks/${application_id}/${token}`
const edit = (rest: string, use: any, body: object) =>
  send(rest, 'PATCH', `${webhookOf(use)}/messages/@original`, body)
const choices = (...names: readonly string[]) => ({
  ...{ type: 8, data: { choices: names.map((name) => ({ name, value: name })) } },
})

interface Turn {
  readonly use: any
  readonly values: { readonly [option: string]: any }
  readonly rest: string
  readonly isFaulty: boolean
}

const page = option(3, 'page', { autocomplete: true, required: true, max_length: 20 })
const lengths = option(3, 'kind', { choices: ['short', 'long'].map((name) => ({ name, value: name })) })
const more = { content: 'More', components: row({ type: 2, style: 1, label: 'More', custom_id: 'more' }) }

/** Each fault with a command, a bot that may have the fault, and the failure. */
const faults: readonly (readonly [string, object, (turn: Turn) => object | Promise<object>, object])[] = [
  [
    'does not answer without an optional option',
    { options: [option(6, 'user', { required: true }), option(3, 'reason')] },
    ({ isFaulty, values }) => (isFaulty && values.reason === undefined ? never : short),
    { code: 'no_answer', line: '/c0 user:@ada', step: 'use' },
  ],
  [
    'takes what a person types for a pattern',
    { options: [page] },
    ({ isFaulty, use, values }) => {
      if (use.type === 4) return isFaulty && values.page.includes('(') ? never : choices('start')
      return short
    },
    { code: 'no_answer', line: '/c0 page:(', step: 'suggestions of page' },
  ],
  [
    'suggests more than 25 values',
    { options: [page] },
    ({ isFaulty, use }) =>
      use.type === 4 ? choices(...Array.from({ length: isFaulty ? 26 : 25 }, (_, at) => `p${at}`)) : short,
    { code: 'bad_suggestion', line: '/c0 page:a' },
  ],
  [
    'suggests a value that its own option refuses',
    { options: [page] },
    ({ isFaulty, use }) => (use.type === 4 ? choices('start', 'x'.repeat(isFaulty ? 21 : 20)) : short),
    {
      code: 'bad_suggestion',
      line: '/c0 page:a',
      message: expect.stringContaining('which page refuses: '),
    },
  ],
  [
    'never edits a deferred answer',
    { options: [lengths] },
    ({ isFaulty, use, values, rest }) => {
      if (!isFaulty || values.kind !== 'long') setTimeout(() => void edit(rest, use, { content: 'done' }), 1)
      return { type: 5 }
    },
    { code: 'never_edited', line: '/c0 kind:long', test: expect.stringContaining('await shown.edited()') },
  ],
  [
    'is refused an edit of a deferred answer',
    {},
    ({ isFaulty, use, rest }) => {
      const content = 'x'.repeat(isFaulty ? 2_001 : 2_000)
      setTimeout(() => void edit(rest, use, { content }), 1)
      return { type: 5 }
    },
    { code: 'refused_answer', message: expect.stringContaining('the service refused a PATCH of the bot: ') },
  ],
  [
    'fails beside its answer',
    { type: 2, name: 'Greet', description: '' },
    ({ isFaulty }) => {
      if (isFaulty) void Promise.reject(new Error('no such table'))
      return short
    },
    { code: 'crashed', line: 'Greet', message: expect.stringContaining('no such table') },
  ],
  [
    'does not answer the button of a follow-up',
    {},
    ({ isFaulty, use, rest }) => {
      if (use.type === 3) return isFaulty ? never : { type: 7, data: { content: 'Changed', components: [] } }
      // The testbed may be closed before this.
      setTimeout(() => send(rest, 'POST', webhookOf(use), more).catch(() => {}), 1)
      return short
    },
    { code: 'no_answer', step: 'press More of a follow-up' },
  ],
  [
    'repeats the mention of everyone',
    { options: [option(3, 'text', { required: true })] },
    ({ isFaulty, values }) => {
      const allowed = isFaulty ? {} : { allowed_mentions: { parse: [] } }
      return { type: 4, data: { content: `${values.text.slice(0, 1_900)}.`, ...allowed } }
    },
    {
      ...{ code: 'mentions_everyone', line: '/c0 text:@everyone' },
      message: expect.stringMatching('^the answer repeats @everyone and notifies all of them; set allowed'),
      test: expect.stringContaining('toMatchObject({ mention_everyone: false, mention_roles: [] })'),
    },
  ],
]

it.each(faults)(
  'finds a bot that %s, and nothing in the same bot without it',
  async (_, command, answer, failure) => {
    for (const isFaulty of [true, false]) {
      const turn = (use: any, rest: string) => {
        const values = (use.data.options ?? []).map(({ name, value }: any) => [name, value])
        return answer({ use, rest, isFaulty, values: Object.fromEntries(values) })
      }
      const more = { commands: commandsOf(command), timeout: isFaulty ? 200 : 3_000 }
      const report = await fuzzEndpoint(turn, { runs: 30, patience: isFaulty ? 300 : 3_000 }, more)
      if (isFaulty)
        expect(report.failures).toContainEqual(expect.objectContaining({ repeated: true, ...failure }))
      else expect(report).toMatchObject({ ok: true, failures: [] })
    }
  },
)

it('moves the clock with that of the system, as bots leave interactions alone that look old', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 })
  const endpoint = async (request: Request) => {
    const created = Number(BigInt((await request.json()).id) >> 22n) + 1_420_070_400_000
    return Date.now() - created < 3_000 ? Response.json(short) : new Response(null, { status: 401 })
  }
  await using bed = await testbed({ commands: [ping] as never[], endpoint })
  vi.useRealTimers()
  expect((await fuzz(bed, { runs: 3 })).failures).toEqual([])
})

it('reports an error that several uses of a command have once', async () => {
  const { bot, report } = otherBot()
  const answer = ({ data }: any) => {
    if (/^[("]$/.test(data.options?.[0].value)) report('TypeError')
    return short
  }
  const commands = commandsOf({ options: [option(3, 'text')] })
  const { failures } = await fuzzEndpoint(answer, { bot, runs: 30 }, { commands })
  expect(failures).toMatchObject([{ code: 'crashed', line: '/c0 text:(', message: 'TypeError' }])
})

it('waits no longer for the edit of a bot that has failed', async () => {
  const { bot, report } = otherBot()
  const answer = () => {
    setTimeout(() => report('TypeError'), 20)
    return { type: 5 }
  }
  const { failures } = await fuzzEndpoint(answer, { bot, runs: 1, patience: 2 ** 31 - 1 })
  expect(failures).toMatchObject([{ code: 'crashed', message: 'TypeError' }])
})

it('repeats with a fresh bot what earlier uses hide, such as a cooldown', async () => {
  let isCooling = false
  const restart = async (isFresh: boolean) => void (isCooling &&= !isFresh)
  const answer = () => (isCooling ? short : ((isCooling = true), long))
  const { bot } = otherBot({ restart })
  const { failures } = await fuzzEndpoint(answer, { bot })
  expect(failures).toMatchObject([{ code: 'refused_answer', line: '/ping', repeated: true }])
})

it('brings back the commands that a bot deletes, and starts the bot again', async () => {
  const restarts: boolean[] = []
  const { bot } = otherBot({ restart: async (isFresh: boolean) => void restarts.push(isFresh) })
  const deleteAll = async ({ application_id }: any, rest: string) => {
    const deleted = await send(rest, 'PUT', `/applications/${application_id}/commands`, [])
    expect(deleted.status).toBe(200)
    return short
  }
  const report = await fuzzEndpoint(deleteAll, { bot }, { commands: commandsOf({}, {}) })
  expect(report).toMatchObject({ uses: 6, failures: [] })
  for (const { median_ms } of report.commands) expect(median_ms).not.toBeNull()
  expect(restarts).toEqual([true, true, true, true, true])
})

it('does not blame a use for the second answer to an earlier one, which arrives late', async () => {
  const statuses: number[] = []
  let earlier: any
  const answer = async (interaction: any, rest: string) => {
    const path = earlier && `/interactions/${earlier.id}/${earlier.token}/callback`
    if (path) statuses.push((await send(rest, 'POST', path, short)).status)
    earlier = interaction
    return short
  }
  const { failures } = await fuzzEndpoint(answer)
  expect([failures, new Set(statuses)]).toEqual([[], new Set([400])])
})

it('uses an entry point that the app answers, until it is hopeless', async () => {
  const launch = [{ type: 4, name: 'launch', description: '', handler: 1 }] as never[]
  const more = { commands: launch, flags: ApplicationFlag.EMBEDDED }
  const { failures, uses } = await fuzzEndpoint(() => long, { runs: 12 }, more)
  expect([uses, failures]).toEqual([10, [expect.objectContaining({ command: 'launch', line: 'launch' })]])
  expect(failures[0]!.test).toContain('.launch()')
})

it('refuses a bot without commands and unknown names, and ends after its time', async () => {
  await expect(fuzzEndpoint(() => short, {}, { commands: [] })).rejects.toThrow('deployed no commands')
  await expect(fuzzEndpoint(() => short, { only: ['/x'] })).rejects.toThrow('no command "/x"; it has /ping')
  await expect(fuzzEndpoint(() => short, { only: ['/ping,/pong'] })).rejects.toThrow(
    '"/ping,/pong"; it has /ping; name each command on its own: --only /a --only /b',
  )
  const late = await fuzzEndpoint(() => short, { time: 0 })
  expect(late).toMatchObject({
    ...{ ok: false, uses: 0, commands: [{ available: true }] },
    not_seen: [{ kind: 'command', name: '/ping', reason: 'the run ended before it' }, { kind: 'signature' }],
  })
  const elsewhere = await fuzzEndpoint(() => short, {}, { commands: commandsOf({ contexts: [2] }) })
  expect(elsewhere).toMatchObject({ uses: 0, commands: [{ available: false }] })
})

it('gives people and channels before each use what they had at first', async () => {
  const seen = new Set<string>()
  let uses = 0
  const answer = async ({ member, channel }: any, rest: string) => {
    const { user, nick, roles, communication_disabled_until: until } = member
    const { name, rate_limit_per_user: pause = 0 } = channel
    seen.add(JSON.stringify([user.username, nick, roles, until, name, pause]))
    const change = async (method: string, path: string, body: object) => {
      expect((await send(rest, method, path, body)).ok).toBe(true)
    }
    if (++uses % 2 === 0) {
      await change('PUT', `/guilds/100000000000002001/bans/${user.id}`, {})
      await change('DELETE', `/channels/${channel.id}`, {})
      return short
    }
    const later = new Date(Date.now() + 60_000).toISOString()
    for (const body of [
      { nick: 'x' },
      { roles: ['100000000000005001'] },
      { communication_disabled_until: later },
    ])
      await change('PATCH', `/guilds/100000000000002001/members/${user.id}`, body)
    const locked = [{ id: '100000000000002001', type: 0, allow: '0', deny: String(2 ** 31) }]
    for (const body of [{ rate_limit_per_user: 5 }, { permission_overwrites: locked }])
      await change('PATCH', `/channels/${channel.id}`, body)
    return short
  }
  const report = await fuzzEndpoint(answer, { runs: 40 }, { commands: commandsOf({ contexts: [0] }) })
  expect(report).toMatchObject({ ok: true, uses: 40 })
  const people = [['ada'], ['alan', '100000000000005002'], ['grace', '100000000000005001']]
  const first = people.flatMap(([name, ...roles]) =>
    ['general', 'nsfw', 'staff'].map((channel) => JSON.stringify([name, null, roles, null, channel, 0])),
  )
  expect([...seen].sort()).toEqual(first)
})

it('uses a command only as people and in places that have it, of the server too, and an Activity not at all', async () => {
  const uses: any[] = []
  const answer = (use: any) => (uses.push(use), short)
  const commands = commandsOf({ default_member_permissions: '8', contexts: [0] }, { contexts: [1] })
  const report = await withEndpoint(answer, { commands, flags: 131_072 }, async (bed) => {
    await bed.registry.upsert(guildScope(bed.applicationId, '100000000000002001'), { ...ping, name: 'here' })
    return fuzz(bed, { runs: 14 })
  })
  const of = (name: string) => uses.filter(({ data }) => data.name === name)
  expect(new Set(of('c0').map(({ member }) => member.user.username))).toEqual(new Set(['alan']))
  expect(new Set(of('c1').map(({ guild_id }) => guild_id))).toEqual(new Set([undefined]))
  expect(new Set(of('here').map(({ guild_id }) => guild_id))).toEqual(new Set(['100000000000002001']))
  expect(report.commands).toMatchObject(['/c0', '/c1', '/here'].map((command) => ({ command, uses: 14 })))
})

it('uses the named commands and subcommands, and tells how far it is', async () => {
  const sub = (name: string) => option(1, name)
  const my = option(2, 'my', { options: [sub('list')] })
  const commands = commandsOf({ name: 'note', options: [sub('add'), my] }, {})
  const progress: unknown[] = []
  const run = (...only: readonly string[]) =>
    fuzzEndpoint(() => short, { runs: 2, only, onProgress: (state) => progress.push(state) }, { commands })
  const used = async (...only: readonly string[]) =>
    (await run(...only)).commands.map(({ command }) => command)
  expect(await used('/note add', 'c1')).toEqual(['/note add', '/c1'])
  expect(progress).toEqual(
    [0, 1, 2, 3].map((uses) => ({ phase: 'uses', uses, failures: 0, commandsLeft: 2 })),
  )
  expect(await used('note')).toEqual(['/note add', '/note my list'])
  expect(await used('/note my')).toEqual(['/note my list'])
})

it('leaves a command after three uses in a row that end in the same silence, and goes on', async () => {
  let uses = 0
  const ended: string[] = []
  const onCommand = ({ command, uses, failures }: FuzzReport['commands'][number]) =>
    ended.push(`${command} ${uses} ${failures}`)
  // The first uses are answered, so that the command is not hopeless.
  const answer = ({ data }: any) => (data.name === 'c0' && ++uses > 2 ? never : short)
  const commands = commandsOf({}, {})
  const report = await fuzzEndpoint(answer, { runs: 12, onCommand }, { commands, timeout: 1_000 })
  expect(report.commands.map(({ command, uses }) => [command, uses])).toEqual([
    ['/c0', 5],
    ['/c1', 12],
  ])
  expect(ended).toEqual(['/c0 5 1', '/c1 12 0'])
})

it('does not leave a command whose uses are silent now and then', async () => {
  const answer = ({ member, user = member.user }: any) => (user.username === 'grace' ? never : short)
  const { commands } = await fuzzEndpoint(answer, { runs: 12 }, { timeout: 1_000 })
  expect(commands).toMatchObject([{ uses: 12 }])
})

it('reports what was found before its signal, also a fault that is being shortened', async () => {
  const end = new AbortController()
  let faults = 0
  const answer = ({ data }: any) => {
    if (data.name === 'c0') return short
    if (++faults === 2) end.abort()
    return faults === 1 ? long : never
  }
  const options = { runs: 12, signal: end.signal }
  const report = await fuzzEndpoint(answer, options, { commands: commandsOf({}, {}), timeout: 60_000 })
  expect(report).toMatchObject({ ok: false, failures: [{ code: 'refused_answer', command: '/c1' }] })
  expect(report.commands.map(({ failures }) => failures)).toEqual([0, 1])
  // Nothing is used after it.
  const before = AbortSignal.abort()
  expect(await fuzzEndpoint(answer, { signal: before })).toMatchObject({ ok: false, uses: 0, failures: [] })
})

it('uses what a bot suggests', async () => {
  const used = new Set<unknown>()
  const names = ['one', 'two', 'three']
  const answer = ({ type, data }: any) => {
    if (type === 4) return choices(...names)
    used.add(data.options?.[0].value)
    return short
  }
  const options = [option(3, 'page', { autocomplete: true, required: true })]
  await fuzzEndpoint(answer, { runs: 12 }, { commands: commandsOf({ options }) })
  expect([...used]).toEqual(expect.arrayContaining(names))
})

it('has the median and the longest time of the answers of a command, and waits for a slow one', async () => {
  let uses = 0
  const answer = () => new Promise<object>((resolve) => setTimeout(resolve, ++uses === 2 ? 600 : 0, short))
  const { commands, failures } = await fuzzEndpoint(answer, { runs: 4 })
  expect(failures).toEqual([])
  const { median_ms, slowest_ms } = commands[0]!
  expect(median_ms).toBeLessThan(slowest_ms!)
  expect(slowest_ms).toBeGreaterThanOrEqual(600)
})

it('warns of an answer that came too late once, with how often it was tried, and blames one that always does', async () => {
  let uses = 0
  const late = await fuzzEndpoint(() => (++uses === 2 ? never : short), {}, brief)
  expect(late).toMatchObject({
    ok: true,
    failures: [],
    warnings: [{ code: 'no_answer', command: '/ping', line: '/ping', step: 'use', failed: 1 }],
  })
  expect(late.warnings[0]!.of).toBeGreaterThan(1)
  const silent = await fuzzEndpoint(() => never, {}, brief)
  expect(silent).toMatchObject({ ok: false, failures: [{ code: 'no_answer', repeated: true }], warnings: [] })
})

it('tries a step that fails now and then no more than three times', async () => {
  let uses = 0
  const report = await fuzzEndpoint(() => (++uses % 5 === 1 ? never : short), { runs: 24 }, brief)
  expect(report.failures).toEqual([])
  const [warning] = report.warnings
  expect(warning!.failed).toBeGreaterThan(3)
  expect(warning!.of - warning!.failed).toBeLessThan(20)
})

it('says that a fault did not happen again, and keeps all its steps', async () => {
  let uses = 0
  const { failures } = await fuzzEndpoint(() => (++uses === 4 ? long : short), { runs: 5 })
  expect(failures).toMatchObject([{ code: 'refused_answer', repeated: false, line: '/ping', as: 'grace' }])
})

it.each([
  ['answers too late', never, 'no_answer'],
  ['never edits a deferred answer', { type: 5 }, 'never_edited'],
  ['fails', short, 'crashed'],
])('blames a bot that %s, but not after a request without a route', async (_, answer, code) => {
  for (const isMissing of [true, false]) {
    const { bot, report } = otherBot()
    const timeout = answer === never ? 300 : 3_000
    const turn = async (_use: unknown, rest: string) => {
      if (isMissing) await fetch(`${rest}/v10/channels/4001/followers?limit=1`, { headers })
      if (code === 'crashed') report('TypeError')
      return answer
    }
    const { failures, not_seen } = await fuzzEndpoint(turn, { runs: 2, patience: 50, bot }, { timeout })
    expect(failures.map((failure) => failure.code)).toEqual(isMissing ? [] : [code])
    const route = 'GET /channels/:channel/followers (2 times)'
    const routes = not_seen.filter(({ kind }) => kind === 'route').map(({ name }) => name)
    expect(routes).toEqual(isMissing ? [route] : [])
  }
})

it('ends when a bot does not start again', async () => {
  const { bot, report } = otherBot({ restart: () => Promise.reject(new Error('no')) })
  const found = await fuzzEndpoint(() => (report('TypeError'), short), { runs: 5, bot })
  expect(found).toMatchObject({ ok: false, uses: 1, failures: [{ code: 'crashed', message: 'TypeError' }] })
})

it('takes no offence at a mention that only one person sees', async () => {
  const quiet = (content: string) => ({ type: 4, data: { content, flags: 64 } })
  const answer = ({ data }: any) => quiet(`${data.options[0].value.slice(0, 99)}.`)
  const commands = commandsOf({ options: [option(3, 'text', { required: true })] })
  expect(await fuzzEndpoint(answer, { runs: 30 }, { commands })).toMatchObject({ failures: [] })
})

it('refuses unknown options, numbers that are not whole, and what is not a testbed', async () => {
  await using bed = await testbed({ commands: [ping] as never[], endpoint: () => Response.json(short) })
  const refused = (options: object) => expect(fuzz(bed, options)).rejects
  await refused({ rounds: 1 }).toThrow('fuzz: unknown option "rounds"')
  for (const name of ['runs', 'seed', 'time', 'patience'])
    for (const value of [-1, 0.5, '1'])
      await refused({ [name]: value }).toThrow(`${name}: expected a whole number from 0`)
  await expect(fuzz({} as never)).rejects.toThrow('bed: expected what testbed() returned')
})

it('reports errors of this process with their stack, or as they are, and brings its listeners back', () => {
  process.once('unhandledRejection', vi.fn())
  const before = process.rawListeners('unhandledRejection')
  const errors: string[] = []
  const end = thisProcess.watch((error) => errors.push(error))
  const error = new Error('no table')
  process.emit('unhandledRejection', error, Promise.resolve())
  process.emit('uncaughtException', Object.assign(new Error('short'), { stack: undefined }))
  process.emit('unhandledRejection', 5, Promise.resolve())
  end()
  expect(errors).toEqual([error.stack, 'short', '5'])
  // Also one that is called once.
  expect(process.rawListeners('unhandledRejection')).toEqual(before)
  process.removeListener('unhandledRejection', before.at(-1) as () => void)
})

it('counts no global command that only those have who installed the app', async () => {
  const own = { ...ping, integration_types: [1], contexts: [0, 1] }
  await withEndpoint(
    () => short,
    { commands: [own] as never[] },
    async (bed) => {
      await bed.registry.upsert(guildScope(bed.applicationId, bed.server.id), ping as never)
      expect((await fuzz(bed, { runs: 1 })).in_two_scopes).toEqual([])
    },
  )
})

it('says which global commands the server has too, and uses those of the server', async () => {
  const used: string[] = []
  const answer = ({ data }: any) => {
    used.push(data.guild_id ?? 'global')
    return short
  }
  await withEndpoint(answer, { commands: [ping, { ...ping, name: 'pong' }] as never[] }, async (bed) => {
    const server = guildScope(bed.applicationId, bed.server.id)
    await bed.registry.upsert(server, ping as never)
    const report = await fuzz(bed, { runs: 1 })
    expect(report.in_two_scopes).toEqual(['/ping'])
    expect(report.commands.map(({ command }) => command)).toEqual(['/pong', '/ping'])
    expect(used).toEqual(['global', bed.server.id])
  })
})
