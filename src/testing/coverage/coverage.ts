/** What tests have used of a bot: its commands, options, buttons and menus, by whom, where, and how it ended. Pure. */
import { counted, listed, printable, wrapText } from '../../core/text.ts'

/** How one use of a command ended. */
export type UseOutcome =
  /** The bot answered. */
  | 'answered'
  /** The person could not use it in this way; the bot received nothing. */
  | 'refused'
  /** The bot gave no valid answer in time. */
  | 'failed'

/** A number by name. */
export interface CoverageCounts {
  readonly [name: string]: number
}

/** What was used of a command or subcommand. */
export interface CommandCoverage {
  /** `/note add`; a user or message command without a slash. */
  readonly command: string
  readonly outcomes: { readonly [Outcome in UseOutcome]: number }
  /** How often each option was given. */
  readonly options: CoverageCounts
  /** How often by a `member`, `moderator` or `administrator`, or a `user` outside of servers. */
  readonly people: CoverageCounts
  /** How often in a `server`, `thread`, `dm` or `group`. */
  readonly places: CoverageCounts
}

/** What tests have used of a bot. */
export interface BotCoverage {
  readonly version: 1
  readonly commands: readonly CommandCoverage[]
  /** How often each button, menu and modal that the bot has shown was used. Numbers in names are `#`. */
  readonly components: CoverageCounts
  /** How often each reason has refused a use, such as `permission_denied`. */
  readonly refusals: CoverageCounts
}

const NO_COVERAGE: BotCoverage = { version: 1, commands: [], components: {}, refusals: {} }

/** Adds up what several testbeds have used, such as those of several files. */
export function mergeCoverage(all: readonly BotCoverage[]): BotCoverage {
  return all.reduce(sumOf, NO_COVERAGE)
}

function sumOf(one: BotCoverage, other: BotCoverage): BotCoverage {
  const commands = new Map(one.commands.map((command) => [command.command, command]))
  for (const command of other.commands) {
    const known = commands.get(command.command)
    commands.set(command.command, known === undefined ? command : sumOfCommands(known, command))
  }
  return {
    version: 1,
    commands: [...commands.values()],
    components: sumOfCounts(one.components, other.components),
    refusals: sumOfCounts(one.refusals, other.refusals),
  }
}

function sumOfCommands(one: CommandCoverage, other: CommandCoverage): CommandCoverage {
  return {
    command: one.command,
    outcomes: sumOfCounts(one.outcomes, other.outcomes) as CommandCoverage['outcomes'],
    options: sumOfCounts(one.options, other.options),
    people: sumOfCounts(one.people, other.people),
    places: sumOfCounts(one.places, other.places),
  }
}

function sumOfCounts(one: CoverageCounts, other: CoverageCounts): CoverageCounts {
  const sums = new Map(Object.entries(one))
  for (const [name, count] of Object.entries(other)) sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries(sums)
}

// --- For people -------------------------------------------------------------------------------------------------

const SHOWN_NAMES = 10
const HEAD = ['command', 'answered', 'refused', 'failed', 'options', 'by', 'in']

/** A table of all commands, and what was not used. @param width the columns of the screen */
export function coverageText({ commands, components, refusals }: BotCoverage, width = Infinity): string {
  const rows = [HEAD, ...commands.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  // A use that was refused, or that had no answer, says nothing about what the bot does.
  const used = commands.filter(({ outcomes }) => outcomes.answered > 0)
  const options = commands.flatMap((command) =>
    Object.entries(command.options).map((entry) => [command, ...entry] as const),
  )
  const given = options.filter(([, , count]) => count > 0)
  const shown = Object.entries(components)
  const pressed = shown.filter(([, count]) => count > 0)
  const part = (some: number, all: number, noun: string) => `${some} of ${counted(all, noun)}`
  const denied = refusals['permission_denied'] ?? 0
  return [
    ...table,
    '',
    `${part(used.length, commands.length, 'command')} used, ${part(given.length, options.length, 'option')} given, ${pressed.length} of ${shown.length} buttons, menus and modals used.`,
    denied === 0
      ? 'No use was refused for lack of permission.'
      : `Refused for lack of permission: ${counted(denied, 'use')}.`,
    ...missing(
      'Commands not used',
      commands.filter((command) => usesOf(command) === 0).map(({ command }) => command),
    ),
    ...missing(
      'Commands used and never answered',
      commands
        .filter((command) => usesOf(command) > 0 && command.outcomes.answered === 0)
        .map(({ command }) => command),
    ),
    ...missing(
      'Options never given',
      options.filter(([, , count]) => count === 0).map(([{ command }, name]) => `${command} ${name}`),
    ),
    ...missing(
      'Buttons, menus and modals never used',
      shown.filter(([, count]) => count === 0).map(([name]) => name),
    ),
  ]
    .flatMap((line, index) => (index < table.length ? [line] : wrapText(line, width)))
    .join('\n')
}

function missing(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : ''
  return [
    `${what}: ${names
      .slice(0, SHOWN_NAMES)
      .map((name) => printable(name))
      .join(', ')}${more}`,
  ]
}

function usesOf({ outcomes }: CommandCoverage): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0)
}

function rowOf({ command, outcomes, options, people, places }: CommandCoverage): readonly string[] {
  const { answered, refused, failed } = outcomes
  const all = Object.values(options)
  const given = all.length === 0 ? '-' : `${all.filter((count) => count > 0).length} of ${all.length}`
  const names = (counts: CoverageCounts) => listed(Object.keys(counts)) || '-'
  return [printable(command), ...[answered, refused, failed].map(String), given, names(people), names(places)]
}
