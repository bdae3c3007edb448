import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listening } from '../support/listening.ts'
import { call, directoryOf, failing } from './program.ts'

const node = process.execPath
const env = { PATH: process.env.PATH }

/** A bot over HTTP whose /boom ends the process, and whose /owner does so in a server without an owner. */
const server = `
import { createServer } from 'node:http'
createServer((request, response) => {
  let text = ''
  request.on('data', (data) => (text += data)).on('end', async () => {
    if (text === '') return response.end()
    const { data } = JSON.parse(text)
    if (data.name === 'boom') undefined.missing
    if (data.name === 'owner') {
      const server = process.env.COMMANDRY_URL + '/api/v10/guilds/' + process.env.GUILD_ID
      const read = async (url) => (await fetch(url, { headers: { authorization: 'Bot own' } })).json()
      const { owner_id } = await read(server)
      const { user } = await read(server + '/members/' + owner_id)
      user.username
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ type: 4, data: { content: 'pong' } }))
  })
}).listen(process.env.PORT, '127.0.0.1')`

const ping = { name: 'ping', description: 'Answers' }
const boom = { name: 'boom', description: 'Ends', options: [{ type: 3, name: 'text', description: 'a' }] }
const owner = { name: 'owner', description: 'Reads the owner' }
const freePort = () => 20_000 + Math.floor(Math.random() * 20_000)

async function fuzz(commands: readonly object[], ...more: readonly string[]) {
  const cwd = await directoryOf({ 'commands.json': commands, 'server.mjs': server })
  const port = freePort()
  const url = ['--url', `http://127.0.0.1:${port}/`, '--env', `PORT=${port}`]
  const args = ['commands.json', ...url, '--runs=6', '--seed=7', ...more, '--', node, 'server.mjs']
  return { cwd, ...(await call(['fuzz', ...args], { cwd, env })) }
}

it('commandry fuzz ends with 0 for a bot that answers every use', async () => {
  const { code, out, err } = await fuzz([ping])
  expect(out + err).toMatch(/^\/ping +6 +0 /m)
  expect(out).toMatch(/✓ 6 uses of 1 command, seed 7: no failures\n$/)
  expect(code).toBe(0)
})

it('commandry fuzz has a server with an owner, and takes a bot with a token of its own', async () => {
  const { code, out } = await fuzz([owner])
  expect([code, out]).toEqual([0, expect.stringContaining('no failures')])
})

it('commandry fuzz starts a bot again that ends, and reports the shortest line with a test', async () => {
  const { code, out, cwd } = await fuzz([ping, boom], '--format', 'json', '--write-tests', 'found')
  const report = JSON.parse(out)
  expect(report).toMatchObject({ version: 1, ok: false, seed: 7, missing_routes: [] })
  expect(report.commands.map(({ failures }: any) => failures)).toEqual([0, 1])
  expect(report.failures).toMatchObject([
    { code: 'crashed', command: '/boom', line: '/boom', step: 'use', as: 'ada', repeated: true },
  ])
  expect(report.failures[0].message).toContain("Cannot read properties of undefined (reading 'missing')")
  expect(await readFile(join(cwd, 'found/fuzz.test.mjs'), 'utf8')).toContain(report.failures[0].test)
  expect(code).toBe(1)
})

it('commandry fuzz ends with 2 and the last lines of a bot that does not start', async () => {
  const cwd = await directoryOf({ 'bot.mjs': `console.error('no token'); process.exit(3)` })
  const ended = await call(['fuzz', '--url', 'http://127.0.0.1:1/', '--', node, 'bot.mjs'], { cwd, env })
  expect(ended).toMatchObject(failing(2, /bot\.mjs ended before it opened its endpoint\n +no token/))
})

it('commandry fuzz says what to name or to run first, when the bot deploys no command', async () => {
  const url = await listening((_request, response) => response.end())
  const ended = await call(['fuzz', '--wait', '1s', '--url', url], { env })
  const expected =
    /has not deployed a command within 1 s; name its definitions, .+ or run its deploy script first/
  expect(ended).toMatchObject(failing(2, expected))
})
