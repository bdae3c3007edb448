import { rules, type Rule } from 'commandry/reference'
import { DISCORD_AS_OF } from '../../src/core/platform-day.ts'
import { platformChanges, type PlatformChange } from '../../src/model/platform.ts'

export { DISCORD_AS_OF }

/** `docs/platform.md`, from the table of changes and the records of the rules. */
export function platformPage(
  changes: readonly PlatformChange[] = platformChanges,
  all: readonly Pick<Rule, 'code' | 'since' | 'source'>[] = rules,
): string {
  return [
    `# Discord as of ${DISCORD_AS_OF}`,
    '',
    'What Discord changed, as far as this library has taken it up. Rules, fields and behaviors that are not listed are as',
    'documented in August 2026. The days are those that Discord announced. This page is generated from the table in',
    '`src/model/platform.ts`: change a row, then run `npm run docs`. The change log is `developers/change-log.mdx` of',
    '`discord/discord-api-docs` at f36e7ca3; `test/model/change-log.ts` says of each of its entries since November 2025 what',
    'became of it.',
    '',
    'Definitions are always judged by the newest rules; a rule that comes into force on a later day is a warning with that',
    'day. What a bot meets at run time can be that of another day: `testbed({ discord: DAY })`, and `--discord DAY` of',
    '`commandry serve --gateway` and `commandry fuzz`. A row with a switch is off before its day, and loses it a',
    'year later; without one, it has no earlier form here.',
    '',
    ...changes.toReversed().flatMap((change) => section(change, all)),
  ].join('\n')
}

function section(
  { day, what, source, fields = [], behaviors = [], switch: name }: PlatformChange,
  all: readonly Pick<Rule, 'code' | 'since' | 'source'>[],
): readonly string[] {
  const codes = all.filter((rule) => rule.since === day && rule.source === source).map(({ code }) => code)
  const link = (code: string) => `[\`${code}\`](rules.md#${code.replaceAll(/[._]/g, '-')})`
  return [
    `## ${day}: ${what.replace(/\.$/, '')}`,
    '',
    `- Source: ${source}`,
    ...(codes.length > 0 ? [`- Rules: ${codes.map(link).join(', ')}`] : []),
    ...(fields.length > 0 ? [`- Fields: ${fields.map((field) => `\`${field}\``).join(', ')}`] : []),
    ...behaviors.map((sentence) => `- ${sentence}`),
    ...(name === undefined ? [] : [`- Switch: \`${name}\``]),
    '',
  ]
}
