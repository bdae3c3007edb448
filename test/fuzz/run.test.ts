/** What a run of `fuzz` uses, restores and reports. */
import { expect, it } from 'vitest'
import { fuzz } from 'commandry/fuzz'
import { testbed } from 'commandry/testbed'
import { fuzzEndpoint, long, option, ping, short, withEndpoint } from './bot.ts'
import { thisProcess } from '../../src/fuzz/player.ts'

const headers = { authorization: 'Bot x', 'content-type': 'application/json' }
const commandsOf = (...commands: readonly object[]) =>
  commands.map((more, at) => ({ ...ping, name: `c${at}`, ...more })) as never[]

it('gives people and channels before each use what they had at first', async () => {
  const seen = new Set<string>()
  const report = await fuzzEndpoint(
    async ({ member, channel }, rest) => {
      const { user, nick, roles, communication_disabled_until: until } = member
      seen.add(
        JSON.stringify([user.username, nick, roles, until, channel.name, channel.rate_limit_per_user ?? 0]),
      )
      const patch = (path: string, body: object) =>
        fetch(`${rest}/v10${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) })
      const until_ = new Date(Date.now() + 60_000).toISOString()
      for (const change of [{ nick: 'x' }, { roles: ['5002'] }, { communication_disabled_until: until_ }])
        await patch(`/guilds/2001/members/${user.id}`, change)
      const denied = [{ id: '2001', type: 0, allow: '0', deny: String(2 ** 31) }]
      await patch(`/channels/${channel.id}`, { rate_limit_per_user: 5 })
      await patch(`/channels/${channel.id}`, { permission_overwrites: denied })
      return short
    },
    { runs: 30 },
    { commands: commandsOf({ contexts: [0] }) },
  )
  expect(report).toMatchObject({ ok: true, uses: 30 })
  const people = [['ada'], ['alan', '5002'], ['grace', '5001']]
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
    const scope = { kind: 'guild', applicationId: bed.applicationId, guildId: '2001' } as const
    await bed.registry.upsert(scope as never, { ...ping, name: 'here' })
    await bed.registry.upsert(
      { kind: 'global', applicationId: bed.applicationId } as never,
      {
        ...{ type: 4, name: 'launch', handler: 2 },
      } as never,
    )
    return fuzz(bed, { runs: 14 })
  })
  const of = (name: string) => uses.filter(({ data }) => data.name === name)
  expect(new Set(of('c0').map(({ member }) => member.user.username))).toEqual(new Set(['alan']))
  expect(new Set(of('c1').map(({ guild_id }) => guild_id))).toEqual(new Set([undefined]))
  expect(new Set(of('here').map(({ guild_id }) => guild_id))).toEqual(new Set(['2001']))
  expect(report.commands.map(({ command, uses }) => [command, uses])).toEqual([
    ...[
      ['/c0', 14],
      ['/c1', 14],
      ['/here', 14],
    ],
  ])
})

it('uses the named commands and subcommands, and tells how far it is', async () => {
  const sub = (name: string) => option(1, name)
  const commands = commandsOf(
    { name: 'note', options: [sub('add'), option(2, 'my', { options: [sub('list')] })] },
    {},
  )
  const progress: unknown[] = []
  const run = (...only: readonly string[]) =>
    fuzzEndpoint(() => short, { runs: 2, only, onProgress: (state) => progress.push(state) }, { commands })
  const used = async (...only: readonly string[]) =>
    (await run(...only)).commands.map(({ command }) => command)
  expect(await used('/note add', 'c1')).toEqual(['/note add', '/c1'])
  expect(progress).toEqual([0, 1, 2, 3].map((uses) => ({ uses, failures: 0, commandsLeft: 2 })))
  expect(await used('note')).toEqual(['/note add', '/note my list'])
  expect(await used('/note my')).toEqual(['/note my list'])
})

it('uses what a bot suggests', async () => {
  const used = new Set<unknown>()
  const names = ['one', 'two', 'three']
  const answer = ({ type, data }: any) => {
    if (type === 4) return { type: 8, data: { choices: names.map((name) => ({ name, value: name })) } }
    used.add(data.options?.[0].value)
    return short
  }
  const options = [option(3, 'page', { autocomplete: true, required: true })]
  await fuzzEndpoint(answer, { runs: 12 }, { commands: commandsOf({ options }) })
  expect([...used]).toEqual(expect.arrayContaining(names))
})

it('has the median and the longest time of the answers of a command', async () => {
  let uses = 0
  const answer = () => new Promise<object>((resolve) => setTimeout(resolve, ++uses === 2 ? 150 : 0, short))
  const { commands } = await fuzzEndpoint(answer, { runs: 4 }, { timeout: 1_000 })
  const { median_ms, slowest_ms } = commands[0]!
  expect(median_ms).toBeLessThan(150)
  expect(slowest_ms).toBeGreaterThanOrEqual(150)
})

it('says that a fault did not happen again, and keeps all its steps', async () => {
  let uses = 0
  const report = await fuzzEndpoint(() => (++uses === 4 ? long : short), { runs: 5 })
  expect(report.failures).toMatchObject([
    { code: 'refused_answer', repeated: false, line: '/ping', as: 'grace' },
  ])
})

it.each([
  ['never edits a deferred answer', { type: 5 }, 'never_edited'],
  ['fails', short, 'crashed'],
])(
  'does not blame a bot that %s after a request without a route, but blames it without one',
  async (_, answer, code) => {
    for (const isMissing of [true, false]) {
      let report: (error: string) => void = () => {}
      const watch = (listener: typeof report) => ((report = listener), () => {})
      const reply = async (_use: unknown, rest: string) => {
        if (isMissing) await fetch(`${rest}/v10/channels/4001/pins`, { headers })
        if (code === 'crashed') report('TypeError')
        return answer
      }
      const { failures } = await fuzzEndpoint(reply, { runs: 1, patience: 50, bot: { watch } })
      expect(failures.map((failure) => failure.code)).toEqual(isMissing ? [] : [code])
    }
  },
)

it('ends when a bot does not start again', async () => {
  let report: (error: string) => void = () => {}
  const bot = {
    watch: (listener: typeof report) => ((report = listener), () => {}),
    restart: () => Promise.reject(new Error('no')),
  }
  const found = await fuzzEndpoint(() => (report('TypeError'), short), { runs: 5, bot })
  expect(found).toMatchObject({ ok: false, uses: 1, failures: [{ code: 'crashed', message: 'TypeError' }] })
})

it('reports the mention of a role or of everyone that a bot repeats, unless only one person sees it', async () => {
  const options = [option(3, 'text', { required: true })]
  const found = async (mention: string, flags = 0, allowed_mentions?: object) => {
    const answer = ({ data }: any) => {
      const { value } = data.options[0]
      return value.includes(mention) ? { type: 4, data: { content: value, flags, allowed_mentions } } : short
    }
    const { failures } = await fuzzEndpoint(answer, { runs: 30 }, { commands: commandsOf({ options }) })
    return failures.map(({ code, message }) => `${code}: ${message}`)
  }
  const message = (mention: string) =>
    `mentions_everyone: the answer repeats ${mention} and notifies all of them; set allowed_mentions, such as { parse: [] }`
  expect(await found('<@&5001>')).toEqual([message('<@&5001>')])
  expect(await found('@everyone')).toEqual([message('@everyone')])
  expect(await found('@everyone', 64)).toEqual([])
  expect(await found('@everyone', 0, { parse: [] })).toEqual([])
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

it('reports errors of this process with their stack, or as they are', () => {
  const errors: string[] = []
  const end = thisProcess.watch((error) => errors.push(error))
  const error = new Error('no table')
  process.emit('unhandledRejection', error, Promise.resolve())
  process.emit('uncaughtException', Object.assign(new Error('short'), { stack: undefined }))
  process.emit('unhandledRejection', 5, Promise.resolve())
  end()
  expect(errors).toEqual([error.stack, 'short', '5'])
})
