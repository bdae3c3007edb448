/** The settings of an application that a plan assumes when they are unknown. */
import { openApplication, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { IntegrationType } from '../command/types.ts'
import { jsonValue } from '../core/json.ts'
import { isEntryPoint } from '../registry/scope-rules.ts'
import { isObject, sameJson } from '../core/json.ts'

interface AssumedSettings {
  readonly settings: ApplicationSettings
  /** A sentence about what was assumed; `undefined` if nothing was. */
  readonly assumption?: string
}

const installations = Object.values(IntegrationType)

/**
 * The settings of an application. They provide the defaults of its definitions. When unknown, the application is assumed
 * to support the installations of its deployed commands and of the definitions.
 *
 * @param given the settings, if the service returned them
 * @param deployed its global commands
 */
export function settingsFor(
  given: ApplicationSettings | undefined,
  deployed: readonly ApplicationCommand[],
  bodies: readonly unknown[],
): AssumedSettings {
  const known = deployed.map(({ integration_types = [] }) => integration_types)
  if (given !== undefined) {
    const integration_types = inOrderOf(known, given.integration_types ?? [])
    return { settings: { ...given, integration_types } }
  }
  if (deployed.length === 0) return { settings: openApplication }
  const definitions = bodies.map((body) => jsonValue(body)).filter(isObject)
  const lists = definitions.map((body) => body.integration_types).filter(Array.isArray)
  const used = installations.filter((way) => [...known, ...lists].some((list) => list.includes(way)))
  const entry = deployed.find(isEntryPoint)
  const isIdle = entry !== undefined && entry.handler === undefined
  const hasHandler = definitions.some(({ handler }) => handler !== undefined && handler !== null)
  const settings = {
    ...openApplication,
    ...(isIdle && !hasHandler ? { flags: 0 } : undefined),
    integration_types: inOrderOf(known, used),
  }
  if (lists.length === definitions.length || used.length === installations.length) return { settings }
  return {
    settings,
    assumption: `Missing integration_types were assumed to be [${used}], as in the deployed commands.`,
  }
}

/** Installations in the order of the deployed commands: services may use any order. */
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
