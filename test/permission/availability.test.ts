import { describe, expect, it } from 'vitest'
import { ChannelType, IntegrationType, InteractionContext } from 'commandry'
import { type AvailabilityRequest, explainAvailability } from 'commandry/interactions'
import { contextOf, isAvailable, type CommandPlace } from '../../src/permission/availability.ts'

const { GUILD, BOT_DM, PRIVATE_CHANNEL } = InteractionContext
const { GUILD_INSTALL, USER_INSTALL } = IntegrationType

const guild: CommandPlace = { context: GUILD, guildId: '2001' }
const botDm: CommandPlace = { context: BOT_DM }
const groupDm: CommandPlace = { context: PRIVATE_CHANNEL }
const everywhere: readonly CommandPlace[] = [guild, botDm, groupDm]

type Command = AvailabilityRequest['command']
const global = (over: Partial<Command> = {}): Command => ({
  contexts: null,
  integration_types: [GUILD_INSTALL, USER_INSTALL],
  dm_permission: true,
  nsfw: false,
  ...over,
})
const ofGuild = (guildId: string, over: Partial<Command> = {}): Command => ({
  guild_id: guildId,
  nsfw: false,
  ...over,
})

const codes = (request: AvailabilityRequest) => explainAvailability(request).reasons.map(({ code }) => code)
/** The places where a command is available. */
const placesOf = (command: Command, places = everywhere) =>
  places.filter((place) => isAvailable({ command, place })).map(({ context }) => context)

describe('the places of a command', () => {
  it('[1-02] are every guild and the DM with the bot for a global command, and its guild for a guild command', () => {
    expect(placesOf(global())).toEqual([GUILD, BOT_DM])
    expect(placesOf(ofGuild('2001'))).toEqual([GUILD])
    expect(codes({ command: ofGuild('2002'), place: guild })).toEqual(['other_guild'])
  })

  it('[2.8-04] exclude DMs for a guild command, whatever its contexts and installation', () => {
    for (const place of [botDm, groupDm]) {
      expect(codes({ command: ofGuild('2001'), place })).toContain('guild_only')
      const says = { contexts: [GUILD, BOT_DM, PRIVATE_CHANNEL], integration_types: [USER_INSTALL] } as const
      expect(isAvailable({ command: ofGuild('2001', says), place })).toBe(false)
    }
    expect(isAvailable({ command: ofGuild('2001', { contexts: [BOT_DM] }), place: guild })).toBe(true)
  })

  it('[2.1-17] [2.8-02] are its contexts; null stands for guilds and the DM with the bot', () => {
    expect(placesOf(global({ contexts: null }))).toEqual([GUILD, BOT_DM])
    for (const bits of [1, 2, 3, 4, 5, 6, 7]) {
      const contexts = ([GUILD, BOT_DM, PRIVATE_CHANNEL] as const).filter((context) => bits & (1 << context))
      expect(placesOf(global({ contexts }))).toEqual(contexts)
      expect(explainAvailability({ command: global({ contexts }), place: guild }).contexts).toEqual(contexts)
    }
  })

  it('[9-03] [2.1-13] exclude the DM with dm_permission false, but only while contexts are null', () => {
    const command = global({ dm_permission: false })
    expect(placesOf(command)).toEqual([GUILD])
    expect(explainAvailability({ command, place: botDm }).reasons).toEqual([
      {
        code: 'context',
        field: 'dm_permission',
        text: 'Contexts: not set, and dm_permission is false, so the command is available in Server only.',
      },
    ])
    expect(placesOf(global({ dm_permission: false, contexts: [BOT_DM] }))).toEqual([BOT_DM])
  })

  it('[9-03] [2.1-14] exclude the DM with default_permission false, whatever the member permissions', () => {
    expect(placesOf(global({ default_permission: false }))).toEqual([GUILD])
    expect(placesOf(global({ default_permission: false, contexts: [GUILD, BOT_DM] }))).toEqual([
      GUILD,
      BOT_DM,
    ])
  })

  it('[2.8-03] include PRIVATE_CHANNEL only for a user install of app and command', () => {
    const contexts = [PRIVATE_CHANNEL]
    const ask = (integration_types: Command['integration_types'], installed: CommandPlace['installed']) =>
      codes({
        command: global({ contexts, ...(integration_types && { integration_types }) }),
        place: { context: PRIVATE_CHANNEL, ...(installed && { installed }) },
      })
    expect(ask([USER_INSTALL], [USER_INSTALL])).toEqual([])
    expect(ask([GUILD_INSTALL, USER_INSTALL], [GUILD_INSTALL])).toEqual(['installation'])
    expect(ask([GUILD_INSTALL], [GUILD_INSTALL, USER_INSTALL])).toEqual(['installation'])
    expect(ask([GUILD_INSTALL], undefined)).toEqual(['installation'])
  })
})

describe('installation', () => {
  it('[2.1-16] [2.8-01] requires one of the integration types of the command', () => {
    const ways = [[], [GUILD_INSTALL], [USER_INSTALL], [GUILD_INSTALL, USER_INSTALL]] as const
    for (const integration_types of ways) {
      for (const installed of ways) {
        for (const place of [guild, botDm]) {
          const both = ways[3].filter((way) =>
            [integration_types, installed].every((list) => list.some((one) => one === way)),
          )
          const answer = explainAvailability({
            command: global({ integration_types }),
            place: { ...place, installed },
          })
          expect(answer.installations).toEqual(both)
          expect(answer.available).toBe(both.length > 0)
        }
      }
    }
  })

  it('[1-03] requires a guild install for guild commands', () => {
    const ask = (installed: CommandPlace['installed'] & object) =>
      codes({ command: ofGuild('2001'), place: { ...guild, installed } })
    expect(ask([GUILD_INSTALL])).toEqual([])
    expect(ask([USER_INSTALL])).toEqual(['installation'])
  })
})

describe('age restriction', () => {
  const command = global({ nsfw: true, contexts: [GUILD, BOT_DM, PRIVATE_CHANNEL] })
  const inChannel = (channel: (CommandPlace & { context: 0 })['channel'] & object): CommandPlace => ({
    context: GUILD,
    guildId: '2001',
    channel,
  })

  it('[1-04] [2.11-08] requires an age-restricted channel and an adult in a guild', () => {
    expect(codes({ command, place: inChannel({ nsfw: true }) })).toEqual([])
    expect(codes({ command, place: inChannel({ nsfw: true }), user: { adult: true } })).toEqual([])
    expect(codes({ command, place: inChannel({ nsfw: true }), user: { adult: false } })).toEqual([
      'not_adult',
    ])
    for (const place of [guild, inChannel({}), inChannel({ nsfw: false })]) {
      expect(codes({ command, place })).toEqual(['channel_not_age_restricted'])
    }
  })

  it('[2.9-05] treats a thread like its channel', () => {
    const type = ChannelType.PUBLIC_THREAD
    expect(codes({ command, place: inChannel({ type, parent: { nsfw: true } }) })).toEqual([])
    expect(codes({ command, place: inChannel({ type, nsfw: true, parent: { nsfw: false } }) })).toHaveLength(
      1,
    )
    // Interactions send threads with the flag of their channel and without the channel.
    expect(codes({ command, place: inChannel({ type, nsfw: true }) })).toEqual([])
    // The parent of a channel is a category, which has no effect.
    expect(codes({ command, place: inChannel({ type: 0, nsfw: true, parent: { nsfw: false } }) })).toEqual([])
  })

  it("[2.11-08] requires the user's setting and an adult in DMs", () => {
    for (const place of [botDm, groupDm]) {
      expect(codes({ command, place })).toEqual(['direct_message_setting'])
      const user = { ageRestrictedInDirectMessages: true }
      expect(codes({ command, place, user })).toEqual([])
      expect(codes({ command, place, user: { ...user, adult: false } })).toEqual(['not_adult'])
    }
  })
})

describe('the result', () => {
  it('[1-04] has every reason, in words and as data, and is frozen', () => {
    const answer = explainAvailability({
      command: global({ nsfw: true, contexts: [GUILD], integration_types: [GUILD_INSTALL] }),
      place: { context: BOT_DM, installed: [USER_INSTALL] },
      user: { adult: false },
    })
    expect(answer).toEqual({
      available: false,
      contexts: [GUILD],
      installations: [],
      reasons: [
        {
          code: 'context',
          field: 'contexts',
          text: 'Contexts: the command is available in Server, not in Bot DM.',
        },
        {
          code: 'installation',
          field: 'integration_types',
          text: 'Installed to: the command needs Server, and the app is not installed that way here.',
        },
        {
          code: 'direct_message_setting',
          field: 'nsfw',
          text: 'Age-restricted: the user has not allowed age-restricted commands in DMs.',
        },
        {
          code: 'not_adult',
          field: 'nsfw',
          text: 'Age-restricted: the user is not an adult.',
        },
      ],
    })
    expect(Object.isFrozen(answer.reasons[0])).toBe(true)
  })

  it('[1-02] [2.8-03] [2.8-04] [2.11-08] matches a one-line form of each rule for every combination', () => {
    const subsets = [1, 2, 3, 4, 5, 6, 7].map((bits) =>
      ([GUILD, BOT_DM, PRIVATE_CHANNEL] as const).filter((context) => bits & (1 << context)),
    )
    const ways = [[], [GUILD_INSTALL], [USER_INSTALL], [GUILD_INSTALL, USER_INSTALL]] as const
    const flags = [false, true]
    let asked = 0
    for (const guildId of [null, '2001', '2002'])
      for (const contexts of [null, ...subsets])
        for (const integration_types of ways)
          for (const dm of flags)
            for (const byDefault of flags)
              for (const nsfw of flags)
                for (const { context } of everywhere)
                  for (const installed of ways)
                    for (const restricted of flags)
                      for (const adult of flags) {
                        const command: Command = {
                          ...(guildId !== null && { guild_id: guildId }),
                          contexts,
                          integration_types,
                          dm_permission: dm,
                          ...(byDefault ? {} : { default_permission: false as const }),
                          nsfw,
                        }
                        const place: CommandPlace =
                          context === GUILD
                            ? { context, guildId: '2001', channel: { nsfw: restricted }, installed }
                            : { context, installed }
                        const user = { adult, ageRestrictedInDirectMessages: restricted }
                        const answer = explainAvailability({ command, place, user })
                        const named: readonly number[] = contexts ?? (dm && byDefault ? [0, 1] : [0])
                        const placed =
                          guildId === null ? named.includes(context) : context === 0 && guildId === '2001'
                        const own: readonly number[] = guildId === null ? integration_types : [0]
                        const brought = installed.some(
                          (way) => own.includes(way) && (way === 1 || context !== 2),
                        )
                        const aged = !nsfw || (adult && restricted)
                        if (
                          answer.available !== (placed && brought && aged) ||
                          answer.available !== (answer.reasons.length === 0)
                        )
                          expect.fail(JSON.stringify({ command, place, user, answer }))
                        asked++
                      }
    expect(asked).toBe(3 * 8 * 4 * 2 * 2 * 2 * 3 * 4 * 2 * 2)
  })

  it('[2.8-02] derives the context from guild and channel', () => {
    expect(contextOf('2001', { type: ChannelType.GUILD_TEXT })).toBe(GUILD)
    expect(contextOf(undefined, { type: ChannelType.DM })).toBe(BOT_DM)
    expect(contextOf(undefined, {})).toBe(BOT_DM)
    expect(contextOf(undefined)).toBe(BOT_DM)
    expect(contextOf(undefined, { type: ChannelType.GROUP_DM })).toBe(PRIVATE_CHANNEL)
  })
})
