/**
 * What was not seen: the one list of gaps that every source of definitions and every run returns. Whoever deletes what is
 * deployed needs a list in which nothing hides commands, or the number of the user; whoever says ✓ names the gaps. Pure.
 */
import { counted, printable, wrapText } from '../core/text.ts'

/** What was not seen. */
export type NotSeenKind =
  /** A command or subcommand that the bot deployed, and that was not used. */
  | 'command'
  /** A file that could not be loaded. */
  | 'file'
  /** A folder, or a link, that could not be looked into. */
  | 'folder'
  /** A file in a folder that is not understood as commands. */
  | 'data'
  /** A program that failed, or was stopped before it ended; it may have deployed more. */
  | 'program'
  /** What a program may still have deployed when it was stopped because it sent nothing. */
  | 'rest'
  /** A request that deploys, and that the service refused. */
  | 'request'
  /** A class whose command only its program builds. */
  | 'class'
  /** An object with a part of a command, which only its program completes. */
  | 'object'
  /** A function that a module of commands exports, and that may return more of them to its program. */
  | 'function'
  /** An endpoint to which no request with a wrong signature was sent. */
  | 'signature'
  /** A server in which nobody used the bot. */
  | 'server'
  /** An option that was never given. */
  | 'option'
  /** A button, menu or modal that was shown and never used. */
  | 'component'
  /** A request of the bot for which the service has no route. */
  | 'route'

/** One thing that a run has not seen. */
export interface NotSeen {
  readonly kind: NotSeenKind
  readonly name: string
  readonly reason: string
}

/** The routes that the service does not have. @param routes with the number of requests or uses */
export function missingRoutes(routes: ReadonlyMap<string, number>): readonly NotSeen[] {
  return Array.from(routes, ([route, count]) => ({
    ...{ kind: 'route' as const, name: `${route} (${counted(count, 'time')})` },
    reason: 'the service has no such route; failures after these requests do not count',
  }))
}

/** The kinds without which a run is not green. */
const FAILING: ReadonlySet<NotSeenKind> = new Set(['command', 'file', 'program', 'request'])

/** The kinds of what may hold commands, or is why some are missing. */
const HIDING: ReadonlySet<NotSeenKind> = new Set([
  ...(['file', 'folder', 'data', 'class', 'object', 'function'] as const),
  ...(['program', 'rest', 'request'] as const),
])

/** What is left out of a folder, which one line lists. */
const LEFT_OUT: ReadonlySet<NotSeenKind> = new Set(['folder', 'data'])

/** Whether a run has seen too little to be green: such as a command that was not used, or a file not loaded. */
export function isIncomplete(notSeen: readonly NotSeen[]): boolean {
  return notSeen.some(({ kind }) => FAILING.has(kind))
}

/** The gaps because of which commands may be missing: what is not among the definitions may be there all the same. */
export function hidingIn(notSeen: readonly NotSeen[]): readonly NotSeen[] {
  return notSeen.filter(({ kind }) => HIDING.has(kind))
}

/** What was left out of folders. */
export function leftOutIn(notSeen: readonly NotSeen[]): readonly NotSeen[] {
  return notSeen.filter(({ kind }) => LEFT_OUT.has(kind))
}

/** What was left out of folders as texts, each with its reason, and what else was not seen. */
export function partsOf(notSeen: readonly NotSeen[]) {
  return {
    skipped: leftOutIn(notSeen).map(({ name, reason }) => (reason === '' ? name : `${name} (${reason})`)),
    others: notSeen.filter(({ kind }) => !LEFT_OUT.has(kind)),
  }
}

/** The gaps that may hide commands, in words for a refusal: `1 file that may define them was not read`. */
export function hidingText(hiding: readonly NotSeen[]): string {
  const isOfFiles = hiding.every(({ kind }) => LEFT_OUT.has(kind) || kind === 'file')
  if (isOfFiles) {
    const [verb, it] = hiding.length === 1 ? ['was', 'it'] : ['were', 'them']
    return `${counted(hiding.length, 'file')} that may define them ${verb} skipped; repair or move ${it}`
  }
  const [{ kind, name, reason }] = hiding as [NotSeen]
  const more = hiding.length > 1 ? `, and ${hiding.length - 1} more` : ''
  return `not all was seen that may define them: ${kind} ${printable(name, SHOWN_LENGTH)}, ${printable(reason, SHOWN_LENGTH)}${more}`
}

const SHOWN_NAMES = 10
const SHOWN_LENGTH = 300

/** A heading, and a line for each kind and reason; empty when all was seen. @param width the columns of the screen */
export function notSeenLines(notSeen: readonly NotSeen[], width = Infinity): readonly string[] {
  if (notSeen.length === 0) return []
  const groups = new Map<string, { kind: NotSeenKind; reason: string; names: string[] }>()
  for (const { kind, name, reason } of notSeen) {
    const key = `${kind} ${reason}`
    const group = groups.get(key) ?? { kind, reason, names: [] }
    groups.set(key, group)
    group.names.push(name)
  }
  const lines = [...groups.values()].flatMap(({ kind, reason, names }) => {
    const shown = names.slice(0, SHOWN_NAMES).map((name) => printable(name, SHOWN_LENGTH))
    const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : ''
    const line = `${counted(names.length, kind)}, ${printable(reason, SHOWN_LENGTH)}: ${shown.join(', ')}${more}`
    return wrapText(line, width - 4).map((part, index) => (index === 0 ? `  ${part}` : `    ${part}`))
  })
  return ['Not seen:', ...lines]
}
