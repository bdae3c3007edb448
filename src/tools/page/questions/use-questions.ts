/** Uses of commands and components, and what bots answer. */
import { validateCallback } from '../../../interactions/answer/callback.ts'
import { failedAnswer, shownBy } from '../../../interactions/answer/rendered.ts'
import type { BotSession } from '../../../interactions/bot/bot-session.ts'
import { ChatClient, type ChatClientOptions } from '../../../interactions/client/chat-client.ts'
import type { OptionValues } from '../../../interactions/client/use-options.ts'
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { CommandType } from '../../../model/command-types.ts'
import { processIds, takeId } from '../../../model/id-source.ts'
import { isObject } from '../../../core/json.ts'
import {
  objectsById,
  serverObjects,
  type AttachedFile,
  type KnownObjects,
} from '../../../interactions/usage/complete.ts'
import { choose, press, submit, type ComponentUse } from '../../../interactions/usage/component.ts'
import { ComponentError } from '../../../interactions/usage/component-error.ts'
import {
  knownFields,
  userOf,
  type AnyInteraction,
  type InteractionMessage,
} from '../../../model/interaction-payload.ts'
import { pick, type GuildViewer } from '../../../commands/access/picker.ts'
import { createInteraction, type InteractionPlace } from '../../../interactions/usage/create.ts'
import { AttachedFiles } from '../../../testing/testbed/answers/attached.ts'
import { needTextBox } from '../../../testing/testbed/people/typed-values.ts'
import { messageFor } from '../../../service/world/world-message.ts'
import { participantOf, readViewer, type Context, type Query } from './query.ts'
import type { PageUse } from './uses.ts'
import { hiddenSentences, problemsOf } from './decision-words.ts'
import { channelIdOf, attachedFiles, withContent } from './place-questions.ts'

interface Sent {
  readonly interaction: AnyInteraction | null
  readonly message?: InteractionMessage | null
}

/** Uses a command as the person does. `test` is the use as code of a test. */
export async function use(query: Query, context: Context) {
  const { client, viewer, server, source } = await readClient(query, context)
  const [path, target, chosen] = [query.text('path'), query.text('target'), query.text('command')]
  // The id tells commands of one path apart. It is another one after a deploy or for another bot.
  const id = source.commands.some((command) => command.id === chosen) ? chosen : ''
  const by = participantOf(query, context)
  const run = async () => {
    switch (query.value('type')) {
      case CommandType.USER:
        return { interaction: await client.invokeOnUser(id || path, target) }
      case CommandType.MESSAGE:
        return { interaction: await client.invokeOnMessage(id || path, target) }
      case CommandType.PRIMARY_ENTRY_POINT:
        return client.launch()
      default:
        needTextBox(context.people.world, by.person, channelIdOf(by, context))
        return { interaction: await client.invoke(nameOf(path, id), valuesOf(query)) }
    }
  }
  const messageOf = ({ commandId, message }: InvocationError) => {
    const { hidden } = pick(viewer, source, { explain: true })
    const found = hidden.find(({ command }) => command.id === commandId)
    return found === undefined ? message : hiddenSentences(found, server).join(' ')
  }
  return answerTo(query, context, {
    run,
    messageOf,
    test: testCode(query),
    again: (): Promise<unknown> => use(query, context),
  })
}

/** Uses a command again, as the same person, in the same place, with the same options. */
export async function again(query: Query, { uses }: Context): Promise<null> {
  const repeat = uses.get(Number(query.value('use')))?.again
  if (!repeat) throw new TypeError('use: expected the id of a use of a command')
  await repeat()
  return null
}

/** What names one command, also where a global one and one of the server have the same name. */
const nameOf = (path: string, id: string): string => (id === '' ? path : `</${path}:${id}>`)

/** Uses a component of a message, or submits the modal of a use. */
export async function act(query: Query, context: Context) {
  const { viewer, resolved } = await readClient(query, context)
  const modal = context.uses.get(Number(query.value('use')))
  const run = async () => {
    const given = Object.entries(valuesOf(query)).map(([name, value]) => [name, withContent(value)])
    const values = await keptFiles(context).storedValues<object>(Object.fromEntries(given))
    const { target, interaction } =
      modal === undefined ? messageTarget(query, context, { ...viewer, resolved }) : modalTarget(modal, query)
    const by = context.people.participant(knownFields(interaction), participantOf(query, context))
    // The same person keeps the permissions of the interaction.
    const isOther = userOf(interaction)?.id !== query.id('as')
    const use = { interaction, resolved, ...(isOther && by), locale: query.text('lang') } as ComponentUse
    return { interaction: useComponent(target as never, query, values, use) }
  }
  const isForm = query.text('kind') === 'submit'
  const again = isForm ? {} : { again: (): Promise<unknown> => act(query, context) }
  const answer = await answerTo(query, context, { run, ...again })
  // A form that the bot failed at stays open, and can be submitted again.
  if (modal !== undefined && answer.ok) modal.isSubmitted = (answer.reply?.failure ?? '') === ''
  return answer
}

/** A message or a modal with components, and the interaction that led to it. */
interface Target {
  readonly target: object
  readonly interaction: AnyInteraction
}

function modalTarget({ shown, interaction, as, isSubmitted }: PageUse, query: Query): Target {
  if (as !== query.id('as')) throw new ComponentError('not_visible', 'only one person sees the modal')
  if (isSubmitted || shown?.kind !== 'modal')
    throw new ComponentError('not_visible', 'the modal was submitted already')
  return { target: shown.modal, interaction: interaction! }
}

/** @throws ComponentError for a message that the person does not see */
function messageTarget(query: Query, { session, uses, people }: Context, place: object): Target {
  const [id, as] = [query.id('message'), query.id('as')]
  const live = session.messages.live(id)
  if (live?.isDeleted === false && uses.sees(as, id))
    return { target: live.message, interaction: live.interaction }
  const message = people.world.findMessage(id)
  if (message === undefined)
    throw new ComponentError('not_visible', 'the message is deleted, or only another person sees it')
  // The message answers no interaction, so its components get one in its place.
  const command = { name: 'place', description: 'place', application_id: query.id('app') }
  const created = createInteraction(command, place as InteractionPlace)
  if (created.ok) return { target: messageFor(message, as), interaction: created.value }
  throw new ComponentError('not_visible', created.issues.map(({ message: text }) => text).join('; '))
}

function useComponent(target: never, query: Query, values: object, use: ComponentUse): AnyInteraction {
  const name = query.text('name')
  switch (query.text('kind')) {
    case 'submit':
      return submit(target, values as never, use)
    case 'press':
      return press(target, name, use)
    default:
      return choose(target, name, query.list('values').map(String), use)
  }
}

interface Running {
  readonly run: () => Promise<Sent>
  /** The message of an error. Default: its own. */
  readonly messageOf?: (error: InvocationError) => string
  /** The use as code of a test. */
  readonly test?: string
  readonly again?: () => Promise<unknown>
}

/**
 * Runs a use, which exists from then on, sends its interaction to the bot, and keeps the answer; or the reason why the use is
 * refused.
 */
async function answerTo(query: Query, context: Context, { run, messageOf, test = '', again }: Running) {
  const [time, started] = [context.people.world.now(), performance.now()]
  const by = participantOf(query, context)
  const add = (parts: Partial<PageUse>): PageUse =>
    context.uses.add({
      time,
      milliseconds: Math.round(performance.now() - started),
      as: by.person.id,
      channelId: channelIdOf(by, context),
      lang: query.text('lang'),
      verb: query.text('verb') || 'used',
      label: query.text('label') || query.text('path'),
      line: query.text('line'),
      again: again ?? null,
      command: query.text('command'),
      test,
      ...{ refusal: null, interaction: null, launched: null, isSending: false, isByBot: false },
      ...{ shown: null, failure: '', issues: [], error: '' },
      ...parts,
    })
  try {
    const { interaction, message = null } = await run()
    const added = add({ interaction, launched: message, isSending: interaction !== null })
    const reply = interaction === null ? null : await replyTo(interaction, query, context)
    const milliseconds = Math.round(performance.now() - started)
    Object.assign(added, { milliseconds, isSending: false, isByBot: reply !== null, ...reply })
    context.uses.changed(added)
    return { ok: true as const, id: added.id, interaction, message, reply, test }
  } catch (error) {
    if (!(error instanceof InvocationError || error instanceof ComponentError)) throw error
    const isOfUse = error instanceof InvocationError
    const message = isOfUse && messageOf ? messageOf(error) : error.message
    const issues = isOfUse ? problemsOf(error.issues) : []
    const refusal = { code: error.code as string, message, issues }
    const { id } = add({ refusal })
    const place = { userId: by.person.id, channelId: channelIdOf(by, context), locale: query.text('lang') }
    if (query.value('type') === CommandType.CHAT_INPUT)
      context.recording?.addRefusal(place, query.text('path'), valuesOf(query), refusal.code)
    return { ok: false as const, id, ...refusal }
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

/**
 * The reply of the bot to an interaction; null without a bot. `failure` names the reason for a missing reply, and `error` is
 * what the program that the service has started wrote about it.
 */
async function replyTo(interaction: AnyInteraction, query: Query, context: Context) {
  const { session, kept } = context
  const hasEnded = kept?.state.phase === 'ended'
  // A gateway expects a bot that was there to come back, and its person would wait.
  if (!hasEnded && !isBotThere(interaction, context)) return null
  const waiting = kept?.begin()
  try {
    const asked = hasEnded ? null : session.ask(interaction, { label: query.text('path') })
    const delivery = await (waiting === undefined ? asked! : Promise.race([asked ?? null, waiting.ended]))
    if (delivery === null) {
      const failure = kept!.state.phase === 'ended' ? 'ended' : 'restarted'
      return { shown: failedAnswer, failure, issues: [], error: hasEnded ? '' : await waiting!.error() }
    }
    if (!delivery.ok && delivery.code === 'not_connected') return null
    return {
      shown: delivery.rendered,
      failure: delivery.ok ? '' : delivery.code,
      issues: problemsOf(delivery.ok ? delivery.warnings : delivery.issues),
      error: delivery.ok ? '' : ((await waiting?.error()) ?? ''),
    }
  } finally {
    waiting?.end()
  }
}

/** Whether the bot of an interaction has an endpoint, or is logged in. */
function isBotThere({ application_id: id }: AnyInteraction, { session, bots }: Context): boolean {
  return session.endpoint !== null || bots === undefined || bots.online.includes(id)
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

/** All about a use, by its id or that of a message it led to; null for what no one has used. */
export function inspect(query: Query, { session, uses }: Context) {
  const live = session.messages.live(query.text('message'))
  const use = live === undefined ? uses.get(Number(query.value('use'))) : uses.of(live.interaction.id)
  const interaction = live?.interaction ?? use?.interaction ?? null
  if (use === undefined && interaction === null) return null
  const { id = 0, label = '', command = '', test = '', refusal = null, isByBot = true } = use ?? {}
  const { shown = null, failure = '', issues = [], isSubmitted = false } = use ?? {}
  return {
    ...{ id, label, command, test, isByBot, failure, issues, interaction, shown },
    isSubmitted,
    refused: refusal?.message ?? null,
    /** Whether an answer is there, which can be edited and followed up. */
    isAnswered: shown !== null || live !== undefined,
    messages: interaction === null ? [] : messagesOf(interaction.id, session),
  }
}

/** The suggestions of the bot for an option; null without a bot. */
export async function suggest(query: Query, context: Context) {
  const { client } = await readClient(query, context)
  const [path, focused] = [nameOf(query.text('path'), query.text('command')), query.text('focused')]
  try {
    const interaction = await client.autocomplete(path, valuesOf(query), focused)
    return await replyTo(interaction, query, context)
  } catch (error) {
    // Invalid values of other options are refused when the command is sent.
    if (error instanceof InvocationError) return null
    throw error
  }
}

/** Keeps the contents of files, so that the bot can fetch them. */
const keptFiles = ({ session }: Context) =>
  new AttachedFiles(session.messages.files, () => takeId(processIds()))

/** The chat client of the person, and the objects it knows: those of the server, the target, and the files. */
async function readClient(query: Query, context: Context) {
  const { viewer, server, source } = await readViewer(query, context)
  const target = context.people.world.findMessage(query.text('target'))
  const files = await keptFiles(context).stored(attachedFiles(query))
  const attachments = files as readonly (AttachedFile & { readonly id: string })[]
  const resolved: KnownObjects = {
    attachments: objectsById(attachments),
    messages: objectsById(target === undefined ? [] : [messageFor(target, query.text('as'))]),
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
export function answer(query: Query, { session, uses }: Context) {
  const use = uses.get(Number(query.value('use')))
  if (!use?.interaction) throw new TypeError('use: expected the id of a use that the app received')
  const body = query.value('callback')
  const read = validateCallback(use.interaction, body)
  if (!read.ok) return { shown: null, issues: problemsOf(read.issues, body) }
  const shown = shownBy(use.interaction, read.value)
  const issues = problemsOf(read.warnings, body)
  if (query.value('isFinal') === true) {
    session.messages.begin(use.interaction, read.value)
    Object.assign(use, { shown, issues })
    uses.changed(use)
  }
  return { shown, issues }
}
