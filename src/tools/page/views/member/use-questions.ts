/** Uses of commands and components, and what bots answer. */
import { validateCallback } from '../../../../interactions/answer/callback.ts'
import { shownBy } from '../../../../interactions/answer/rendered.ts'
import type { BotSession } from '../../../../interactions/bot/bot-session.ts'
import {
  ChatClient,
  type ChatClientOptions,
  type OptionValues,
} from '../../../../interactions/client/chat-client.ts'
import { InvocationError } from '../../../../interactions/client/invocation-error.ts'
import { CommandType } from '../../../../model/command-types.ts'
import { isObject } from '../../../../core/json.ts'
import { objectsById, serverObjects, type KnownObjects } from '../../../../interactions/usage/complete.ts'
import {
  choose,
  ComponentError,
  press,
  submit,
  type ComponentUse,
} from '../../../../interactions/usage/component.ts'
import {
  userOf,
  type AnyInteraction,
  type InteractionMessage,
} from '../../../../model/interaction-payload.ts'
import { pick, type GuildViewer } from '../../../../commands/access/picker.ts'
import { demoMessage } from '../../../../model/demo-server.ts'
import { readViewer, type Context, type Query } from '../../query.ts'
import { hiddenSentences, problemsOf } from '../../words.ts'

interface Sent {
  readonly interaction: AnyInteraction | null
  readonly message?: InteractionMessage | null
}

/** Uses a command as the person does. `test` is the use as code of a test. */
export async function use(query: Query, context: Context) {
  const { client, viewer, server, source } = await readClient(query, context)
  const [path, target] = [query.text('path'), query.text('target')]
  const run = async () => {
    switch (query.value('type')) {
      case CommandType.USER:
        return { interaction: await client.invokeOnUser(path, target) }
      case CommandType.MESSAGE:
        return { interaction: await client.invokeOnMessage(path, target) }
      case CommandType.PRIMARY_ENTRY_POINT:
        return client.launch()
      default:
        return { interaction: await client.invoke(path, valuesOf(query)) }
    }
  }
  const messageOf = ({ commandId, message }: InvocationError) => {
    const { hidden } = pick(viewer, source, { explain: true })
    const found = hidden.find(({ command }) => command.id === commandId)
    return found === undefined ? message : hiddenSentences(found, server).join(' ')
  }
  return answerTo(query, context, { run, messageOf, test: testCode(query) })
}

export async function act(query: Query, context: Context) {
  const [source, target] = [query.value('interaction'), query.value('target')]
  if (!isObject(source) || !isObject(target)) throw new TypeError('interaction or target is missing')
  const { viewer, resolved } = await readClient(query, context)
  const interaction = source as unknown as AnyInteraction
  const person = 'member' in viewer ? { member: viewer.member } : { user: { id: query.id('as') } }
  // The same person keeps the permissions of the interaction.
  const isOther = userOf(interaction)?.id !== query.id('as')
  const use = { interaction, resolved, ...(isOther && person), locale: query.text('lang') } as ComponentUse
  return answerTo(query, context, {
    run: async () => ({ interaction: useComponent(target as never, query, use) }),
  })
}

function useComponent(target: never, query: Query, use: ComponentUse): AnyInteraction {
  const name = query.text('name')
  switch (query.text('kind')) {
    case 'submit':
      return submit(target, query.value('values') as never, use)
    case 'press':
      return press(target, name, use)
    default:
      return choose(target, name, query.list('values').map(String), use)
  }
}

interface Use {
  readonly run: () => Promise<Sent>
  /** The message of an error. Default: its own. */
  readonly messageOf?: (error: InvocationError) => string
  /** The use as code of a test. */
  readonly test?: string
}

/** Runs a use and sends its interaction to the bot; or the reason why the use is refused. */
async function answerTo(query: Query, context: Context, { run, messageOf, test = '' }: Use) {
  try {
    const { interaction, message = null } = await run()
    const reply = interaction === null ? null : await replyTo(interaction, query, context)
    return { ok: true as const, interaction, message, reply, test }
  } catch (error) {
    if (!(error instanceof InvocationError || error instanceof ComponentError)) throw error
    const isOfUse = error instanceof InvocationError
    const message = isOfUse && messageOf ? messageOf(error) : error.message
    const issues = isOfUse ? problemsOf(error.issues) : []
    return { ok: false as const, code: error.code as string, message, issues }
  }
}

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

/** The reply of the bot to an interaction; null without a bot. `failure` names the reason for a missing reply. */
async function replyTo(interaction: AnyInteraction, query: Query, { session }: Context) {
  const delivery = await session.ask(interaction, { label: query.text('path') })
  if (!delivery.ok && delivery.code === 'not_connected') return null
  return {
    shown: delivery.rendered,
    messages: messagesOf(interaction.id, session),
    failure: delivery.ok ? '' : delivery.code,
    issues: problemsOf(delivery.ok ? delivery.warnings : delivery.issues),
  }
}

/** The messages that an interaction created, as they are now, oldest first. */
function messagesOf(interactionId: string, { messages }: BotSession) {
  return messages.createdBy(interactionId).flatMap((id) => {
    const live = messages.live(id)
    if (live === undefined) return []
    const { message, isEdited, isDeleted } = live
    return { message, isEdited, isDeleted }
  })
}

/** The messages of interactions by the ids of the interactions. */
export function replies(query: Query, { session }: Context) {
  const ids = query.list('interactions').map(String)
  return Object.fromEntries(ids.map((id) => [id, messagesOf(id, session)]))
}

/** The suggestions of the bot for an option; null without a bot. */
export async function suggest(query: Query, context: Context) {
  const { client } = await readClient(query, context)
  const [path, focused] = [query.text('path'), query.text('focused')]
  try {
    const interaction = await client.autocomplete(path, valuesOf(query), focused)
    return await replyTo(interaction, query, context)
  } catch (error) {
    // Invalid values of other options are refused when the command is sent.
    if (error instanceof InvocationError) return null
    throw error
  }
}

/** The chat client of the person, and the objects it knows: those of the server, the one message, and the files. */
async function readClient(query: Query, context: Context) {
  const { viewer, server, source } = await readViewer(query, context)
  const files = query.list('files').filter(isObject)
  const attachments = files.map(({ id, filename }) => {
    return { id: String(id), filename: String(filename), size: 1_024 }
  })
  const resolved: KnownObjects = {
    attachments: objectsById(attachments),
    messages: objectsById([demoMessage]),
    ...(server !== null && serverObjects(server, { ...(viewer as GuildViewer), now: source.now })),
  }
  const options = { ...viewer, resolved } as ChatClientOptions
  return { viewer, server, source, resolved, client: new ChatClient(context.registry, options) }
}

function valuesOf(query: Query): OptionValues {
  const values = query.value('values')
  return isObject(values) ? (values as OptionValues) : {}
}

/** An answer that is written by hand as the person sees it, null while it is invalid. A final one is kept. */
export function answer(query: Query, { session }: Context) {
  const given = query.value('interaction')
  if (!isObject(given)) throw new TypeError('interaction is missing')
  const interaction = given as unknown as AnyInteraction
  const body = query.value('callback')
  const read = validateCallback(interaction, body)
  if (!read.ok) return { shown: null, issues: problemsOf(read.issues, body), messages: [] }
  if (query.value('isFinal') === true) session.messages.begin(interaction, read.value)
  const shown = shownBy(interaction, read.value)
  return { shown, issues: problemsOf(read.warnings, body), messages: messagesOf(interaction.id, session) }
}
