import { expect, it } from 'vitest'
import { freePort } from '../../../support/ports.ts'
import { call, directoryOf, ending, failing } from '../program.ts'

/** A bot over HTTP that names the channels of its server, answers by chance, and pins a message. */
const server = `
import { createServer } from 'node:http'
const api = process.env.COMMANDRY_URL + '/api/v10'
const authorization = 'Bot own'
const answers = {
  ping: () => 'pong',
  dice: () => String(Math.random()),
  async rooms() {
    const response = await fetch(api + '/guilds/' + process.env.GUILD_ID + '/channels', { headers: { authorization } })
    return (await response.json()).map(({ name }) => name).join(' ')
  },
  async pin({ channel }) {
    const json = { authorization, 'content-type': 'application/json' }
    const messages = api + '/channels/' + channel.id + '/messages'
    const sent = await fetch(messages, { method: 'POST', headers: json, body: '{"content":"Rules"}' })
    const { id } = await sent.json()
    const pinned = await fetch(messages + '/pins/' + id, { method: 'PUT', headers: { authorization } })
    return 'pinned: ' + pinned.status
  },
}
createServer((request, response) => {
  let text = ''
  request.on('data', (data) => (text += data)).on('end', async () => {
    if (text === '') return response.end()
    const interaction = JSON.parse(text)
    const content = await answers[interaction.data.name](interaction)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ type: 4, data: { content } }))
  })
}).listen(process.env.PORT, '127.0.0.1')`

const command = (name: string) => ({ name, description: 'a', contexts: [0] })

async function run(verb: 'fuzz' | 'changes', names: readonly string[], ...args: readonly string[]) {
  const commands = names.map(command)
  const cwd = await directoryOf({ 'server.mjs': server, 'commands.json': commands })
  const port = await freePort()
  const address = ['--url', `http://127.0.0.1:${port}/`, '--env', `PORT=${port}`]
  const words = [verb, ...address, '--runs=3', ...args, 'commands.json', '--', process.execPath, 'server.mjs']
  return call(words, { cwd, env: { PATH: process.env.PATH } })
}

const fuzz = (names: readonly string[], ...args: readonly string[]) => run('fuzz', names, '--seed=7', ...args)

it('[1-07] uses a bot on both days of --discord, and prints only the answers that differ', async () => {
  const found = await fuzz(['ping', 'rooms', 'dice'], '--discord', '2026-11-15..2026-11-16')
  expect(found).toMatchObject(failing(1, 'Discord as of 2026-11-15\n'))
  expect(found.err).toContain('Discord as of 2026-11-16\n')
  expect(found.out).toBe(`≠ /rooms
  ada in #general
  2026-11-15  general staff nsfw
  2026-11-16  general nsfw

1 step differed on the same day too, and does not count.
Changes from 2026-11-15 to 2026-11-16 in what a bot meets:
  2026-11-16  Channels that a bot may not view reach it without name and details.
✗ 9 steps on each day, seed 7: 1 step differs
`)
})

it('runs as of a day that --discord names', async () => {
  const pinned = (day: string) =>
    fuzz(['pin'], '--discord', day, '--permissions', 'SEND_MESSAGES,MANAGE_MESSAGES', '--access')
  expect((await pinned('2026-02-22')).out).not.toContain('Refused')
  expect((await pinned('2026-02-23')).out).toContain('Refused, as the bot lacks:\n  PIN_MESSAGES in #general')
})

it('says that nothing differs, and takes two days in their order', async () => {
  expect(await fuzz(['ping'], '--discord', '2026-11-14..2026-11-15')).toMatchObject(
    ending(
      0,
      'Changes from 2026-11-14 to 2026-11-15 in what a bot meets: none\n✓ 3 steps on each day, seed 7: nothing differs\n',
    ),
  )
  for (const days of ['2026-11-16..2026-11-15', '2026-11-15..2026-11-16..2026-11-17', '2026-11-15..today'])
    expect(await fuzz(['ping'], '--discord', days)).toMatchObject(failing(2, 'fuzz: --discord'))
  expect(await fuzz(['ping'], '--discord', '2026-11-15..2026-11-16', '--access')).toMatchObject(
    failing(2, '--access needs one day'),
  )
  expect(await fuzz(['ping'], '--permissions', 'BAN')).toMatchObject(
    failing(2, '--permissions: "BAN" is not a permission such as BAN_MEMBERS'),
  )
})

it('[1-07] "commandry changes" lists what a bot that is run has met', async () => {
  const { code, out } = await run('changes', ['rooms', 'pin', 'ping'])
  expect(code).toBe(0)
  expect(out).toBe(`Discord as of 2026-11-25: 2 changes that concern your bot

2026-11-16  Channels that a bot may not view reach it without name and details.
    the bot lists the channels of a server, without 1 channel that it may not view: #staff

2026-02-23  Slow mode, pins and new emojis are allowed by permissions of their own alone.
    the bot needs PIN_MESSAGES
`)
})
