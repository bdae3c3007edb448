/** Routes below `/people/`, with which tests in any language use commands: `POST /people/use` and others. */
import { InvocationError } from '../client/error.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { isLoopbackHost } from '../http/hosts.ts'
import type { Outgoing, Exchange, Incoming } from '../http/message.ts'
import { json } from '../http/respond.ts'
import { ComponentError, type ModalValues } from '../interaction/component.ts'
import { isLocale } from '../locale/locales.ts'
import type { Cast } from './cast.ts'
import type { Actor, Desk, UseValue } from './desk.ts'
import { setNewest, TestbedError, type Shown } from './shown.ts'

interface PeopleRoutesOptions {
  readonly desk: Desk
  readonly cast: Cast
  readonly gateway: Gateway
}

const PREFIX = '/people/'
const MOST_BYTES = 64 * 1024

/** The body of a request is invalid. */
class BadRequest extends Error {}

/**
 * An exchange with the routes below `/people/`, and another exchange for all other paths. The routes require no token, so
 * only programs on this machine may call them: with its name as `Host`, and without an `Origin`.
 */
export function withPeople(exchange: Exchange, options: PeopleRoutesOptions): Exchange {
  const routes = routesOf(options)
  return async (incoming) => {
    const { path, method } = incoming
    if (!path.startsWith(PREFIX)) return exchange(incoming)
    // Web pages send an `Origin`, or another name of this machine as `Host`.
    if (!isLoopbackHost(incoming.header('host')) || incoming.header('origin') !== null)
      return failure(403, 'forbidden', 'only programs on this machine may use these routes')
    const route = routes.get(path.slice(PREFIX.length))
    if (route === undefined)
      return failure(404, 'not_found', `the routes are ${[...routes.keys()].join(', ')}`)
    if (method !== 'POST') return failure(405, 'method', 'use POST')
    try {
      return json(await route(await bodyOf(incoming)))
    } catch (error) {
      return failureOf(error)
    }
  }
}

type Route = (body: JsonObject) => Promise<unknown>

function routesOf({ desk, cast, gateway }: PeopleRoutesOptions): ReadonlyMap<string, Route> {
  /** The answers of the bot, by the ids that later actions name. */
  const known = new Map<string, Shown>()

  function actorOf(body: JsonObject): Actor {
    const { application = gateway.sessions[0]?.applicationId } = body
    if (typeof application !== 'string')
      throw new BadRequest('application: required while no bot is logged in')
    const { locale, channel, server } = body
    return desk.actor(application, cast.person(text(body, 'as')), {
      ...(isLocale(locale) && { locale }),
      ...(typeof channel === 'string' && { channel }),
      ...(typeof server === 'string' && { server }),
    })
  }

  function shownOf(body: JsonObject): Shown {
    const id = text(body, 'id')
    const shown = known.get(id)
    if (shown === undefined) throw new BadRequest(`id: unknown answer ${JSON.stringify(id)}`)
    return shown
  }

  function shownJson(shown: Shown): object {
    const id = shown.message?.id ?? shown.interaction.id
    if (!known.has(id)) setNewest(known, id, shown)
    const { kind, content, ephemeral, deleted, message, modal, followUps } = shown
    return { id, kind, content, ephemeral, deleted, message, modal, follow_ups: followUps.map(shownJson) }
  }

  const onlineJson = () =>
    gateway.sessions.map(({ applicationId: application, shard, connected }) => ({
      application,
      shard,
      connected,
    }))

  const routes: { readonly [name: string]: Route } = {
    async use(body) {
      const values = body.values === undefined ? undefined : object(body, 'values')
      const uses = values as Record<string, UseValue> | undefined
      return shownJson(await actorOf(body).use(text(body, 'line'), uses))
    },
    async 'use-on'(body) {
      const target = isObject(body.message) ? (body.message as never) : cast.person(text(body, 'user'))
      return shownJson(await actorOf(body).useOn(text(body, 'command'), target))
    },
    suggest: (body) => actorOf(body).suggestions(text(body, 'line')),
    press: async (body) => shownJson(await shownOf(body).press(text(body, 'button'))),
    choose: async (body) =>
      shownJson(await shownOf(body).choose(text(body, 'menu'), ...texts(body, 'values'))),
    submit: async (body) => shownJson(await shownOf(body).submit(object(body, 'values') as ModalValues)),
    read: async (body) => shownJson(shownOf(body)),
    edited: async (body) => shownJson(await shownOf(body).edited()),
    'followed-up': async (body) => shownJson(await shownOf(body).followedUp()),
    async drop() {
      for (const session of gateway.sessions) session.drop()
      return onlineJson()
    },
    online: async () => onlineJson(),
  }
  return new Map(Object.entries(routes))
}

async function bodyOf(incoming: Incoming): Promise<JsonObject> {
  const bytes = await incoming.body(MOST_BYTES)
  if (typeof bytes === 'string') throw new BadRequest(`the body cannot be read: ${bytes}`)
  try {
    const value: unknown = bytes.length === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes))
    if (isObject(value)) return value
  } catch {
    // Reported below.
  }
  throw new BadRequest('the body is not a JSON object')
}

function text(body: JsonObject, name: string): string {
  const value = body[name]
  if (typeof value === 'string') return value
  throw new BadRequest(`${name}: expected a string`)
}

function texts(body: JsonObject, name: string): readonly string[] {
  const value = body[name]
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value as readonly string[]
  throw new BadRequest(`${name}: expected a list of strings`)
}

function object(body: JsonObject, name: string): JsonObject {
  const value = body[name]
  if (isObject(value)) return value
  throw new BadRequest(`${name}: expected an object`)
}

function failureOf(error: unknown): Outgoing {
  if (error instanceof InvocationError) {
    return failure(422, error.code, error.message, error.issues)
  }
  if (error instanceof ComponentError) return failure(422, error.code, error.message)
  if (error instanceof TestbedError) return failure(504, error.code, error.message)
  if (error instanceof BadRequest || error instanceof TypeError)
    return failure(400, 'bad_request', error.message)
  throw error
}

function failure(status: number, code: string, message: string, issues?: readonly object[]): Outgoing {
  return { ...json({ error: { code, message, ...(issues && issues.length > 0 && { issues }) } }), status }
}
