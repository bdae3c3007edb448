/** Numbers and names of Discord, held against discord-api-types, which others keep. */
import * as theirs from 'discord-api-types/v10'
import * as ours from 'commandry'
import { GatewayCloseCode, GatewayOpcode } from 'commandry/gateway'
import { describe, expect, it } from 'vitest'
import { AuditAction } from '../../src/service/world/audit-log.ts'
import { Intent, intents, refusals, routes, worldRoutes } from '../support/service-tables.ts'

type Numbers = Readonly<Record<string, number | bigint | string>>

const tables: readonly (readonly [name: string, own: Numbers, other: object])[] = [
  ['ApplicationFlag', ours.ApplicationFlag, theirs.ApplicationFlags],
  ['AuditAction', AuditAction, theirs.AuditLogEvent],
  ['ButtonStyle', ours.ButtonStyle, theirs.ButtonStyle],
  ['ChannelType', ours.ChannelType, theirs.ChannelType],
  ['CommandType', ours.CommandType, theirs.ApplicationCommandType],
  ['ComponentType', ours.ComponentType, theirs.ComponentType],
  ['GatewayCloseCode', GatewayCloseCode, theirs.GatewayCloseCodes],
  ['GatewayOpcode', GatewayOpcode, theirs.GatewayOpcodes],
  ['HandlerType', ours.HandlerType, theirs.EntryPointCommandHandlerType],
  ['IntegrationType', ours.IntegrationType, theirs.ApplicationIntegrationType],
  ['Intent', Intent, theirs.GatewayIntentBits],
  ['InteractionCallbackType', ours.InteractionCallbackType, theirs.InteractionResponseType],
  ['InteractionContext', ours.InteractionContext, theirs.InteractionContextType],
  ['InteractionType', ours.InteractionType, theirs.InteractionType],
  ['MessageFlag', ours.MessageFlag, theirs.MessageFlags],
  ['MessageType', ours.MessageType, theirs.MessageType],
  ['OptionType', ours.OptionType, theirs.ApplicationCommandOptionType],
  ['PermissionFlag', ours.PermissionFlag, theirs.PermissionFlagsBits],
  ['PermissionTargetType', ours.PermissionTargetType, theirs.ApplicationCommandPermissionType],
]

/** What stands for a segment of a path, or is one of several values of it. */
const SEGMENT = /\{[^}]*\}|@\w+|(?<=archived\/)\w+/g

const letters = (name: string) => name.replaceAll('_', '').toUpperCase()
const named = (table: object) =>
  Object.entries(table).flatMap(([name, value]) =>
    /^\d+$/.test(name) ? [] : [[letters(name), value] as const],
  )

/** Names that Discord's own pages write otherwise than discord-api-ours. */
const otherwise: Readonly<Record<string, string>> = {
  DEFERREDUPDATEMESSAGE: 'DEFERREDMESSAGEUPDATE',
  // As in the specification, which leaves the name of the platform out.
  SERVICELAUNCHACTIVITY: 'DISCORDLAUNCHACTIVITY',
}

describe('discord-api-types has', () => {
  it.each(tables)('the names and numbers of %s', (_, own, other) => {
    const known = new Map<string, unknown>(named(other))
    expect(known.size).toBeGreaterThan(0)
    const wrong = named(own).filter(([name, value]) => known.get(otherwise[name] ?? name) !== value)
    expect(wrong).toEqual([])
  })

  it('the locales', () => {
    const known = new Set<unknown>(Object.values(theirs.Locale))
    // These two are in Discord's OpenAPI document alone.
    expect(ours.locales.filter((locale) => !known.has(locale))).toEqual(['ar', 'he'])
  })

  it('the codes of all refusals', () => {
    const known = new Set<unknown>([0, ...named(theirs.RESTJSONErrorCodes).map(([, code]) => code)])
    const others = Object.values(refusals).filter(({ code }) => !known.has(code))
    // Known from responses of Discord alone.
    expect(others.map(({ code }) => code)).toEqual([50240])
  })

  it('the events of the gateway', () => {
    const known = new Set<unknown>(named(theirs.GatewayDispatchEvents).map(([, event]) => event))
    expect(Object.keys(intents).filter((event) => !known.has(event))).toEqual([])
  })

  it('the paths of all routes', () => {
    const known = new Set<string>()
    for (const route of Object.values(theirs.Routes) as ((...segments: readonly string[]) => string)[])
      for (let count = 0; count < 5; count++) {
        const path = route.call(theirs.Routes, ...Array.from({ length: count }, () => '{}'))
        known.add(decodeURIComponent(path).replace(SEGMENT, '{}'))
      }
    const own = [...routes, ...worldRoutes].map(({ path }) => path.replace(SEGMENT, '{}'))
    expect(own.filter((path) => !known.has(path))).toEqual([])
  })
})
