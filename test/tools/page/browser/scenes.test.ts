/** Scenes: recordings with a name, which are played at each save with a bot of their own. */
import { rmSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { newDirectory } from '../../../support/directory.ts'
import { root } from '../../../support/markdown.ts'
import { buildProgram } from '../../../support/programs.ts'
import { buildRedirect } from '../../../support/redirect.ts'
import {
  buildProgram as buildCommandLine,
  serveOnFreePort,
  withDrivers,
  type CallOptions,
} from '../../cli/program.ts'
import { describePage, post, service, who } from '../open.ts'
import { app } from '../../../support/fixtures.ts'

const folder = newDirectory()
afterAll(() => rmSync(folder, { recursive: true }))

const commands = [{ name: 'hello', description: 'x' }]

/** /hello answers. */
const bot = `
  import { Client } from 'discord.js'
  const client = new Client({ intents: [] })
  client.on('error', (error) => console.error(error))
  client.on('interactionCreate', async (interaction) => {
    await interaction.reply('Good day')
  })
  client.once('clientReady', () => client.application.commands.set(${JSON.stringify(commands)}))
  client.login(process.env.DISCORD_TOKEN)
`

describePage('scenes', (page) => {
  const open = async (files: Readonly<Record<string, string>>, args: readonly string[] = []) => {
    const clock = await buildProgram(new URL('src/clock.ts', root), join(folder, 'cjs/clock.cjs'))
    const testbed = await buildProgram(new URL('src/testbed.ts', root), join(folder, 'cjs/testbed.cjs'))
    const { required } = buildRedirect(folder)
    const cwd = await withDrivers({ 'bot.mjs': bot, ...files }, 'ws', 'discord.js')
    const env = { PATH: process.env['PATH'], DB_PASSWORD: 'hunter-22', CLIENT_ID: app }
    const options: CallOptions = {
      ...{ redirect: () => required, clock: () => clock, testbed: () => testbed, env },
      limits: { end: 5_000 },
    }
    const served = await serveOnFreePort([...args, '--', process.execPath, 'bot.mjs'], cwd, options)
    await page.load('', served.origin)
    await page.starts('.state > span', '● bot online')
    await page.counts('.entry', 1)
    return { cwd, ...served }
  }
  const change = async (file: string, from: string, to: string) =>
    writeFile(file, (await readFile(file, 'utf8')).replace(from, to))

  it('keeps a recording with a name, and plays it at each save, also after it is edited by hand', async () => {
    const { cwd } = await open({})
    await page.button('Record')
    await page.becomes(`document.querySelector('.bar').textContent.includes('● 0 steps')`, true)
    await page.keys('/', "'he'", 'Enter', 'Enter')
    await page.starts('.message .bubble', 'Good day')
    await page.button('From recording')
    await page.becomes(`document.querySelector('.palette input').placeholder`, 'A name such as ban twice')
    await page.counts('.palette .dim', 0)
    await page.keys("'Greets twice'", 'Enter')
    await page.shows('.scene .name', 'Greets twice')
    await page.shows('.scene .mark', '✓')
    const file = join(cwd, 'scenes/greets-twice.test.mjs')
    const text = await readFile(file, 'utf8')
    expect(text.slice(0, text.indexOf('\n'))).toBe('// Scene: Greets twice')
    expect(text.slice(text.indexOf('test('))).toMatchInlineSnapshot(`
      "test('Greets twice', async () => {
        const ada = bed.as('ada')
        const shown = await ada.use('/hello')
        assert.equal(shown.text(), 'Good day')
      })
      "
    `)
    // The conversation of the page has nothing of it.
    await page.counts('.message', 1)

    await change(join(cwd, 'bot.mjs'), 'Good day', 'Good night')
    await page.shows('.scene', /✗Greets twice\/hello: “Good night” in place of “Good day”/)
    await page.starts('.views a .badge', '1')
    await page.click('.scene')
    await page.shows('.scene-shown pre', 'Good day', 'Good night')
    await page.starts('.scene-shown code', 'scenes/greets-twice.test.mjs:20')
    await page.keys('Escape')
    await page.counts('.scene-shown', 0)

    await change(file, 'Good day', 'Good night')
    await page.shows('.scene .mark', '✓')
    // No save of a scene has started the bot.
    await page.becomes(`document.querySelector('.state > span').title`, /^Started 2 times/)
  })

  it('plays the scenes of the folder at the start, and keeps the page when their bot fails', async () => {
    const scene = (name: string, line: string) =>
      [
        `// Scene: ${name}`,
        `import { after, before, test } from 'node:test'`,
        `import assert from 'node:assert/strict'`,
        `import { testbed } from 'commandry/testbed'`,
        'let bed',
        `before(async () => {`,
        `  bed = await testbed({ applicationId: '${app}' })`,
        `  await bed.run(${JSON.stringify(`"${process.execPath}" bot.mjs`)})`,
        `  await bed.deployed('hello')`,
        `})`,
        `after(() => bed.close())`,
        `test('x', async () => {`,
        `  const ada = bed.as('ada')`,
        `  ${line}`,
        `})`,
      ].join('\n')
    const { cwd } = await open({
      'scenes/a.test.mjs': scene('Refused', `await assert.rejects(ada.use('/hello'), { code: 'no_answer' })`),
      'scenes/b.test.mjs': scene('Unseen', `await ada.sees('Welcome')`),
      'scenes/own.test.mjs': `throw new Error('a test of somebody else')`,
      'scenes/c.test.mjs': `// Scene: Damaged\nimport {`,
    })
    const lines = [
      '✗Refused/hello: accepted, in place of refused with no_answer',
      /^✗Unseensees Welcome: /,
      /^!DamagedIt cannot be played: SyntaxError/,
    ]
    await page.shows('.scene', ...lines)
    await change(
      join(cwd, 'bot.mjs'),
      'const client',
      'throw new Error(`no ${process.env.DB_PASSWORD}`); const client',
    )
    await page.starts('.scene .what', /^The bot is not ready: .*bot\.mjs ended with code 1/)
    await page.click('.scene')
    await page.starts('.scene-shown pre', /no \*\*\*/)
    await page.keys('Escape')
    // The page itself goes on.
    await page.starts('.state > span', '● bot ended with code 1')
    await change(join(cwd, 'bot.mjs'), 'throw new Error', 'void new Error')
    await page.starts('.state > span', '● bot online')
    await page.shows('.scene', ...lines)
    page.complains(/Failed to load/)
  })

  it('ends while a scene plays that does not end by itself, and the page looks for its service', async () => {
    const { cwd, called } = await open({
      'scenes/long.test.mjs': [
        '// Scene: Long',
        `import { writeFileSync } from 'node:fs'`,
        `process.on('SIGTERM', () => {})`,
        'setInterval(() => {}, 1000)',
        `writeFileSync('playing.txt', String(process.pid))`,
      ].join('\n'),
    })
    const player = () => readFile(join(cwd, 'playing.txt'), 'utf8').then(Number)
    await expect.poll(player).toBeGreaterThan(0)
    await page.shows('.scene .mark', '▸')
    const pid = await player()
    called.interrupt()
    expect((await called).code).toBe(0)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    page.complains(/changes|Failed to load/)
  })

  it('refuses a name that is taken, and plays a scene again when a served definition is saved', async () => {
    const definition = { name: 'bye', description: 'Says goodbye' }
    const cli = await buildCommandLine()
    const { cwd } = await open(
      {
        'bye.json': JSON.stringify(definition),
        'bot.mjs': bot.replace(/client.once\('clientReady'.*/, ''),
      },
      ['bye.json'],
    )
    await mkdir(join(cwd, 'node_modules/.bin'))
    const program = join(cwd, 'node_modules/.bin/commandry')
    await writeFile(program, `#!${process.execPath}\nimport(${JSON.stringify(pathToFileURL(cli).href)})`)
    await chmod(program, 0o755)
    await page.button('Record')
    await page.becomes(`document.querySelector('.bar').textContent.includes('● 0 steps')`, true)
    await page.keys('/', "'by'", 'Enter', 'Enter')
    await page.starts('.message .bubble', 'Good day')
    for (const [count, name] of ["'Says bye'", "'says BYE!'"].entries()) {
      await page.button('From recording')
      await page.keys(name, 'Enter')
      if (count === 0) await page.shows('.scene .mark', '✓')
    }
    await page.starts('.notice', /^scenes\/says-bye\.test\.mjs is there already; choose another name/)
    await page.shows('.scene .name', 'Says bye')
    await writeFile(join(cwd, 'bye.json'), JSON.stringify({ ...definition, name: 'later' }))
    await page.shows('.scene', /^!Says byeThe bot is not ready: the bot did not deploy bye in time/)
    page.complains(/Failed to load/)
  })
})

describe('scenes without a bot that the service has started', () => {
  it('are refused with the reason', async () => {
    const made = service()
    await post(made, 'record', { isOn: true })
    await post(made, 'does', { ...who, verb: 'say', content: 'Hi' })
    expect(await post(made, 'scenes')).toBe(null)
    expect((await post(made, 'scene', { ...who, name: 'x' })).message).toContain(
      'commandry serve -- node bot.js',
    )
  })
})
