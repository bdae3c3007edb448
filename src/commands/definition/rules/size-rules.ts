/** The limit on the combined characters of a slash command (clause 8-04). */
import { rule } from '../../../core/rules/rule.ts'
import { lengthOf } from '../../../core/text.ts'
import type { CommandOption, Localizations } from '../../../model/command-definition.ts'

export const SIZE_MAX = 8000

export const commandSize = rule({
  code: 'command.size',
  clause: '8-04',
  limit: { max: SIZE_MAX },
  summary: `The names, descriptions and string values of a slash command have at most ${SIZE_MAX} characters together; of a localized field only its longest variant counts.`,
  check: (characters: number) => (characters <= SIZE_MAX ? undefined : { actual: characters }),
  message: ({ actual }) =>
    `has ${actual} characters in its names, descriptions and values, the longest variant of each; at most ${SIZE_MAX} are allowed`,
  wire: { code: 'APPLICATION_COMMAND_TOO_LARGE', message: `Command exceeds maximum size (${SIZE_MAX})` },
  // Also for one command of a list.
  at: 'body',
})

export const sizeRules = [commandSize] as const

type Sized = Partial<Omit<CommandOption, 'type'>>

/** The characters of a slash command that count toward the limit, in code points. What could not be read counts nothing. */
export function sizeOf(holder: Sized): number {
  let size =
    longest(holder.name, holder.name_localizations) +
    longest(holder.description, holder.description_localizations)
  for (const { name, name_localizations, value } of holder.choices ?? [])
    size += longest(name, name_localizations) + (typeof value === 'string' ? lengthOf(value) : 0)
  for (const option of holder.options ?? []) size += sizeOf(option)
  return size
}

function longest(text: unknown, localizations: Localizations | null | undefined): number {
  const own = typeof text === 'string' ? lengthOf(text) : 0
  return Math.max(own, ...Object.values(localizations ?? {}).map(lengthOf))
}
