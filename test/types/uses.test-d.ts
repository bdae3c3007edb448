/** What a person can enter for a definition, at compile time. See `definitions.test-d.ts`. */
import { defineCommand, type CommandBody } from 'commandry'
import { createInteraction, type UsableCommand } from 'commandry/interactions'
import { interactionFor } from 'commandry/testing'
import { config, ping, report, roll } from './commands.ts'

type UseOf<Command extends UsableCommand> = NonNullable<Parameters<typeof createInteraction<Command>>[1]>
type TypingOf<Command extends UsableCommand, Focus extends string> = NonNullable<
  Parameters<typeof createInteraction<Command, Focus>>[1]
>

declare const maybe: 'fair' | undefined

// --- Accepted -------------------------------------------------------------------------------------------------

export const uses: readonly UseOf<typeof roll>[] = [
  { options: { sides: 6 } },
  { options: { sides: 6, mode: 'fair', table: 'green' } },
  { options: { sides: 6, mode: maybe } },
]
export const typing: TypingOf<typeof roll, 'table'> = { focused: 'table', options: { mode: 'fair' } }
export const nothing: UseOf<typeof ping> = {}
export const onUser: UseOf<typeof report> = { target: '1' }
export const subcommands: readonly UseOf<typeof config>[] = [
  { subcommand: 'show' },
  { subcommand: 'role add', options: { role: '1' } },
]
export const anything: UseOf<CommandBody> = { subcommand: 'any', options: { any: 1 } }

// --- Refused --------------------------------------------------------------------------------------------------

/** `errors.test-d.ts` has those that a call reports at an inner line. */
export const refused = {
  // @ts-expect-error the request is missing
  missing: {} satisfies UseOf<typeof roll>,
  // @ts-expect-error a required value is missing
  required: { options: { mode: 'fair' } } satisfies UseOf<typeof roll>,
  // @ts-expect-error a value that is not among the choices
  choice: { options: { sides: 6, mode: 'loaded' } } satisfies UseOf<typeof roll>,
  // @ts-expect-error an option that suggests nothing
  focused: { focused: 'mode' } satisfies TypingOf<typeof roll, 'mode'>,
  // @ts-expect-error a subcommand is missing
  none: {} satisfies UseOf<typeof config>,
  // @ts-expect-error a value of another subcommand
  other: { subcommand: 'show', options: { role: '1' } } satisfies UseOf<typeof config>,
  // @ts-expect-error options of a user command
  menu: { target: '1', options: {} } satisfies UseOf<typeof report>,
  // @ts-expect-error a user command without a target
  target: {} satisfies UseOf<typeof report>,
}

// --- Functions that take a request ----------------------------------------------------------------------------

createInteraction(roll, { guildId: '1', options: { sides: 6 } })
createInteraction(ping)
interactionFor(ping)
interactionFor(report)
interactionFor(roll, { options: { sides: 6 }, locale: 'de' })
interactionFor(roll, { focused: 'table', options: { table: 'gr' } })
const year = defineCommand({
  name: 'year',
  description: 'A year',
  options: [{ type: 4, name: 'year', description: 'Which', autocomplete: true }],
})
interactionFor(year, { focused: 'year', options: { year: '20' } })
// @ts-expect-error a required value is missing
createInteraction(roll)
// @ts-expect-error a target of a slash command
interactionFor(ping, { target: '1' })
