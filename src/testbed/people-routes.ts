/** Routes below `/people/`, with which tests in any language use commands: `POST /people/use` and others. */
import { InvocationError } from '../client/error.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { isLoopbackHost } from '../http/hosts.ts'
import type { Outgoing, Exchange, Incoming } from '../http/message.ts'
import { json } from '../http/respond.ts'
import { ComponentError } from '../interaction/component.ts'
import { isLocale } from '../locale/locales.ts'
import type { Cast, PersonOptions } from './cast.ts'
import type { Desk, UseValue } from './desk.ts'
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
  const routes = new PeopleRoutes(options)
  return (incoming) => (incoming.path.startsWith(PREFIX) ? routes.answer(incoming) : exchange(incoming))
}

type Route = (body: JsonObject) => Promise<unknown>

class PeopleRoutes {
  readonly #options: PeopleRoutesOptions
  readonly #shown = new Map<string, Shown>()
  readonly #posts: { readonly [name: string]: Route } = {
    use: async (body) => this.#show(await this.#use(body)),
    'use-on': async (body) => this.#show(await this.#useOn(body)),
    suggest: async (body) => {
      const { client, options } = await this.#person(body)
      return this.#options.desk.suggestions(client, options, text(body, 'line'))
    },
    press: async (body) => this.#show(await this.#known(body).press(text(body, 'button'))),
    choose: async (body) =>
      this.#show(await this.#known(body).choose(text(body, 'menu'), ...texts(body, 'values'))),
    submit: async (body) => this.#show(await this.#known(body).submit(object(body, 'values') as never)),
    read: async (body) => this.#show(this.#known(body)),
    edited: async (body) => this.#show(await this.#known(body).edited()),
    'followed-up': async (body) => this.#show(await this.#known(body).followedUp()),
    drop: async () => {
      for (const session of this.#options.gateway.sessions) session.drop()
      return this.#online()
    },
    online: async () => this.#online(),
  }

  constructor(options: PeopleRoutesOptions) {
    this.#options = options
  }

  async answer(incoming: Incoming): Promise<Outgoing> {
    const refused = refusalOf(incoming)
    if (refused !== null) return refused
    const name = incoming.path.slice(PREFIX.length)
    const route = Object.hasOwn(this.#posts, name) ? this.#posts[name]! : undefined
    if (route === undefined)
      return failure(404, 'not_found', `the routes are ${Object.keys(this.#posts).join(', ')}`)
    if (incoming.method !== 'POST') return failure(405, 'method', 'use POST')
    try {
      return json(await route(await bodyOf(incoming)))
    } catch (error) {
      return failureOf(error)
    }
  }

  async #use(body: JsonObject): Promise<Shown> {
    const { client, options } = await this.#person(body)
    const values = body.values === undefined ? undefined : object(body, 'values')
    return this.#options.desk.use(
      client,
      options,
      text(body, 'line'),
      values as Record<string, UseValue> | undefined,
    )
  }

  async #useOn(body: JsonObject): Promise<Shown> {
    const { client } = await this.#person(body)
    const { cast, desk } = this.#options
    const target = isObject(body.message) ? (body.message as never) : cast.person(text(body, 'user'))
    return desk.useOn(client, text(body, 'command'), target)
  }

  async #person(body: JsonObject) {
    const { cast, desk, gateway } = this.#options
    const { application = gateway.sessions[0]?.applicationId } = body
    if (typeof application !== 'string')
      throw new BadRequest('application: required while no bot is logged in')
    const { locale, channel, server } = body
    const options: PersonOptions = {
      ...(isLocale(locale) && { locale }),
      ...(typeof channel === 'string' && { channel }),
      ...(typeof server === 'string' && { server }),
    }
    const client = await desk.client(application, cast.person(text(body, 'as')), options)
    return { client, options }
  }

  #known(body: JsonObject): Shown {
    const id = text(body, 'id')
    const shown = this.#shown.get(id)
    if (shown === undefined) throw new BadRequest(`id: unknown answer ${JSON.stringify(id)}`)
    return shown
  }

  #show(shown: Shown): object {
    const id = shown.message?.id ?? shown.interaction.id
    if (!this.#shown.has(id)) setNewest(this.#shown, id, shown)
    const { kind, content, ephemeral, deleted, message, modal } = shown
    const followUps = shown.followUps.map((one) => this.#show(one))
    return { id, kind, content, ephemeral, deleted, message, modal, follow_ups: followUps }
  }

  #online(): object {
    return this.#options.gateway.sessions.map(({ applicationId: application, shard, connected }) => ({
      application,
      shard,
      connected,
    }))
  }
}

/** Refuses web pages: they send an `Origin`, or another name of this machine as `Host`. */
function refusalOf(incoming: Incoming): Outgoing | null {
  const isLocal = isLoopbackHost(incoming.header('host')) && incoming.header('origin') === null
  return isLocal ? null : failure(403, 'forbidden', 'only programs on this machine may use these routes')
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
