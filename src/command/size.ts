/** The combined character budget of a slash command (clause 8-04). */
import { rule } from '../core/rule.ts'
import { countCharacters } from '../core/text.ts'
import { put, several, slash, type Body } from './breaking.ts'
import type { CommandDefinition, CommandOption, Localizations } from './definition.ts'
import { OptionType } from './kinds.ts'

export const SIZE_MAX = 8000

export const commandSize = rule({
  code: 'command.size',
  clause: '8-04',
  limit: { max: SIZE_MAX },
  summary: `The names, descriptions and string values of a slash command have at most ${SIZE_MAX} characters together; of a localized field only its longest variant counts.`,
  check: (characters: number) => characters <= SIZE_MAX,
  message: ({ actual }: { actual: number }) =>
    `has ${actual} characters in its names, descriptions and values, the longest variant of each; at most ${SIZE_MAX} are allowed`,
  wire: { code: 'APPLICATION_COMMAND_TOO_LARGE', message: `Command exceeds maximum size (${SIZE_MAX})` },
  breaks(body: Body) {
    const choices = several(25, (i) => ({ name: `${i}`.padEnd(100, 'n'), value: `${i}`.padEnd(100, 'v') }))
    const options = several(2, (i) => ({ type: OptionType.STRING, name: `o${i}`, description: 'b', choices }))
    return { body: put(slash(body), ['options'], options), path: [] }
  },
})

/** As much of a command or option as could be read. */
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
      sum + longest(name, name_localizations) + (typeof value === 'string' ? countCharacters(value) : 0),
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
  const own = typeof text === 'string' ? countCharacters(text) : 0
  return Math.max(own, ...Object.values(localizations ?? {}).map(countCharacters))
}
