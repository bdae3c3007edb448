/** The tests that `commandry fuzz` of the packed package writes, run as they are. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../support/ports.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const cli = path('../node_modules/commandry/dist/node/cli.js')
const vitest = path('../../node_modules/vitest/vitest.mjs')
const folder = path(`../.docs/fuzzed-${process.pid}`)
const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env

beforeEach(() => {
  mkdirSync(folder, { recursive: true })
  // Without one, that of this project would count.
  writeFileSync(join(folder, 'vitest.config.mjs'), "export default { test: { include: ['*.test.mjs'] } }")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: readonly string[]): Promise<string> {
  const ended = promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...env, NO_COLOR: '1' } })
  const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

const runTests = () => run(vitest, 'run', '--config', 'vitest.config.mjs')

/** A bot that logs in and deploys its commands; with the fault, it greets with more than 2000 characters. */
const gatewayBot = (isFaulty: boolean) => `
const { Client, SlashCommandBuilder } = require('discord.js')
const client = new Client({ intents: ['Guilds'] })
client.once('clientReady', () =>
  client.application.commands.set([new SlashCommandBuilder().setName('greet').setDescription('Greets')]))
client.on('interactionCreate', (interaction) =>
  interaction.reply(process.env.GREETING.repeat(${isFaulty} ? 2_000 : 1)).catch(() => {}))
client.login(process.env.DISCORD_TOKEN)`

/** A bot over HTTP, whose commands a file has. */
const httpBot = (isFaulty: boolean) => `
import { createServer } from 'node:http'
import { verified } from '${new URL('../support/verified.mjs', import.meta.url)}'
createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  if (!(await verified(process.env.PUBLIC_KEY, request.headers, text))) return response.writeHead(401).end()
  const { type } = JSON.parse(text)
  const content = 'x'.repeat(${isFaulty} ? 2_001 : 1)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(type === 1 ? { type } : { type: 4, data: { content } }))
}).listen(process.env.PORT, '127.0.0.1')`

describe('the tests that fuzz writes', () => {
  it('start a bot that logs in, fail like it, and pass once it is repaired', async () => {
    const save = (isFaulty: boolean) => writeFileSync(join(folder, 'bot.cjs'), gatewayBot(isFaulty))
    save(true)
    const variables = ['--env', 'GREETING=hi', '--env', 'API_KEY=secret']
    const found = await run(
      cli,
      'fuzz',
      '--runs=1',
      ...variables,
      '--write-tests',
      '.',
      '--',
      'node',
      'bot.cjs',
    )
    expect(found).toContain('Wrote fuzz.test.mjs and fuzz.testbed.json')
    const written = readFileSync(join(folder, 'fuzz.test.mjs'), 'utf8')
    expect(written).toContain("await bed.run('node bot.cjs')\n  await bed.deployed('greet')")
    // A file of tests is committed.
    expect(written).toContain('// Set these in your environment: API_KEY')
    expect(written).not.toContain('secret')
    expect(await runTests()).toMatch(/Tests +1 failed/)
    save(false)
    expect(await runTests()).toMatch(/Tests +1 passed/)
  })

  it('deploy the commands of a bot over HTTP, which a file has', async () => {
    const save = (isFaulty: boolean) => writeFileSync(join(folder, 'server.mjs'), httpBot(isFaulty))
    save(true)
    writeFileSync(join(folder, 'commands.json'), '[{"name":"greet","description":"Greets"}]')
    const port = await freePort()
    const url = ['--url', `http://127.0.0.1:${port}/`, '--env', `PORT=${port}`]
    const rest = ['--runs=1', '--write-tests', '.', '--', 'node', 'server.mjs']
    expect(await run(cli, 'fuzz', 'commands.json', ...url, ...rest)).toContain('Wrote fuzz.test.mjs')
    expect(await runTests()).toMatch(/Tests +1 failed/)
    save(false)
    expect(await runTests()).toMatch(/Tests +1 passed/)
  })
})
