/** Definitions and the bodies of discord-api-types and of the generators, in both directions. See `definitions.test-d.ts`. */
import type { RESTPostAPIApplicationCommandsJSONBody as Body } from 'discord-api-types/v10'
import type { Arbitrary } from 'fast-check'
import { defineCommand, type CommandBody } from 'commandry'
import { command, commandSet, slashCommand } from 'commandry/arbitraries'
import { sampleCommands } from 'commandry/testing'
import { config, report, roll } from './commands.ts'

const pin = defineCommand({ type: 3, name: 'Pin It' })
export const outward: readonly Body[] = [roll, config, report, pin]

declare const foreign: Body
export const inward: CommandBody = foreign
export const defined: CommandBody = defineCommand(foreign)
export const samples: readonly CommandBody[] = sampleCommands
export const generated: readonly Arbitrary<CommandBody>[] = [command(), slashCommand({ style: 'plain' })]
export const sets: Arbitrary<readonly CommandBody[]> = commandSet({ maxCommands: 131 })
