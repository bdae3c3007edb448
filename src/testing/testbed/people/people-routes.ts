/** Routes below `/people/`, with which tests in any language use commands: `POST /people/use` and others. */
import { parseJson } from '../../../interactions/answer/answer-body.ts'
import { expectedLocale } from '../../../interactions/client/chat-client.ts'
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { BoundedMap, bytesOfJson, bytesOfText } from '../../../core/bounded-map.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import type { MovingClock } from '../../../core/timers.ts'
import { milliseconds } from '../../samples/test-clock.ts'
import { nearest } from '../../../core/nearest.ts'
import { isSnowflake } from '../../../core/snowflake.ts'
import { describeValue, listed, quoted } from '../../../core/text.ts'
import type { Gateway } from '../../../service/gateway/gateway.ts'
import { isLoopbackHost } from '../../../service/http/hosts.ts'
import type { Outgoing, Exchange, Incoming } from '../../../core/http-message.ts'
import { json } from '../../../service/http/respond.ts'
import { ComponentError, isInputValue } from '../../../interactions/usage/component.ts'
import type { InteractionMessage } from '../../../model/interaction-payload.ts'
import { isLocale } from '../../../model/locales.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import { InputError, type Participant, type People, type Person, type PersonOptions } from './people.ts'
import type { Actor, MessageTarget } from './actor.ts'
import type { Routes } from '../stage/test-routes.ts'
import type { Shown } from '../stage/shown.ts'
import { channelView, messageView, serverView } from './server-view.ts'
import { TestbedError } from '../stage/bot-watch.ts'

interface PeopleRoutesOptions {
  readonly actorOf: (by: Participant) => Actor
  readonly people: People
  readonly gateway: Gateway
  readonly routes: Routes
  readonly clock: Pick<MovingClock, 'movesBots'>
  /** Moves the clock by milliseconds. */
  readonly advance: (milliseconds: number) => Promise<void>
}

const PREFIX = '/people/'
const MAX_PEOPLE_BODY_BYTES = 64 * 1024
// The answers that later actions can name, of one application and of all.
const MAX_SHOWN_BYTES = 32 * 1024 * 1024
const MAX_SHOWN_BYTES_OF_ONE = 16 * 1024 * 1024
// The responses of `route`; each request of a bot is compared with all of them.
const MAX_ROUTE_BYTES = 4 * 1024 * 1024
const MAX_ROUTES = 500
const SMALLEST_ROUTE = Math.floor(MAX_ROUTE_BYTES / MAX_ROUTES)

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
    const name = path.slice(PREFIX.length)
    if (!Object.hasOwn(routes, name))
      return failure(404, 'not_found', `the routes are ${Object.keys(routes).join(', ')}`)
    if (method !== 'POST') return failure(405, 'method', 'use POST')
    try {
      const body = await readBody(incoming)
      const [fields, run] = routes[name]!
      checkFields(body, fields)
      return json((await run(body)) ?? {})
    } catch (error) {
      return failureOf(error, path)
    }
  }
}

interface Field {
  readonly words: string
  /** An absent value is undefined. */
  accepts(value: unknown): boolean
}

type Fields = { readonly [name: string]: Field }

/** A body whose fields have the types of its route. */
type Body = { readonly [name: string]: any }

/** An action: the fields of its body, and its JSON; undefined is an empty object. */
type Action = readonly [fields: Fields, run: (body: Body) => unknown]

type Actions = { readonly [name: string]: Action }

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

const isDuration = (value: unknown) => isText(value) && /^\d{1,12}(?:ms|s|m|h|d)$/.test(String(value))

const required = (words: string, accepts: Field['accepts']): Field => ({ words, accepts })
const optional = ({ words, accepts }: Field): Field => ({
  words,
  accepts: (value) => value === undefined || accepts(value),
})

const text = required('a string', isText)
const id = required('an id such as "1001"', isSnowflake)
const texts = required('a list of strings', isTexts)
const object = required('an object', isObject)
const span = required('a duration such as "15m"', isDuration)
const duration = required('a duration such as "5m", or null', (value) => value === null || isDuration(value))
const formValues = required(
  'an object of strings, booleans, files and lists',
  (value) => isObject(value) && Object.values(value).every(isInputValue),
)
const message = required(
  'an object with an id and a content',
  (value) => isObject(value) && isSnowflake(value.id) && isText(value.content),
)
const installed = required('"server" or "user"', (value) => value === 'server' || value === 'user')
const status = required(
  'an HTTP status from 200 to 599',
  (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
)
const anything = required('JSON', () => true)

const inServer: Fields = { server: optional(text) }
const client: Fields = { locale: optional(text), channel: optional(text), ...inServer }
const byPerson: Fields = { as: text, ...client, installed: optional(installed), application: optional(id) }
const ofShown: Fields = { id: text }
const onEmoji: Fields = { ...ofShown, emoji: text }
/** An answer, and a person who uses its components. Default: the person who has got it. */
const onShown: Fields = { ...ofShown, as: optional(text), ...client, application: optional(id) }

/** An answer of the bot, and the person who got it. */
interface KnownAnswer {
  readonly shown: Shown
  readonly actor: Actor
  readonly size: number
}

function routesOf({ actorOf, people, gateway, routes, clock, advance }: PeopleRoutesOptions): Actions {
  /** The answers of the bot and their people, by the ids that later actions name. */
  const known = new BoundedMap<string, KnownAnswer>(MAX_SHOWN_BYTES, ({ size }) => size, {
    share: {
      most: MAX_SHOWN_BYTES_OF_ONE,
      ownerOf: ({ shown }) => shown.interaction.application_id,
    },
  })

  function participantOf(body: Body): Participant {
    const { as, application = onlyApplication(), locale, channel, server, installed } = body
    if (locale !== undefined && !isLocale(locale)) throw new InputError(`locale: ${expectedLocale(locale)}`)
    const options: PersonOptions = { ...(locale !== undefined && { locale }), channel, installed }
    return { applicationId: application, options, ...people.find(as, server) }
  }

  function onlyApplication(): string {
    const ids = [...new Set(gateway.sessions.map(({ applicationId }) => applicationId))]
    const [id] = ids
    if (id === undefined) throw new InputError('application: required while no bot is logged in')
    if (ids.length === 1) return id
    throw new InputError(`application: required while several bots are logged in: ${listed(ids)}`)
  }

  function knownAnswer({ id }: Body) {
    const found = known.get(id)
    if (found === undefined) throw new InputError(`id: unknown answer ${quoted(id)}`)
    return found
  }

  function messageTargetOf(body: Body): MessageTarget {
    const message = known.has(body.id) ? undefined : people.world.findMessage(body.id)
    if (message === undefined) return knownAnswer(body).shown
    if (body.as === undefined) throw new InputError('as: required for a message of a channel')
    return messageView(people.world, message)
  }

  function targetOf({ user, message, server }: Body): Person | InteractionMessage {
    if ((user === undefined) === (message === undefined))
      throw new InputError('user: expected the name of a person, or "message"')
    return message ?? people.find(user, server).person
  }

  function shownJson(shown: Shown, actor: Actor): object {
    const id = shown.message?.id ?? shown.interaction.id
    const { kind, content, ephemeral, deleted, message, modal, followUps } = shown
    const size = bytesOfJson({ interaction: shown.interaction, message, modal })
    if (!known.has(id)) known.set(id, { shown, actor, size })
    const follow_ups = followUps.map((one) => shownJson(one, actor))
    return { id, kind, content, text: shown.text(), ephemeral, deleted, message, modal, follow_ups }
  }

  const onlineJson = () =>
    gateway.sessions.map(({ applicationId: application, shard, connected }) => ({
      application,
      shard,
      connected,
    }))

  const by = (fields: Fields, act: (actor: Actor, body: Body) => unknown): Action => [
    { ...byPerson, ...fields },
    (body) => act(actorOf(participantOf(body)), body),
  ]
  /** An action of a person with an answer of the bot. */
  const using = (fields: Fields, act: (actor: Actor, body: Body) => Promise<Shown>): Action =>
    by(fields, async (actor, body) => shownJson(await act(actor, body), actor))

  /** A use of a component of an answer, by the person who has got it or by another one. */
  const reacting = (
    fields: Fields,
    act: (actor: Actor, target: MessageTarget, body: Body) => Promise<Shown>,
  ): Action => [
    { ...onShown, ...fields },
    async (body) => {
      const target = messageTargetOf(body)
      const application = 'interaction' in target ? target.interaction.application_id : undefined
      const actor =
        body.as === undefined ? knownAnswer(body).actor : actorOf(participantOf({ application, ...body }))
      return shownJson(await act(actor, target, body), actor)
    },
  ]
  /** Reads an answer, or waits for a change of it. */
  const reading = (read: (shown: Shown) => Shown | Promise<Shown>): Action => [
    ofShown,
    async (body) => {
      const { shown, actor } = knownAnswer(body)
      return shownJson(await read(shown), actor)
    },
  ]

  return {
    use: using({ line: text, values: optional(object) }, (actor, { line, values }) =>
      actor.use(line, values),
    ),
    'use-on': using({ command: text, user: optional(text), message: optional(message) }, (actor, body) =>
      actor.useOn(body.command, targetOf(body)),
    ),
    suggest: by({ line: text }, (actor, { line }) => actor.suggestions(line)),
    launch: by({}, async (actor) => {
      const { shown, message } = await actor.launch()
      return shown === null ? serviceJson(message) : shownJson(shown, actor)
    }),
    press: reacting({ button: text }, (actor, target, { button }) => actor.press(target, button)),
    choose: reacting({ menu: text, values: texts }, (actor, target, { menu, values }) =>
      actor.choose(target, menu, ...values),
    ),
    submit: reacting({ values: formValues }, (actor, _, body) =>
      actor.submit(knownAnswer(body).shown, body.values),
    ),
    read: reading((shown) => shown),
    edited: reading((shown) => shown.edited()),
    'followed-up': reading((shown) => shown.followedUp()),
    say: by({ content: text }, (actor, { content }) => actor.say(content)),
    react: by(onEmoji, (actor, body) => actor.react(messageTargetOf(body), body.emoji)),
    unreact: by(onEmoji, (actor, body) => actor.unreact(messageTargetOf(body), body.emoji)),
    edit: by({ ...ofShown, content: text }, (actor, body) => actor.edit(messageTargetOf(body), body.content)),
    delete: by(ofShown, (actor, body) => actor.delete(messageTargetOf(body))),
    ...worldRoutes(people, routes),
    drop: [
      {},
      () => {
        for (const session of gateway.sessions) session.drop()
        return onlineJson()
      },
    ],
    online: [{}, onlineJson],
    advance: [
      { duration: span },
      async ({ duration }) => {
        await advance(milliseconds(duration))
        return { moves_bots: clock.movesBots }
      },
    ],
  }
}

interface AddedRoute {
  readonly size: number
  readonly remove: () => void
}

/** Actions that change and read the servers, and those that answer requests of the bot. */
function worldRoutes(people: People, routes: Routes): Actions {
  const added = new BoundedMap<string, AddedRoute>(MAX_ROUTE_BYTES, ({ size }) => size, {
    onForget: ({ remove }) => remove(),
  })
  return {
    join: [
      { name: text, roles: optional(texts), ...inServer },
      ({ name, roles, server }) => people.add(name, roles, server),
    ],
    'set-roles': [
      { name: text, roles: texts, ...inServer },
      ({ name, roles, ...place }) => people.setRoles(name, roles, place),
    ],
    leave: [{ name: text, ...inServer }, ({ name, ...place }) => people.leave(name, place)],
    timeout: [
      { name: text, duration, ...inServer },
      ({ name, duration, ...place }) => people.timeout(name, duration, place),
    ],
    'set-permissions': [
      { channel: text, name: text, permissions: object, ...inServer },
      ({ channel, name, permissions, ...place }) => people.setPermissions(channel, name, permissions, place),
    ],
    server: [inServer, ({ server }) => serverView(people.world, people.server(server).id)],
    channel: [
      { channel: text, ...inServer },
      ({ channel, server }) => channelView(people.world, people.channel(channel, people.server(server))),
    ],
    route: [
      { method: text, path: text, status: optional(status), body: anything },
      ({ method, path, status, body }) => {
        const outgoing = responseOf(body, status)
        const route = `${method} ${path}`
        const remove = routes.on(route, () => outgoing)
        // The newest response of a route replaces an older one.
        added.get(route)?.remove()
        added.delete(route)
        const size = Math.max(bytesOfText(route) + bytesOfJson(body ?? null), SMALLEST_ROUTE)
        added.set(route, { size, remove })
      },
    ],
    reset: [
      {},
      () => {
        added.clear()
        routes.reset()
      },
    ],
  }
}

/** The message of a launch by the service, in the form of an answer. */
function serviceJson(message: InteractionMessage): object {
  const { id, content } = message
  return {
    id,
    kind: 'activity',
    content,
    text: content,
    ephemeral: false,
    deleted: false,
    message,
    modal: null,
    follow_ups: [],
  }
}

/** @throws InputError for a status that has no body */
function responseOf(body: unknown, status = body === undefined ? 204 : 200): Response {
  if (body === undefined) return new Response(null, { status })
  if ([204, 205, 304].includes(status))
    throw new InputError(`body: a response with status ${status} has no body`)
  return Response.json(body, { status })
}

/** @throws InputError when the body is not a JSON object in UTF-8 */
async function readBody(incoming: Incoming): Promise<JsonObject> {
  const bytes = await incoming.body(MAX_PEOPLE_BODY_BYTES)
  if (typeof bytes === 'string') throw new InputError(`the body cannot be read: ${bytes}`)
  try {
    const value = bytes.length === 0 ? {} : parseJson(bytes, Infinity)
    if (isObject(value)) return value
  } catch {
    // Reported below.
  }
  throw new InputError('the body is not a JSON object in UTF-8')
}

/** @throws InputError with every problem of the fields */
function checkFields(body: JsonObject, fields: Fields): void {
  const names = Object.keys(fields)
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(fields, name))
  const wrong = names.filter((name) => !fields[name]!.accepts(body[name]))
  const problems = [
    ...wrong.map((name) => `${name}: expected ${fields[name]!.words}, got ${describeValue(body[name])}`),
    ...unknown.map((name) => `${name}: unknown field; ${suggestion(name, names)}`),
  ]
  if (problems.length > 0) throw new InputError(problems.join('; '))
}

function suggestion(name: string, names: readonly string[]): string {
  const close = nearest(name, names)
  if (close !== undefined) return `did you mean ${quoted(close)}?`
  return names.length === 0 ? 'the action has no fields' : `the fields are ${listed(names)}`
}

function failureOf(error: unknown, path: string): Outgoing {
  if (error instanceof InvocationError) return failure(422, error.code, error.message, error.issues)
  if (error instanceof ComponentError) return failure(422, error.code, error.message)
  if (error instanceof TestbedError) return failure(504, error.code, error.message, error.issues)
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
