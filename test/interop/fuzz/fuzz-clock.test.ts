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

// It takes about half a minute of real time on two cores; without the clock it would take minutes.
it('reaches what is behind a cooldown, and waits for edits and silences in no real time', async () => {
  const clock = await buildProgram(new URL('src/clock.ts', root), join(folder, 'cjs/clock.cjs'))
  const { required } = buildRedirect(folder)
  const cwd = await withDrivers({ 'bot.mjs': bot }, 'ws', 'fast-check', 'discord.js')
  const args = ['fuzz', '--runs=6', '--seed=7', '--', process.execPath, 'bot.mjs']
  const options = { cwd, env: { PATH: process.env.PATH }, redirect: () => required, clock: () => clock }
  const { code, out } = await call(args, options)
  expect(code).toBe(1)
  expect(
    out
      .match(/^✗ \w+ +\/\w+/gm)!
      .map((line) => line.split(/ +/).slice(1).join(' '))
      .sort(),
  ).toEqual(['no_answer /never', 'refused_answer /daily'])
  expect(out).toMatch(/^\/report +6 +0 /m)
})
