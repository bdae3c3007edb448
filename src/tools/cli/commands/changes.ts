/** `commandry changes`: what Discord changed, and what of it concerns your definitions. */
import { DISCORD_AS_OF } from '../../../core/platform-day.ts'
import { counted, wrapText } from '../../../core/text.ts'
import { globalScope, guildScope } from '../../../commands/registry/scope.ts'
import { isIncomplete, notSeenLines, type NotSeen } from '../../../model/not-seen.ts'
import { definitionSet } from '../../authoring/findings.ts'
import { concernsOf, type Concern } from '../../authoring/platform-changes.ts'
import { milliseconds } from '../../../testing/samples/test-clock.ts'
import { metChanges } from '../bots/met-changes.ts'
import { ALL_BUT_ADMINISTRATOR, botOptions, fuzzed, withBot } from '../bots/started-bot.ts'
import { command, color, count, wordOf, option, optionWith, type Values } from '../base/cli-command.ts'
import { readSources, warnOfFaults } from '../definitions/sources.ts'
import { JSON_VERSION } from '../base/format-findings.ts'
import { print, terminalOf, warn, type Io, type Terminal } from '../base/io.ts'
import { day } from '../base/day.ts'

// Enough to reach each command's first answers and buttons.
const RUNS = '10'

const options = {
  since: option('DAY', 'only changes from that day on, such as 2026-08-01 (all)', day),
  runs: optionWith('NUMBER', 'with a program: the uses of each command and subcommand (10)', RUNS, count),
  ...botOptions,
  format: optionWith('pretty|json', '(pretty)', 'pretty', wordOf('pretty', 'json')),
  color,
}

export default command({
  help: [
    `Examples
  commandry changes
  commandry changes --since 2026-08-01 commands/
  commandry changes -- node bot.js

commandry changes [FILE|FOLDER|-...] [-- PROGRAM [ARGUMENT ...]]

Lists what Discord changed, as of ${DISCORD_AS_OF}. With your definitions or your bot, it lists only the changes that
concern them: which command has a new field, where a newer rule is broken, and what your bot met. The bot is started and
used as by "commandry fuzz", in a server with a channel that it may not view.`,
    'Exit codes: 0 listed, 1 a file was not read or a command not used, 2 wrong usage, or the bot did not start.',
  ],
  options,
  takesProgram: true,
  async run(io, values, files, program) {
    const { concerns, notSeen } = await concernsIn(io, values, files, program)
    if (values.format === 'json')
      print(io, JSON.stringify({ version: JSON_VERSION, discord: DISCORD_AS_OF, changes: concerns }, null, 2))
    else {
      const whose = program.length > 0 ? 'bot' : files.length > 0 ? 'definitions' : null
      print(io, changesText(concerns, whose, terminalOf(io, values.color)))
    }
    return isIncomplete(notSeen) ? 1 : 0
  },
})

/** The changes that concern definitions or a bot, and what was not seen of these. */
interface Seen {
  readonly concerns: readonly Concern[]
  readonly notSeen: readonly NotSeen[]
}

async function concernsIn(
  io: Io,
  values: Values<typeof options>,
  files: readonly string[],
  program: readonly string[],
): Promise<Seen> {
  const since = values.since ?? ''
  if (program.length > 0) return concernsOfBot(io, values, files, program)
  if (files.length === 0) return { concerns: concernsOf(since, null), notSeen: [] }
  const { sources, notSeen } = await readSources(io, files)
  warnOfFaults(io, sources)
  return { concerns: concerning(concernsOf(since, definitionSet(sources))), notSeen }
}

async function concernsOfBot(
  io: Io,
  { since = '', runs, permissions = ALL_BUT_ADMINISTRATOR, ...values }: Values<typeof options>,
  files: readonly string[],
  program: readonly string[],
): Promise<Seen> {
  return withBot(io, { ...values, permissions, files, program }, async (started) => {
    const { not_seen: notSeen } = await fuzzed(io, { runs, seed: 1, patience: milliseconds('15s') }, started)
    const { registry, applicationId, server } = started.bed
    const scopes = [globalScope(applicationId), guildScope(applicationId, server.id)]
    const lists = await Promise.all(scopes.map((scope) => registry.list(scope)))
    const definitions = lists.flat().map((body) => ({ body, path: [] }))
    const source = { file: 'the bot', text: null, definitions, fault: null, isList: true }
    for (const line of notSeenLines(notSeen)) warn(io, line)
    return {
      concerns: concerning(concernsOf(since, definitionSet([source]), metChanges(started.bed))),
      notSeen,
    }
  })
}

function concerning(all: readonly Concern[]): readonly Concern[] {
  return all.filter(({ concerns }) => concerns.length > 0)
}

/** @param whose what the changes concern; null for a list of all changes */
function changesText(
  changes: readonly Concern[],
  whose: 'bot' | 'definitions' | null,
  { style, columns }: Terminal,
): string {
  const title = `Discord as of ${DISCORD_AS_OF}: ${counted(changes.length, 'change')}`
  const blocks = changes
    .toReversed()
    .map(({ day: since, what, source, rules, fields, behaviors, concerns }) => {
      const details = [
        ...(behaviors ?? []),
        ...(fields === undefined ? [] : [`Fields: ${fields.join(', ')}`]),
        ...(rules.length === 0 ? [] : [`Rules: ${rules.join(', ')}`]),
        `Source: ${source}`,
      ]
      const lines = whose === null ? details : concerns
      return [
        ...wrapText(`${style.bold(since)}  ${what}`, columns),
        ...lines.flatMap((line) => wrapText(line, columns - 4).map((part) => `    ${part}`)),
      ].join('\n')
    })
  const verb = changes.length === 1 ? 'concerns' : 'concern'
  return [whose === null ? title : `${title} that ${verb} your ${whose}`, ...blocks].join('\n\n')
}
