/** The actions below `/people/`: a row for each, with the readers of its fields. */
import { isObject } from '../../../core/json.ts'
import { aFlag, aString, anId, argument, listArgument } from '../../../core/rules/arguments.ts'
import {
  objectOf,
  optional,
  type AnyFields,
  type Reader,
  type ValuesOf,
} from '../../../core/rules/readers.ts'
import { rule } from '../../../core/rules/rule.ts'
import { isSnowflake } from '../../../core/snowflake.ts'
import { suggestion } from '../../../core/nearest.ts'
import { listed, quoted } from '../../../core/text.ts'
import type { AttachedFile } from '../../../interactions/usage/complete.ts'
import { isInputValue, type ModalValues } from '../../../interactions/usage/component-values.ts'
import type { InteractionMessage } from '../../../model/interaction-payload.ts'
import { milliseconds, millisecondsIn } from '../../samples/test-clock.ts'
import type { Shown } from '../answers/shown.ts'
import type { ActionContext } from './action-context.ts'
import type { Actor, UseValue } from '../people/actor.ts'
import type { MessageTarget } from '../people/message-targets.ts'
import { InputError } from '../people/people.ts'
import { serverPost, serverVerbs, type ServerVerbName } from '../people/server-actions.ts'
import { withBytes } from './sent-files.ts'
import { channelView, serverView } from '../people/server-view.ts'
import { argumentsIn, verbPath, rows, type AnyVerb, type VerbName } from '../people/verbs.ts'

/** An action: the reader of its body, and what it does; undefined is an empty object. */
interface Action {
  readonly read: Reader<object>
  run(context: ActionContext, body: any): unknown
}

const text = aString
const id = anId
const texts = listArgument(aString, 'a list of strings')
const span = argument<string>(
  'a duration such as "15m"',
  (value) => typeof value === 'string' && millisecondsIn(value) !== undefined,
)
const formValues = argument<ModalValues>(
  'an object of strings, booleans, files and lists',
  (value) => isObject(value) && Object.values(value).every(isInputValue),
)
const file = argument<AttachedFile>(
  'a file with its filename',
  (value) => isObject(value) && typeof value.filename === 'string',
)
const message = argument<InteractionMessage>(
  'an object with an id and a content',
  (value) => isObject(value) && isSnowflake(value.id) && typeof value.content === 'string',
)
const installed = argument<'server' | 'user'>(
  '"server" or "user"',
  (value) => value === 'server' || value === 'user',
)
const status = argument<number>(
  'an HTTP status from 200 to 599',
  (value) => Number.isInteger(value) && value >= 200 && value <= 599,
)
const ordinal = argument<number>(
  'a whole number from 1',
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
)
/** An object whose values are checked by the action. */
const values = argument<{ readonly [option: string]: UseValue }>('an object', isObject)

/** The whole text of a message, or a pattern for a part of it. */
const seen = { text: optional(text), pattern: optional(text) }

const inServer = { server: optional(text) }
const client = { locale: optional(text), channel: optional(text), ...inServer, application: optional(id) }
const byPerson = { as: text, ...client, installed: optional(installed) }
const ofAnswer = { id: text }
const onEmoji = { ...ofAnswer, emoji: text }
/** An answer, and a person who uses its components. Default: the person who has got it. */
const onAnswer = { ...ofAnswer, as: optional(text), ...client }

const unknownField = rule({
  code: 'field.unknown',
  clause: '',
  summary: 'The fields of an action are those of its row.',
  check: (name: string, names: readonly string[]) => (names.includes(name) ? undefined : { name, names }),
  message: ({ name, names }) =>
    `unknown field${suggestion(name, names, names.length === 0 ? 'the action has no fields' : `the fields are ${listed(names)}`)}`,
})

function action<const Own extends AnyFields>(
  fields: Own,
  run: (context: ActionContext, body: ValuesOf<Own>) => unknown,
): Action {
  return { read: objectOf(fields, { missing: null, unknownKey: unknownField }), run }
}

/** An action of a person. */
function by<const Own extends AnyFields>(
  fields: Own,
  act: (actor: Actor, body: ValuesOf<typeof byPerson & Own>, context: ActionContext) => unknown,
): Action {
  return action({ ...byPerson, ...fields }, (context, body: any) => act(context.actorOf(body), body, context))
}

/** An action of a person with an answer of the bot. */
function using<const Own extends AnyFields>(
  fields: Own,
  act: (actor: Actor, body: ValuesOf<typeof byPerson & Own>, context: ActionContext) => Promise<Shown>,
): Action {
  return by(fields, async (actor, body, context) =>
    context.answerJson(await act(actor, body, context), actor),
  )
}

/** A use of a component of an answer, by the person who has got it or by another one. */
function reacting<const Own extends AnyFields>(
  fields: Own,
  act: (
    actor: Actor,
    target: MessageTarget,
    body: ValuesOf<typeof onAnswer & Own>,
    context: ActionContext,
  ) => Promise<Shown>,
): Action {
  return action({ ...onAnswer, ...fields }, async (context, body: any) => {
    const target = context.messageTargetOf(body)
    const actor = context.actorOn(target, body)
    return context.answerJson(await act(actor, target, body, context), actor)
  })
}

/** Reads an answer, or waits for a change of it. */
function reading(read: (shown: Shown) => Shown | Promise<Shown>): Action {
  return action(ofAnswer, async (context, body) => {
    const { shown, actor } = context.knownAnswer(body)
    return context.answerJson(await read(shown), actor)
  })
}

const ofPeople: Readonly<Record<string, Action>> = {
  use: using({ line: text, values: optional(values) }, (actor, body) =>
    actor.use(body.line, withBytes(body.values)),
  ),
  'use-on': using(
    { command: text, user: optional(text), message: optional(message) },
    (actor, body, context) => actor.useOn(body.command, context.menuTargetOf(body)),
  ),
  suggest: by({ line: text, raw: optional(aFlag) }, (actor, { line, raw = false }) =>
    actor.suggestions(line, { raw }),
  ),
  launch: by({}, async (actor, _, context) => {
    const { shown, message } = await actor.launch()
    return shown === null ? serviceJson(message) : context.answerJson(shown, actor)
  }),
  press: reacting({ button: text }, (actor, target, { button }) => actor.press(target, button)),
  choose: reacting({ menu: text, values: texts }, (actor, target, { menu, values }) =>
    actor.choose(target, menu, ...values),
  ),
  submit: reacting({ values: formValues }, (actor, _, body, context) =>
    actor.submit(context.knownAnswer(body).shown, withBytes(body.values)),
  ),
  read: reading((shown) => shown),
  edited: reading((shown) => shown.edited()),
  'followed-up': reading((shown) => shown.followedUp()),
  sees: by({ ...seen, nth: optional(ordinal) }, (actor, body) => actor.sees(seenText(body), body.nth)),
  'no-longer-sees': by(seen, (actor, body) => actor.noLongerSees(seenText(body))),
  'sees-reaction': by(onEmoji, (actor, body, context) =>
    actor.seesReaction(context.messageTargetOf(body), body.emoji),
  ),
}

/** Actions that read the servers. */
const ofServers: Readonly<Record<string, Action>> = {
  server: action(inServer, ({ people }, { server }) => serverView(people.world, people.server(server).id)),
  'direct-messages': action({ name: text, application: optional(id) }, (context, body) =>
    context.directMessages(body),
  ),
  channel: action({ channel: text, ...inServer }, ({ people }, { channel, server }) =>
    channelView(people.world, people.channel(channel, people.server(server))),
  ),
}

/** Actions that answer requests of the bot, and those of its connections. */
const ofBots: Readonly<Record<string, Action>> = {
  route: action(
    { method: text, path: text, status: optional(status), body: optional((_, value) => value) },
    (context, { method, path, status, body }) =>
      context.addRoute(`${method} ${path}`, body, responseOf(body, status)),
  ),
  reset: action({}, (context) => context.resetRoutes()),
  drop: action({}, (context) => {
    for (const session of context.gateway.sessions) session.drop()
    return context.onlineJson()
  }),
  online: action({}, (context) => context.onlineJson()),
  settled: action({ timeout: optional(span) }, ({ settled }, { timeout }) =>
    settled(timeout === undefined ? undefined : milliseconds(timeout)),
  ),
  advance: action({ duration: span }, async ({ clock, advance }, { duration }) => {
    await advance(milliseconds(duration))
    return { moves_bots: clock.movesBots }
  }),
}

/** The row of what a test changes about a server. */
function ofServer(name: ServerVerbName): [string, Action] {
  const { action: path, fields } = serverPost(name)
  const { isAboutMember } = serverVerbs[name]
  const own = action({ ...fields, ...inServer }, (context, body: any) => {
    const act: (...given: any[]) => unknown = context.inServer(body, isAboutMember && body.name)[name]
    return act(...Object.keys(fields).map((key) => body[key]))
  })
  return [path, own]
}

/** The row of a verb. */
function ofVerb(name: VerbName): [string, Action] {
  const { takes, options = {} }: AnyVerb = rows[name]
  const form = { message: text, text, flag: aFlag, channel: text, emoji: text, files: listArgument(file) }
  const fields = [
    ...takes.map(([key, kind]) => [key, form[kind]] as const),
    ...Object.values(options).map(([key, kind]) => [key, optional(form[kind] as Reader)] as const),
  ]
  const action = by(Object.fromEntries(fields), (actor, body: any, context) => {
    const call: (...given: any[]) => unknown = actor[name]
    const given = argumentsIn<MessageTarget>(name, (key, kind) => {
      const value = body[key]
      if (kind === 'message' && value !== undefined)
        return context.messageTargetOf({ id: value, as: body.as })
      return kind === 'files' ? withBytes(value) : value
    })
    return call(...given)
  })
  return [verbPath(name), action]
}

export const actions: Readonly<Record<string, Action>> = {
  ...ofPeople,
  ...Object.fromEntries((Object.keys(rows) as VerbName[]).map(ofVerb)),
  ...Object.fromEntries((Object.keys(serverVerbs) as ServerVerbName[]).map(ofServer)),
  ...ofServers,
  ...ofBots,
}

/** @throws InputError for none, both or an invalid pattern */
function seenText(body: { readonly text?: string; readonly pattern?: string }): string | RegExp {
  const { text, pattern } = body
  if ((text === undefined) === (pattern === undefined))
    throw new InputError('text: expected the whole text of a message, or "pattern", a regular expression')
  if (pattern === undefined) return text!
  try {
    return new RegExp(pattern, 'u')
  } catch {
    throw new InputError(`pattern: ${quoted(pattern)} is not a regular expression`)
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
