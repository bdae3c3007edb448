import { rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { setDeadline } from '../../../support/deadlines.ts'
import { newDirectory } from '../../../support/directory.ts'
import { root } from '../../../support/markdown.ts'
import { buildProgram } from '../../../support/programs.ts'
import { buildRedirect } from '../../../support/redirect.ts'
import { placeholderToken, app } from '../../../support/fixtures.ts'
import { serveOnFreePort, withDrivers, type CallOptions } from '../../cli/program.ts'
import { describePage } from '../open.ts'

const folder = newDirectory()
afterAll(() => rmSync(folder, { recursive: true }))

const commands = ['fine', 'oops', 'gone', 'mute'].map((name) => ({ name, description: 'x' }))

/** /fine answers, /oops throws, /mute only logs, and /gone ends the bot. */
const bot = `
  import { Client } from 'discord.js'
  const client = new Client({ intents: [] })
  client.on('error', (error) => console.error(error))
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName === 'oops') throw new Error('no table named bans')
    if (interaction.commandName === 'gone') {
      console.error('lost ' + process.env.DB_PASSWORD + ' with ' + process.env.DISCORD_TOKEN)
      process.exit(3)
    }
    if (interaction.commandName === 'mute') {
      console.log('somebody used /mute')
      return console.error('BOT the table is locked')
    }
    await interaction.reply('well done')
  })
  client.once('clientReady', () => client.application.commands.set(${JSON.stringify(commands)}))
  client.login(process.env.DISCORD_TOKEN)
`

const state = (text: string | RegExp) => ['.state > span', text] as const

describePage('the page beside a program that the service has started', (page) => {
  const serving = async (args: readonly string[], files: Readonly<Record<string, string>>) => {
    const clock = await buildProgram(new URL('src/clock.ts', root), join(folder, 'cjs/clock.cjs'))
    const { required } = buildRedirect(folder)
    const cwd = await withDrivers(files, 'ws', 'discord.js')
    const env = { PATH: process.env['PATH'], DB_PASSWORD: 'hunter-22', CLIENT_ID: app }
    const options: CallOptions = { redirect: () => required, clock: () => clock, env }
    return { cwd, ...(await serveOnFreePort(args, cwd, options)) }
  }
  const open = async (args: readonly string[], files: Readonly<Record<string, string>>) => {
    const served = await serving(args, files)
    await page.load('', served.origin)
    return served
  }
  const use = async (name: string) => {
    await page.set('#composer', `/${name}`)
    await page.shows('.entry .name', `/${name}`)
    await page.click('#entry-0')
    await page.click('#send')
  }

  it('keeps the service and the page when the bot ends, without its secrets, and starts it again by a button', async () => {
    const { called } = await open(['--', process.execPath, 'bot.mjs'], { 'bot.mjs': bot })
    await page.starts(...state('● bot online'))
    await page.counts('.entry', 4)
    await use('gone')
    await page.starts(
      '.notice p',
      'The bot ended with code 3. It starts again when you save one of its files.',
    )
    await page.starts('.notice pre', 'lost *** with ***')
    await page.becomes(`document.querySelector('.notice details pre').checkVisibility()`, false)
    await page.starts(...state('● bot ended with code 3'))
    await page.button('Start again')
    await page.starts(...state('● bot online'))
    await page.counts('.notice', 0)
    called.interrupt()
    const { code, err } = await called
    expect(code).toBe(0)
    // The terminal has all of it.
    expect(err).toContain(`lost hunter-22 with ${placeholderToken(app)}`)
    page.complains(/changes|Failed to load/)
  })

  it('shows the error of the bot under the use that caused it, and at once when the bot ends', async () => {
    setDeadline('ANSWER_TIMEOUT', 3_000)
    await open(['--no-watch', '--', process.execPath, 'bot.mjs'], { 'bot.mjs': bot })
    await page.counts('.entry', 4)
    await use('oops')
    await page.starts('.use .fault', /^.*no table named bans\n.*bot\.mjs:6/s)
    await page.starts('.use .problem p', 'The bot did not answer in time.')
    await use('mute')
    await page.becomes(
      `[...document.querySelectorAll('.use .fault')].at(-1).textContent`,
      'BOT the table is locked',
    )
    await use('gone')
    const last = (selector: string) =>
      `[...document.querySelectorAll('.use')].at(-1).querySelector('${selector}').textContent`
    await page.becomes(last('.problem p'), 'The bot ended.')
    await page.becomes(last('.fault'), 'lost *** with ***')
    await page.counts('.use', 3)
    await use('fine')
    await page.counts('.use', 4)
    await page.becomes(last('.problem p'), 'The bot ended.')
    // None of them waited for the time of an answer but the first.
    await page.starts('.person .no', '● offline')
    await page.starts('.notice p', 'The bot ended with code 3.')
  })

  it('warns before a deploy that the bot overwrites, and brings back the translations that it has overwritten', async () => {
    await open(['--', process.execPath, 'bot.mjs'], { 'bot.mjs': bot })
    await page.counts('.entry', 4)
    await page.click('nav a[href*="translations"]')
    const field = '[aria-label="/fine, name, Deutsch"]'
    await page.set(field, 'gut')
    await page.button('Deploy…')
    await page.starts(
      'main .notice',
      'The bot deploys its own commands at each start and will overwrite this; save the texts as a file, or change its code.',
    )
    await page.act(`document.querySelector('.foot button.main')`, 'click')
    await page.counts('.entry', 4)
    await page.click('.state button')
    await page.starts('.notice span', 'The bot or another deploy has overwritten 1 text of yours.')
    await page.button('Bring them back')
    await page.becomes(`document.querySelector('${field}').value`, 'gut')
    await page.starts('.foot output', '1 text in 1 language, not sent back')
  })

  it('starts the bot again when a source is saved, and not for its data', async () => {
    const { cwd } = await open(['--', process.execPath, 'bot.mjs'], { 'bot.mjs': bot })
    await page.starts(...state('● bot online'))
    await writeFile(join(cwd, 'data.json'), '{}')
    await writeFile(
      join(cwd, 'bot.mjs'),
      (await readFile(join(cwd, 'bot.mjs'), 'utf8')).replace('well', 'very well'),
    )
    const title = `document.querySelector('.state > span').title`
    await page.becomes(title, 'Started 2 times, last time: bot.mjs was saved')
    await page.starts(...state('● bot online'))
    await use('fine')
    await page.starts('.message .bubble', 'very well done')
  })

  it('keeps the service while someone looks at the page when the program of --run ends, with its code', async () => {
    const script = `process.stdin.on('end', () => {}); const { watch } = await import('node:fs'); watch('.', (_, name) => name === 'end.txt' && process.exit(7)); setInterval(() => {}, 1000); console.log('ready')`
    const { cwd, called } = await open(['--run', `"${process.execPath}" test.mjs`], { 'test.mjs': script })
    await called.lineWith('ready\n')
    await page.starts(...state('● program running'))
    await writeFile(join(cwd, 'end.txt'), '')
    await page.starts(
      '.notice p',
      'The program ended with code 7: its handler of uncaught errors failed. The service stays until you end it with Ctrl C.',
    )
    called.interrupt()
    expect((await called).code).toBe(7)
    page.complains(/changes|Failed to load/)
  })
})
