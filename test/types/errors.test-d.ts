/**
 * The place of errors at compile time: each comment stands above a line inside a call, so an error that is reported for
 * the whole call fails this file. See `definitions.test-d.ts`.
 */
import type { ChatClient } from 'commandry/interactions'
import { createInteraction } from 'commandry/interactions'
import { interactionFor } from 'commandry/testing'
import { config, report, roll } from './commands.ts'

declare const client: ChatClient

createInteraction(roll, {
  // @ts-expect-error an unknown field
  guildid: '1',
  options: { sides: 6 },
})
createInteraction(roll, {
  options: {
    sides: 6,
    // @ts-expect-error an unknown option
    mod: 'fair',
  },
})
createInteraction(config, {
  subcommand: 'role add',
  options: {
    // @ts-expect-error a value of another type
    role: 1,
  },
})
interactionFor(roll, {
  options: {
    // @ts-expect-error a value of another type
    sides: '6',
  },
})
interactionFor(roll, {
  // @ts-expect-error an option that suggests nothing
  focused: 'mode',
})
interactionFor(config, {
  // @ts-expect-error an unknown subcommand
  subcommand: 'hide',
})
void client.invoke(roll, {
  options: {
    sides: 6,
    // @ts-expect-error a value that is not among the choices
    mode: 'loaded',
  },
})
// @ts-expect-error a user command
void client.invoke(report, {})
void client.invoke(roll, { options: { sides: 6 }, resolved: {} })
void client.invoke('roll', { sides: 6 }, { resolved: {} })

// --- The type of the result -----------------------------------------------------------------------------------

export const used: 2 = interactionFor(roll, { options: { sides: 6, mode: 'fair' } }).type
export const typing: 4 = interactionFor(roll, { focused: 'table', options: { table: 'gr' } }).type
export const target: string = interactionFor(report).data.target_id
