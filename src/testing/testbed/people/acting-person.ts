/** A person who acts in the world, and how they read a refusal. */
import { isObject } from '../../../core/json.ts'
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { SPLIT_PERMISSIONS } from '../../../model/platform.ts'
import type { ServerUser } from '../../../model/server.ts'
import { Refused, type RefusalName } from '../../../service/refusals.ts'
import { slowModeLeft } from '../../../service/world/channels.ts'
import type { AnyChannel, WorldChannel } from '../../../service/world/entities.ts'
import { Party } from '../../../service/world/party.ts'
import type { World } from '../../../service/world/world.ts'
import { ActRefused } from './input-error.ts'

/** The `premium_type` of a user with Nitro, and the most characters of their messages. */
const NITRO = 2
const NITRO_CONTENT = 4_000

export class ActingPerson extends Party {
  readonly user: ServerUser
  readonly reason = null

  constructor(world: World, user: ServerUser) {
    super(world)
    this.user = user
  }

  override get maxContent(): number {
    return this.user.premium_type === NITRO ? NITRO_CONTENT : super.maxContent
  }

  get name(): string {
    return this.user.username
  }

  /** Slow mode holds for people only. @throws InvocationError while it lasts */
  needPause(channel: AnyChannel): void {
    const left = slowModeLeft(this.world, channel as WorldChannel, this.user.id)
    const isSplit = this.world.platform.has(SPLIT_PERMISSIONS)
    const before = ['MANAGE_MESSAGES', 'MANAGE_CHANNELS', 'MANAGE_THREADS'] as const
    const lifting = ['BYPASS_SLOWMODE' as const, ...(isSplit ? [] : before)]
    if (left <= 0 || lifting.some((name) => this.hasIn(channel, name))) return
    throw new InvocationError('permission_denied', {
      message: `slow mode: ${this.name} may write here again in ${Math.ceil(left / 1_000)} s`,
    })
  }
}

/** The refusals of what a person may not do; the others are limits of the platform. */
const RIGHTS: readonly RefusalName[] = ['lacks_permissions', 'missing_access', 'foreign_message']
/** The same, whose message says what it is about: `Thread is locked: ada lacks MANAGE_THREADS in #help of Ours`. */
const RIGHTS_BY_NAME: readonly RefusalName[] = ['locked_thread', 'unreadable_reply']

/** @throws InvocationError `permission_denied` without a right, ActRefused with the name of any other refusal */
export function asPerson<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { refusal, reason, message, fields } = error
    if (RIGHTS_BY_NAME.includes(refusal)) throw new InvocationError('permission_denied', { message })
    if (RIGHTS.includes(refusal))
      throw new InvocationError('permission_denied', { message: reason === '' ? message : reason })
    const problems = problemsIn((fields as { readonly errors?: unknown }).errors)
    throw new ActRefused(refusal, problems.length === 0 ? message : problems.join('; '))
  }
}

/** The problems of a body, each with its field: `name: Must be between 1 and 100 in length.` */
function problemsIn(errors: unknown, path: readonly string[] = []): readonly string[] {
  if (!isObject(errors)) return []
  return Object.entries(errors).flatMap(([key, inner]) =>
    key === '_errors' && Array.isArray(inner)
      ? inner.map(({ message }) => `${path.join('.')}: ${message}`)
      : problemsIn(inner, [...path, key]),
  )
}
