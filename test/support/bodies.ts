/** Bodies of commands and options for tests. */
import { validateCommand, type ValidationContext } from 'commandry'

/** A minimal slash command with further fields. */
export function slash(fields: object = {}): Record<string, unknown> {
  return { name: 'a', description: 'b', ...fields }
}

/** A minimal command of a type with further fields. */
export function commandOf(type: number, fields: object = {}): Record<string, unknown> {
  return { type, name: 'a', ...(type === 1 && { description: 'b' }), ...fields }
}

/** A minimal option of a type with further fields. */
export function option(type: unknown, fields: object = {}): Record<string, unknown> {
  return { type, name: 'o', description: 'b', ...fields }
}

/** Every type of a command. */
export const commandTypes = [1, 2, 3, 4]

export const inGuild: ValidationContext = { scope: 'guild' }

/** What validation finds in a minimal command of a type with further fields. */
export const typed = (type: number, fields: object = {}, context?: ValidationContext) =>
  validateCommand(commandOf(type, fields), context)

/** The same of a slash command. */
export const found = (fields: object, context?: ValidationContext) => validateCommand(slash(fields), context)

export function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Choices of 200 characters each. */
export function fullChoices(count: number, letter = 'x'): { name: string; value: string }[] {
  return several(count, (i) => {
    const text = letter.repeat(98) + String(i).padStart(2, '0')
    return { name: text, value: text }
  })
}

/** A slash command with more characters than are allowed. */
export function large(name = 'a'): Record<string, unknown> {
  return slash({ name, options: ['p', 'q'].map((name) => option(3, { name, choices: fullChoices(25) })) })
}
