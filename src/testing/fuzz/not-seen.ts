/** What a run has not seen: its result says nothing about that. Pure. */
import { counted, printable, wrapText } from '../../core/text.ts'

/** What was not seen. */
export type NotSeenKind =
  /** A command or subcommand that the bot deployed, and that was not used. */
  | 'command'
  /** A file that could not be loaded. */
  | 'file'
  /** A class whose command only its program builds. */
  | 'class'
  /** An object with a part of a command, which only its program completes. */
  | 'object'
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
const FAILING: ReadonlySet<NotSeenKind> = new Set(['command', 'file'])

/** Whether a run has seen too little to be green: a command was not used, or a file not loaded. */
export function isIncomplete(notSeen: readonly NotSeen[]): boolean {
  return notSeen.some(({ kind }) => FAILING.has(kind))
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
