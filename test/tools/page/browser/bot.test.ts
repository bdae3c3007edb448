import { describe, expect } from 'vitest'
import { pendingAnswers, type AnyInteraction } from 'commandry/interactions'
import { openSession, type BotSession } from '../session.ts'
import { describePage, it, post, service, who } from '../open.ts'
import { app } from '../../../support/fixtures.ts'
import { hosted } from '../../../support/hosted.ts'
import { isSigned } from '../../../support/signature.ts'
import { words } from '../../../support/words.ts'

const search = {
  name: 'search',
  description: 'Search',
  options: [{ type: 3, name: 'query', description: 'What', required: true, autocomplete: true }],
}

/** An app that verifies signatures, suggests, and answers what it was asked. */
async function startApp(): Promise<{ readonly url: string; trust(publicKey: string): void }> {
  let trusted = ''
  const url = await hosted(async (request) => {
    const body = await request.text()
    const isTrusted = trusted !== '' && (await isSigned(trusted, request.headers, body))
    return isTrusted ? Response.json(answerTo(JSON.parse(body))) : new Response(null, { status: 401 })
  })
  return { url, trust: (key) => void (trusted = key) }
}

function answerTo({ type, data }: any): object {
  if (type === 1) return { type: 1 }
  const value = data.options?.[0]?.value
  if (type === 4) return { type: 8, data: { choices: [{ name: `All about ${value}`, value: 'long' }] } }
  return value === 'wrong'
    ? { type: 4, data: { content: [] } }
    : { type: 4, data: { content: `Found ${value}`, flags: 64 } }
}

/** The session of a bot at a gateway: its answer, undefined for none, null when no bot is logged in. */
function sessionWith(answer: (interaction: AnyInteraction) => unknown): BotSession {
  const answers = pendingAnswers()
  const gateway = {
    dispatch(interaction: AnyInteraction) {
      const { id, token } = interaction
      const callback = answer(interaction)
      if (callback === null) return 0
      if (callback !== undefined) queueMicrotask(() => answers.receive(id, token, callback))
      return 1
    },
  }
  return openSession({ answers, gateway, timeout: 100 })
}

describe('an HTTP endpoint as the bot', () => {
  it('[2.11-09] connects by a handshake, delivers and records uses, with masked tokens', async ({ made }) => {
    await made.deploy([search])
    const endpoint = await startApp()
    const { publicKey } = await post(made, 'bot')
    const connect = () => post(made, 'connect', { app, url: endpoint.url })
    expect((await connect()).problems).toEqual([expect.stringContaining('PING')])
    endpoint.trust(publicKey)
    expect(await connect()).toEqual({ url: endpoint.url, publicKey, problems: [] })
    const use = (query: string) => post(made, 'use', { ...who, type: 1, path: 'search', values: { query } })
    const shown = { kind: 'message', content: 'Found cats', ephemeral: true }
    expect((await use('cats')).reply).toMatchObject({ failure: '', shown })
    const issues = [{ place: 'data.content' }]
    expect((await use('wrong')).reply).toMatchObject({ failure: 'invalid', issues })
    const typed = { ...who, path: 'search', values: { query: 'do' }, focused: 'query' }
    const suggested = await post(made, 'suggest', typed)
    expect(suggested.shown.choices).toEqual([{ name: 'All about do', value: 'long' }])
    const rows = await post(made, 'requests')
    expect(rows.map(({ direction, summary }: any) => [direction, summary])).toEqual([
      ['out', 'message, ephemeral'],
      ['out', '1 issue'],
      ['out', 'choices'],
    ])
    const detail = await post(made, 'request', { id: rows[0].id })
    expect(JSON.parse(detail.request).token).toBe('***')
  })

  it('asks the bot at the gateway when there is no endpoint, and no bot when none is logged in', async () => {
    const answers = {
      ping: { type: 4, data: { content: 'Pong' } },
      away: null,
      silent: undefined,
      wrong: { type: 4, data: { content: [] } },
    }
    const replyOf = async (name: keyof typeof answers) => {
      const made = service({ session: sessionWith(() => answers[name]) })
      await made.deploy([{ name, description: 'x' }])
      return (await post(made, 'use', { ...who, type: 1, path: name })).reply
    }
    expect(await replyOf('ping')).toMatchObject({ failure: '', shown: { content: 'Pong' } })
    expect(await replyOf('away')).toBe(null)
    expect(await replyOf('silent')).toMatchObject({ failure: 'timeout', shown: { kind: 'failure' } })
    expect(await replyOf('wrong')).toMatchObject({ failure: 'invalid', issues: [{ place: 'data.content' }] })
  })

  it('[2.11-11] presses, chooses and submits as the person, and refuses unknown components', async () => {
    const seen: any[] = []
    const answers: object[] = []
    const session = sessionWith((interaction) => {
      seen.push(interaction)
      return answers.shift() ?? { type: 4, data: { content: 'Pong' } }
    })
    const made = service({ session })
    await made.deploy([{ name: 'ping', description: 'x' }])
    const row = (component: object) => ({ type: 1, components: [component] })
    const components = [
      row({ type: 2, style: 1, custom_id: 'yes', label: 'Yes' }),
      row({ type: 5, custom_id: 'whom' }),
    ]
    const input = row({ type: 4, custom_id: 'why', label: 'Why', style: 1 })
    answers.push({ type: 4, data: { content: 'Ping', components } })
    const { interaction } = await post(made, 'use', { ...who, type: 1, path: 'ping' })
    const { items } = await post(made, 'feed', who)
    const message = items.at(-1).message.id
    const act = (over: object) => post(made, 'act', { ...who, message, kind: 'press', name: 'yes', ...over })
    expect((await act({})).reply.shown.content).toBe('Pong')
    expect(seen.at(-1)).toMatchObject({ type: 3, data: { custom_id: 'yes' }, message: { id: message } })
    expect(seen.at(-1).member).toEqual(interaction.member)
    await act({
      kind: 'choose',
      name: 'whom',
      values: ['100000000000003003'],
      as: '100000000000003002',
      lang: 'de',
    })
    expect(seen.at(-1)).toMatchObject({ locale: 'de', member: { user: { id: '100000000000003002' } } })
    expect(seen.at(-1).data.resolved.users['100000000000003003'].username).toBe('alan')
    answers.push({ type: 9, data: { custom_id: 'form', title: 'Form', components: [input] } })
    const { id } = await act({})
    const form = { use: id, kind: 'submit', values: { why: 'because' } }
    expect(await act({ ...form, as: '100000000000003002' })).toMatchObject({ ok: false, code: 'not_visible' })
    await act(form)
    expect(seen.at(-1)).toMatchObject({ type: 5, data: { custom_id: 'form' } })
    expect(await act(form)).toMatchObject({ ok: false, code: 'not_visible' })
    expect(await act({ name: 'no' })).toMatchObject({ ok: false, code: 'unknown_component' })
    expect(await act({ message: '77' })).toMatchObject({ ok: false, code: 'not_visible' })
  })

  it('connects only to addresses of this machine', async ({ made }) => {
    for (const url of words(`
      http://example.com https://127.0.0.1:1 file:///etc/passwd http://127.0.0.1.evil.example/
      http://user:pass@127.0.0.1:1/ nothing
    `)) {
      expect((await post(made, 'connect', { app, url })).message, url).toContain('this machine')
    }
    expect((await post(made, 'connect', { app, url: '' })).url).toBe('')
  })
})

describePage('a bot on the page', (page) => {
  const connect = async (url: string) => {
    await page.click('#who summary')
    await page.set('#bot', url)
    await page.button('Connect')
  }

  it('is connected from the page, suggests values while typing, and answers', async () => {
    await page.deploy([search])
    const endpoint = await startApp()
    await page.load()
    const { publicKey } = await page.answer('bot')
    endpoint.trust(publicKey)
    await connect(endpoint.url)
    await page.has('#who .yes')
    await page.click('#entry-0')
    await page.hasFocus('pill-query')
    await page.keys("'cats'")
    await page.shows('#choices li', 'All about cats')
    await page.keys('ArrowDown', 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.starts('.message .bubble', 'Found long')
    await page.shows('.only', 'Only you can see this')
  })

  it('shows that an unreachable bot did not answer', async () => {
    // Without suggestions: a slow machine sends requests for them too.
    await page.open([{ ...search, options: [{ ...search.options[0], autocomplete: false }] }])
    await connect('http://127.0.0.1:9')
    await page.has('#who .problem')
    await page.click('#entry-0')
    await page.set('#pill-query', 'cats')
    await page.click('#send')
    await page.starts('.use > .problem:not(.bubble)', /unreachable/)
    await page.starts('.used', /✗ \d+ ms/)
    await page.click('nav a[href*="requests"]')
    await page.shows('.request .no', '0')
    await page.starts('.toolbar output', /^1 failed/)
  })
})
