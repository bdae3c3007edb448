import { expect, it } from 'vitest'
import { describePage } from '../../../open.ts'
import { answer, inspect, row } from '../../../states.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describePage('menus and files', (page) => {
  const show = async (components: readonly object[]) => {
    await page.open([{ name: 'ping', description: 'Ping' }])
    await page.keys('/', "'ping'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await answer(page, { type: 4, data: { content: 'Choose', components } })
    await page.has('.pick')
  }
  /** The interaction of the last use, which has a text. */
  const interaction = async (text = /"component_type"/) => {
    await inspect(page)
    await page.starts('#inspector pre', text)
    return JSON.parse((await page.texts('#inspector pre'))[0]!)
  }

  it('searches the people of a menu, by keyboard, and sends a single one at once', async () => {
    await show([row({ type: 5, custom_id: 'whom', placeholder: 'Whom?' })])
    await page.shows('.pick .opener', 'Whom?')
    await page.focus('.pick .opener')
    await page.keys('Enter')
    await page.becomes(`document.activeElement.getAttribute('aria-label')`, 'Search: Whom?')
    await page.shows('.picking li', '@Ada', '@Grace', '@Alan')
    await page.keys('Escape')
    await page.counts('.picking', 0)
    await page.becomes(`document.activeElement.className`, 'opener')
    await page.keys('Enter', "'gra'", 'Enter')
    await page.starts('.use .used', /^Ada chose @Grace/)
    expect((await interaction()).data).toMatchObject({ values: ['100000000000003002'], component_type: 5 })
  })

  it('shows what is chosen before, and sends several within the limits of a menu', async () => {
    const chosen = [{ id: '100000000000005001', type: 'role' }]
    const roles = { type: 6, custom_id: 'roles', min_values: 1, max_values: 2, default_values: chosen }
    await show([row(roles)])
    await page.shows('.pick .opener', '@Moderators')
    await page.click('.pick .opener')
    await page.shows('.picking [aria-selected=true]', '✓ @Moderators')
    await page.shows('.picking .row .hint', '1 to 2, 1 chosen')
    await page.keys("'mod'", 'Enter')
    await page.becomes(`document.querySelector('.picking .row button').disabled`, true)
    await page.keys('Enter')
    await page.set('.picking input', 'every')
    await page.keys('Enter')
    await page.shows('.picking .row .hint', '1 to 2, 2 chosen')
    await page.click('.picking .row button')
    await page.starts('.use .used', /^Ada chose @Moderators, @everyone/)
    expect((await interaction()).data.values).toEqual(['100000000000005001', '100000000000002001'])
  })

  it('offers only the types of channels that a menu takes, and texts with their descriptions', async () => {
    const red = { label: 'Red', value: 'red', description: 'As a rose', emoji: { name: '🌹' } }
    await show([
      row({ type: 8, custom_id: 'where', channel_types: [2] }),
      row({ type: 3, custom_id: 'colour', min_values: 0, options: [red] }),
    ])
    await page.click('.pick .opener')
    await page.shows('.picking li')
    await page.shows('.picking .dim', 'Nothing has that name.')
    await page.act(`document.querySelectorAll('.pick .opener')[1]`, 'click')
    await page.shows('.picking li', '🌹 RedAs a rose')
    // A menu that takes none can send none.
    await page.click('.picking .row button')
    await page.starts('.use .used', /^Ada chose/)
    expect((await interaction()).data.values).toEqual([])
  })

  it('keeps the choice of a modal until it is sent, and Escape closes only the list', async () => {
    const label = (text: string, component: object) => ({ type: 18, label: text, component })
    await page.open([{ name: 'ping', description: 'Ping' }])
    await page.keys('/', "'ping'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    const menu = { type: 5, custom_id: 'whom', min_values: 1, max_values: 3 }
    const file = { type: 19, custom_id: 'file' }
    await answer(page, {
      type: 9,
      data: { custom_id: 'form', title: 'Form', components: [label('Whom', menu), label('File', file)] },
    })
    await page.has('dialog.modal')
    await page.becomes(`document.querySelector('.modal .opener').getAttribute('aria-label')`, 'Whom: Choose')
    await page.click('.modal .opener')
    for (const index of [1, 2]) await page.tab.locator('.picking li').nth(index).click()
    await page.keys('Escape')
    await page.counts('.picking', 0)
    await page.has('dialog.modal[open]')
    await page.shows('.modal .opener', '@Grace, @Alan')
    await page.tab.setInputFiles('.modal [name=file]', {
      name: 'a.png',
      mimeType: 'image/png',
      buffer: pixel,
    })
    await page.click('.modal .main')
    await page.shows('.use .used', /used \/ping/, /submitted Form/)
    const { data } = await interaction(/"custom_id": "form"/)
    expect(data.components[0].component.values).toEqual(['100000000000003002', '100000000000003003'])
    const [sent]: any[] = Object.values(data.resolved.attachments)
    expect(sent).toMatchObject({ filename: 'a.png', size: pixel.length, content_type: 'image/png' })
    expect(Buffer.from(await (await fetch(sent.url)).arrayBuffer())).toEqual(pixel)
  })

  it('sends the content of the file of an option, chosen or dropped', async () => {
    const option = { type: 11, name: 'file', description: 'What', required: true }
    await page.open([{ name: 'upload', description: 'Upload', options: [option] }])
    await page.click('#entry-0')
    await page.hasFocus('pill-file')
    await page.tab.setInputFiles('.pill [type=file]', { name: 'b.png', mimeType: 'image/png', buffer: pixel })
    await page.shows('.pill .box', `b.png · ${pixel.length} bytes ×`)
    await page.hasFocus('send')
    await page.click('#send')
    await page.counts('.use', 1)
    const attachmentOf = async (name: RegExp): Promise<any> =>
      Object.values((await interaction(name)).data.resolved.attachments)[0]
    const { url, size } = await attachmentOf(/b\.png/)
    expect(size).toBe(pixel.length)
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(pixel)
    await page.keys('/', "'upload'", 'Enter')
    await page.hasFocus('pill-file')
    await page.tab.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['hello'], 'c.txt', { type: 'text/plain' }))
      document.querySelector('.pane').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }`)
    await page.shows('.pill .box', 'c.txt · 5 bytes ×')
    await page.click('#send')
    await page.counts('.use', 2)
    const second = await attachmentOf(/c\.txt/)
    expect(await (await fetch(second.url)).text()).toBe('hello')
    expect(second.url).not.toBe(url)
  })
})
