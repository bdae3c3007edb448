/** The states of the page, for pictures and for checks of each of them. */
import { sampleCommands } from '../../../src/tools/page/questions/samples.ts'
import type { Page, WorkbenchOptions } from './open.ts'
import { app, demoGuild as guild } from '../../support/fixtures.ts'

const draft = `[
  {
    "name": "Remind",
    "description": "Remind me of something",
    "description_localizations": { "de-DE": "Erinnere mich" },
    "options": [
      { "type": 3, "name": "note", "description": "A note" },
      { "type": 4, "name": "hours", "description": "When", "required": true }
    ]
  }
]`

let files: Awaited<ReturnType<WorkbenchOptions['files']>> = []

/** The options of a page that is brought to these states. */
export const stateOptions = { files: async () => files }

/** The most commands that an application may have, one with the most options. */
const hundred = Array.from({ length: 100 }, (_, index) => ({
  name: `command${index}`,
  description: 'Does something '.repeat(6).trim(),
  options: Array.from({ length: index === 0 ? 25 : 1 }, (_, at) => {
    return { type: 3, name: `option${at}`, description: 'An option' }
  }),
}))

export const row = (...components: object[]) => ({ type: 1, components })
const button = (label: string, style: number) => ({ type: 2, style, label, custom_id: label })

async function deploy(page: Page): Promise<void> {
  await page.load()
  const [ban] = await page.deploy(sampleCommands)
  await page.registry.setPermissions(app, guild, ban!.id, [
    { id: '100000000000005001', type: 1, permission: false },
  ])
}

/** Deploys the samples and opens the page as Grace, who sees all of them. */
async function open(page: Page, query = '?as=100000000000003002'): Promise<void> {
  await deploy(page)
  await page.load(query)
}

/** Uses /search. */
async function search(page: Page): Promise<void> {
  await page.set('#composer', '/search')
  await page.counts('.entry', 1)
  await page.click('#entry-0')
  await page.set('#pill-query', 'cats')
  await page.click('#send')
}

async function member(page: Page): Promise<void> {
  await open(page)
  await page.until(`document.querySelectorAll('.entry').length > 3`)
}

/** A command that is used in German, with its answer and the interaction beside it, and the next one being typed. */
async function used(page: Page): Promise<void> {
  await open(page, '?as=100000000000003002&lang=de')
  await page.until(`document.querySelectorAll('.entry').length > 3`)
  await page.click('#entry-0')
  await page.set('#pill-what', 'Katze füttern')
  await page.set('#pill-hours', 'Morgen')
  await page.click('#send')
  await answer(page, { type: 4, data: { content: 'Hello' } })
  await page.has('.message .bubble')
  if (await isPhone(page)) return
  await inspect(page)
  await page.set('#composer', '/')
  await page.until(
    `document.querySelectorAll('.entry').length === 2 && document.querySelector('#inspector pre') !== null`,
  )
}

/** Opens the inspector for the last use. */
export async function inspect(page: Page): Promise<void> {
  await page.act(`[...document.querySelectorAll('.used')].at(-1)`, 'click')
  await page.has('#inspector [role=tab]')
}

const isPhone = ({ tab }: Page) => tab.evaluate<boolean>('innerWidth <= 600')

/** Answers the last use by hand, in the dialog on a phone. */
export async function answer(page: Page, callback: object): Promise<void> {
  await page.act(`[...document.querySelectorAll('.use .dashed')].at(-1)`, 'click')
  // Until the answer to its question, the inspector shows the use before.
  await page.starts('[for=reply]', 'Answer as the bot')
  await page.set('#reply', JSON.stringify(callback))
  await page.click('#inspector button.main')
  if (await isPhone(page)) await page.keys('Escape')
}

/** How to get to each state of the page. */
export const states = {
  first: (page) => page.load(),
  'no-requests': (page) => page.load('?view=requests'),
  'no-plan': (page) => open(page, '?view=plan'),
  'no-draft': (page) => open(page, '?view=editor'),
  list: member,
  /** The list while the question what it holds after a deploy is not answered. */
  async late(page) {
    await member(page)
    await page.tab.route('**/ui/picker', () => {})
    await page.deploy(sampleCommands.slice(1))
    await page.has('.list[aria-busy=true] .entry')
  },
  used,
  async refused(page) {
    await open(page)
    await page.click('#entry-0')
    await page.click('#send')
    await page.has('.pill.wrong')
  },
  async components(page) {
    await open(page)
    await search(page)
    const menu = { type: 3, custom_id: 'day', options: [{ label: 'Monday', value: 'mon' }] }
    const embeds = [{ title: 'Cats', description: 'All about cats' }]
    const components = [row(button('Open', 1), button('Next', 2)), row(menu)]
    await answer(page, { type: 4, data: { content: '3 notes', embeds, components } })
    await page.click('.feed .bubble .main')
    await page.counts('.use', 1)
    const input = { type: 4, style: 2, custom_id: 'text', label: 'Text' }
    const options = ['Red', 'Blue'].map((label) => ({ label, value: label }))
    const labelled = (type: number, label: string) => {
      return { type: 18, label, component: { type, custom_id: label, options } }
    }
    const inputs = [labelled(21, 'Ink'), labelled(22, 'Tags'), labelled(23, 'Pin'), labelled(19, 'Picture')]
    const modal = { custom_id: 'note', title: 'Edit the note', components: [row(input), ...inputs] }
    await answer(page, { type: 9, data: modal })
    await page.has('dialog.modal')
  },
  async chips(page) {
    await open(page, '?as=100000000000003001')
    await page.click('#entry-0')
    await page.focus('#pill-hours')
    await page.has('#choices')
  },
  async dozen(page) {
    await open(page)
    for (let count = 1; count <= 12; count++) {
      await search(page)
      await page.counts('.use', count)
    }
    await page.set('#composer', '/')
    await page.has('.entry')
  },
  async markdown(page) {
    await open(page)
    await search(page)
    const field = (name: string, count: number) => ({ name, value: `**${count}**`, inline: true })
    const fields = [field('Lives', 9), field('Paws', 8), field('Naps', 7)]
    const author = { name: 'Cat facts' }
    const image = { url: 'https://example.com/cat.png' }
    const embed = { author, title: 'Cats', description: '> Meow', color: 0xe0a030, fields, image }
    const components = [row(...['Open', 'Next', 'Keep', 'Delete'].map((label, at) => button(label, at + 1)))]
    const content =
      '## Found\n**3** of `12` notes for <@100000000000003002>:\n- one\n- ||two||\n```js\nmeow()\n```'
    await answer(page, { type: 4, data: { content, embeds: [embed], components } })
    await page.has('.message .bubble .danger')
  },
  async 'invalid-answer'(page) {
    await open(page)
    await search(page)
    await page.act(`document.querySelector('.use .dashed')`, 'click')
    await page.set('#reply', JSON.stringify({ type: 4, data: { content: 'x'.repeat(2_001) } }))
    await page.click('#inspector button.main')
    await page.has('#inspector .problems li')
  },
  async files(page) {
    files = [
      {
        name: 'commands/ban.json',
        text: draft,
        isReadOnly: false,
        errors: [{ line: 3, text: 'command "Remind", name: has upper case; write "remind"' }],
      },
    ]
    await open(page, '?as=100000000000003002&view=editor')
    await page.has('.notice')
    await page.has('.gutter .error')
    files = []
  },
  async editor(page) {
    await deploy(page)
    await page.draft(draft)
    await page.load('?view=editor')
    await page.has('.gutter .error')
  },
  async plan(page) {
    await deploy(page)
    const [ban, , ...others] = sampleCommands
    await page.draft(JSON.stringify([{ ...ban, name: 'banish' }, ...others]))
    await page.load('?view=plan')
    await page.has('.plan')
  },
  async access(page) {
    await open(page, '?view=access')
    await page.click('#cell-1-1')
    await page.has('#inspector .trace')
  },
  async translations(page) {
    await open(page, '?view=translations&lang=es-419')
    await page.has('.hole')
  },
  async requests(page) {
    await page.request('PUT', `/applications/${app}/commands`, sampleCommands)
    await page.request('PUT', `/applications/${app}/commands`, JSON.parse(draft))
    await page.load('?view=requests')
    await page.click('.request button')
    await page.has('#inspector .problems')
  },
  /** In a language that is written from right to left. */
  async hundred(page) {
    await page.load()
    await page.deploy(hundred)
    await page.load('?as=100000000000003002&lang=ar')
    await page.counts('.entry', 100)
  },
  async 'hundred-typed'(page) {
    await page.load()
    await page.deploy(hundred)
    await page.load('?as=100000000000003002&lang=ar')
    await page.set('#composer', 'Hello')
    await page.focus('#composer')
    await page.keys('Enter')
    await page.has('.message')
    await page.set('#composer', '/')
    await page.counts('.entry', 100)
  },
  /** A language that is written from right to left, in other views. */
  async 'access-arabic'(page) {
    await open(page, '?view=access&lang=ar')
    await page.click('#cell-1-1')
    await page.has('#inspector .trace')
  },
  async 'translations-arabic'(page) {
    await open(page, '?view=translations&lang=ar')
    await page.has('.hole')
  },
  async 'talk-arabic'(page) {
    await open(page, '?as=100000000000003002&lang=ar')
    await search(page)
    const menu = { type: 5, custom_id: 'whom', max_values: 2 }
    const components = [row(button('Open', 1)), row(menu)]
    await answer(page, { type: 4, data: { content: 'Which?', embeds: [{ title: 'Cats' }], components } })
    await page.click('.pick .opener')
    await page.has('.picking li')
  },
  async 'hundred-editor'(page) {
    await page.load()
    await page.deploy(hundred)
    await page.draft(JSON.stringify(hundred))
    await page.load('?view=editor&lang=ar')
    await page.counts('.preview .name', 1)
  },
  /** A conversation of two people and the bot. */
  async talk(page) {
    const write = async (text: string, count: number) => {
      await page.set('#composer', text)
      await page.focus('#composer')
      await page.keys('Enter')
      await page.counts('.message', count)
    }
    await open(page, '?as=100000000000003001')
    await write('Does anybody know a cat that likes **water**?', 1)
    await page.load('?as=100000000000003002')
    await page.counts('.message', 1)
    await write('Let us ask the notes, @ada', 2)
    await search(page)
    await page.has('.use')
    const fields = ['Lives', 'Paws', 'Naps'].map((name, at) => ({ name, value: `${9 - at}`, inline: true }))
    const embed = { title: 'Turkish Van', description: '> The swimming cat', color: 0xe0a030, fields }
    const components = [row(button('Open', 1), button('Next', 2))]
    await answer(page, { type: 4, data: { content: '3 notes about cats', embeds: [embed], components } })
    await page.has('.message .bubble .main')
    if (!(await isPhone(page))) await page.click('#tab-Interaction')
  },
  async beside(page) {
    await open(page, '?as=100000000000003001')
    await page.set('#composer', 'Hello **everyone**')
    await page.focus('#composer')
    await page.keys('Enter')
    await page.has('.message')
    await page.load('?as=100000000000003001&beside=100000000000003002')
    await page.counts('.message', 2)
  },
  async menu(page) {
    await member(page)
    await page.click('#who summary')
  },
  async palette(page) {
    await member(page)
    await page.button('Search')
    await page.has('dialog.palette')
  },
} satisfies Readonly<Record<string, (page: Page) => Promise<void>>>
