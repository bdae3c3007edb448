/** Drafts in two tabs of one browser: each kind that the browser keeps, with a reload and the back button. */
import { expect, it } from 'vitest'
import { pendingAnswers } from 'commandry/interactions'
import { openSession } from '../session.ts'
import { describePage, describePageWith, type Page } from '../open.ts'

const option = (name: string) => ({ type: 3, name, description: 'x', required: true })
const commands = [
  { name: 'ping', description: 'Says pong' },
  { name: 'note', description: 'Keeps a note', options: [option('title'), option('text')] },
]

interface Kind {
  readonly query?: string
  /** Where the fields are, once the page is loaded or came back. */
  readonly open?: (page: Page) => Promise<unknown>
  /** Two fields that one draft has, or its only one. */
  readonly fields: readonly string[]
}

const german = (text: string) => `[aria-label="/ping, ${text}, Deutsch"]`

const kinds: Readonly<Record<string, Kind>> = {
  'texts of translations': {
    query: '?view=translations&lang=de',
    fields: [german('name'), german('description')],
  },
  'pasted translations': {
    query: '?view=translations&lang=de',
    open: async (page) => {
      await page.has(german('name'))
      await page.tab.evaluate(`document.getElementById('translations') ||
        [...document.querySelectorAll('button')].find((one) => one.textContent === 'Paste translations').click()`)
    },
    fields: ['#translations'],
  },
  'the text of the Editor': { query: '?view=editor&source=Draft', fields: ['#source'] },
  'a message': { fields: ['#composer'] },
  'an endpoint': { open: (page) => page.click('#who summary'), fields: ['#bot'] },
}

const values = (fields: readonly string[]) =>
  `${JSON.stringify(fields)}.map((field) => document.querySelector(field)?.value)`

/** A tab that hears nothing of others until it reads what they have kept. */
async function openDeaf(page: Page, query: string): Promise<Page> {
  const other = await page.another()
  await other.tab.addInitScript(
    `addEventListener('storage', (event) => window.isDeaf && event.stopImmediatePropagation())`,
  )
  await other.load(query)
  return other
}

async function holdsInTwoTabs(page: Page, { query = '', open = async () => {}, fields }: Kind) {
  const [first = '', last = first] = fields.slice(0, 1).concat(fields.slice(-1))
  const becomes = async (tab: Page, ...texts: readonly string[]) =>
    tab.becomes(values([...new Set([first, last])]), texts)
  const both = (a: string, b: string) => (first === last ? [b] : [a, b])
  await open(page)
  const other = await openDeaf(page, query)
  await open(other)
  // Each tab shows at once what the other one has.
  await page.set(first, 'one')
  await other.becomes(`document.querySelector(${JSON.stringify(first)})?.value`, 'one')
  await other.set(last, 'two')
  await becomes(page, ...both('one', 'two'))
  // A tab that has heard nothing writes its own change alone.
  await other.tab.evaluate('window.isDeaf = true')
  if (first !== last) {
    await page.set(first, 'three')
    await other.set(last, 'four')
    await becomes(page, 'three', 'four')
    await becomes(other, 'three', 'four')
  }
  // Where both have changed one field, both texts are shown, and either can be taken.
  await page.set(last, 'mine')
  await other.set(last, 'yours')
  const line = /two tabs have changed it. It is “yours”; the other tab has “mine”/
  await other.starts('.notice[role=status] span', line)
  await page.starts('.notice[role=status] span', line)
  await page.load(query)
  await open(page)
  await becomes(page, ...both('three', 'yours'))
  await page.starts('.notice[role=status] span', line)
  await page.button('Use the other one')
  await becomes(page, ...both('three', 'mine'))
  await page.button('Keep this one')
  await page.counts('.notice[role=status]', 0)
  // Back from another view.
  await page.click('nav a[href*="requests"]')
  await page.counts(last === '#bot' ? '#main[aria-label=Member]' : last, 0)
  await page.tab.goBack()
  if (last !== '#bot') await open(page)
  await becomes(page, ...both('three', 'mine'))
  expect(other.complaints).toEqual([])
  await other.tab.close()
  await page.tab.evaluate('localStorage.clear()')
}

describePage('two tabs', (page) => {
  it.for(Object.entries(kinds))('keep %s of both', async ([, kind]) => {
    await page.open(commands, kind.query)
    await holdsInTwoTabs(page, kind)
  })

  it('keep the options of a command of both, each in its field', async () => {
    const chooseNote = async (tab: Page) => {
      await tab.set('#composer', '/note')
      await tab.has('.entry')
      await tab.focus('#composer')
      await tab.keys('Enter')
      await tab.has('#pill-text')
    }
    await page.open(commands)
    const other = await openDeaf(page, '')
    await chooseNote(page)
    await other.becomes(`document.getElementById('composer').value`, '/note')
    await chooseNote(other)
    await other.tab.evaluate('window.isDeaf = true')
    await page.set('#pill-title', 'A title')
    await other.set('#pill-text', 'a text')
    await page.becomes(values(['#pill-title', '#pill-text']), ['A title', 'a text'])
    await other.becomes(values(['#pill-title', '#pill-text']), ['A title', 'a text'])
    await page.set('#pill-text', 'mine')
    await other.set('#pill-text', 'yours')
    await page.starts('.notice[role=status] span', /^Message, option, text: .*It is “yours”.*“mine”/)
    await page.button('Keep this one')
    await page.load()
    await page.becomes(values(['#composer']), ['/note text:yours title:"A title"'])
    await page.set('#composer', '')
    await other.tab.close()
  })

  it('keep the overrides that both have staged, and a step back takes only the own one', async () => {
    await page.open(commands, '?view=access')
    const other = await openDeaf(page, '?view=access')
    const stage = async (tab: Page, cell: string) => {
      await tab.focus(`#cell-${cell}`)
      await tab.keys(' ')
    }
    await stage(page, '1-0')
    await other.shows('.toolbar output', '1 staged')
    await other.tab.evaluate('window.isDeaf = true')
    await stage(page, '1-1')
    await stage(other, '2-0')
    await other.shows('.toolbar output', '3 staged')
    await page.shows('.toolbar output', '3 staged')
    await page.keys('Control+z')
    await page.shows('.toolbar output', '2 staged')
    await page.load('?view=access')
    await page.shows('.toolbar output', '2 staged')
    await page.click('nav a[href*="requests"]')
    await page.counts('[role=grid]', 0)
    await page.tab.goBack()
    await page.shows('.toolbar output', '2 staged')
    await page.button('Discard')
    await other.tab.close()
  })

  it('bring texts back that one of them has discarded, and what the other one typed meanwhile stays', async () => {
    await page.open(commands, '?view=translations&lang=de')
    const other = await openDeaf(page, '?view=translations&lang=de')
    const fields = [german('name'), german('description')]
    await page.set(fields[0]!, 'eins')
    await other.becomes(values(fields), ['eins', ''])
    await other.tab.evaluate('window.isDeaf = true')
    await page.set(fields[1]!, 'zwei')
    await other.button('Discard')
    await page.becomes(values(fields), ['', 'zwei'])
    await page.load('?view=translations&lang=de')
    await page.becomes(values(fields), ['', 'zwei'])
    await page.button('Discard')
    await page.button('Bring the discarded texts back')
    await page.becomes(values(fields), ['eins', 'zwei'])
    await page.button('Discard')
    await other.tab.close()
  })
})

const answers = pendingAnswers()
const input = (name: string) => ({
  type: 18,
  label: name,
  component: { type: 4, custom_id: name, style: 2 },
})
const modal = { type: 9, data: { title: 'Report', custom_id: 'm', components: [input('who'), input('why')] } }
const bot = {
  dispatch({ id, token }: any): number {
    queueMicrotask(() => answers.receive(id, token, modal))
    return 1
  },
}

describePageWith({ session: openSession({ answers, gateway: bot }) }, 'two tabs with a form', (page) => {
  it('keep its texts of both', async () => {
    await page.open(commands)
    await page.focus('#composer')
    await page.keys("'/ping'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.has('dialog.modal')
    const fields = ['who', 'why'].map((name) => `dialog.modal [name=${name}]`)
    await page.set(fields[0]!, 'Grace')
    const other = await openDeaf(page, '')
    await other.becomes(values(fields), ['Grace', ''])
    await other.tab.evaluate('window.isDeaf = true')
    await page.set(fields[0]!, 'Alan')
    await other.set(fields[1]!, 'spam')
    await page.becomes(values(fields), ['Alan', 'spam'])
    await page.load()
    await page.becomes(values(fields), ['Alan', 'spam'])
    await other.tab.close()
  })
})

describePage('two tabs with an answer by hand', (page) => {
  it('keep the text of both', async () => {
    await page.open(commands)
    await page.focus('#composer')
    await page.keys("'/ping'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.click('.feed .dashed')
    const other = await openDeaf(page, '')
    await other.click('.feed .dashed')
    await page.set('#reply', '{ "type": 4 }')
    await other.becomes(values(['#reply']), ['{ "type": 4 }'])
    await other.tab.evaluate('window.isDeaf = true')
    await page.set('#reply', '{ "type": 5 }')
    await other.set('#reply', '{ "type": 6 }')
    await page.starts('.notice[role=status] span', /^Reply: .*It is “{ "type": 6 }”.*“{ "type": 5 }”/)
    await page.load()
    await page.click('.feed .dashed')
    await page.becomes(values(['#reply']), ['{ "type": 6 }'])
    await other.tab.close()
  })
})
