import { describe, expect, it } from 'vitest'
import { handlerOf } from '../../../src/service/http/web-handler.ts'
import { isLoopbackHost, onlyKnownHosts } from '../../../src/service/http/hosts.ts'
import { serveOnFreePort } from '../../tools/cli/program.ts'
import { words } from '../../support/words.ts'
import { wire } from './sockets.ts'

const handler = handlerOf(
  onlyKnownHosts(
    () => Promise.resolve({ status: 200, headers: { 'Content-Type': 'application/json' }, body: '[]' }),
    ['Bot.test', '192.168.0.7'],
  ),
)
const responseFor = (host: string | null) =>
  handler(new Request('http://service.test/', { headers: host === null ? {} : { host } }))

describe('the host names of an open service', () => {
  it.each(
    words(`
    localhost LOCALHOST:8787 bot.localhost:8787 127.0.0.1:8787 127.8.9.10 [::1]:8787 discord.com
    canary.discord.com:443 gateway.discord.gg discordapp.com bot.test:8787 192.168.0.7:8787
  `),
  )('accepts requests for %s', async (host) => {
    expect((await responseFor(host)).status).toBe(200)
  })

  it.each([
    ...[null, '', 'evil.test', 'evil.test:8787', '127.0.0.1.evil.test', 'localhost.evil.test'],
    ...['evil.test:127.0.0.1', 'discord.com.evil.test', 'evildiscord.com', 'other.bot.test'],
    ...['10.0.0.1:8787', '[::2]:8787', '127.0.0.1@evil.test'],
  ])('refuses requests for %s with 403', async (host) => {
    expect((await responseFor(host)).status).toBe(403)
  })

  it('explains which name was refused, why, and how to allow it', async () => {
    expect(await (await responseFor('evil.test')).json()).toEqual({
      message:
        'The Host header is "evil.test". A service without --config answers only to the names of this machine, because any website could call it under its own name; start it with --allow-host NAME to add a name',
      code: 0,
    })
  })

  it('distinguishes names of this machine from others', () => {
    const found = ['localhost:1', 'discord.com', null].map(isLoopbackHost)
    expect(found).toEqual([true, false, false])
  })
})

it('commandry serve without --config refuses other host names unless they are allowed', async () => {
  const { origin } = await serveOnFreePort(['--allow-host', 'bot.test'])
  const port = Number(new URL(origin).port)
  for (const [host, status] of [
    [`rebound.test:${port}`, 403],
    [`127.0.0.1:${port}`, 200],
    ['bot.test', 200],
    ['discord.com', 200],
  ] as const) {
    const { send, closed } = await wire(port)
    const headers = `Host: ${host}\r\nAuthorization: Bot x\r\nConnection: close`
    send(`GET /api/v10/applications/1/commands HTTP/1.1\r\n${headers}\r\n\r\n`)
    expect([host, (await closed).slice(0, 12)]).toEqual([host, `HTTP/1.1 ${status}`])
  }
})
