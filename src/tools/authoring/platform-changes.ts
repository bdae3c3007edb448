/** What changes of Discord mean for definitions: who has a new field, and which newer rules are broken. */
import { isObject } from '../../core/json.ts'
import { quoted } from '../../core/text.ts'
import { platformChanges, type PlatformChange } from '../../model/platform.ts'
import { rules } from '../../reference/rules.ts'
import { findProblems, type DefinitionSet } from './findings.ts'
import { commandLabel } from './words.ts'

export interface Concern extends PlatformChange {
  /** The codes of the rules that came with it. */
  readonly rules: readonly string[]
  /** What of the definitions or the bot it concerns, a sentence each. */
  readonly concerns: readonly string[]
}

/** The changes from a day on, oldest first, with what they mean for definitions. @param met sentences by switch */
export function concernsOf(
  day: string,
  set: DefinitionSet | null,
  met: Readonly<Record<string, readonly string[]>> = {},
  changes: readonly PlatformChange[] = platformChanges,
): readonly Concern[] {
  const findings = set === null ? [] : findProblems(set.sources, 'global').flatMap((one) => one.findings)
  return changes
    .filter((change) => change.day >= day)
    .map((change) => {
      const codes = rules
        .filter((rule) => rule.since === change.day && rule.source === change.source)
        .map(({ code }) => code as string)
      const broken = findings.filter(({ code }) => codes.includes(code)).map(({ text }) => text)
      const given = (change.fields ?? []).flatMap((field) => placesOf(set?.bodies ?? [], field))
      return { ...change, rules: codes, concerns: [...given, ...broken, ...(met[change.switch ?? ''] ?? [])] }
    })
}

/** The commands and options that have a field such as `options[].file_types`. */
function placesOf(bodies: readonly unknown[], field: string): readonly string[] {
  const [holder, key = ''] = field.split('.')
  if (holder !== 'options[]' && holder !== 'command') return []
  return bodies.filter(isObject).flatMap((body) => {
    const label = commandLabel(body)
    if (holder === 'command') return body[key] == null ? [] : [`${label} has ${key}`]
    const names = optionsIn(body).filter((option) => option[key] != null)
    return names.map(({ name }) => `${label}, option ${quoted(String(name), 40)}: has ${key}`)
  })
}

function optionsIn(holder: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const options = Array.isArray(holder.options) ? holder.options.filter(isObject) : []
  return options.flatMap((option) => [option, ...optionsIn(option)])
}
