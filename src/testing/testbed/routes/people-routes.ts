/** Routes below `/people/`, with which tests in any language use commands: `POST /people/use` and others. */
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { isObject, NestedTooDeep, parseJson, TOO_DEEP, type JsonObject } from '../../../core/json.ts'
import { Report } from '../../../core/rules/report.ts'
import type { Reader } from '../../../core/rules/readers.ts'
import { isLoopbackHost } from '../../../service/http/hosts.ts'
import type { Outgoing, Exchange, Incoming } from '../../../core/http-message.ts'
import { json, refuse } from '../../../service/http/respond.ts'
import { Refused } from '../../../service/refusals.ts'
import { ComponentError } from '../../../interactions/usage/component-error.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import { TestbedError } from '../answers/bot-watch.ts'
import { ActionContext, type ActionOptions } from './action-context.ts'
import { actions } from './people-actions.ts'
import { ActRefused, InputError } from '../people/people.ts'

const PREFIX = '/people/'
/** Room for a file of 10 MiB as base64. */
const MAX_PEOPLE_BODY_BYTES = 16 * 1024 * 1024

/**
 * An exchange with the routes below `/people/`, and another exchange for all other paths. The routes require no token, so
 * only programs on this machine may call them: with its name as `Host`, and without an `Origin`.
 */
export function withPeople(exchange: Exchange, options: ActionOptions): Exchange {
  const context = new ActionContext(options)
  return async (incoming) => {
    const { path, method } = incoming
    if (!path.startsWith(PREFIX)) return exchange(incoming)
    // Web pages send an `Origin`, or another name of this machine as `Host`.
    if (!isLoopbackHost(incoming.header('host')) || incoming.header('origin') !== null)
      return failure(403, 'forbidden', 'only programs on this machine may use these routes')
    const name = path.slice(PREFIX.length)
    if (!Object.hasOwn(actions, name))
      return failure(404, 'not_found', `the routes are ${Object.keys(actions).join(', ')}`)
    if (method !== 'POST') return failure(405, 'method', 'use POST')
    try {
      const { read, run } = actions[name]!
      const body = readArguments(read, await readPeopleBody(incoming))
      return json((await options.acting(async () => run(context, body))) ?? {})
    } catch (error) {
      return routeFailure(error, path)
    }
  }
}

/** @throws InputError when the body is not a JSON object in UTF-8 */
async function readPeopleBody(incoming: Incoming): Promise<JsonObject> {
  const bytes = await incoming.body(MAX_PEOPLE_BODY_BYTES)
  if (bytes === 'bodies_too_large') throw new Refused(bytes)
  if (typeof bytes === 'string') throw new InputError(`the body cannot be read: ${bytes}`)
  try {
    const value = bytes.length === 0 ? {} : parseJson(bytes)
    if (isObject(value)) return value
  } catch (error) {
    if (error instanceof NestedTooDeep) throw new InputError(`the body ${TOO_DEEP}`)
    // Others are reported below.
  }
  throw new InputError('the body is not a JSON object in UTF-8')
}

/** @throws InputError with every problem of the fields */
function readArguments(read: Reader<object>, body: JsonObject): object {
  const report = new Report()
  const values = read(report, body)
  if (report.errors.length === 0) return values!
  throw new InputError(report.errors.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}

function routeFailure(error: unknown, path: string): Outgoing {
  if (error instanceof Refused) {
    const { status, headers } = refuse(error.refusal)
    return { ...failure(status, error.refusal, error.message), headers }
  }
  if (error instanceof InvocationError) return failure(422, error.code, error.message, error.issues)
  if (error instanceof ComponentError) return failure(422, error.code, error.message)
  if (error instanceof TestbedError) return failure(504, error.code, error.message, error.issues)
  if (error instanceof ActRefused) return failure(422, error.code, error.message)
  if (error instanceof InputError) return failure(400, 'bad_request', error.message)
  if (error instanceof RegistryError) {
    const isOfStore = error.code === 'storage' || error.code === 'busy'
    return failure(isOfStore ? 503 : 422, error.code, error.message)
  }
  console.error(`${path}: ${String(error)}`)
  return failure(500, 'server_fault', 'an error of the service; its standard error output has the reason')
}

function failure(status: number, code: string, message: string, issues?: readonly object[]): Outgoing {
  return { ...json({ error: { code, message, ...(issues && issues.length > 0 && { issues }) } }), status }
}
