/** A request that passed all checks, and the row of the route table that answers it. */
import type { ListView } from '../../commands/registry/list-view.ts'
import type { RequestBody } from './body.ts'
import type { Outgoing, Incoming } from '../../core/http-message.ts'
import type { Service } from './handler-options.ts'
import type { Grant, CheckedPrincipal } from './principal.ts'
import type { Success } from './respond.ts'
import type { RefusalName } from '../refusals.ts'
import type { PathParams, Pattern } from './router.ts'

export interface Call extends RequestBody {
  readonly service: Service
  readonly incoming: Incoming
  readonly params: PathParams
  readonly principal: CheckedPrincipal
  /** The view of a list; without one, the list has all dictionaries. */
  readonly view: ListView | undefined
  /** Takes what is ignored in the body, or may surprise, for the record of the request. */
  readonly notes: string[]
}

/** The groups of operations. */
export type Tag = 'Commands' | 'Guild commands' | 'Permissions' | 'Login' | 'Gateway' | 'Interactions'

/** One endpoint. Its functions may throw `Refused`. */
export interface Route extends Pattern {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly summary: string
  readonly grant: Grant
  /** The component with the schema of the body; `fields` for an object that may be left out, `list` for a list. Absent: it has none. */
  readonly body?: string
  /** Whether the response is a list that can be localized. */
  readonly localized?: true
  /** Refuses a request for a reason that does not depend on the body, which is then not read. */
  readonly checkEarly?: (params: PathParams, service: Service) => void | Promise<void>
  readonly call: (call: Call) => Promise<Outgoing> | Outgoing

  // For the OpenAPI document.
  /** The id of the operation, as Discord names it. */
  readonly operation?: string
  readonly tag?: Tag
  /** The clause of the specification. */
  readonly clause?: string
  /** Default: the outcome that is usual for the method. */
  readonly outcomes?: readonly Success[]
  /** The component with the schema of the response. Absent: it has no body. */
  readonly response?: string
  /** The refusals of this route alone; `refusalsOf` in openapi.ts adds those that its other facts imply. */
  readonly refusals?: readonly RefusalName[]
}
