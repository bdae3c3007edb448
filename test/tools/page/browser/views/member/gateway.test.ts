import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { newDirectory } from '../../../../../support/directory.ts'
import { root } from '../../../../../support/markdown.ts'
import { buildProgram } from '../../../../../support/programs.ts'
import { buildRedirect } from '../../../../../support/redirect.ts'
import { placeholderToken } from '../../../../../support/fixtures.ts'
import { loginAt } from '../../../../../interop/gateway/serve-gateway.ts'
import { serveOnFreePort, withDrivers } from '../../../../cli/program.ts'
import { describePage, type Page } from '../../../open.ts'

const folder = newDirectory()
afterAll(() => rmSync(folder, { recursive: true }))

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The first message that does not answer a use. */
const answered = '.message:not(.use) .bubble'

const bot = fileURLToPath(new URL('ticket-bot.mjs', import.meta.url))

describePage('the page beside a bot at the gateway', (page) => {
  /** Serves with the bot, and opens the page once it has deployed its commands. */
  const open = async (query = '') => {
    const clock = await buildProgram(new URL('src/clock.ts', root), join(folder, 'cjs/clock.cjs'))
    const { required } = buildRedirect(folder)
    const cwd = await withDrivers({}, 'ws')
    const args = ['--gateway', '--run', `node ${bot}`]
    const { origin } = await serveOnFreePort(args, cwd, {
      redirect: () => required,
      clock: () => clock,
      env: { PATH: process.env['PATH'] },
    })
    await page.load(query, origin)
    // Ada may not use /ban.
    await page.shows('.entry .name', '/remind', '/ticket')
  }

  it('leads a newcomer to a ban, through a modal and to the DM of the bot, by mouse in 12 actions', async () => {
    await open()
    const { click, type, done } = counting(page)
    await page.starts('#hidden summary', 'needs BAN_MEMBERS/ban')
    await click('.person', 'Grace')
    await click('.entry', '/ban')
    await click('#choices li', '@Ada')
    await page.hasFocus('send')
    await click('#send')
    await page.has('dialog.modal[open]')
    await type('spam')
    await click('dialog.modal button', 'Submit')
    await page.starts(answered, 'Banned Ada')
    await page.starts('.rail [aria-label="Direct messages"] .dot', 'new messages')
    await click('.channel[title="The DM with the bot"]')
    await page.starts('.bubble', 'You banned Ada: spam')
    await page.shows('.person .name', 'Grace', 'Alan', 'Your bot')
    expect(done.length).toBeLessThanOrEqual(12)
  })

  it('leads there by keyboard in 14 actions', async () => {
    await open()
    const { press, type, done } = counting(page)
    await press('Control+k')
    await page.has('dialog.palette[open]')
    await type('grace')
    await press('Enter')
    await page.starts('.feed-head .hint', 'as Grace')
    await page.shows('.entry .name', '/ban', '/remind', '/ticket')
    await press('/')
    await type('ban')
    await page.counts('.entry', 1)
    await press('Enter')
    await page.hasFocus('pill-user')
    await type('ada')
    await page.shows('#choices li', '@Ada')
    await press('Enter')
    await page.hasFocus('send')
    await press('Enter')
    await page.has('dialog.modal[open]')
    await type('spam')
    await press('Enter')
    await page.starts(answered, 'Banned Ada')
    await press('Control+k')
    await page.has('dialog.palette[open]')
    await type('dm')
    await press('Enter')
    await page.starts('.bubble', 'You banned Ada: spam')
    expect(done.length).toBeLessThanOrEqual(14)
  })

  it('plays a ticket with a thread, a modal and a file, as two people side by side', async () => {
    await open()
    await choose(page, '/ticket')
    await page.keys('Enter')
    await page.has('dialog.modal[open]')
    await page.keys("'The door is stuck'")
    await page.tab.setInputFiles('.modal [type=file]', {
      name: 'door.png',
      mimeType: 'image/png',
      buffer: pixel,
    })
    await page.button('Submit')
    await page.has('.bubble button.mention')
    await page.click('.bubble button.mention')
    await page.starts('.feed-head h2', '#ticket-ada')
    await page.becomes(`document.querySelector('.bubble img')?.naturalWidth`, 1)
    await page.becomes(`document.querySelector('.bubble img').alt`, 'door.png')
    // The bot has a picture, Ada has initials.
    await page.becomes(`document.querySelector('.message > .avatar img')?.naturalWidth`, 1)
    await page.starts('.person .avatar', 'A')
    // Grace opens beside, and presses in her half.
    await page.act(`document.querySelectorAll('.person-row')[1].querySelector('.more')`, 'click')
    await page.keys("'beside'", 'Enter')
    await page.shows('.feed-head .hint', 'as Ada', 'as Grace')
    await page.act(`document.querySelector('.pane:nth-child(2) .bubble .main')`, 'click')
    await page.shows('.bubble .hint', 'claimed by Grace', ' (edited)', 'claimed by Grace', ' (edited)')
    await write(page, 'Thank you')
    await page.act(`document.querySelectorAll('.person')[1]`, 'click')
    await write(page, 'On my way')
    await page.shows('.pane:nth-child(1) .message .author', 'Your bot', 'Ada', 'Grace')
    await page.act(`document.querySelector('.bubble .danger')`, 'click')
    await page.starts('.pane:nth-child(1) .message:last-child .bubble', 'Closed')
    // The bot has locked and archived it: Ada writes in it no more, and finds it in no list.
    await page.starts('.feed-head .hint', 'archived, locked')
    await page.shows('.in-thread', '↳ ticket-ada archived, locked')
    await page.act(`document.querySelectorAll('.person')[0]`, 'click')
    await page.starts('.foot .dim', /^This thread is locked/)
    await page.counts('#composer', 0)
    await page.act(`document.querySelector('.channel')`, 'click')
    await page.counts('.in-thread', 0)
  })

  it('moves the clock of the bot from the bar', async () => {
    await open()
    await page.becomes(`document.querySelector('#clock summary').textContent`, /^Clock \d\d:\d\d$/)
    await choose(page, '/remind')
    await page.keys('Enter')
    await page.shows('.bubble', 'I will')
    await page.button('+15 min')
    await page.shows('.bubble', 'I will', '@Ada, ten minutes are over')
    const shown = await page.tab.evaluate<string>(`document.querySelector('#clock summary').textContent`)
    await page.click('#clock summary')
    await page.set('#clock input', '2h')
    await page.click('#clock form button')
    await page.until(`document.querySelector('#clock summary').textContent !== ${JSON.stringify(shown)}`)
    await page.set('#clock input', 'soon')
    await page.click('#clock form button')
    await page.starts('.notice', /duration: expected .* "15m"/)
    page.complains(/400/)
  })
})

/** Counts what a person does, and waits for what the person waits for. */
function counting({ tab, keys }: Page) {
  const done: string[] = []
  return {
    done,
    /** Clicks with the mouse what is in sight. */
    async click(selector: string, hasText = '') {
      done.push(`click ${selector} ${hasText}`)
      await tab.locator(selector, { hasText }).first().click()
    },
    async press(key: string) {
      done.push(key)
      await keys(key)
    },
    async type(text: string) {
      done.push(text)
      await tab.keyboard.type(text)
    },
  }
}

describePage('the page of a folder', (page) => {
  it('follows the bot that logs in, and so do the commands of the folder', async () => {
    const cwd = await withDrivers({ 'commands/ping.json': { name: 'ping', description: 'Pong' } }, 'ws')
    const { origin, called } = await serveOnFreePort(['commands', '--gateway'], cwd)
    await page.load('', origin)
    await page.shows('.entry .name', '/ping')
    await page.becomes('location.search', /app=1000000000000000000/)
    await page.focus('#composer')
    await page.keys("'/pi'", 'Enter')
    await page.hasFocus('send')
    await loginAt(origin, placeholderToken('1122334455667788990'))
    await page.starts('.notice', /1122334455667788990 has logged in; you see its application/)
    await page.becomes('location.search', /app=1122334455667788990/)
    expect(await called.lineWith('whose bot')).toContain('commands  now for application 1122334455667788990')
    // What was being written is still there, and can be sent.
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.starts('.use', /^Ada used \/ping(?!.*refused)/s)
    // A new page begins with the bot.
    await page.load('', origin)
    await page.becomes('location.search', /app=1122334455667788990/)
  })
})

describePage('the clock without a bot', (page) => {
  it('says in one line how to move it', async () => {
    await page.open([{ name: 'ping', description: 'Pong' }])
    await page.counts('.clock .quiet', 0)
    await page.click('#clock summary')
    await page.starts('#clock .hint', /start it with commandry serve -- node bot.js/)
  })
})

/** Chooses a command without options by its name. */
async function choose(page: Page, name: string): Promise<void> {
  await page.focus('#composer')
  await page.keys(`'${name}'`)
  await page.shows('.entry .name', name)
  await page.keys('Enter')
  await page.hasFocus('send')
}

async function write(page: Page, text: string): Promise<void> {
  await page.focus('#composer')
  await page.keys(`'${text}'`, 'Enter')
}
