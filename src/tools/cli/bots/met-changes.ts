/** Which changes of Discord a bot has met while it was used. */
import { counted, listed } from '../../../core/text.ts'
import { HIDDEN_CHANNELS, SPLIT_PERMISSIONS } from '../../../model/platform.ts'
import { visibleChannels } from '../../../service/world/hidden-channels.ts'
import type { BotAccess } from '../../../testing/testbed/stage/bot-access.ts'
import { partsOf, type Testbed } from '../../../testing/testbed/bed.ts'

const splitPermissions: readonly string[] = ['PIN_MESSAGES', 'CREATE_GUILD_EXPRESSIONS']

/** Sentences by the switch of a change. */
export function metChanges(bed: Testbed): Readonly<Record<string, readonly string[]>> {
  const access = bed.access()
  return {
    [HIDDEN_CHANNELS]: hiddenChannels(bed, access),
    [SPLIT_PERMISSIONS]: access.permissions.needed
      .filter((name) => splitPermissions.includes(name))
      .map((name) => `the bot needs ${name}`),
  }
}

function hiddenChannels(bed: Testbed, { intents, routes }: BotAccess): readonly string[] {
  const { people } = partsOf.get(bed)!
  const { world } = people
  const hidden = world.servers.flatMap((server) => {
    const visible = visibleChannels(server, bed.applicationId, world.now())
    return server.channels.filter(({ id }) => !visible.has(id)).map(({ name }) => `#${name}`)
  })
  if (hidden.length === 0) return []
  const what = `${counted(hidden.length, 'channel')} that it may not view: ${listed(hidden)}`
  const isListening = [...intents.needed, ...intents.unused].includes('GUILDS')
  const isListing = routes.some((route) => /^GET \/guilds\/[^/]+\/channels$/.test(route))
  return [
    ...(isListening ? [`the bot receives no name and no details of ${what}`] : []),
    ...(isListing ? [`the bot lists the channels of a server, without ${what}`] : []),
  ]
}
