import { validateCallback } from '../../answer/callback.ts'
import { shownBy } from '../../answer/rendered.ts'
import { ChatClient } from '../../client/chat-client.ts'
import type { ChatClientOptions } from '../../client/client-options.ts'
import { InvocationError } from '../../client/error.ts'
import type { OptionValue } from '../../command/usage.ts'
import { CommandType } from '../../command/types.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import {
  choose,
  ComponentError,
  press,
  submit,
  type ComponentUse,
  type ModalValues,
  type OpenModal,
} from '../../interaction/component.ts'
import {
  userOf,
  type AnyInteraction,
  type ComponentMessage,
  type InteractionMessage,
} from '../../interaction/payload.ts'
import { type KnownObjects, objectsById, serverObjects } from '../../interaction/complete.ts'
import { demoMessage } from '../../world/demo-server.ts'
import type { ServerSettings } from '../../world/server.ts'
import type { BotReply, HandWrittenReply, UseAnswer } from '../answers.ts'
import { problemsOf } from '../problems.ts'
import type { Query } from '../query.ts'
import { pickerInput, type Context } from '../viewer.ts'
import { withNames } from '../../authoring/words.ts'

/** Uses a command as the person does. */
export async function use(query: Query, context: Context): Promise<UseAnswer> {
  const { client, server, resolved } = await clientOf(query, context)
  const answer = await answerTo(() => invoke(client, query, resolved), testCode(query), query, context)
  return answer.ok ? answer : { ...answer, message: withNames(answer.message, server) }
}

/** Presses a button, chooses from a menu or submits a modal of an answer, as the person does. */
export async function act(query: Query, context: Context): Promise<UseAnswer> {
  const [source, target] = [query.value('interaction'), query.value('target')]
  if (!isObject(source) || !isObject(target)) throw new TypeError('interaction or target is missing')
  const { viewer, resolved } = await viewerAndKnown(query, context)
  const interaction = source as unknown as AnyInteraction
  const person = 'member' in viewer ? { member: viewer.member } : { user: { id: query.id('as') } }
  // The same person keeps the permissions of the interaction.
  const isOther = userOf(interaction)?.id !== query.id('as')
  const use = { interaction, resolved, ...(isOther && person), locale: query.text('lang') } as ComponentUse
  const next = async () => ({ interaction: useComponent(target, query, use), message: null })
  return answerTo(next, '', query, context)
}

function useComponent(target: unknown, query: Query, use: ComponentUse): AnyInteraction {
  const name = query.text('name')
  switch (query.text('kind')) {
    case 'submit':
      return submit(target as OpenModal, query.value('values') as ModalValues, use)
    case 'press':
      return press(target as ComponentMessage, name, use)
    default:
      return choose(target as ComponentMessage, name, query.list('values').map(String), use)
  }
}

/** The result of a use: an interaction for the app, or the message of the service. */
interface Invoked {
  readonly interaction: AnyInteraction | null
  readonly message: InteractionMessage | null
}

/** Runs a use and sends its interaction to the bot; or the reason why the use is refused. */
async function answerTo(
  run: () => Promise<Invoked>,
  test: string,
  query: Query,
  context: Context,
): Promise<UseAnswer> {
  try {
    const { interaction, message } = await run()
    const reply = interaction === null ? null : await replyOf(interaction, query, context)
    return { ok: true, interaction, message, reply, test }
  } catch (error) {
    if (!(error instanceof InvocationError || error instanceof ComponentError)) throw error
    const issues = error instanceof InvocationError ? problemsOf(error.issues) : []
    return { ok: false, code: error.code, message: error.message, issues }
  }
}

/** The use as code of a test. */
function testCode(query: Query): string {
  const [path, target, locale] = [query.text('path'), query.text('target'), query.text('lang')]
  const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(path) ? path : 'command'
  const [, ...rest] = path.split(' ')
  const values = valuesOf(query)
  const request = {
    ...(rest.length > 0 && query.value('type') === CommandType.CHAT_INPUT && { subcommand: rest.join(' ') }),
    ...(Object.keys(values).length > 0 && { options: values }),
    ...(target !== '' && { target }),
    ...(locale !== 'en-US' && { locale }),
    user: { id: query.text('as') },
  }
  const call = `interactionFor(${name}, ${JSON.stringify(request, null, 2)})`
  return `import { interactionFor } from 'commandry/testing'\n\nconst interaction = ${call}\n`
}

/** Sends an interaction to the bot; null without a bot. */
async function replyOf(
  interaction: AnyInteraction,
  query: Query,
  context: Context,
): Promise<BotReply | null> {
  const delivery = await context.session.ask(interaction, { label: query.text('path') })
  if (!delivery.ok && delivery.code === 'not_connected') return null
  const answer = { shown: delivery.rendered, messages: context.recorder.messagesOf(interaction.id) }
  return delivery.ok
    ? { ...answer, failure: '', issues: problemsOf(delivery.warnings) }
    : { ...answer, failure: delivery.code, issues: problemsOf(delivery.issues) }
}

/** The messages that interactions created, as they are now, by the ids of the interactions. */
export async function replies(query: Query, context: Context): Promise<object> {
  const ids = query.list('interactions').map(String)
  return Object.fromEntries(ids.map((id) => [id, context.recorder.messagesOf(id)]))
}

/** The suggestions of the bot for an option; null without a bot. */
export async function suggest(query: Query, context: Context): Promise<BotReply | null> {
  const { client, resolved } = await clientOf(query, context)
  try {
    const typed = await client.autocomplete(query.text('path'), valuesOf(query), query.text('focused'), {
      resolved,
    })
    return await replyOf(typed, query, context)
  } catch (error) {
    // Invalid values of other options are refused when the command is sent.
    if (error instanceof InvocationError) return null
    throw error
  }
}

async function invoke(client: ChatClient, query: Query, resolved: KnownObjects): Promise<Invoked> {
  const [path, target] = [query.text('path'), query.text('target')]
  const sent = (interaction: AnyInteraction) => ({ interaction, message: null })
  switch (query.value('type')) {
    case CommandType.USER:
      return sent(await client.invokeOnUser(path, target, { resolved }))
    case CommandType.MESSAGE:
      return sent(await client.invokeOnMessage(path, target, { resolved }))
    case CommandType.PRIMARY_ENTRY_POINT:
      return client.launch()
    default:
      return sent(await client.invoke(path, valuesOf(query), { resolved }))
  }
}

/** The chat client of the person, and the objects it knows. */
async function clientOf(query: Query, context: Context) {
  const { viewer, server, resolved } = await viewerAndKnown(query, context)
  return { client: new ChatClient(context.registry, viewer as ChatClientOptions), server, resolved }
}

async function viewerAndKnown(query: Query, context: Context) {
  const { viewer, server } = await pickerInput(query, context)
  return { viewer, server, resolved: knownObjects(server, query.list('files').filter(isObject)) }
}

/** The values of a question, by option name. */
function valuesOf(query: Query): { readonly [name: string]: OptionValue } {
  const values = query.value('values')
  return isObject(values) ? (values as { readonly [name: string]: OptionValue }) : {}
}

/** The members, roles and channels of a server, the one message, and the files of a use. */
function knownObjects(server: ServerSettings | null, files: readonly JsonObject[]): KnownObjects {
  const attachments = files.map(({ id, filename }) => ({ id: String(id), filename: String(filename) }))
  const shared = {
    attachments: objectsById(attachments.map((file) => ({ ...file, size: 1_024 }))),
    messages: objectsById([demoMessage]),
  }
  return server === null ? shared : { ...shared, ...serverObjects(server) }
}

/** An answer that is written by hand, as the person sees it, and its problems. A final one is kept. */
export async function answer(query: Query, { session, recorder }: Context): Promise<HandWrittenReply> {
  const given = query.value('interaction')
  if (!isObject(given)) throw new TypeError('interaction is missing')
  const interaction = given as unknown as AnyInteraction
  const body = query.value('callback')
  const read = validateCallback(interaction, body)
  if (!read.ok) return { shown: null, issues: problemsOf(read.issues, body), messages: [] }
  if (query.flag('isFinal')) session.messages.begin(interaction, read.value)
  return {
    shown: shownBy(interaction, read.value),
    issues: problemsOf(read.warnings, body),
    messages: recorder.messagesOf(interaction.id),
  }
}
