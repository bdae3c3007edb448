/** The limit on the combined characters of a slash command (clause 8-04). */
import { rule } from '../core/rule.ts'
import { lengthOf } from '../core/text.ts'
import { put, several, slash, type Body } from './breaking.ts'
import type { CommandDefinition, CommandOption, Localizations } from './definition.ts'
import { OptionType } from './types.ts'

export const SIZE_MAX = 8000

export const commandSize = rule({
  code: 'command.size',
  clause: '8-04',
  limit: { max: SIZE_MAX },
  summary: `The names, descriptions and string values of a slash command have at most ${SIZE_MAX} characters together; of a localized field only its longest variant counts.`,
  check: (characters: number) => (characters <= SIZE_MAX ? undefined : { actual: characters }),
  message: ({ actual }: { actual: number }) =>
    `has ${actual} characters in its names, descriptions and values, the longest variant of each; at most ${SIZE_MAX} are allowed`,
  wire: { code: 'APPLICATION_COMMAND_TOO_LARGE', message: `Command exceeds maximum size (${SIZE_MAX})` },
  // Also for one command of a list.
  at: 'body',
  breaks(body: Body) {
    const choices = several(25, (i) => ({ name: `${i}`.padEnd(100, 'n'), value: `${i}`.padEnd(100, 'v') }))
    const option = { type: OptionType.STRING, description: 'b' }
    const options = [
      { ...option, name: 'o0', choices },
      { ...option, name: 'o1', choices: choices.slice(0, 14) },
    ]
    const rest = SIZE_MAX + 1 - sizeOf(put(slash(body), ['options'], options))
    const last = { name: 'n'.repeat(Math.ceil(rest / 2)), value: 'v'.repeat(Math.floor(rest / 2)) }
    options[1]!.choices.push(last)
    return { body: put(slash(body), ['options'], options), path: [] }
  },
})

export const sizeRules = [commandSize] as const

/** The parts of a command or option that were read. */
type Sized = Partial<
  Pick<
    CommandDefinition,
    'name' | 'name_localizations' | 'description' | 'description_localizations' | 'options'
  >
>

/** The characters of a slash command that count toward the limit, in code points. */
export function sizeOf(command: Sized): number {
  return textSize(command) + (command.options ?? []).reduce((sum, option) => sum + optionSize(option), 0)
}

function optionSize(option: Partial<CommandOption>): number {
  const choices = (option.choices ?? []).reduce(
    (sum, { name, name_localizations, value }) =>
      sum + longest(name, name_localizations) + (typeof value === 'string' ? lengthOf(value) : 0),
    0,
  )
  return sizeOf(option) + choices
}

function textSize(holder: Sized): number {
  return (
    longest(holder.name, holder.name_localizations) +
    longest(holder.description, holder.description_localizations)
  )
}

function longest(text: unknown, localizations: Localizations | null | undefined): number {
  const own = typeof text === 'string' ? lengthOf(text) : 0
  return Math.max(own, ...Object.values(localizations ?? {}).map(lengthOf))
}
