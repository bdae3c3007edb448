import { describe, expect, it, onTestFinished } from 'vitest'
import { createGateway } from 'commandry/gateway'
import { serve } from 'commandry/node'
import { testbed } from 'commandry/testbed'
import { scene } from 'commandry/testing'
import { isDiscord } from '../../../src/testing/redirect/discord-hosts.ts'
import { hostRule, isLoopbackHost } from '../../../src/service/http/hosts.ts'
import { serveOnFreePort } from '../../tools/cli/program.ts'
import { WebSocketServer } from '../../support/sockets.ts'
import { words } from '../../support/words.ts'
import { path } from '../node/started.ts'
import { service } from './service.ts'
import { statusOf } from './doors.ts'

const rule = hostRule(['Bot.test', '192.168.0.7'])

describe('the host names of an open service', () => {
  it.each(
    words(`
    localhost LOCALHOST:8787 bot.localhost:8787 127.0.0.1:8787 127.8.9.10 [::1]:8787 discord.com
    canary.discord.com:443 gateway.discord.gg discordapp.com bot.test:8787 192.168.0.7:8787
    media.discordapp.net a.b.discord.media
  `),
  )('accepts requests for %s', (host) => {
    expect(rule(host)).toBeUndefined()
  })

  it.each([
    ...[null, '', 'evil.test', 'evil.test:8787', '127.0.0.1.evil.test', 'localhost.evil.test'],
    ...['evil.test:127.0.0.1', 'discord.com.evil.test', 'evildiscord.com', 'other.bot.test'],
    ...['10.0.0.1:8787', '[::2]:8787', '127.0.0.1@evil.test', 'evildiscordapp.net', '.discord.com'],
  ])('refuses requests for %s with 403', (host) => {
    expect(rule(host)?.status).toBe(403)
  })

  it('has the hosts of Discord that bots are led away from', () => {
    for (const name of words('discord.com discordapp.com discord.gg discord.media discordapp.net'))
      for (const host of [name, `cdn.${name}`, `a.b.${name}`, `evil${name}`, `${name}.test`])
        expect([host, rule(host) === undefined]).toEqual([host, isDiscord(host)])
  })

  it('explains which name was refused, why, and how to allow it', () => {
    expect(JSON.parse(String(rule('evil.test')?.body))).toEqual({
      message:
        'The Host header is "evil.test". This service takes any token, so it answers only to the names of this machine: any website could call it under its own name; add a name with --allow-host NAME, or with the option hosts of serve',
      code: 0,
    })
  })

  it('distinguishes names of this machine from others', () => {
    const found = ['localhost:1', 'discord.com', null].map(isLoopbackHost)
    expect(found).toEqual([true, false, false])
  })
})

const commands = `/api/v10/applications/${scene.applicationId}/commands`
/** Each way in, with what it answers under the name of this machine, and under that of a website. */
type Doors = Readonly<Record<string, readonly [own: number, foreign: number]>>

/** Expects that each way in answers to the names of a service, and to no other. */
async function expectDoors(
  port: number,
  doors: Doors,
  allowed: readonly string[],
  refused: readonly string[],
) {
  for (const [door, [own, foreign]] of Object.entries(doors)) {
    for (const host of ['127.0.0.1', `localhost:${port}`, '[::1]', ...allowed])
      expect([door, host, await statusOf(port, door, host)]).toEqual([door, host, own])
    for (const host of ['evil.test', `evil.test:${port}`, '127.0.0.1.evil.test', '10.0.0.1', '', ...refused])
      expect([door, host, await statusOf(port, door, host)]).toEqual([door, host, foreign])
  }
}

describe('each way into a server', () => {
  const open = async (hosts?: readonly string[]) => {
    const gateway = createGateway({ authenticate: () => undefined })
    const { handler } = service()
    const serving = await serve({ handler, gateway, ws: { WebSocketServer }, ...(hosts && { hosts }) })
    onTestFinished(() => serving.close())
    return serving.port
  }

  it('takes the names of hosts, and those of this machine and Discord', async () => {
    const doors: Doors = {
      [`GET ${path}`]: [200, 403],
      [`POST ${path}`]: [400, 403],
      [`OPTIONS ${path}`]: [204, 403],
      'GET /none': [404, 403],
      'UPGRADE /': [101, 403],
      'UPGRADE /?v=10&encoding=json': [101, 403],
    }
    await expectDoors(await open(['bot.test']), doors, ['bot.test:1', 'discord.com'], ['other.test'])
  })

  it('takes every name without hosts', async () => {
    const port = await open()
    for (const host of ['evil.test', '127.0.0.1', 'discord.com'])
      expect([await statusOf(port, 'GET /none', host), await statusOf(port, 'UPGRADE /', host)]).toEqual([
        404, 101,
      ])
  })

  it('of a testbed takes the names of this machine and Discord', async () => {
    const bed = await testbed({ ws: { WebSocketServer } })
    onTestFinished(() => bed.close())
    bed.on('GET /mine', () => Response.json({}))
    const doors: Doors = {
      [`GET ${commands}`]: [200, 403],
      'GET /api/v10/gateway': [200, 403],
      'GET /api/v10/mine': [200, 403],
      'GET /attachments/1/2/a.txt': [404, 403],
      'UPGRADE /?v=10&encoding=json': [101, 403],
    }
    await expectDoors(Number(new URL(bed.rest).port), doors, ['discord.com', 'gateway.discord.gg'], [])
  })

  it('of commandry serve without --config takes the names of this machine, Discord and --allow-host', async () => {
    const { origin } = await serveOnFreePort(['--allow-host', 'bot.test'])
    const port = Number(new URL(origin).port)
    const doors: Doors = {
      [`GET ${commands}`]: [200, 403],
      'GET /api/v10': [302, 403],
      'GET /openapi.json': [200, 403],
      'GET /readyz': [200, 403],
      'OPTIONS /openapi.json': [204, 403],
      'GET /attachments/1/2/a.txt': [404, 403],
      'GET /none': [404, 403],
    }
    await expectDoors(port, doors, ['bot.test', 'discord.com'], [])
    // The page and what it asks are for the names of this machine alone.
    for (const [door, status] of [
      ['GET /', 200],
      ['GET /ui/changes', 200],
      ['POST /ui/none', 405],
    ] as const) {
      expect([door, await statusOf(port, door, 'localhost')]).toEqual([door, status])
      for (const host of ['bot.test', 'discord.com']) expect(await statusOf(port, door, host)).toBe(404)
      expect(await statusOf(port, door, 'evil.test')).toBe(403)
    }
  })
})
