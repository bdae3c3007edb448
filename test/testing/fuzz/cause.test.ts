/** What a fault is blamed on: what the bot sends beside its answers, and the earlier uses that it needs. */
import { expect, it } from 'vitest'
import { fuzzEndpoint, long, option, ping, row, runTest, short, withEndpoint } from './bot.ts'

const text = option(3, 'text', { required: true })
const commandsOf = (...commands: readonly object[]) =>
  commands.map((more) => ({ ...ping, ...more })) as never[]
const ofSeveral = commandsOf({ name: 'set', options: [text] }, { name: 'get' }, { name: 'zed' })
const textOf = ({ data }: any): string => data.options?.[0].value ?? ''
const send = (rest: string, path: string, body: object) =>
  fetch(`${rest}/v10${path}`, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { authorization: 'Bot x', 'content-type': 'application/json' },
  })
const followUp = ({ application_id, token }: any) => `/webhooks/${application_id}/${token}`
const inChannel = ({ channel }: any) => `/channels/${channel.id}/messages`

/** Where a bot sends a second message, what is wrong with that, and the code. */
const later: readonly (readonly [string, (use: any) => string, (text: string) => object, string])[] = [
  ['is refused a follow-up', followUp, () => ({ content: 'x'.repeat(2_001) }), 'refused_answer'],
  ['is refused a message in the channel', inChannel, () => ({ content: '' }), 'refused_answer'],
  ['repeats a mention in a follow-up', followUp, (content) => ({ content }), 'mentions_everyone'],
  ['repeats a mention in the channel', inChannel, (content) => ({ content }), 'mentions_everyone'],
]

it.each(later)(
  'finds a bot that %s, with a test that fails, and nothing in the bot without the fault',
  async (_, pathOf, bodyOf, code) => {
    const answering = (isFaulty: boolean) => (use: any, rest: string) => {
      if (use.channel.type === 1) return short
      const content = textOf(use).slice(0, 1_900).trim() || 'x'
      const body = isFaulty ? bodyOf(content) : { content, allowed_mentions: { parse: [] } }
      // After the answer; the testbed may be closed before this.
      setTimeout(() => void send(rest, pathOf(use), body).catch(() => {}), 1)
      return short
    }
    const commands = commandsOf({ options: [text] })
    const { failures } = await fuzzEndpoint(answering(true), { runs: 30 }, { commands })
    expect(failures).toMatchObject([{ code, step: 'use', repeated: true }])
    const good = await fuzzEndpoint(answering(false), { runs: 30 }, { commands })
    expect(good).toMatchObject({ ok: true, failures: [] })
    const run = (isFaulty: boolean) =>
      withEndpoint(answering(isFaulty), { commands }, (bed) => runTest(bed, failures[0]!.test))
    await expect(run(true)).rejects.toThrow('to deeply equal []')
    await run(false)
  },
)

it('takes no offence at a mention in a follow-up that one person sees', async () => {
  const answer = (use: any, rest: string) => {
    const body = { content: textOf(use).slice(0, 1_900).trim() || 'x', flags: 64 }
    setTimeout(() => void send(rest, followUp(use), body).catch(() => {}), 1)
    return short
  }
  const report = await fuzzEndpoint(answer, { runs: 30 }, { commands: commandsOf({ options: [text] }) })
  expect(report).toMatchObject({ ok: true, failures: [] })
})

it('finds a bot that answers twice, with one person', async () => {
  const answer = (use: any, rest: string) => {
    setTimeout(
      () => void send(rest, `/interactions/${use.id}/${use.token}/callback`, short).catch(() => {}),
      1,
    )
    return short
  }
  expect((await fuzzEndpoint(answer)).failures).toMatchObject([{ code: 'answered_twice', repeated: true }])
})

/** A bot in a process of its own, whose memory a restart clears. */
function storing() {
  let stored = ''
  const restart = async (isFresh: boolean) => void (isFresh && (stored = ''))
  const answer = (use: any) => {
    if (use.data.name === 'set') stored = textOf(use)
    return use.data.name === 'get' ? { type: 4, data: { content: stored.trim() || 'none' } } : short
  }
  return { answer, bot: { watch: () => () => {}, restart } }
}

it('keeps the earlier use that a fault needs, and no other, so that its test fails on a fresh bot', async () => {
  const { answer, bot } = storing()
  const report = await fuzzEndpoint(answer, { bot, runs: 14 }, { commands: ofSeveral })
  const [failure, ...others] = report.failures
  expect(others).toEqual([])
  expect(failure).toMatchObject({
    ...{ code: 'refused_answer', command: '/get', line: '/get', repeated: true, fresh: true },
    test: expect.stringMatching(/^test\('\/set text:xxx…\(6000\), \/get'/),
  })
  await withEndpoint(storing().answer, { commands: ofSeveral }, (bed) =>
    expect(runTest(bed, failure!.test)).rejects.toThrow('at most 2000 are allowed'),
  )
})

it('says when a fault happens again, but on no fresh bot', async () => {
  let uses = 0
  const bot = { watch: () => () => {}, restart: async (isFresh: boolean) => void (isFresh && (uses = 0)) }
  // More uses than are tried again.
  const answer = () => (++uses > 50 ? long : short)
  const { failures } = await fuzzEndpoint(answer, { bot, runs: 60 })
  expect(failures).toMatchObject([{ code: 'refused_answer', line: '/ping', repeated: true, fresh: false }])
  expect((await fuzzEndpoint(() => long)).failures).toMatchObject([{ repeated: true, fresh: null }])
})

it('blames a crash on the use whose timer caused it, not on the next one', async () => {
  let listener: (error: string) => void = () => {}
  const timers = new Set<NodeJS.Timeout>()
  const restart = async () => timers.forEach((timer) => clearTimeout(timer))
  const watch = (report: typeof listener) => ((listener = report), () => {})
  const answer = ({ data }: any) => {
    if (data.name === 'set') timers.add(setTimeout(() => listener('TypeError: no reminder'), 150))
    return short
  }
  const { failures } = await fuzzEndpoint(
    answer,
    { bot: { watch, restart }, runs: 6 },
    { commands: ofSeveral },
  )
  expect(failures).not.toEqual([])
  for (const { command, message } of failures)
    expect([command, message]).toEqual(['/set', 'TypeError: no reminder'])
})

it('judges what follows a button too, with what the person entered before', async () => {
  const button = row({ type: 2, style: 1, label: 'Post', custom_id: 'post' })
  let entered = ''
  const answer = async (use: any, rest: string) => {
    if (use.type === 2) {
      entered = textOf(use).slice(0, 1_900).trim() || 'x'
      return { type: 4, data: { content: 'x', components: button } }
    }
    setTimeout(() => void send(rest, followUp(use), { content: entered }).catch(() => {}), 1)
    return { type: 6 }
  }
  const { failures } = await fuzzEndpoint(answer, { runs: 30 }, { commands: commandsOf({ options: [text] }) })
  expect(failures).toMatchObject([
    { code: 'mentions_everyone', step: 'press Post', line: '/ping text:@everyone' },
  ])
})
