/** `commandry fuzz` with the clock: a program with discord.js whose code is behind a cooldown and behind long work. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { newDirectory } from '../../support/directory.ts'
import { root } from '../../support/markdown.ts'
import { buildProgram } from '../../support/programs.ts'
import { buildRedirect } from '../../support/redirect.ts'
import { call, withDrivers } from '../../tools/cli/program.ts'

const folder = newDirectory()
afterAll(() => rmSync(folder, { recursive: true }))

const bot = `
import { Client, GatewayIntentBits } from 'discord.js'

let last = -Infinity
let uses = 0
const client = new Client({ intents: [GatewayIntentBits.Guilds] })
client.once('clientReady', () =>
  client.application.commands.set(['daily', 'report', 'never'].map((name) => ({ name, description: name }))),
)
client.on('interactionCreate', async (use) => {
  if (use.commandName === 'report') {
    await use.deferReply()
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    return use.editReply('the report')
  }
  if (use.commandName === 'never') return
  if (Date.now() - last < 30_000) return use.reply('wait')
  last = Date.now()
  // Behind the cooldown.
  if (++uses === 3) return use.reply('')
  await use.reply('coins')
})
client.login(process.env.DISCORD_TOKEN)
`

/** A bot with a timer that throws: of a use, or of its start. */
const timer = `
import { Client } from 'discord.js'
const client = new Client({ intents: [1] })
const fails = (minutes) => setTimeout(() => { throw new Error('no reminder') }, minutes * 60_000)
client.once('clientReady', () => {
  client.application.commands.set(['ping', 'remind', 'zed'].map((name) => ({ name, description: name })))
  if (process.env.OF_START) fails(5.5)
})
client.on('interactionCreate', async (use) => {
  if (use.isButton()) return use.deferUpdate()
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Snooze', custom_id: 'snooze' }] }]
  await use.reply({ content: 'ok', components })
  if (use.commandName === 'remind' && !process.env.OF_START) fails(0.5)
})
client.login(process.env.DISCORD_TOKEN)
`

/** @param runs of each command: each start of the bot takes a second of the processor */
async function fuzzed(program: string, runs: number, ...args: readonly string[]) {
  const clock = await buildProgram(new URL('src/clock.ts', root), join(folder, 'cjs/clock.cjs'))
  const { required } = buildRedirect(folder)
  const cwd = await withDrivers({ 'bot.mjs': program }, 'ws', 'fast-check', 'discord.js')
  const options = { cwd, env: { PATH: process.env.PATH }, redirect: () => required, clock: () => clock }
  return call(['fuzz', `--runs=${runs}`, '--seed=7', ...args, '--', process.execPath, 'bot.mjs'], options)
}

// It takes about half a minute of real time on two cores; without the clock it would take minutes.
it('reaches what is behind a cooldown, and waits for edits and silences in no real time', async () => {
  const { code, out } = await fuzzed(bot, 6)
  expect(code).toBe(1)
  expect(
    out
      .match(/^✗ \w+ +\/\w+/gm)!
      .map((line) => line.split(/ +/).slice(1).join(' '))
      .sort(),
  ).toEqual(['no_answer /never', 'refused_answer /daily'])
  expect(out).toMatch(/^\/report +6 +0 /m)
})

it.each([
  ['blames a crash on the use whose timer throws', [], ['/remind'], true],
  ['says of a crash that comes by itself that it did not happen again', ['--env', 'OF_START=1'], [], false],
] as const)('%s', async (_, args, commands, fresh) => {
  const { out } = await fuzzed(timer, 2, '--format', 'json', ...args)
  const { failures } = JSON.parse(out)
  expect(failures).not.toEqual([])
  for (const failure of failures) {
    expect(failure).toMatchObject({ code: 'crashed', step: 'a minute later', fresh, repeated: fresh })
    if (fresh) expect(failure.test).not.toContain('Snooze')
  }
  if (fresh) expect(failures.map(({ command }: any) => command)).toEqual(commands)
})
