/** What was seen, as a table of clauses. */
import { unobservable } from '../../../reference/probes/all-probes.ts'
import { differenceFrom } from '../../../reference/probes/judge.ts'
import type { Probe } from '../../../reference/probes/probe.ts'
import { printable } from '../../../core/text.ts'
import type { SeenProbe } from './verified-file.ts'

type SeenRow = Pick<SeenProbe, 'clause' | 'holds' | 'outcome' | 'came'>

/** A line for each clause that is as decided, and for each other probe; then the counts. */
export function tableOf(probes: readonly Probe[], seen: readonly SeenRow[]): string {
  const clauses = [...new Set([...seen.map(({ clause }) => clause), ...Object.keys(unobservable)])]
  const lines = clauses
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .flatMap((clause) => linesOf(clause, seen, probes))
  const count = (outcome: string) => seen.filter((one) => one.outcome === outcome).length
  const counts = ['as decided', 'otherwise', 'not observed'].map((outcome) => `${count(outcome)} ${outcome}`)
  return [...lines, '', `${seen.length} of ${probes.length} probes: ${counts.join(', ')}`].join('\n')
}

function linesOf(clause: string, seen: readonly SeenRow[], probes: readonly Probe[]): readonly string[] {
  const own = seen.filter((one) => one.clause === clause)
  const good = own.filter(({ outcome }) => outcome === 'as decided').length
  const lineOf = (outcome: string, text: string) =>
    `${clause.padEnd(12)}${outcome.padEnd(14)}${printable(text, 400)}`
  const reason = unobservable[clause]
  return [
    ...(good === 0 ? [] : [lineOf('as decided', good === 1 ? '' : `${good} probes`).trimEnd()]),
    ...own
      .filter(({ outcome }) => outcome !== 'as decided')
      .map(({ holds, outcome, came }) => {
        const meaning = probes.find((one) => one.clause === clause && one.holds === holds)?.otherwise
        return lineOf(outcome, `${holds}: ${came}${outcome === 'otherwise' ? `; then ${meaning}` : ''}`)
      }),
    ...(reason === undefined ? [] : [lineOf('not observed', reason)]),
  ]
}

/** What a run saw, compared with the decisions of this version: what was otherwise may be as decided now. */
export function judgedAgain(probes: readonly Probe[], seen: readonly SeenProbe[]): readonly SeenRow[] {
  return seen.map((row) => {
    const probe = probes.find((one) => one.clause === row.clause && one.holds === row.holds)
    if (probe === undefined)
      return { ...row, outcome: 'otherwise', came: 'this version does not have this probe' }
    if (row.outcome === 'not observed' || row.response === undefined) return row
    const came = differenceFrom(probe.expects, row.response)
    return { ...row, outcome: came === null ? 'as decided' : 'otherwise', came: came ?? '' }
  })
}
