/** What a person types: it belongs to a place and a person, is sent once, and only success ends it. */
import { expect, it } from 'vitest'
import { pendingAnswers } from 'commandry/interactions'
import { openSession } from '../../../session.ts'
import { demoServer } from '../../../../../support/worlds.ts'
import { describePageWith, type Page } from '../../../open.ts'

const commands = [
  { name: 'ping', description: 'x' },
  { name: 'Report', type: 2 },
  {
    name: 'meet',
    description: 'x',
    options: [
      { type: 6, name: 'who', description: 'x', required: true },
      { type: 11, name: 'plan', description: 'x' },
    ],
  },
  {
    name: 'note',
    description: 'x',
    options: [
      { type: 3, name: 'text', description: 'x', required: true },
      { type: 4, name: 'days', description: 'x', min_value: 1 },
    ],
  },
]
const input = { type: 18, label: 'Why', component: { type: 4, custom_id: 'why', style: 2 } }
const form = { type: 9, data: { title: 'Report', custom_id: 'm', components: [input] } }
const pong = { type: 4, data: { content: 'pong' } }

const answers = pendingAnswers()

/** A bot at a gateway that answers when a test says so. */
const bot = {
  waiting: [] as any[],
  received: [] as any[],
  dispatch(interaction: any): number {
    bot.received.push(interaction)
    bot.waiting.push(interaction)
    return 1
  },
  /** Answers the oldest interaction that waits; null for one that the service refuses. */
  release(answer: object | null): void {
    const { id, token } = bot.waiting.shift()
    answers.receive(id, token, answer ?? { type: 4, data: { content: '' } })
  },
}
const session = openSession({ answers, gateway: bot, timeout: 600_000 })

const server = demoServer()
const namesake = { user: { id: '100000000000003009', username: 'kappa', global_name: 'Alan' }, roles: [] }
const servers = [{ ...server, members: [...server.members, namesake] }]

describePageWith({ session, servers }, 'what a person types', (page) => {
  const open = async () => {
    bot.waiting.length = 0
    bot.received.length = 0
    await page.open(commands)
    await page.focus('#composer')
  }
  const field = () => page.tab.evaluate(`document.getElementById('composer').value`)
  const chooseNamesake = async () => {
    await page.keys("'/meet'", 'Enter')
    await page.hasFocus('pill-who')
    await page.keys("'@al'")
    await page.shows('.chip', '@Alan (alan)', '@Alan (kappa)')
    await page.keys('ArrowDown', 'Enter')
    await page.hasFocus('send')
  }

  it('leaves the field when it is sent, once, and the use is there until the bot answers', async () => {
    await open()
    await page.keys("'/ping'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.hasFocus('composer')
    await page.keys('Enter', "'next'")
    await page.starts('.use', /^Ada used \/ping.*sending…/s)
    await expect.poll(() => bot.waiting.length).toBe(1)
    bot.release(pong)
    await page.shows('.bubble', 'pong')
    expect([bot.received.length, await field()]).toEqual([1, 'next'])
    await page.counts('.use', 0)
  })

  it('keeps the focus and what is open of a use when the bot answers it, and does not scroll who reads on', async () => {
    await open()
    await page.resize(1280, 500)
    for (let use = 1; use <= 9; use++) {
      await page.keys("'/ping'", 'Enter')
      await page.hasFocus('send')
      await page.keys('Enter')
      await page.hasFocus('composer')
      await expect.poll(() => bot.waiting.length).toBe(1)
      if (use < 9) bot.release(pong)
      await page.counts('.used', use)
    }
    await page.click('.use .used')
    await page.focus('.use .used')
    await page.tab.evaluate(`document.querySelector('.stream').scrollTo({ top: -5000 })`)
    await page.becomes(`document.querySelector('.stream').scrollTop < -100`, true)
    bot.release(pong)
    await page.counts('.message:not(.use) .used', 9)
    await page.becomes(`document.activeElement.className`, 'used')
    await page.becomes(`[...document.querySelectorAll('.message')].at(-1).className.includes('chosen')`, true)
    await page.shows('.newer', '1 new message ↓')
    await page.becomes(`document.querySelector('.stream').scrollTop < -100`, true)
  })

  it('is sent by a second Enter that comes while the commands or the values of the line are on their way', async () => {
    await open()
    const held: { continue(): Promise<void> }[] = []
    const hold = async (question: string) => {
      held.length = 0
      await page.tab.route(question, (route) => void held.push(route))
    }
    const letGo = async (question: string) => {
      await expect.poll(() => held.length).toBe(1)
      await held[0]!.continue()
      await page.tab.unroute(question)
    }
    await hold('**/ui/picker')
    await page.deploy([...commands, { name: 'later', description: 'x' }])
    await expect.poll(() => held.length).toBe(1)
    await page.keys("'/ping'", 'Enter', 'Enter')
    await letGo('**/ui/picker')
    await expect.poll(() => bot.received.length).toBe(1)
    bot.release(pong)
    await page.shows('.bubble', 'pong')

    await hold('**/ui/line')
    await page.keys("'/note text:a days:3'", 'Enter')
    await page.hasFocus('pill-text')
    await page.keys('Enter')
    await letGo('**/ui/line')
    await expect.poll(() => bot.received.at(-1).data.options?.map((one: any) => one.value)).toEqual(['a', 3])
    bot.release(pong)
    await page.shows('.bubble', 'pong', 'pong')

    // A problem of the line is shown before the command is sent.
    await hold('**/ui/line')
    await page.keys("'/note hours:3 text:a'", 'Enter')
    await page.hasFocus('pill-text')
    await page.keys('Enter')
    await letGo('**/ui/line')
    await page.starts('.problem', /hours/)
    expect(bot.received.length).toBe(2)
  })

  it('comes back with its problems when the service refuses it', async () => {
    await open()
    await page.keys("'/note text:a days:0'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.becomes(`document.getElementById('pill-days').getAttribute('aria-invalid')`, 'true')
    expect(await page.texts('.not-sent')).toEqual([])
    expect(bot.received).toEqual([])
  })

  it('comes back when the service cannot be reached, or can be taken up beside what was typed meanwhile', async () => {
    await open()
    const value = `document.getElementById('composer').value`
    const held: { abort(): Promise<void> }[] = []
    await page.tab.route('**/ui/does', (route) => void held.push(route))
    await page.keys("'hello'", 'Enter')
    // The field has the text until the page is drawn again.
    await page.becomes(value, '')
    await expect.poll(() => held.length).toBe(1)
    await held[0]!.abort()
    await page.becomes(value, 'hello')
    await page.keys('Enter')
    await page.becomes(value, '')
    await page.keys("'other'")
    await expect.poll(() => held.length).toBe(2)
    await held[1]!.abort()
    await page.starts('.not-sent', /^hello\s*not sent/)
    await page.tab.unroute('**/ui/does')
    await page.button('Take it up')
    await page.becomes(value, 'hello')
    await page.starts('.not-sent', /^other/)
    await page.keys('Enter')
    await page.shows('.bubble', 'hello')
    page.complains(/net::ERR_FAILED/)
  })

  it('has lines: Shift+Enter begins a new one, and pasted lines stay lines', async () => {
    await open()
    await page.keys("'a'", 'Shift+Enter', "'b'")
    expect(await field()).toBe('a\nb')
    await page.keys('Enter')
    await page.starts('.bubble', /a\s*b/)
  })

  it('is lost by no Escape: the list closes, and a command becomes its line, which Enter fills in again', async () => {
    await open()
    await page.keys("'/no'")
    await page.has('#commands')
    await page.keys('Escape')
    await page.counts('#commands', 0)
    expect(await field()).toBe('/no')
    await page.set('#composer', '')
    await page.keys("'/note text:one'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Escape')
    await page.becomes(`document.getElementById('composer').value`, '/note text:one')
    await page.keys('Enter')
    await page.becomes(`document.getElementById('pill-text')?.value`, 'one')
  })

  it('keeps the chosen one of two people with one name, and the file, over Escape', async () => {
    await open()
    await chooseNamesake()
    await page.button('+plan')
    await page.file('.pill input[type=file]', 'plan.txt', 'the plan')
    await page.hasFocus('send')
    await page.keys('Escape')
    await page.becomes(
      `document.getElementById('composer')?.value`,
      '/meet who:"@Alan (kappa)" plan:plan.txt',
    )
    await page.keys('Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await expect.poll(() => bot.received.length).toBe(1)
    const { users, attachments } = bot.received[0].data.resolved
    expect(Object.keys(users)).toEqual(['100000000000003009'])
    expect(Object.values(attachments)).toMatchObject([{ filename: 'plan.txt', size: 8 }])
    bot.release(pong)
  })

  it('is after a reload what it was: for the same person, an edit, a reply, and no text of a user command', async () => {
    await open()
    await chooseNamesake()
    await page.load()
    await page.becomes(`document.getElementById('composer')?.value`, '/meet who:"@Alan (kappa)"')
    await page.focus('#composer')
    await page.keys('Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await expect.poll(() => bot.received.length).toBe(1)
    expect(Object.keys(bot.received[0].data.resolved.users)).toEqual(['100000000000003009'])
    bot.release(pong)
    await page.shows('.bubble', 'pong')

    await page.click('.message .author')
    await page.keys("'Report'", 'Enter')
    await page.has('#pill-target')
    await page.load()
    await page.becomes(`document.getElementById('composer')?.value`, '')

    await page.focus('#composer')
    await page.keys("'mine'", 'Enter')
    await page.shows('.bubble', 'pong', 'mine')
    await page.keys('ArrowUp')
    await page.becomes(`document.getElementById('composer').value`, 'mine')
    await page.keys("' too'")
    await page.load()
    await page.starts('.on', /^Edit/)
    await page.focus('#composer')
    await page.keys('Enter')
    await page.shows('.bubble', 'pong', /^mine too/)
    await page.click('.message:last-child .more')
    await page.keys("'Reply'", 'Enter')
    await page.hasFocus('composer')
    await page.keys("'yes'")
    await page.load()
    await page.starts('.on', /^Reply to Ada/)
  })

  it('has the options of its command as it is deployed now', async () => {
    await open()
    await page.keys("'/note text:one'", 'Enter')
    await page.hasFocus('send')
    const who = { type: 3, name: 'who', description: 'x', required: true }
    await page.deploy(
      commands.map((one) => (one.name === 'note' ? { ...one, options: [who, ...one.options!] } : one)),
    )
    await page.has('#pill-who')
    await page.becomes(`document.getElementById('pill-text').value`, 'one')
  })

  it('is not sent, taken or left by the keys of an input method', async () => {
    await open()
    const composing = (key: string) =>
      page.tab.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', isComposing: true, bubbles: true }))`,
      )
    await page.keys("'/meet'", 'Enter')
    await page.hasFocus('pill-who')
    await page.keys("'@al'")
    await page.shows('.chip', '@Alan (alan)', '@Alan (kappa)')
    await composing('Enter')
    await composing('Escape')
    await page.keys("'a'")
    await page.becomes(`document.getElementById('pill-who')?.value`, '@ala')
  })

  it('is one press of a button until the bot has answered', async () => {
    await open()
    await page.keys("'/ping'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await expect.poll(() => bot.waiting.length).toBe(1)
    const row = { type: 1, components: [{ type: 2, style: 1, label: 'Buy', custom_id: 'buy' }] }
    bot.release({ type: 4, data: { content: 'shop', components: [row] } })
    await page.shows('.bubble', /shop/)
    for (const count of [2, 3]) {
      await page.button('Buy')
      await page.button('Buy')
      await expect.poll(() => bot.waiting.length).toBe(1)
      expect(bot.received.length).toBe(count)
      bot.release({ type: 6 })
      await page.becomes(`document.querySelector('p.hidden[role=status]').textContent`, 'pressed Buy')
      await page.keys('Shift')
    }
  })

  it('is put aside, and not lost, by an edit or a command, and stays for a reply', async () => {
    await open()
    await page.keys("'mine'", 'Enter')
    await page.shows('.bubble', 'mine')
    await page.keys("'half a sentence'")
    await page.click('.message .more')
    await page.keys("'Reply'", 'Enter')
    await page.starts('.on', /^Reply to Ada/)
    await page.becomes(`document.getElementById('composer').value`, 'half a sentence')
    await page.click('.message .more')
    await page.keys("'Edit'", 'Enter')
    await page.becomes(`document.getElementById('composer').value`, 'mine')
    await page.starts('.not-sent', /^half a sentence/)
    await page.focus('#composer')
    await page.keys('Escape')
    await page.button('Take it up')
    await page.becomes(`document.getElementById('composer').value`, 'half a sentence')
  })

  it('belongs to its channel and person, and is there again after a reload', async () => {
    await open()
    await page.keys("'for general'")
    await page.load('?channel=100000000000004002')
    await page.becomes(`document.getElementById('composer').value`, '')
    await page.set('#composer', 'for staff')
    await page.load('?as=100000000000003002')
    await page.becomes(`document.getElementById('composer').value`, '')
    await page.load('')
    await page.becomes(`document.getElementById('composer').value`, 'for general')
    await page.load('?channel=100000000000004002')
    await page.becomes(`document.getElementById('composer').value`, 'for staff')
  })

  it('stays in a form until the bot has answered, which is sent once at a time', async () => {
    await open()
    await openForm(page)
    await page.set('dialog.modal textarea', 'a long text')
    await page.click('dialog.modal .main')
    await page.shows('dialog.modal .main', 'Sending…')
    await page.click('dialog.modal .main')
    await expect.poll(() => bot.waiting.length).toBe(1)
    bot.release(null)
    await page.shows('dialog.modal .problem', 'Something went wrong. Try again.')
    await page.becomes(`document.querySelector('dialog.modal textarea').value`, 'a long text')
    await page.click('dialog.modal .main')
    await expect.poll(() => bot.waiting.length).toBe(1)
    bot.release(pong)
    await page.counts('dialog.modal', 0)
    expect(bot.received.filter(({ type }) => type === 5).length).toBe(2)
  })

  it('leads to an error of its field, which ends when the field changes', async () => {
    await open()
    const options = ['One', 'Two'].map((label) => ({ label, value: label }))
    const stars = { type: 18, label: 'Stars', component: { type: 3, custom_id: 'stars', options } }
    await openForm(page, { type: 9, data: { title: 'Rate', custom_id: 'r', components: [stars] } })
    await page.click('dialog.modal .main')
    await page.starts('dialog.modal .problem', /takes 1 value; 0 are chosen/)
    await page.click('dialog.modal .opener')
    await page.act(`document.querySelectorAll('#menu-items li')[1]`, 'click')
    await page.counts('dialog.modal .problem', 0)
    await page.button('Cancel')
  })

  it('is in the open form again after a reload, until that is submitted or cancelled', async () => {
    await open()
    await openForm(page)
    await page.set('dialog.modal textarea', 'half a report')
    await page.load()
    await page.becomes(`document.querySelector('dialog.modal textarea')?.value`, 'half a report')
    await page.click('dialog.modal .main')
    await expect.poll(() => bot.waiting.length).toBe(1)
    bot.release(pong)
    await page.counts('dialog.modal', 0)
    await page.load()
    await page.shows('.bubble', 'opened a form', 'pong')
    await page.counts('dialog.modal', 0)
    await page.focus('#composer')
    await openForm(page)
    await page.becomes(`document.querySelector('dialog.modal textarea')?.value`, '')
    await page.set('dialog.modal textarea', 'never mind')
    await page.button('Cancel')
    await page.load()
    await page.shows('.bubble', 'opened a form', 'pong', 'opened a form')
    expect(await page.tab.evaluate(`Object.values(localStorage).join()`)).not.toContain('never mind')
  })

  it('is kept in the browser up to a number and a length, the oldest go first, and a full store never stops it', async () => {
    await open()
    const kept = () =>
      page.tab.evaluate<string[]>(
        `Object.keys(localStorage).filter((key) => key.startsWith('commandry composer '))`,
      )
    // As if drafts of 199 other places were there.
    await page.tab.evaluate(`{
      const names = Array.from({ length: 199 }, (_, n) => 'commandry composer ' + n)
      for (const name of names) localStorage.setItem(name, 'old')
      localStorage.setItem('commandry kept', JSON.stringify(names.map((name) => [name, 3])))
    }`)
    await page.keys("'one'")
    await expect.poll(async () => (await kept()).length).toBe(200)
    await page.load('?channel=100000000000004002')
    await page.focus('#composer')
    await page.keys("'two'")
    await expect.poll(async () => (await kept()).includes('commandry composer 0')).toBe(false)
    expect((await kept()).length).toBe(200)
    // A long draft has taken almost all of the room, so the next text drops it and all older ones. The browser needs seconds to type one.
    const long = 'commandry composer 198'
    await page.tab.evaluate(`{
      const kept = JSON.parse(localStorage.getItem('commandry kept'))
      localStorage.setItem('${long}', 'x'.repeat(1_999_900))
      localStorage.setItem('commandry kept', JSON.stringify(kept.map(([name, length]) => [name, name === '${long}' ? 1_999_900 : length])))
    }`)
    await page.set('#composer', 'more than it leaves '.repeat(10))
    await expect.poll(async () => (await kept()).includes(long)).toBe(false)
    expect((await kept()).length).toBe(2)
    await page.set('#composer', 'short')
    // Another page fills the store.
    await page.tab.evaluate(`{
      let size = 1024 * 1024
      for (let n = 0; size > 0; n++) {
        try { localStorage.setItem('other ' + n, 'y'.repeat(size)) } catch { size = Math.floor(size / 2) }
      }
    }`)
    await page.keys("' and longer than before'")
    await page.becomes(`document.getElementById('composer').value`, 'short and longer than before')
    await page.keys('Enter')
    await page.shows('.bubble', 'short and longer than before')
    await page.tab.evaluate('localStorage.clear()')
  })

  it('can be used again, with its options', async () => {
    await open()
    await page.keys("'/note text:one days:3'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await expect.poll(() => bot.waiting.length).toBe(1)
    bot.release(null)
    await page.starts('.use', /^Ada used \/note text:one days:3/)
    await page.act(`document.querySelector('.use .again')`, 'click')
    await expect.poll(() => bot.waiting.length).toBe(1)
    bot.release(pong)
    await page.shows('.bubble', 'The application did not respond', 'pong')
    expect(bot.received.map(({ data }) => data.options)).toEqual([
      [expect.objectContaining({ value: 'one' }), expect.objectContaining({ value: 3 })],
      [expect.objectContaining({ value: 'one' }), expect.objectContaining({ value: 3 })],
    ])
  })
})

async function openForm(page: Page, opened: object = form): Promise<void> {
  await page.keys("'/ping'", 'Enter')
  await page.hasFocus('send')
  await page.keys('Enter')
  await expect.poll(() => bot.waiting.length).toBe(1)
  bot.release(opened)
  await page.has('dialog.modal')
}
