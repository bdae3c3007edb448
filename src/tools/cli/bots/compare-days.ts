/** The same uses of a bot on two days of Discord, and what differs between them. */
import { counted, printable } from '../../../core/text.ts'
import { sameJson } from '../../../core/json.ts'
import { platformChanges } from '../../../model/platform.ts'
import type { FuzzedStep } from '../../../testing/fuzz/fuzz-options.ts'

type Place = Omit<FuzzedStep, 'seen' | 'requests'>
type Seen = Pick<FuzzedStep, 'seen' | 'requests'>

/** A step that had another answer, or other requests, on the second day; null on a day that did not have it. */
interface Difference extends Place {
  readonly before: Seen | null
  readonly after: Seen | null
}

interface DaysReport {
  readonly days: readonly [before: string, after: string]
  /** The steps of the first day. */
  readonly steps: number
  readonly differences: readonly Difference[]
  /** The steps that are different each time, whatever the day. */
  readonly unsteady: number
  /** What Discord changed between the days, in behavior that a bot meets. */
  readonly changes: readonly { readonly day: string; readonly what: string }[]
}

/** @param usedOn uses the bot with Discord as of a day, always in the same way */
export async function compareDays(
  usedOn: (day: string) => Promise<readonly FuzzedStep[]>,
  before: string,
  after: string,
): Promise<DaysReport> {
  const first = await usedOn(before)
  const found = dayDifferences(first, await usedOn(after))
  // Bots that draw by chance differ from themselves.
  const unsteady = found.length === 0 ? [] : dayDifferences(first, await usedOn(before))
  const isSteady = (one: Difference) => !unsteady.some((other) => keyOf(other) === keyOf(one))
  const differences = found.filter(isSteady)
  return {
    days: [before, after],
    steps: first.length,
    differences,
    unsteady: found.length - differences.length,
    changes: platformChanges
      .filter((change) => change.switch !== undefined && change.day > before && change.day <= after)
      .map(({ day, what }) => ({ day, what })),
  }
}

function keyOf({ line, step, as, channel, locale }: Place): string {
  return JSON.stringify([line, step, as, channel, locale])
}

/** The steps by place; those at the same place in their order. */
function byPlace(steps: readonly FuzzedStep[]): ReadonlyMap<string, readonly FuzzedStep[]> {
  const places = new Map<string, FuzzedStep[]>()
  for (const step of steps) {
    const key = keyOf(step)
    places.set(key, [...(places.get(key) ?? []), step])
  }
  return places
}

function dayDifferences(first: readonly FuzzedStep[], second: readonly FuzzedStep[]): readonly Difference[] {
  const [before, after] = [byPlace(first), byPlace(second)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old = [], now = []] = [before.get(key), after.get(key)]
    const longer = old.length >= now.length ? old : now
    const { seen: _, requests: __, ...place } = longer[0]!
    const at = longer.findIndex((_, index) => !sameJson(seenOf(old[index]), seenOf(now[index])))
    return at < 0 ? [] : [{ ...place, before: seenOf(old[at]), after: seenOf(now[at]) }]
  })
}

function seenOf(step: FuzzedStep | undefined): Seen | null {
  return step === undefined ? null : { seen: step.seen, requests: step.requests }
}

const MAX_LINE_LENGTH = 160

/** The report for people. */
export function daysText({ days, steps, differences, unsteady, changes }: DaysReport, seed: number): string {
  const [before, after] = days
  const blocks = differences.map(({ line, step, as, channel, ...difference }) => {
    const last = step === 'use' ? '' : `, ${step}`
    const place = channel === 'dm' ? 'in the DM with the bot' : `in #${channel}`
    return [
      `≠ ${printable(`${line}${last}`, MAX_LINE_LENGTH)}`,
      `  ${as} ${place}`,
      ...linesOf(difference.before, difference.after, before),
      ...linesOf(difference.after, difference.before, after),
      '',
    ].join('\n')
  })
  const total = `${counted(steps, 'step')} on each day, seed ${seed}`
  return [
    ...blocks,
    ...(unsteady > 0
      ? [
          `${counted(unsteady, 'step')} differed on the same day too, and ${unsteady === 1 ? 'does' : 'do'} not count.`,
        ]
      : []),
    `Changes from ${before} to ${after} in what a bot meets:${changes.length === 0 ? ' none' : ''}`,
    ...changes.map(({ day, what }) => `  ${day}  ${what}`),
    differences.length === 0
      ? `✓ ${total}: nothing differs`
      : `✗ ${total}: ${counted(differences.length, 'step')} ${differences.length === 1 ? 'differs' : 'differ'}`,
  ].join('\n')
}

/** What one day has: the answer, and the requests if those of the other day differ. */
function linesOf(one: Seen | null, other: Seen | null, day: string): readonly string[] {
  if (one === null) return [`  ${day}  the step was not possible`]
  const answer = one.seen.split('\n').map((line) => printable(line, MAX_LINE_LENGTH))
  const requests = sameJson(one.requests, other?.requests ?? []) ? [] : one.requests
  const indent = ' '.repeat(day.length + 4)
  return [
    `  ${day}  ${answer.join(`\n${indent}`)}`,
    ...requests.map((request) => `${indent}${printable(request, MAX_LINE_LENGTH)}`),
  ]
}
