/** Checks of the settings of applications that a host passes. Rights depend on them, so the checks fail closed (5-05). */
import { expected, type OptionCheck } from '../../core/known-options.ts'
import { checkFlag, checkObject, checkText, listCheck, oneOf } from '../../core/option-checks.ts'
import { checkSnowflake } from '../../core/snowflake.ts'
import { openApplication, type ApplicationSettings } from '../../model/application.ts'
import { IntegrationType } from '../../model/command-types.ts'

const { GUILD_INSTALL, USER_INSTALL } = IntegrationType

const checks: Readonly<Record<keyof ApplicationSettings, OptionCheck>> = {
  id: checkSnowflake,
  name: checkText,
  flags: /* @__PURE__ */ expected(
    'an integer of ApplicationFlag bits',
    (value) => Number.isSafeInteger(value) && value >= 0,
  ),
  discoverable: checkFlag,
  integration_types: /* @__PURE__ */ listCheck(
    oneOf('0 (guild install) or 1 (user install)', GUILD_INSTALL, USER_INSTALL),
    'a list of installations',
  ),
  // Its items are compared only; those of a long list are checked when none is the guild.
  guilds: /* @__PURE__ */ expected('a list of the ids of guilds', Array.isArray),
  bot: checkFlag,
}

export const settingNames = /* @__PURE__ */ Object.keys(checks) as readonly (keyof ApplicationSettings)[]

/**
 * The settings that a host returned, each read once, so that a getter cannot change it after the check.
 *
 * @throws TypeError for a value of the wrong type: what is not understood must not count as absent, which allows more
 */
export function checkSettings(value: unknown, label: string): ApplicationSettings {
  if (value === openApplication) return openApplication
  const given = checkObject(value, label, 'the settings of an application')
  const settings: Record<string, unknown> = {}
  for (const name of settingNames) {
    const setting = given[name]
    if (setting === undefined) continue
    checks[name](setting, `${label}.${name}`)
    settings[name] = setting
  }
  // Fields of the host's own are kept for `put`.
  return { ...given, ...settings }
}

/** @throws TypeError when the guilds of an application are not all ids: then an absent one may only be misspelt */
export function checkGuilds({ guilds = [] }: ApplicationSettings, label: string): void {
  listCheck(checkSnowflake, 'a list of the ids of guilds')(guilds, `${label}.guilds`)
}
