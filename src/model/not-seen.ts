/**
 * The gaps in what was seen: one list, which every source of definitions and every run returns. A kind answers three
 * questions, and no other code decides them: may a gap hide commands, may a run with it succeed, and is it a definition? Pure.
 */
import { counted, printable, wrapText } from '../core/text.ts'

interface Answers {
  /** In lines for people; absent for the kind itself. */
  readonly noun?: string
  /** Whether commands may be defined there. A command that is not seen may only be deleted if no gap hides any. */
  readonly hides?: true
  /** Whether a run with it must not succeed. */
  readonly fails?: true
  /** Whether it is or may be a command, which no result calls read. */
  readonly unread?: true
}

const KINDS = {
  /** A command or subcommand that the bot deployed, and that was not used. */
  command: { fails: true },
  /** A file that could not be loaded. */
  file: { hides: true, fails: true },
  /** A folder, or a link, that could not be followed. */
  folder: { hides: true },
  /** A file in a folder that does not define commands, as far as they are understood. */
  data: { noun: 'file', hides: true },
  /** A class whose command only its program builds. */
  class: { hides: true, unread: true },
  /** An object with a part of a command, which only its program completes, or that may be a command. */
  object: { hides: true, unread: true },
  /** A function beside commands that may return more of them to its program. */
  function: { hides: true },
  /** A program that failed or was stopped before it was done. */
  program: { hides: true, fails: true },
  /** A program that was stopped because it sent no request for a while. */
  silence: { noun: 'silent program', hides: true },
  /** A request that would have changed commands, and that the service refused. */
  request: { hides: true, fails: true },
  /** An endpoint to which no request with a wrong signature was sent. */
  signature: {},
  /** A server in which no person used the bot. */
  server: {},
  /** An option that was never given. */
  option: {},
  /** A button, menu or modal that was shown and never used. */
  component: {},
  /** A request of the bot for which the service has no route. */
  route: {},
} as const satisfies { readonly [kind: string]: Answers }

/** What was not seen. */
export type NotSeenKind = keyof typeof KINDS

/** One thing that a run has not seen. */
export interface NotSeen {
  readonly kind: NotSeenKind
  readonly name: string
  readonly reason: string
}

const answersOf = ({ kind }: NotSeen): Answers => KINDS[kind]

/** Whether a run has seen too little to succeed: a command was not used, or a file not loaded. */
export function isIncomplete(notSeen: readonly NotSeen[]): boolean {
  return notSeen.some((gap) => answersOf(gap).fails)
}

/** Whether a definition was seen that could not be read. */
export function hasUnread(notSeen: readonly NotSeen[]): boolean {
  return notSeen.some((gap) => answersOf(gap).unread)
}

/** The gaps in which commands may be defined that were not seen. */
export function gapsWithCommands(notSeen: readonly NotSeen[]): readonly NotSeen[] {
  return notSeen.filter((gap) => answersOf(gap).hides)
}

/** The routes that the service does not have. @param routes with the number of requests or uses */
export function missingRoutes(routes: ReadonlyMap<string, number>): readonly NotSeen[] {
  return Array.from(routes, ([route, count]) => ({
    ...{ kind: 'route' as const, name: `${route} (${counted(count, 'time')})` },
    reason: 'the service has no such route; failures after these requests do not count',
  }))
}

// --- For people and programs ------------------------------------------------------------------------------------

const isSkipped = ({ kind }: NotSeen) => kind === 'folder' || kind === 'data'

/** What was skipped in folders, as `skipped` of JSON and its line list it with the reasons, and the other gaps. */
export function skippedAndOthers(notSeen: readonly NotSeen[]) {
  return {
    skipped: notSeen
      .filter(isSkipped)
      .map(({ name, reason }) => (reason === '' ? name : `${name} (${reason})`)),
    others: notSeen.filter((gap) => !isSkipped(gap)),
  }
}

/** Gaps that may define commands, as the reason of a refusal: `1 file that may define them was skipped; …`. */
export function refusalText(gaps: readonly NotSeen[]): string {
  const isOne = gaps.length === 1
  if (gaps.every(isSkipped))
    return `${counted(gaps.length, 'file')} that may define them ${isOne ? 'was' : 'were'} skipped; repair or move ${isOne ? 'it' : 'them'}`
  const [{ name, reason }] = gaps.filter((gap) => !isSkipped(gap)) as [NotSeen]
  const first = `${printable(name, SHOWN_LENGTH)} (${printable(reason, SHOWN_LENGTH)})`
  return `not all was seen that may define them: ${first}${isOne ? '' : `, and ${gaps.length - 1} more`}`
}

const SHOWN_NAMES = 10
const SHOWN_LENGTH = 300

/** A heading, and a line for each kind and reason; empty when all was seen. @param width the columns of the screen */
export function notSeenLines(notSeen: readonly NotSeen[], width = Infinity): readonly string[] {
  if (notSeen.length === 0) return []
  const groups = new Map<string, NotSeen[]>()
  for (const gap of notSeen) {
    const key = `${gap.kind} ${gap.reason}`
    groups.set(key, [...(groups.get(key) ?? []), gap])
  }
  const lines = [...groups.values()].flatMap((gaps) => {
    const [first] = gaps as [NotSeen]
    const shown = gaps.slice(0, SHOWN_NAMES).map(({ name }) => printable(name, SHOWN_LENGTH))
    const more = gaps.length > SHOWN_NAMES ? ` and ${gaps.length - SHOWN_NAMES} more` : ''
    const what = counted(gaps.length, answersOf(first).noun ?? first.kind)
    const line = `${what}, ${printable(first.reason, SHOWN_LENGTH)}: ${shown.join(', ')}${more}`
    return wrapText(line, width - 4).map((part, index) => (index === 0 ? `  ${part}` : `    ${part}`))
  })
  return ['Not seen:', ...lines]
}
