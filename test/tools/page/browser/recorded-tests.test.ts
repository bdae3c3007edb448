/** Recorded tests: recordings with a name, which are run at each save with a bot of their own. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  buildProgram,
  builtPackage,
  serveOnFreePort,
  withDrivers,
  type CallOptions,
} from '../../cli/program.ts'
import { describePage, post, service, who } from '../open.ts'
import { app } from '../../../support/fixtures.ts'

const commands = [{ name: 'hello', description: 'x' }]

/** /hello answers. */
const bot = `
  import { Client } from 'discord.js'
  const client = new Client({ intents: [] })
  client.on('error', (error) => console.error(error))
  client.on('interactionCreate', async (interaction) => {
    await interaction.reply('Good day, ' + interaction.user.id + ' of ' + interaction.guildId)
  })
  client.once('clientReady', () => client.application.commands.set(${JSON.stringify(commands)}))
  client.login(process.env.DISCORD_TOKEN)
`

describePage('recorded tests', (page) => {
  const open = async (files: Readonly<Record<string, string>>, args: readonly string[] = []) => {
    const cwd = await withDrivers({ 'bot.mjs': bot, ...files }, 'ws', 'discord.js')
    const env = { PATH: process.env['PATH'], DB_PASSWORD: 'hunter-22', CLIENT_ID: app }
    const options: CallOptions = { ...(await builtPackage()), env, limits: { end: 5_000 } }
    const served = await serveOnFreePort([...args, '--', process.execPath, 'bot.mjs'], cwd, options)
    await page.load('', served.origin)
    await page.starts('.state > span', '● bot online')
    await page.counts('.entry', 1)
    return { cwd, ...served }
  }
  const change = async (file: string, from: string, to: string) =>
    writeFile(file, (await readFile(file, 'utf8')).replace(from, to))

  const record = async (letters: string) => {
    await page.button('Record')
    await page.becomes(`document.querySelector('.bar').textContent.includes('● 0 steps')`, true)
    await page.keys('/', `'${letters}'`, 'Enter', 'Enter')
    await page.starts('.message .bubble', /^Good day/)
  }
  const keep = async (name: string) => {
    await page.button('From recording')
    await page.becomes(`document.querySelector('.palette input').placeholder`, 'A name such as ban twice')
    await page.counts('.palette .dim', 0)
    await page.keys(`'${name}'`, 'Enter')
  }

  it('keep a recording with ids, and run it at each save, also after it is edited by hand', async () => {
    const { cwd } = await open({})
    await record('he')
    await keep('Greets twice')
    await page.shows('.test .name', 'Greets twice')
    await page.shows('.test .mark', '✓')
    const file = join(cwd, 'scenes/greets-twice.test.mjs')
    const text = await readFile(file, 'utf8')
    expect(text.slice(text.indexOf('test('))).toMatchInlineSnapshot(`
      "test('Greets twice', async () => {
        const ada = bed.as('ada')
        const shown = await ada.use('/hello')
        assert.equal(shown.text(), 'Good day, <id> of <id>')
      })
      "
    `)
    // The conversation of the page has nothing of it.
    await page.counts('.message', 1)

    await change(join(cwd, 'bot.mjs'), 'Good day', 'Good night')
    await page.shows(
      '.test',
      '✗Greets twiceLine 19: got “Good night, <id> of <id>”, expected “Good day, <id> of <id>”',
    )
    await page.starts('.views a .badge', '1')
    await page.click('.test')
    await page.shows(
      '.test-shown pre',
      [
        "const ada = bed.as('ada')",
        "const shown = await ada.use('/hello')",
        "assert.equal(shown.text(), 'Good day, <id> of <id>')",
      ].join('\n'),
      'Good day, <id> of <id>',
      'Good night, <id> of <id>',
    )
    await page.starts('.test-shown code', 'scenes/greets-twice.test.mjs:19')
    await page.keys('Escape')
    await page.counts('.test-shown', 0)

    await change(file, 'Good day', 'Good night')
    await page.shows('.test .mark', '✓')
    // No save of a test has started the bot.
    await page.becomes(`document.querySelector('.state > span').title`, /^Started 2 times/)
  })

  it('run once before they are kept or copied, and what differs is on the page and in the test', async () => {
    const counting = bot
      .replace('const client', 'let count = 0; const client')
      .replace(/'Good day.*guildId/, "'Good day ' + ++count")
    const { cwd } = await open({ 'bot.mjs': counting })
    await page.keys('/', "'he'", 'Enter', 'Enter')
    await page.starts('.message .bubble', 'Good day 1')
    await page.button('Record')
    await page.becomes(`document.querySelector('.bar').textContent.includes('● 0 steps')`, true)
    await page.keys('/', "'he'", 'Enter', 'Enter')
    await page.shows('.message .bubble', 'Good day 1', 'Good day 2')
    const differs = 'got “Good day 1”, expected “Good day 2”'
    await keep('Counts')
    await page.shows('.test', `✗CountsLine 19: ${differs}`)
    const lineOf = async () => (await readFile(join(cwd, 'scenes/counts.test.mjs'), 'utf8')).split('\n')[18]!
    await expect.poll(lineOf).toBe(`  assert.equal(shown.text(), 'Good day 2') // With a new bot: ${differs}`)
    for (const [framework, line] of [
      ['vitest', 18],
      ['jest', 17],
      ['node:test', 19],
      ['pytest', 16],
    ] as const) {
      const { code, result } = await page.tab.evaluate<{
        code: string
        result: string
      }>(`fetch('/ui/recorded', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"framework":"${framework}"}',
      }).then((response) => response.json())`)
      expect(result).toBe(`It fails with a new bot. Line ${line}: ${differs}`)
      expect(code.split('\n')[line - 1]).toMatch(
        /'Good day 2'\)? +(?:#|\/\/) With a new bot: got “Good day 1”/,
      )
    }
    await page.button('1 step')
    await page.keys("'vitest'", 'Enter')
    await page.starts('.notice', new RegExp(`opied.* It fails with a new bot\\. Line 18: ${differs}`))
  })

  it('run at the start, and keep the page when their bot fails', async () => {
    const test = (title: string, line: string) =>
      [
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
        `test('${title}', async () => {`,
        `  const ada = bed.as('ada')`,
        `  ${line}`,
        `})`,
      ].join('\n')
    const { cwd } = await open({
      'scenes/a.test.mjs': test('Refused', `await assert.rejects(ada.use('/hello'), { code: 'no_answer' })`),
      'scenes/b.test.mjs': test('Unseen', `await ada.sees('Welcome')`),
      'scenes/c.test.mjs': `import {`,
    })
    const lines = ['✗RefusedLine 13: Missing expected rejection.', /^✗UnseenLine 13: /, /^✗cSyntaxError/]
    await page.shows('.test', ...lines)
    await change(
      join(cwd, 'bot.mjs'),
      'const client',
      'throw new Error(`no ${process.env.DB_PASSWORD}`); const client',
    )
    await page.starts('.test .what', /^Line 7: the bot is not ready: .*bot\.mjs ended with code 1/)
    await page.click('.test')
    await page.becomes(`document.querySelector('.test-shown pre:last-of-type').textContent`, /no \*\*\*/)
    await page.keys('Escape')
    // The page itself goes on.
    await page.starts('.state > span', '● bot ended with code 1')
    await change(join(cwd, 'bot.mjs'), 'throw new Error', 'void new Error')
    await page.starts('.state > span', '● bot online')
    await page.shows('.test', ...lines)
    page.complains(/Failed to load/)
  })

  it('are stopped when the service ends, also one that does not end by itself, and the page looks for its service', async () => {
    const { cwd, called } = await open({
      'scenes/long.test.mjs': [
        `import { writeFileSync } from 'node:fs'`,
        `process.on('SIGTERM', () => {})`,
        'setInterval(() => {}, 1000)',
        `writeFileSync('playing.txt', String(process.pid))`,
      ].join('\n'),
    })
    const player = () => readFile(join(cwd, 'playing.txt'), 'utf8').then(Number)
    await expect.poll(player).toBeGreaterThan(0)
    await page.shows('.test .mark', '·')
    const pid = await player()
    called.interrupt()
    expect((await called).code).toBe(0)
    const isAlive = () => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    // The system lists a process until its parent has asked how it ended.
    await expect.poll(isAlive).toBe(false)
    page.complains(/changes|Failed to load/)
  })

  it('refuse a name that is taken, and run again when a served definition is saved', async () => {
    const definition = { name: 'bye', description: 'Says goodbye' }
    const cli = await buildProgram()
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
    await record('by')
    await keep('Says bye')
    await page.shows('.test .mark', '✓')
    await keep('says BYE!')
    await page.starts('.notice', /^scenes\/says-bye\.test\.mjs exists already; choose another name/)
    await page.shows('.test .name', 'Says bye')
    await writeFile(join(cwd, 'bye.json'), JSON.stringify({ ...definition, name: 'later' }))
    await page.shows('.test', /^✗Says byeLine \d+: the bot is not ready: the bot did not deploy bye in time/)
    page.complains(/Failed to load/)
  })
})

describe('recorded tests without a bot that the service has started', () => {
  it('are refused with the reason', async () => {
    const made = service()
    await post(made, 'record', { isOn: true })
    await post(made, 'does', { ...who, verb: 'say', content: 'Hi' })
    expect(await post(made, 'tests')).toBe(null)
    expect((await post(made, 'keep', { ...who, name: 'x' })).message).toContain(
      'commandry serve -- node bot.js',
    )
  })
})
