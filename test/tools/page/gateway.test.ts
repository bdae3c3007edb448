import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { newDirectory } from '../../support/directory.ts'
import { root } from '../../support/markdown.ts'
import { buildProgram } from '../../support/programs.ts'
import { buildRedirect } from '../../support/redirect.ts'
import { placeholderToken } from '../../../src/service/http/principal.ts'
import { loginAt } from '../../interop/serve-gateway.ts'
import { serveOnFreePort, withDrivers } from '../cli/program.ts'
import { describePage, type Page } from './open.ts'

const folder = newDirectory()
afterAll(() => rmSync(folder, { recursive: true }))

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
    await page.has('.entry')
  }

  it('moves the clock of the bot from the bar', async () => {
    await open()
    await page.becomes(`document.querySelector('#clock summary').textContent`, /^Clock \d\d:\d\d$/)
    await write(page, '/remind')
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

describePage('the page of a folder', (page) => {
  it('follows the bot that logs in, and so do the commands of the folder', async () => {
    const cwd = await withDrivers({ 'commands/ping.json': { name: 'ping', description: 'Pong' } }, 'ws')
    const { origin, called } = await serveOnFreePort(['commands', '--gateway'], cwd)
    await page.load('', origin)
    await page.shows('.entry .name', '/ping')
    await page.becomes('location.search', /app=1000000000000000000/)
    await loginAt(origin, placeholderToken('1122334455667788990'))
    await page.starts('.notice', /1122334455667788990 has logged in; you see its application/)
    await page.becomes('location.search', /app=1122334455667788990/)
    await page.shows('.entry .name', '/ping')
    expect(await called.lineWith('whose bot')).toContain('commands  now for application 1122334455667788990')
    // A new page begins with the bot.
    await page.load('', origin)
    await page.becomes('location.search', /app=1122334455667788990/)
    await page.shows('.entry .name', '/ping')
  })
})

describePage('the clock without a bot', (page) => {
  it('says in one line how to move it', async () => {
    await page.open([{ name: 'ping', description: 'Pong' }])
    await page.counts('.clock .quiet', 0)
    await page.click('#clock summary')
    await page.starts('#clock .hint', /start it with commandry serve --gateway --run/)
  })
})

async function write(page: Page, text: string): Promise<void> {
  await page.focus('#composer')
  await page.keys(`'${text}'`, 'Enter')
}
