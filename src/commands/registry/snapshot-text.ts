/** The JSON of a snapshot in pieces: a large application does not fit in one string. */
import { aSignal, oneOf, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import type { CallOptions } from './call-options.ts'
import { SNAPSHOT_FORMAT } from './snapshot-rules.ts'

/** How the text of a snapshot is laid out. */
export interface SnapshotTextOptions extends CallOptions {
  /** Spaces of each level, as in `JSON.stringify`. Default 0: one line. */
  readonly space?: 0 | 2
}

export const readTextOptions = /* @__PURE__ */ optionsOf<SnapshotTextOptions>('snapshotText', {
  signal: optional(aSignal),
  space: optional(oneOf('0 or 2', 0, 2)),
})

/** The pieces of `JSON.stringify(snapshot, null, space)`. */
export async function* snapshotPieces(
  applicationId: string,
  lists: Readonly<Record<'scopes' | 'permissions', AsyncIterable<object>>>,
  space: 0 | 2,
): AsyncGenerator<string> {
  const line = (depth: number) => (space === 0 ? '' : `\n${' '.repeat(depth * space)}`)
  const colon = space === 0 ? ':' : ': '
  const head = JSON.stringify({ format: SNAPSHOT_FORMAT, application_id: applicationId }, null, space)
  yield head.slice(0, space === 0 ? -1 : -2)
  for (const [name, items] of Object.entries(lists)) {
    yield `,${line(1)}"${name}"${colon}[`
    let isFirst = true
    for await (const item of items) {
      const text = JSON.stringify(item, null, space)
      yield `${isFirst ? '' : ','}${line(2)}${space === 0 ? text : text.replaceAll('\n', line(2))}`
      isFirst = false
    }
    yield isFirst ? ']' : `${line(1)}]`
  }
  yield `${line(0)}}`
}
