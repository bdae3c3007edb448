import { expect, it } from 'vitest'
import { describePage, type Page } from '../../../open.ts'
import { answer, inspect } from '../../../states.ts'

const user = { type: 6, name: 'user', description: 'Whom', required: true }
const reason = { type: 3, name: 'reason', description: 'Why' }
const ban = { name: 'ban', description: 'Ban a member', options: [user, reason] }
const commands = [ban, { type: 3, name: 'Translate' }, { type: 2, name: 'Report' }]

describePage('the conversation', (page) => {
  const open = async (query?: string) => {
    await page.open(commands, query)
    await page.has('.entry')
  }
  const write = async (text: string) => {
    await page.focus('#composer')
    await page.keys(`'${text}'`, 'Enter')
  }
  const useBan = async () => {
    await write('/ban user:@alan')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.has('.use')
  }

  it('shows what people write where they wrote it, also after a reload', async () => {
    await open()
    await write('Hello **all**')
    await page.shows('.message .bubble', 'Hello all')
    await page.click('#person-100000000000003002')
    await write('Welcome, @ada')
    await page.shows('.message .bubble', 'Hello all', 'Welcome, @Ada')
    await page.shows('.author', 'Ada', 'Grace')
    await page.act(channel('staff'), 'click')
    await page.shows('.feed-head h2', '#staff')
    await page.counts('.message', 0)
    await page.act(channel('general'), 'click')
    await page.tab.reload()
    await page.shows('.message .bubble', 'Hello all', 'Welcome, @Ada')
  })

  it('marks channels with a message that the person has not seen', async () => {
    await open()
    await page.click('#person-100000000000003002')
    await page.act(channel('staff'), 'click')
    await write('For the staff')
    await page.act(channel('general'), 'click')
    await page.click('#person-100000000000003001')
    await page.shows('.rail .dot', 'new messages')
    await page.act(channel('staff'), 'click')
    await page.counts('.rail .dot', 0)
  })

  it('keeps answers that only one person sees, and modals, from the others', async () => {
    await open()
    await useBan()
    await answer(page, { type: 4, data: { content: 'Only for Ada', flags: 64 } })
    await page.shows('.message .bubble', 'Only for Ada')
    await page.click('#person-100000000000003002')
    await page.shows('.feed-head .hint', 'as Grace')
    await page.counts('.message', 0)
    await page.click('#person-100000000000003001')
    await page.shows('.message .bubble', 'Only for Ada')
  })

  it('takes a whole line as the fields of the command, typed or pasted', async () => {
    await open('?as=100000000000003002')
    await write('/ban user:@alan reason:no spam here')
    await page.hasFocus('send')
    await page.becomes(`document.getElementById('pill-user').value`, '@Alan')
    await page.becomes(`document.getElementById('pill-reason').value`, 'no spam here')
    await page.keys('Enter')
    await page.has('.use')
    await inspect(page)
    const options = async () => JSON.parse((await page.texts('#inspector pre'))[0]!).data.options
    await page.has('#inspector pre')
    expect((await options()).map(({ value }: any) => value)).toEqual(['100000000000003003', 'no spam here'])
    await paste(page, '/ban user:@ada reason:again')
    await page.hasFocus('send')
    await page.becomes(`document.getElementById('pill-reason').value`, 'again')
    await writeAnew(page, '/ban whom:@ada')
    await page.starts('.composer > .problem', /no option "whom"/)
  })

  it('shows emojis of servers by their names, and lets others join them', async () => {
    await open()
    await write('Hello')
    // As a bot with an emoji of its own reacts.
    await page.tab.route('**/ui/does', (route) =>
      route.continue({ postData: route.request().postData()!.replace('👍', '<:party:77>') }),
    )
    await page.act(`document.querySelector('.message .more')`, 'click')
    await page.has('dialog.palette')
    await page.keys("'👍'", 'Enter')
    await page.shows('.reaction', ':party: 1')
    await page.tab.unroute('**/ui/does')
    await page.click('#person-100000000000003002')
    await page.click('.reaction')
    await page.shows('.reaction', ':party: 2')
  })

  it('replies, reacts, edits and deletes, each as far as the person may', async () => {
    await open()
    await write('First')
    await page.click('#person-100000000000003002')
    const choose = async (word: string) => {
      await page.act(`[...document.querySelectorAll('.message .more')].at(0)`, 'click')
      await page.has('dialog.palette')
      await page.keys(`'${word}'`, 'Enter')
      await page.counts('dialog.palette', 0)
    }
    await choose('reply')
    await page.shows('.on .hint', 'Reply to Ada')
    await write('Second')
    await page.starts('.message .used', '↱ Ada: First')
    await choose('👍')
    await page.shows('.reaction', '👍 1')
    await page.click('#person-100000000000003001')
    await page.click('.reaction')
    await page.shows('.reaction', '👍 2')
    await page.focus('#composer')
    await page.keys('ArrowUp')
    await page.becomes(`document.getElementById('composer').value`, 'First')
    await page.keys("' again'", 'Enter')
    await page.starts('.message .bubble', 'First again (edited)')
    await page.act(`[...document.querySelectorAll('.message .more')].at(1)`, 'click')
    await page.keys("'delete'")
    await page.counts('#actions li', 0)
    await page.keys('Escape')
    await page.counts('dialog.palette', 0)
    await page.click('#person-100000000000003002')
    await choose('delete')
    await page.shows('.message .bubble', 'Second')
  })

  it('opens a modal as a dialog, with the focus, descriptions and the error at its field', async () => {
    await open()
    await useBan()
    const label = (component: object) => {
      return { type: 18, label: 'Reason', description: 'Shown to the moderators', component }
    }
    const text = { type: 4, custom_id: 'why', style: 1, required: true }
    await answer(page, { type: 9, data: { custom_id: 'form', title: 'Ban', components: [label(text)] } })
    await page.has('dialog.modal[open]')
    await page.becomes(`document.activeElement.name`, 'why')
    await page.becomes(
      `document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent`,
      'Shown to the moderators',
    )
    await page.keys('Enter')
    await page.starts('.modal .input .problem', /is required/)
    await page.becomes(`document.querySelector('.modal input').getAttribute('aria-invalid')`, 'true')
    await page.keys('Escape')
    await page.counts('dialog.modal', 0)
  })

  it('lets a second person beside the first press the same button', async () => {
    await open()
    await useBan()
    const button = { type: 2, style: 1, custom_id: 'ok', label: 'Agree' }
    const components = [{ type: 1, components: [button] }]
    await answer(page, { type: 4, data: { content: 'Agree?', components } })
    await page.has('.bubble .main')
    await page.load('?as=100000000000003001&beside=100000000000003002')
    await page.shows('.feed-head .hint', 'as Ada', 'as Grace')
    await page.counts('.bubble .main', 2)
    await page.act(`document.querySelector('.pane:nth-child(2) .bubble .main')`, 'click')
    await page.has('.pane:nth-child(2) .use')
    await page.counts('.pane:nth-child(1) .use', 0)
  })

  it('shows a command with 25 options, and one with long texts, in one line each', async () => {
    const long = 'x'.repeat(100)
    const options = Array.from({ length: 25 }, (_, index) => ({
      ...{ type: 3, name: `option-number-${index}`, description: 'An option' },
    }))
    await page.open([
      { name: 'all', description: long, options },
      { name: long.slice(0, 32), description: long, options },
      { name: 'small', description: 'Small' },
    ])
    await page.counts('.entry', 3)
    for (const width of [1440, 820, 390]) {
      await page.resize(width, 900)
      const heights = `[...document.querySelectorAll('.entry')].map((one) => one.getBoundingClientRect().height < ${width === 390 ? 66 : 42})`
      await page.becomes(heights, [true, true, true])
      await page.becomes('document.documentElement.scrollWidth', width)
    }
  })

  it('shows the roles of each person whole, below the name where both do not fit in one line', async () => {
    await page.open([{ name: 'small', description: 'Small' }])
    await page.counts('.person', 3)
    const words = `[...document.querySelectorAll('.person .hint')]`
    for (const width of [1440, 1280, 1024]) {
      await page.resize(width, 900)
      await page.becomes(`${words}.every((one) => one.scrollWidth <= one.clientWidth)`, true)
      await page.becomes(`${words}.map((one) => one.innerText)`, ['', 'Moderators', 'Administrators'])
    }
  })

  it('keeps the whole menu of a message in the window while its list becomes longer', async () => {
    await page.open([{ name: 'small', description: 'Small' }])
    await page.resize(1280, 800)
    await write('Hello')
    await page.click('.message .more')
    await page.has('.palette.at li')
    const menu = `document.querySelector('.palette.at').getBoundingClientRect()`
    await page.becomes(`${menu}.bottom <= innerHeight`, true)
    await page.deploy([{ name: 'Report', type: 3 }])
    await page.becomes(`document.querySelector('.palette.at').textContent.includes('Report')`, true)
    await page.becomes(`${menu}.bottom <= innerHeight && ${menu}.top >= 0`, true)
  })

  it.each([
    ['in an empty channel', false],
    ['below messages', true],
  ])('keeps the list of commands at its place while a name is typed: %s', async (_, hasMessages) => {
    await page.open(Array.from({ length: 100 }, (_, n) => ({ name: `do-${n}`, description: 'Does it' })))
    await page.counts('.entry', 100)
    if (hasMessages) {
      await write('Hello')
      await page.shows('.bubble', 'Hello')
    }
    await page.focus('#composer')
    await page.keys('/')
    await page.has('.over .entry')
    const end = () =>
      page.tab.evaluate<number>(`document.querySelector('section.list').getBoundingClientRect().bottom`)
    const before = await end()
    for (const [letters, count] of [
      ['do', 100],
      ['-9', 11],
      ['9', 1],
    ] as const) {
      await page.keys(`'${letters}'`)
      await page.counts('.entry', count)
      expect(await end()).toBe(before)
    }
  })

  it('adds a person who joins, and forgets one who leaves', async () => {
    await open()
    await page.button('+ Person')
    await page.has('dialog.palette')
    await page.keys("'Linus'", 'Enter')
    await page.shows('.person .name', 'Ada', 'Grace', 'Alan', 'linus')
    await page.act(`[...document.querySelectorAll('.person')].at(-1)`, 'click')
    await write('Hi')
    await page.shows('.author', 'linus')
    await page.act(`[...document.querySelectorAll('.person-row .more')].at(-1)`, 'click')
    await page.keys("'leaves'", 'Enter')
    await page.shows('.person .name', 'Ada', 'Grace', 'Alan')
    await page.shows('.feed-head .hint', 'as Ada')
  })

  it('shows the picture that a person attaches, without a request to another server', async () => {
    await open()
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const buffer = Buffer.from(pixel, 'base64')
    await page.tab.setInputFiles('.attach input', { name: 'dot.png', mimeType: 'image/png', buffer })
    await page.shows('.composer .box', /dot\.png/)
    await page.focus('#composer')
    await page.keys("'Look'", 'Enter')
    await page.becomes(`document.querySelector('.bubble img')?.naturalWidth`, 1)
    await page.becomes(`document.querySelector('.bubble img').alt`, 'dot.png')
  })

  it('starts a thread from a message and goes there', async () => {
    await page.open(commands, '?as=100000000000003003')
    await write('A long story')
    await page.click('.message .more')
    await page.keys("'thread'", 'Enter')
    await page.shows('.feed-head h2', '#A long story')
    await write('In the thread')
    await page.starts('.message:last-child .bubble', 'In the thread')
    await page.shows('.in-thread', '↳ A long story')
  })
})

const channel = (name: string) =>
  `[...document.querySelectorAll('.channel')].find((one) => one.textContent.includes('${name}'))`

/** Pastes a text into the composer, as a browser does. */
async function paste(page: Page, text: string): Promise<void> {
  await page.focus('#composer')
  await page.tab.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    document.execCommand('insertText', false, ${JSON.stringify(text)})
  }`)
}

/** Leaves the command that is being typed, and writes another line. */
async function writeAnew(page: Page, text: string): Promise<void> {
  await page.keys('Escape')
  await page.hasFocus('composer')
  await page.set('#composer', '')
  await page.keys(`'${text}'`, 'Enter')
}
