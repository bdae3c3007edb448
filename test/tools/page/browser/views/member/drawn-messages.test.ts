import { expect, it } from 'vitest'
import { placeholderToken } from '../../../../../support/fixtures.ts'
import { loginAt, servingGateway } from '../../../../../interop/gateway/serve-gateway.ts'
import { findings } from '../../../axe.ts'
import { describePage } from '../../../open.ts'
import { contentOf, messageRows, type Drawn } from './drawn-messages.ts'

const application = '1001'
const token = placeholderToken(application)
const INTENTS = 1 << 9

/** What is drawn of each message, as the rows of the table name it. */
const describeMessages = `Array.from(document.querySelectorAll('article.message'), (article) => {
  const body = article.querySelector('.bubble')
  const all = (selector) => [...body.querySelectorAll(selector)]
  const isOpen = (element) => element.closest('details:not([open])') === null
  return {
    text: body.textContent,
    links: all('a[href]').map((link) => [link.textContent, link.getAttribute('href')]),
    pictures: all('img').filter(isOpen).map(({ alt }) => alt),
    covers: all('details:not([open]) > summary').map((summary) => summary.textContent.replace('Spoiler: ', '')),
    buttons: all('button').map((button) => button.textContent + (button.disabled ? ' (disabled)' : '')),
    groups: all('[aria-label]:is([role=group], section)').map(({ ariaLabel }) => ariaLabel),
    items: all('li').map(({ textContent }) => textContent),
    code: all('code, pre').map(({ textContent }) => textContent),
  }
})`

describePage('messages', (page) => {
  /** Starts a service with a bot, and returns its requests. */
  const serving = async () => {
    const origin = await servingGateway()
    const bot = await loginAt(origin, token, INTENTS)
    const request = async (method: string, path: string, body?: unknown, files: readonly string[] = []) => {
      const form = new FormData()
      const attachments = files.map((filename, id) => ({ id, filename }))
      form.append('payload_json', JSON.stringify({ ...(body as object), attachments }))
      for (const [index, name] of files.entries()) form.append(`files[${index}]`, contentOf(name), name)
      const headers = { authorization: `Bot ${token}` }
      const json = { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const sent = { method, ...(files.length > 0 ? { headers, body: form } : json) }
      const response = await fetch(`${origin}/api/v10${path}`, sent)
      const answer = response.status === 204 ? {} : await response.json()
      expect([path, response.status, answer]).toEqual([path, expect.toSatisfy((one) => one < 300), answer])
      return answer as any
    }
    const post = (body: object, files?: readonly string[]) =>
      request('POST', '/channels/100000000000004001/messages', body, files)
    return { origin, bot, request, post }
  }

  const drawn = async (count: number) => {
    await page.counts('article.message', count)
    return page.tab.evaluate<Drawn[]>(describeMessages)
  }

  it('are drawn with all that Discord draws, once, and with what is hidden covered', async () => {
    const { origin, post } = await serving()
    for (const { body, files } of messageRows) await post(body, files)
    await page.load('', origin)
    const all = await drawn(messageRows.length)
    for (const [index, { title, drawn: wanted }] of messageRows.entries()) {
      const expected =
        wanted.text instanceof RegExp ? { ...wanted, text: expect.stringMatching(wanted.text) } : wanted
      expect.soft({ title, ...all[index] }, title).toMatchObject({ title, ...expected })
    }
    expect(await findings(page)).toEqual([])
  })

  it('open a cover by keyboard, and only then show what is below it', async () => {
    const { origin, post } = await serving()
    await post({ content: 'It was ||the butler||' })
    await post({}, ['SPOILER_end.png'])
    await page.load('', origin)
    await page.counts('article.message', 2)
    await page.focus('.cover summary')
    await page.keys('Enter')
    await page.becomes(`document.querySelector('.cover img').checkVisibility()`, true)
    await page.becomes(`document.querySelector('.cover img').naturalWidth`, 1)
    await page.becomes(
      `document.querySelector('.spoiler').checkVisibility() && document.querySelector('.spoiler').open`,
      false,
    )
  })

  it('have links that the keyboard reaches, which open apart from the page', async () => {
    const { origin, post } = await serving()
    await post({ content: '[docs](https://d.example/)' })
    await page.load('', origin)
    await page.has('.bubble a')
    await page.focus('.bubble a')
    await page.becomes('document.activeElement.href', 'https://d.example/')
    await page.becomes('document.activeElement.target', '_blank')
    await page.becomes('document.activeElement.relList.value', 'noreferrer noopener')
  })

  it('have the thumbnail of an embed beside its text', async () => {
    const { origin, post } = await serving()
    const embed = { description: 'Cats '.repeat(30), thumbnail: { url: 'attachment://1.png' } }
    await post({ embeds: [embed] }, ['1.png'])
    await page.load('', origin)
    await page.has('.embed img')
    const isBeside = `(() => {
      const [text, picture] = ['.embed-text', '.embed .thumbnail'].map((one) => document.querySelector(one).getBoundingClientRect())
      return picture.left >= text.right && picture.top < text.bottom
    })()`
    await page.becomes(isBeside, true)
  })

  it('are replies, also to a deleted message, forwards and messages of the service', async () => {
    const { origin, post, request } = await serving()
    const first = await post({ content: 'The **first**' })
    const picture = await post({}, ['dot.png'])
    const to = (id: string, type = 0) => ({ type, message_id: id, channel_id: '100000000000004001' })
    await post({ content: 'Reply', message_reference: to(first.id) })
    await post({ content: 'Look', message_reference: to(picture.id) })
    await post({ message_reference: to(first.id, 1) })
    await request('PUT', `/channels/100000000000004001/messages/pins/${first.id}`)
    await request('POST', `/channels/100000000000004001/messages/${first.id}/threads`, { name: 'cats' })
    await request('POST', '/channels/100000000000004001/threads', { name: 'dogs', type: 11 })
    await page.load('', origin)
    const all = await drawn(7)
    expect(all[6]!.text).toBe('started a thread: dogs')
    expect(all[4]!.text).toBe('↱ ForwardedThe first')
    expect(all[5]!.text).toBe('pinned a message to this channel.')
    const lines = await page.texts('article.message > p.used')
    expect(lines[0]).toMatch(/^↱ .*: The first$/)
    expect(lines[1]).toMatch(/^↱ .*: Click to see attachment$/)
    await request('DELETE', `/channels/100000000000004001/messages/${picture.id}`)
    await page.shows('article.message > p.used', lines[0]!, '↱ Original message was deleted')
  })

  it('are polls, in which one votes and sees the result', async () => {
    const { origin, post, request } = await serving()
    const answers = ['Tea', 'Coffee'].map((text) => ({ poll_media: { text } }))
    const { id } = await post({ poll: { question: { text: 'What?' }, answers, duration: 24 } })
    await page.load('', origin)
    await page.has('[aria-label=Poll]')
    await page.starts('[aria-label=Poll]', 'What?Select one answerTeaCoffee0 votes · 24h left')
    await page.button('Tea')
    await page.shows('[aria-label=Poll] li', 'Tea 100% · 1 vote', 'Coffee 0% · 0 votes')
    await page.shows('[aria-label=Poll] [aria-pressed=true]', /^Tea/)
    await page.button('Coffee')
    await page.shows('[aria-label=Poll] li', 'Tea 0% · 0 votes', 'Coffee 100% · 1 vote')
    await request('POST', `/channels/100000000000004001/polls/${id}/expire`)
    await page.shows('[aria-label=Poll] li', 'Tea 0% · 0 votes', 'Coffee ✓ 100% · 1 vote')
    await page.starts('[aria-label=Poll]', /1 vote · Poll closed$/)
    const all = await drawn(2)
    expect(all[0]!.buttons).toEqual(['Tea 0% · 0 votes (disabled)', 'Coffee ✓ 100% · 1 vote (disabled)'])
    expect(all[1]!.text).toBe('The poll “What?” has closed: Coffee has won with 1 of 1 votes.')
  })

  it('are polls whose answers may have one text: the pressed one gets the vote', async () => {
    const { origin, post } = await serving()
    const answers = ['Tea', 'Tea'].map((text) => ({ poll_media: { text } }))
    await post({ poll: { question: { text: 'What?' }, answers, duration: 24 } })
    await page.load('', origin)
    await page.click('[aria-label=Poll] li:nth-child(2) button')
    await page.shows('[aria-label=Poll] li', 'Tea 0% · 0 votes', 'Tea 100% · 1 vote')
    await page.click('[aria-label=Poll] li:nth-child(2) button')
    await page.shows('[aria-label=Poll] li', 'Tea', 'Tea')
  })

  it('have reactions, and say that they were edited', async () => {
    const { origin, post, request } = await serving()
    const { id } = await post({ content: 'Before' })
    await request(
      'PUT',
      `/channels/100000000000004001/messages/${id}/reactions/${encodeURIComponent('👍')}/@me`,
    )
    await request('PATCH', `/channels/100000000000004001/messages/${id}`, { content: 'After' })
    await page.load('', origin)
    const [message] = await drawn(1)
    expect(message!.text).toBe('After (edited)')
    await page.shows('.reaction', '👍 1')
  })

  it('are answers that only one person sees, and answers that come later', async () => {
    const { origin, bot, request } = await serving()
    await request('PUT', `/applications/${application}/commands`, [{ name: 'show', description: 'Shows' }])
    await page.load('', origin)
    const use = async () => {
      await page.has('.entry')
      await page.click('#entry-0')
      await page.click('#send')
      for (;;) {
        const { t, d } = await bot.next()
        if (t === 'INTERACTION_CREATE') return d
      }
    }
    const first = await use()
    await request('POST', `/interactions/${first.id}/${first.token}/callback`, {
      type: 4,
      data: { content: 'Only you', flags: 64 },
    })
    await page.shows('.bubble', 'Only you')
    await page.shows('.only', 'Only you can see this')
    await page.set('#composer', '/')
    const second = await use()
    await request('POST', `/interactions/${second.id}/${second.token}/callback`, { type: 5 })
    await page.shows('.bubble', 'Only you', 'thinking…')
    await request('PATCH', `/webhooks/${application}/${second.token}/messages/@original`, { content: 'Done' })
    await page.shows('.bubble', 'Only you', 'Done')
  })
})
