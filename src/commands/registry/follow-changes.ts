/** The changes of all processes, as the announcements of a store report them. */
import { aFunction, aSignal, demandFunction, aDuration, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { Emitter, subscription, type Subscription } from '../../core/emitter.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { followKeys } from '../../storage/documents/follow-keys.ts'
import { demandStore, type Store } from '../../storage/store.ts'
import { guildOfKey } from './scope.ts'

/** A change that `followChanges` reports. */
export type StoreChange =
  /** Commands or permissions were written. */
  | {
      readonly type: 'changed'
      readonly of: 'commands' | 'permissions'
      readonly applicationId: string
      /** Null for global commands. */
      readonly guildId: string | null
      /** The revision of the written document. */
      readonly revision: string
    }
  /** The connection is lost: changes are not reported until `missed`. */
  | { readonly type: 'interrupted' }
  /** Changes are reported again; those since `interrupted` may be missing, so read again what you keep. */
  | { readonly type: 'missed' }

interface FollowOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal
  /** How often the connection is tested, and how long it may take to answer, in milliseconds; `Infinity` for never. Default: 15,000. */
  readonly heartbeat?: number
  /** Called with the error of a listener. Default: `console.error`. */
  readonly onListenerError?: (error: unknown) => void
}

const checkedOptions = /* @__PURE__ */ optionsOf<FollowOptions>('followChanges', {
  signal: optional(aSignal),
  heartbeat: optional(aDuration),
  onListenerError: optional(aFunction),
})

/**
 * Calls a listener with every change of the commands and permissions in a store, of this process and of all others: a
 * `postgresStore` or `redisStore` with `notify`. Resolves when it listens; a lost connection is made again. A change may
 * be reported twice.
 *
 * @returns a function that ends the subscription, also usable with `using`
 * @throws TypeError if the store announces nothing; the error of the driver if the first connection fails
 */
export async function followChanges(
  store: Store,
  listener: (change: StoreChange) => void,
  options: FollowOptions = {},
): Promise<Subscription> {
  demandStore(store, 'store')
  demandFunction(listener, 'listener')
  const { signal, heartbeat = 15_000, onListenerError = console.error } = checkedOptions(options)
  if (store.announcements === undefined)
    throw new TypeError(
      'followChanges: this store announces nothing; give postgresStore or redisStore a channel: notify',
    )
  signal?.throwIfAborted()
  const changes = new Emitter<StoreChange>(onListenerError)
  changes.add(listener)
  const end = await followKeys(store.announcements, heartbeat, (change) => {
    const reported = change.type === 'written' ? changeOf(change.key, change.revision) : change
    if (reported !== undefined) changes.publish([reported])
  })
  return subscription(end, signal)
}

/** The change of a document with commands or permissions; undefined for another document. */
function changeOf(key: string, revision: string): StoreChange | undefined {
  const [kind, applicationId] = key.split('/')
  if ((kind !== 'scope' && kind !== 'permissions') || !isSnowflake(applicationId)) return undefined
  const of = kind === 'scope' ? 'commands' : 'permissions'
  return { type: 'changed', of, applicationId, guildId: guildOfKey(key), revision }
}
