/** `commandry changes`: what Discord changed, and what of it concerns your definitions. */
import { DISCORD_AS_OF } from '../../../core/platform-day.ts'
import { counted } from '../../../core/text.ts'
import { definitionSet } from '../../authoring/findings.ts'
import { concernsOf, type Concern } from '../../authoring/platform-changes.ts'
import { command, color, oneOf, option, optionWith } from '../cli-command.ts'
import { readSources, skippedText } from '../definitions/sources.ts'
import { JSON_VERSION } from '../format-findings.ts'
import { print, terminalOf, warn, wrapText, type Terminal } from '../io.ts'
import { day } from '../day.ts'

export default command({
  help: [
    `Examples
  commandry changes
  commandry changes --since 2026-08-01 commands/

commandry changes [FILE|FOLDER|-...]

Lists what Discord changed, as of ${DISCORD_AS_OF}. With your definitions, it lists only the changes that concern them:
who has a new field, and where a newer rule is broken.`,
    'Exit codes: 0 listed, 2 wrong usage.',
  ],
  options: {
    since: option('DAY', 'only changes from that day on, such as 2026-08-01 (all)', day),
    format: optionWith('pretty|json', '(pretty)', 'pretty', oneOf('pretty', 'json')),
    color,
  },
  async run(io, values, files) {
    const read = files.length === 0 ? null : await readSources(io, files)
    const all = concernsOf(values.since ?? '', read && definitionSet(read.sources))
    const shown = read === null ? all : all.filter(({ concerns }) => concerns.length > 0)
    if (values.format === 'json')
      print(io, JSON.stringify({ version: JSON_VERSION, discord: DISCORD_AS_OF, changes: shown }, null, 2))
    else print(io, changesText(shown, read !== null, terminalOf(io, values.color)))
    const skipped = read?.skipped ?? []
    if (skipped.length > 0) warn(io, skippedText(skipped))
    return 0
  },
})

function changesText(changes: readonly Concern[], hasFiles: boolean, { style, columns }: Terminal): string {
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
      const lines = hasFiles ? concerns : details
      return [
        ...wrapText(`${style.bold(since)}  ${what}`, columns),
        ...lines.flatMap((line) => wrapText(line, columns - 4).map((part) => `    ${part}`)),
      ].join('\n')
    })
  return [hasFiles ? `${title} that concern your definitions` : title, ...blocks].join('\n\n')
}
