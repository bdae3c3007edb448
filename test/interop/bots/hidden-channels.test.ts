/** Bots of four libraries with a role that may not view #staff, on both sides of the day on which channels are hidden. */
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { ChannelType, permissions } from 'commandry'
import { testbed } from 'commandry/testbed'
import { channelBots, redirectInFolder, startBot } from './bot-program.ts'

const SERVER = '2001'
const everyone = { id: SERVER, name: '@everyone', permissions: permissions('VIEW_CHANNEL', 'SEND_MESSAGES') }
const hidden = [{ id: SERVER, type: 0, allow: '0', deny: permissions('VIEW_CHANNEL') }] as const
const staff = { id: '4002', name: 'staff', type: ChannelType.GUILD_TEXT, topic: 'Plans' }
const server = {
  ...{
    id: SERVER,
    name: 'Demo Server',
    owner_id: '3001',
    members: [{ user: { id: '3001', username: 'ada' } }],
  },
  roles: [everyone, { id: '5009', name: 'Bots', permissions: '0' }],
  channels: [
    { id: '4001', name: 'general', type: ChannelType.GUILD_TEXT },
    { ...staff, permission_overwrites: hidden },
  ],
}

const { redirect } = redirectInFolder()

/** What a bot prints at first, and after it may view #staff, in which there is a thread. */
async function runBot(file: string, isRedirected: boolean, discord: string) {
  await using bed = await testbed({
    ...{ ws: { WebSocketServer }, servers: [server], bot: { roles: ['Bots'] }, discord, timeout: 60_000 },
  })
  await bed.as('ada', { channel: 'staff' }).startThread('salaries')
  const { child, output } = startBot(bed, file, true, isRedirected ? redirect : undefined)
  const line = async (begin: string): Promise<string> => {
    for (;;) {
      const found = output()
        .split('\n')
        .slice(0, -1)
        .find((one) => one.startsWith(begin))
      if (found !== undefined) return found
      if (child.exitCode !== null) throw new Error(`the bot has ended: ${output()}`)
      await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
    }
  }
  try {
    const known = [await line('cache'), await line('list')]
    bed.server.setPermissions('staff', 'Bots', { VIEW_CHANNEL: true })
    return [...known, await line('update'), await line('threads')]
  } finally {
    child.kill()
  }
}

describe.each(channelBots)('a bot of %s', (_, file, isRedirected) => {
  it('[6-06] gets a channel that it may not view without its name, and whole with its threads once it may', async () => {
    expect(await runBot(file, isRedirected, '2026-11-16')).toEqual([
      'cache general ___hidden___',
      'list general',
      'update ___hidden___ staff Plans',
      'threads salaries',
    ])
  })

  it('[6-06] gets it whole before that day', async () => {
    expect(await runBot(file, isRedirected, '2026-11-15')).toEqual([
      'cache general staff',
      'list general staff',
      'update staff staff Plans',
      'threads salaries',
    ])
  })
})
