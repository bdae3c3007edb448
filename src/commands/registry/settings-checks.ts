/** Checks of the settings of applications that a host passes. Rights depend on them, so the checks fail closed (5-05). */
import {
  aFlag,
  anId,
  anyObject,
  argument,
  aString,
  demand,
  listArgument,
  objectArgument,
  oneOf,
  optionsReader,
} from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { openApplication, type ApplicationSettings } from '../../model/application.ts'
import { IntegrationType } from '../../model/command-types.ts'

const { GUILD_INSTALL, USER_INSTALL } = IntegrationType

const GUILDS = 'a list of the ids of guilds'

const settingFields = {
  id: optional(anId),
  name: optional(aString),
  flags: optional(
    argument<number>(
      'an integer of ApplicationFlag bits',
      (value) => Number.isSafeInteger(value) && value >= 0,
    ),
  ),
  discoverable: optional(aFlag),
  integration_types: optional(
    listArgument(
      oneOf('0 (guild install) or 1 (user install)', GUILD_INSTALL, USER_INSTALL),
      'a list of installations',
    ),
  ),
  // Its items are compared only; those of a long list are checked when none is the guild.
  guilds: optional(argument<readonly string[]>(GUILDS, Array.isArray)),
  bot: optional(aFlag),
}

const demandObject = /* @__PURE__ */ demand(anyObject('the settings of an application'))
const demandFields = /* @__PURE__ */ demand(objectArgument(settingFields))
const demandOwnFields = /* @__PURE__ */ demand(optionsReader<ApplicationSettings>(settingFields))
const demandGuilds = /* @__PURE__ */ demand(listArgument(anId, GUILDS))

/**
 * The settings that a host returned, each read once, so that a getter cannot change it after the check.
 *
 * @throws TypeError for a value of the wrong type: what is not understood must not count as absent, which allows more
 */
export function checkSettings(value: unknown, label: string): ApplicationSettings {
  if (value === openApplication) return openApplication
  const given = demandObject(value, label)
  const settings = demandFields(value, label)
  // Fields of the host's own are kept for `put`.
  return { ...given, ...settings }
}

/** The settings of an application in memory, which have no other fields. @throws TypeError as `checkSettings` */
export function checkOwnSettings(value: ApplicationSettings, label: string): ApplicationSettings {
  const settings = demandOwnFields(value, label)
  checkGuilds(settings, label)
  return settings
}

/** @throws TypeError when the guilds of an application are not all ids: then an absent one may only be misspelt */
export function checkGuilds({ guilds = [] }: ApplicationSettings, label: string): void {
  demandGuilds(guilds, `${label}.guilds`)
}
