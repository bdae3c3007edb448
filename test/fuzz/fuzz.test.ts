import { describe, expect, it, vi } from 'vitest'
import { fuzz } from 'commandry/fuzz'
import { testbed } from 'commandry/testbed'
import { ApplicationFlag } from 'commandry'
import { thisProcess } from '../../src/fuzz/player.ts'
import { fuzzText } from '../../src/fuzz/report.ts'
import { fuzzBot, fuzzEndpoint, long, ping, short, type Planted } from './bot.ts'

const pressing = /const shown = await .+\n  await shown\.press\("Undo"\)/

/** Each fault with its command, the shortest line, and what else the report must have. */
const planted: readonly (readonly [Planted, string, object])[] = [
  ['option', '/ban user:@ada', { code: 'no_answer', command: '/ban' }],
  [
    'button',
    '/ban user:@ada',
    { code: 'no_answer', step: 'press Undo', test: expect.stringMatching(pressing) },
  ],
  ['modal', '/form', { code: 'no_answer', step: 'submit Form' }],
  ['unchecked', '/form', { code: 'no_answer', test: expect.stringContaining('"checkbox":false') }],
  ['pattern', '/find page:(', { code: 'no_answer', step: 'suggestions of page' }],
  ['many', '/find page:', { code: 'bad_suggestion' }],
  ['refused', '/find page:', { code: 'bad_suggestion' }],
  [
    'deferred',
    '/report kind:long',
    { code: 'never_edited', test: expect.stringContaining('await shown.edited()') },
  ],
  ['after', 'Greet', { code: 'crashed', message: expect.stringContaining('no such table') }],
  [
    'mentions',
    '/echo text:@everyone',
    {
      code: 'mentions_everyone',
      test: expect.stringContaining('expect(shown.message).toMatchObject({ mention'),
    },
  ],
  ['menu', '/pick', { code: 'no_answer', step: 'choose size' }],
  ['late', '/pick', { code: 'no_answer', step: 'use' }],
  ['followUp', '/later', { code: 'no_answer', step: 'press More of a follow-up' }],
]

describe('fuzz', () => {
  it('does not blame a bot that fails after a request for which the service has no route', async () => {
    const report = await fuzzEndpoint(
      async (_interaction, rest) => {
        const headers = { Authorization: 'Bot x' }
        const pins = await fetch(`${rest}/v10/channels/4001/pins?limit=1`, { headers })
        return pins.ok ? short : new Promise<never>(() => {})
      },
      {},
      { timeout: 1_000 },
    )
    const missing_routes = [{ route: 'GET /channels/:channel/pins', count: 3 }]
    expect(report).toMatchObject({ ok: true, missing_routes })
  })

  it.each([
    ['people', 'banned', 'PUT', ({ member, user = member.user }: any) => `/guilds/2001/bans/${user.id}`],
    ['channels', 'deleted', 'DELETE', ({ channel }: any) => `/channels/${channel.id}`],
  ])('brings %s back that the bot has %s', async (_who, _how, method, pathOf) => {
    const statuses: number[] = []
    const endpoint = async (request: Request) => {
      const headers = { Authorization: `Bot ${bed.token}` }
      const path = pathOf(await request.json())
      statuses.push((await fetch(`${bed.rest}/v10${path}`, { method, headers })).status)
      return Response.json(short)
    }
    const bed = await testbed({ commands: [ping] as never[], endpoint })
    try {
      const report = await fuzz(bed)
      expect([report.uses, statuses.length]).toEqual([60, 60])
      expect(statuses).toContain(method === 'PUT' ? 204 : 200)
    } finally {
      await bed.close()
    }
  })

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
    let report: (error: string) => void = () => {}
    const bot = {
      watch: (listener: typeof report) => {
        report = listener
        return () => {}
      },
    }
    const found = await fuzzEndpoint(
      () => {
        report('TypeError: '.padEnd(300, '.'))
        return short
      },
      { bot, runs: 12 },
    )
    expect(found.failures).toMatchObject([{ code: 'crashed', line: '/ping' }])
    expect(fuzzText(found)).toMatch(/^ {2}TypeError: \.{228}…$/m)
  })

  it('uses an entry point that the app answers, and reports its failure as text', async () => {
    const launch = [{ type: 4, name: 'launch', description: '', handler: 1 }] as never[]
    const flags = ApplicationFlag.EMBEDDED
    const report = await fuzzEndpoint(() => long, { runs: 12 }, { commands: launch, flags })
    expect(fuzzText(report)).toMatchInlineSnapshot(`
      "✗ refused_answer  launch
        ada in #general, en-US
        the bot's answer was refused: data.content has 2001 characters; at most 2000 are allowed; it sent nothing

          test("launch", async () => {
            await bed.as("ada", {"channel":"general","locale":"en-US"}).launch()
          })

      command  uses  failures  median  slowest
      launch     10         1       -        -

      ✗ 10 uses of 1 command, seed 1: 1 failure"
    `)
  })

  it('repeats with a fresh bot what earlier uses hide, such as a cooldown', async () => {
    let isCooling = false
    const bot = {
      watch: () => () => {},
      restart: async (isFresh: boolean) => {
        if (isFresh) isCooling = false
      },
    }
    const { failures } = await fuzzEndpoint(
      () => {
        if (isCooling) return short
        isCooling = true
        return long
      },
      { bot },
    )
    expect(failures).toMatchObject([{ code: 'refused_answer', line: '/ping', repeated: true }])
  })

  it.each(planted)('finds the fault "%s" at its command and shrinks it to %s', async (fault, line, more) => {
    const report = await fuzzBot(fault, { only: [(more as any).command ?? line.split(' ')[0]] })
    expect(report.failures).toContainEqual(
      expect.objectContaining({ as: expect.any(String), repeated: true, line, ...more }),
    )
  })

  it('leaves the listeners of its process as they were, also those that are called once', () => {
    const listener = () => {}
    process.once('unhandledRejection', listener)
    const before = process.rawListeners('unhandledRejection')
    thisProcess.watch(() => {})()
    expect(process.rawListeners('unhandledRejection')).toEqual(before)
    process.off('unhandledRejection', listener)
  })

  it('refuses a bot without commands and unknown names, and ends after its time', async () => {
    await expect(fuzzEndpoint(() => short, {}, { commands: [] })).rejects.toThrow('deployed no commands')
    await expect(fuzzEndpoint(() => short, { only: ['/x'] })).rejects.toThrow('no command "/x"; it has /ping')
    const late = await fuzzEndpoint(() => short, { time: 0 })
    expect(late).toMatchObject({ ok: true, uses: 0, commands: [{ available: true }] })
    expect(fuzzText(late)).toContain('The time ended before /ping.')
    const elsewhere = [{ name: 'ping', description: 'a', contexts: [2 as const] }]
    const unavailable = await fuzzEndpoint(() => short, {}, { commands: elsewhere })
    expect(fuzzText(unavailable)).toContain('Nobody in the testbed can use /ping.')
  })

  it('finds nothing in a bot without a fault', async () => {
    const report = await fuzzBot(undefined, { runs: 10 })
    expect(report).toMatchObject({ ok: true, failures: [], missing_routes: [] })
  })
})
