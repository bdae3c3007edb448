/** What an application supports, as far as a plan depends on it. */
import { openApplication, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { IntegrationType } from '../command/types.ts'
import { jsonValue } from '../core/json.ts'
import { isEntryPoint } from '../registry/scope-rules.ts'
import { isObject, sameJson } from '../core/json.ts'

export interface Supposed {
  readonly settings: ApplicationSettings
  /** What was taken for granted, in words; `undefined` when nothing was. */
  readonly guess?: string
}

const ways = Object.values(IntegrationType)

/**
 * What an application supports decides what its definitions mean: what they leave out becomes just that. Where
 * nobody tells, it supports at least what its commands do, those that are registered and those to come.
 *
 * @param told what the service says of it, if it does
 * @param registered its global commands
 */
export function settingsFor(
  told: ApplicationSettings | undefined,
  registered: readonly ApplicationCommand[],
  bodies: readonly unknown[],
): Supposed {
  const known = registered.map(({ integration_types = [] }) => integration_types)
  if (told !== undefined) {
    const integration_types = inOrderOf(known, told.integration_types ?? [])
    return { settings: { ...told, integration_types } }
  }
  if (registered.length === 0) return { settings: openApplication }
  const definitions = bodies.map((body) => jsonValue(body)).filter(isObject)
  const given = definitions.map((body) => body.integration_types).filter(Array.isArray)
  const used = ways.filter((way) => [...known, ...given].some((list) => list.includes(way)))
  const entry = registered.find(isEntryPoint)
  const isIdle = entry !== undefined && entry.handler === undefined
  const hasHandler = definitions.some(({ handler }) => handler !== undefined && handler !== null)
  const settings = {
    ...openApplication,
    ...(isIdle && !hasHandler ? { flags: 0 } : undefined),
    integration_types: inOrderOf(known, used),
  }
  if (given.length === definitions.length || used.length === ways.length) return { settings }
  return {
    settings,
    guess: `Missing integration_types were taken to be [${used}], as in the deployed commands.`,
  }
}

/** The installations in the order in which the service has them: the ascending one is nowhere promised. */
function inOrderOf(
  known: readonly (readonly IntegrationType[])[],
  supported: readonly IntegrationType[],
): readonly IntegrationType[] {
  if (known.some((list) => sameJson(list, supported))) return supported
  const same = known.find(
    (list) => list.length === supported.length && list.every((way) => supported.includes(way)),
  )
  return same ?? supported
}
