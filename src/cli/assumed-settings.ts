/** The settings of an application that a plan assumes when they are unknown. */
import { openApplication, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { CommandType, IntegrationType } from '../command/types.ts'
import { isEntryPoint } from '../registry/scope-rules.ts'
import { isObject, jsonValue, sameJson, type JsonObject } from '../core/json.ts'

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
  const definitions = bodies.map((body) => jsonValue(body)).filter(isObject)
  const defaults = deployed.filter((command) => hasDefaultList(command, definitions)).map(listOf)
  if (given !== undefined) {
    const integration_types = inOrderOf(defaults, given.integration_types ?? [])
    return { settings: { ...given, integration_types } }
  }
  if (deployed.length === 0) return { settings: openApplication }
  const known = deployed.map(listOf)
  const lists = definitions.map((body) => body.integration_types).filter(Array.isArray)
  const used = installations.filter((way) => [...known, ...lists].some((list) => list.includes(way)))
  const entry = deployed.find(isEntryPoint)
  const isIdle = entry !== undefined && entry.handler === undefined
  const hasHandler = definitions.some(({ handler }) => handler !== undefined && handler !== null)
  const settings = {
    ...openApplication,
    ...(isIdle && !hasHandler ? { flags: 0 } : undefined),
    integration_types: inOrderOf(defaults, used),
  }
  if (lists.length === definitions.length || used.length === installations.length) return { settings }
  return {
    settings,
    assumption: `Missing integration_types were assumed to be [${used}], as in the deployed commands.`,
  }
}

function listOf({ integration_types = [] }: ApplicationCommand): readonly IntegrationType[] {
  return integration_types
}

/** Whether a deployed command has the service's own list: its definition gives none. */
function hasDefaultList({ type, name }: ApplicationCommand, definitions: readonly JsonObject[]): boolean {
  return definitions.some(
    (body) =>
      body.name === name &&
      (body.type ?? CommandType.CHAT_INPUT) === type &&
      body.integration_types === undefined,
  )
}

/** Installations in the order of deployed lists: services may use any order. */
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
