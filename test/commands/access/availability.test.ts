import { describe, expect, it } from 'vitest'
import {
  type AvailabilityRequest,
  ChannelType,
  explainAvailability,
  IntegrationType,
  InteractionContext,
} from 'commandry'
import { contextOf, type CommandPlace } from '../../../src/commands/access/availability.ts'
import { combinations } from './combinations.ts'

const { GUILD, BOT_DM, PRIVATE_CHANNEL } = InteractionContext
const { GUILD_INSTALL, USER_INSTALL } = IntegrationType

type Command = AvailabilityRequest['command']
const global = (over: Partial<Command> = {}): Command => ({
  contexts: null,
  integration_types: [GUILD_INSTALL, USER_INSTALL],
  dm_permission: true,
  nsfw: false,
  ...over,
})
const allContexts = [GUILD, BOT_DM, PRIVATE_CHANNEL] as const
const installations = [[], [GUILD_INSTALL], [USER_INSTALL], [GUILD_INSTALL, USER_INSTALL]] as const

describe('the places of a command', () => {
  const places = combinations({
    context: allContexts,
    installed: [undefined, ...installations],
    channel: [undefined, {} as { nsfw?: boolean }, { nsfw: false }, { nsfw: true }],
    adult: [undefined, false, true],
  })
  const commands = combinations({
    contexts: [null, ...[1, 2, 3, 4, 5, 6, 7].map((bits) => allContexts.filter((one) => bits & (1 << one)))],
    integration_types: installations,
    nsfw: [false, true],
    deprecated: [{}, { dm_permission: false }, { default_permission: false as const }],
  })

  it.each([undefined, '2001', '2002'])(
    '[1-02] [1-03] [1-04] [2.1-13] [2.1-14] [2.1-16] [2.1-17] [2.8-01] [2.8-02] [2.8-03] [2.8-04] [2.11-08] [9-03] ' +
      'match a short form of each rule for every combination, in guild %s',
    (guild_id) => {
      for (const { contexts, integration_types, nsfw, deprecated } of commands) {
        const fields = { contexts, integration_types, dm_permission: true, ...deprecated }
        const command: Command = {
          nsfw,
          // The service stores guild commands without these fields.
          ...(!(guild_id && contexts === null) && fields),
          ...(guild_id && { guild_id }),
        }
        const offered = contexts ?? (Object.keys(deprecated).length > 0 ? [GUILD] : [GUILD, BOT_DM])
        const needed: readonly IntegrationType[] = guild_id ? [GUILD_INSTALL] : integration_types
        for (const { context, installed, channel, adult } of places) {
          const inGuild = context === GUILD
          const restricted = channel?.nsfw
          const place: CommandPlace = {
            ...(inGuild ? { context, guildId: '2001', ...(channel && { channel }) } : { context }),
            ...(installed && { installed }),
          }
          const user = {
            ...(adult !== undefined && { adult }),
            ...(restricted !== undefined && { ageRestrictedInDirectMessages: restricted }),
          }
          const ways = (installed ?? installations[3]).filter(
            (way) => needed.includes(way) && (way === USER_INSTALL || context !== PRIVATE_CHANNEL),
          )
          const expected = [
            guild_id && !inGuild && 'guild_only',
            guild_id && inGuild && guild_id !== '2001' && 'other_guild',
            !guild_id && !offered.some((one) => one === context) && 'context',
            ways.length === 0 && 'installation',
            nsfw && !restricted && (inGuild ? 'channel_not_age_restricted' : 'direct_message_setting'),
            nsfw && adult === false && 'not_adult',
          ].filter(Boolean)
          const answer = explainAvailability({ command, place, user })
          const reasons = answer.reasons.map(({ code }) => code)
          const isAsExpected =
            reasons.join() === expected.join() &&
            answer.available === (expected.length === 0) &&
            answer.installations.join() === ways.join() &&
            (guild_id || answer.contexts.join() === offered.join())
          if (!isAsExpected) expect.fail(JSON.stringify({ command, place, user, answer, expected }))
        }
      }
    },
  )
})

const command = global({ nsfw: true, contexts: [GUILD, BOT_DM, PRIVATE_CHANNEL] })
const codesIn = (channel: (CommandPlace & { context: 0 })['channel'] & object) =>
  explainAvailability({ command, place: { context: GUILD, guildId: '2001', channel } }).reasons.map(
    ({ code }) => code,
  )

it('[2.9-05] age restriction treats a thread like its channel', () => {
  const type = ChannelType.PUBLIC_THREAD
  const parent = { nsfw: false }
  expect(codesIn({ type, parent: { nsfw: true } })).toEqual([])
  expect(codesIn({ type, nsfw: true, parent })).toEqual(['channel_not_age_restricted'])
  // Interactions send threads with the flag of their channel and without the channel.
  expect(codesIn({ type, nsfw: true })).toEqual([])
  // The parent of a channel is a category, which has no effect.
  expect(codesIn({ type: ChannelType.GUILD_TEXT, nsfw: true, parent })).toEqual([])
})

describe('the result', () => {
  it('[1-04] has every reason, in words and as data, and is frozen', () => {
    const answer = explainAvailability({
      command: global({ nsfw: true, contexts: [GUILD], integration_types: [GUILD_INSTALL] }),
      place: { context: BOT_DM, installed: [USER_INSTALL] },
      user: { adult: false },
    })
    const reason = (code: string, field: string, text: string) => ({ code, field, text })
    const installed = 'the command needs Server, and the app is not installed that way here.'
    const notAllowed = 'the user has not allowed age-restricted commands in DMs.'
    expect(answer).toEqual({
      available: false,
      contexts: [GUILD],
      installations: [],
      reasons: [
        reason('context', 'contexts', 'Contexts: the command is available in Server, not in Bot DM.'),
        reason('installation', 'integration_types', `Installed to: ${installed}`),
        reason('direct_message_setting', 'nsfw', `Age-restricted: ${notAllowed}`),
        reason('not_adult', 'nsfw', 'Age-restricted: the user is not an adult.'),
      ],
    })
    expect(Object.isFrozen(answer.reasons[0])).toBe(true)
  })

  it('[9-03] names dm_permission as the field that excludes the DM', () => {
    const command = global({ dm_permission: false })
    const { reasons } = explainAvailability({ command, place: { context: BOT_DM } })
    const text = 'Contexts: not set, and dm_permission is false, so the command is available in Server only.'
    expect(reasons).toEqual([{ code: 'context', field: 'dm_permission', text }])
  })

  it('[2.8-02] derives the context from guild and channel', () => {
    expect(contextOf('2001', { type: ChannelType.GUILD_TEXT })).toBe(GUILD)
    expect(contextOf(undefined, { type: ChannelType.DM })).toBe(BOT_DM)
    expect(contextOf(undefined, {})).toBe(BOT_DM)
    expect(contextOf(undefined)).toBe(BOT_DM)
    expect(contextOf(undefined, { type: ChannelType.GROUP_DM })).toBe(PRIVATE_CHANNEL)
  })
})

describe('[2.8-06] the DM with an app', () => {
  const ask = (context: 1 | 2, hasBot?: boolean) =>
    explainAvailability({
      command: global({ contexts: allContexts }),
      place: { context, ...(hasBot !== undefined && { hasBot }) },
    })

  it('needs a bot user of the app, and the reason says so', () => {
    expect(ask(BOT_DM).available).toBe(true)
    expect(ask(BOT_DM, true).available).toBe(true)
    const { available, reasons } = ask(BOT_DM, false)
    expect([available, ...reasons.map(({ code, text }) => [code, text])]).toEqual([
      false,
      ['no_bot', 'Bot DM: the app has no bot user, so there is no DM with it.'],
    ])
  })

  it('is not what other DMs need', () => {
    expect(ask(PRIVATE_CHANNEL, false).available).toBe(true)
  })
})

describe('[5-05] values of a wrong type', () => {
  const place = { context: BOT_DM }
  it.each<readonly [string, object]>([
    ['request', new Map()],
    ['command', { command: null }],
    ['command.contexts', { command: { contexts: '012' } }],
    ['command.contexts', { command: { contexts: new Set([0, 1]) } }],
    ['command.contexts[0]', { command: { contexts: ['1'] } }],
    ['command.integration_types', { command: { integration_types: '01' } }],
    ['command.dm_permission', { command: { dm_permission: 'false' } }],
    ['command.nsfw', { command: { nsfw: 'true' } }],
    ['command.nsfw', { command: { nsfw: 1 } }],
    ['place.context', { place: { context: '1' } }],
    ['place.installed', { place: { ...place, installed: '01' } }],
    ['place.installed[0]', { place: { ...place, installed: ['0'] } }],
    ['place.hasBot', { place: { ...place, hasBot: 'no' } }],
    ['place.channel.nsfw', { place: { context: GUILD, guildId: '1', channel: { nsfw: 'false' } } }],
    ['user.adult', { user: { adult: 'false' } }],
    ['user.adult', { user: { adult: 0 } }],
    ['user.ageRestrictedInDirectMessages', { user: { ageRestrictedInDirectMessages: 'yes' } }],
  ])('make nothing available, but throw a TypeError that names %s', (name, over) => {
    const request = over instanceof Map ? over : { command: {}, place, ...over }
    const ask = () => explainAvailability(request as never)
    expect(ask).toThrow(TypeError)
    expect(ask).toThrow(name === 'request' ? 'expected an object, got a Map' : `${name}: expected`)
  })
})
