/** A review in Markdown, for a pull request: short tables that a phone can show. */
import { counted, listed } from '../../core/text.ts'
import { gapsWithCommands, type NotSeen } from '../../model/not-seen.ts'
import type { Changes } from './plan-words.ts'
import type { Review, TextChange, VisibilityChange } from './review.ts'

/** The longest table; a reader of a pull request scrolls no further. */
const ROWS_MAX = 25
const TEXT_MAX = 60

/** What was not seen of both sides: a command that is new or deleted may be defined there. */
interface Gaps {
  readonly now: readonly NotSeen[]
  readonly base: readonly NotSeen[]
}

/** @param changes the plan of the deploy in words */
export function reviewMarkdown(review: Review, changes: Changes, { now, base }: Gaps): string {
  const { plan } = review
  const notSeen = [...gapLines(now, ''), ...gapLines(base, ' (at the base)')].join('\n')
  const counts = [
    [plan.creates.length, 'new'],
    [plan.updates.length, 'changed'],
    [plan.deletes.length, 'deleted'],
  ] as const
  const summary = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  const gaps = section('Not seen', notSeen === '' ? null : notSeen)
  const unchanged = `${counted(plan.unchanged.length, 'command')}, as before.`
  if (summary.length === 0) return ['### Commands: no change', unchanged, ...gaps].join('\n\n')
  return [
    `### Commands: ${listed(summary)}`,
    commandsTable(changes),
    ...lossesOf(review, changes),
    ...section('Who sees it', visibilityTable(review)),
    ...section('Texts', textsTable(review.texts)),
    ...section('Translations', coverageTable(review)),
    ...gaps,
  ].join('\n\n')
}

const section = (title: string, table: string | null) => (table === null ? [] : [`#### ${title}`, table])

function gapLines(gaps: readonly NotSeen[], side: string): readonly string[] {
  const lines = gapsWithCommands(gaps).map(
    ({ name, reason }) => `- ${code(name)}${side}${reason === '' ? '' : `: ${code(reason)}`}`,
  )
  const more = lines.length > ROWS_MAX ? [`- and ${lines.length - ROWS_MAX} more${side}.`] : []
  return [...lines.slice(0, ROWS_MAX), ...more]
}

function commandsTable({ creates, updates, deletes }: Changes): string {
  const row = (label: string, what: string) => [code(label), what]
  return table(
    ['Command', 'Change'],
    [
      ...deletes.map(({ label }) => row(label, '**deleted**')),
      ...updates.map(({ label, differences }) => row(label, differencesCell(differences))),
      ...creates.map(({ label }) => row(label, 'new')),
    ],
  )
}

const DIFFERENCES_MAX = 4

function differencesCell(differences: readonly string[]): string {
  const shown = differences.slice(0, DIFFERENCES_MAX).map((line) => code(cut(line, 2 * TEXT_MAX)))
  const more = differences.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('<br>')
}

/** What the deploy deletes for good: the permissions of renamed and deleted commands (clause 2.9-09). */
function lossesOf({ renames }: Review, { deletes }: Changes): readonly string[] {
  const lines = renames.map(({ from, to, keepsId }) => {
    const what = keepsId ? 'is renamed to' : 'looks renamed to'
    return `- ${code(from)} ${what} ${code(to)}: its permissions are deleted in every server.`
  })
  const gone = deletes.filter(({ label }) => !renames.some(({ from }) => from === label))
  lines.push(
    ...gone.slice(0, ROWS_MAX).map(({ label }) => `- ${code(label)} is deleted, with its permissions.`),
  )
  if (gone.length > ROWS_MAX) lines.push(`- and ${gone.length - ROWS_MAX} more.`)
  return lines.length === 0 ? [] : [lines.join('\n')]
}

function visibilityTable({ audiences, visibility }: Review): string | null {
  if (visibility.length === 0) return null
  // A phone has room for few columns, so those without a change are left out.
  const used = audiences.map((_, index) => visibility.some(({ changes }) => changes[index] !== null))
  const only = <T>(list: readonly T[]) => list.filter((_, index) => used[index])
  const cells = ({ label, changes }: VisibilityChange) => [
    code(label),
    ...only(changes).map((one) => one ?? ''),
  ]
  return table(['Command', ...only(audiences).map(({ name }) => code(name))], visibility.map(cells))
}

function textsTable(texts: readonly TextChange[]): string | null {
  if (texts.length === 0) return null
  return table(
    ['Text', 'Before → after', 'Translations'],
    texts.map(({ label, place, text, lost, changed, old }) => {
      const notes = [
        lost.length > 0 ? `**lost: ${listed(lost)}**` : '',
        changed.length > 0 ? `changed: ${listed(changed)}` : '',
        old.length > 0 ? `not changed with it: ${listed(old)}` : '',
      ]
      const words = text === undefined ? '' : `${code(cut(text.before))} → ${code(cut(text.after))}`
      return [`${code(label)} ${code(place)}`, words, notes.filter((note) => note !== '').join('<br>')]
    }),
  )
}

function coverageTable({ coverage }: Review): string | null {
  const changed = coverage.filter(({ before, after }) => before !== after)
  if (changed.length === 0) return null
  return table(
    ['Language', 'Texts without a translation'],
    changed.map(({ locale, before, after }) => [code(locale), `${before} → ${after}`]),
  )
}

// --- Markdown -------------------------------------------------------------------------------------------------

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const lines = [line(head), line(head.map(() => '---')), ...rows.slice(0, ROWS_MAX).map(line)]
  if (rows.length > ROWS_MAX)
    lines.push(line([`and ${rows.length - ROWS_MAX} more`, ...head.slice(1).map(() => '')]))
  return lines.join('\n')
}

function cut(text: string, most = TEXT_MAX): string {
  const characters = Array.from(text)
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}

/** A text as code, so that it pings no one, and cannot end its cell or its line. */
function code(text: string): string {
  const plain = text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
  const fence = '`'.repeat(Math.max(0, ...Array.from(plain.matchAll(/`+/g), ([run]) => run.length)) + 1)
  const isTight = !plain.startsWith('`') && !plain.endsWith('`')
  return isTight ? `${fence}${plain}${fence}` : `${fence} ${plain} ${fence}`
}
