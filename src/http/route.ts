/** What a row of the route table is. */
import type { AnswerFile } from '../answer/message.ts'
import type { Scope } from '../registry/scope.ts'
import type { ListView } from '../registry/view.ts'
import type { Outgoing, Incoming } from './message.ts'
import type { Service } from './options.ts'
import type { Grant, Principal } from './principal.ts'
import type { Refusal } from './refusals.ts'
import type { Outcome } from './respond.ts'
import type { PathParams, Pattern } from './router.ts'

/** A request that passed all checks. An id that is not in the path is `0`. */
export interface Call {
  readonly service: Service
  readonly incoming: Incoming
  readonly params: PathParams
  readonly scope: Scope
  readonly guildId: string
  /** A command; for permissions, it can be the application. */
  readonly commandId: string
  readonly body: unknown
  /** The files beside the body of an answer. */
  readonly files: readonly AnswerFile[]
  readonly principal: Principal
  /** The view of a list; without one, the list has all dictionaries. */
  readonly view: ListView | undefined
}

/** The schema of a response in the OpenAPI document. */
export type ResponseShape =
  | 'command'
  | 'commands'
  | 'permissions'
  | 'permissionsList'
  | 'application'
  | 'user'
  | 'gateway'
  | 'gatewayBot'
  | 'interactionCallbackResponse'
  | 'messageAnswer'

/** The schema of a request body in the OpenAPI document. */
export type BodyShape =
  | 'commandCreate'
  | 'commandEdit'
  | 'commandsOverwrite'
  | 'permissionsEdit'
  | 'interactionCallback'
  | 'message'

/** One endpoint, as far as a request needs it. */
export interface ServedRoute extends Pattern {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly summary: string
  readonly grant: Grant
  /** The schema of the request's body; `fields` for an object that may be left out. Absent: it has none. */
  readonly body?: BodyShape | 'fields'
  /** Whether the response is a list that can be localized. */
  readonly localized?: true
  /** A refusal that does not depend on the body, which is then not read. */
  readonly refuseEarly?: (params: PathParams, service: Service) => Refusal | null
  readonly call: (call: Call) => Promise<Outgoing> | Outgoing
}

/** One endpoint of the OpenAPI document. */
export interface Route extends ServedRoute {
  /** The clause of the specification. */
  readonly clause?: string
  readonly body?: BodyShape
  readonly outcomes: readonly Outcome[]
  /** The schema of the response's body. Absent: it has none. */
  readonly response?: ResponseShape
  /** The refusals of the call itself; `refusalsOf` in openapi.ts adds those of every route. */
  readonly refusals: readonly Refusal[]
}
