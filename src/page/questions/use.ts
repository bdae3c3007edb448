import { validateCallback } from '../../answer/callback.ts'
import { shownBy } from '../../answer/rendered.ts'
import { ChatClient } from '../../client/chat-client.ts'
import type { ChatClientOptions } from '../../client/client-options.ts'
import { InvocationError } from '../../client/error.ts'
import { describePath } from '../../command/format-issues.ts'
import type { OptionValue } from '../../command/usage.ts'
import { CommandType, type ChannelType } from '../../command/types.ts'
import { isObject } from '../../core/json.ts'
import type { Issue } from '../../core/report.ts'
import {
  choose,
  ComponentError,
  press,
  submit,
  type ComponentUse,
  type ModalValues,
  type OpenModal,
} from '../../interaction/component.ts'
import type { AnyInteraction, ComponentMessage, InteractionMessage } from '../../interaction/payload.ts'
import type { KnownObjects } from '../../interaction/complete.ts'
import type { ServerSettings } from '../../permission/server.ts'
import { ruleOf, ruleUrl } from '../../reference/catalogue.ts'
import type { BotState, HandWritten, Problem, Reply, UseAnswer } from '../answers.ts'
import type { Query } from '../query.ts'
import { lookOf, serverOf, type Context } from '../viewer.ts'

/** Uses a command as the person does; the app's interaction, or why the use is refused. */
export async function use(query: Query, context: Context): Promise<UseAnswer> {
  const { client, resolved } = await clientOf(query, context)
  try {
    const { interaction, message } = await invoke(client, query, resolved)
    const reply = interaction === null ? null : await replyOf(interaction, query, context)
    return { ok: true, interaction, message, reply, test: testCode(query) }
  } catch (error) {
    if (!(error instanceof InvocationError)) throw error
    return { ok: false, code: error.code, message: error.message, issues: problemsOf(error.issues) }
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

/** Sends an interaction to the bot, if there is one. */
async function replyOf(interaction: AnyInteraction, query: Query, context: Context): Promise<Reply | null> {
  const application = await context.registry.pickerSource({ applicationId: query.id('app') })
  const delivery = await context.bot.deliver(interaction, application.application, query.text('path'))
  if (delivery === null) return null
  const answer = { shown: delivery.rendered, messages: context.replies.of(interaction.id) }
  if (delivery.ok) return { ...answer, failure: '', issues: problemsOf(delivery.warnings) }
  return { ...answer, failure: delivery.code, issues: problemsOf(delivery.issues) }
}

/** Presses a button, chooses from a menu or submits a modal of an answer, as the person does. */
export async function act(query: Query, context: Context): Promise<UseAnswer> {
  const [interaction, target] = [query.value('interaction'), query.value('target')]
  if (!isObject(interaction) || !isObject(target)) throw new TypeError('interaction or target is missing')
  const { viewer, resolved } = await lookWithKnown(query, context)
  const source = interaction as unknown as AnyInteraction
  const person = 'member' in viewer ? { member: viewer.member } : { user: { id: query.id('as') } }
  // The same person keeps the permissions of the interaction.
  const isOther = personOf(source) !== query.id('as')
  const use = {
    interaction: source,
    resolved,
    ...(isOther && person),
    locale: query.text('lang'),
  } as ComponentUse
  const values = query.value('values')
  try {
    const next =
      query.text('kind') === 'submit'
        ? submit(target as unknown as OpenModal, values as ModalValues, use)
        : query.text('kind') === 'press'
          ? press(target as unknown as ComponentMessage, query.text('name'), use)
          : choose(
              target as unknown as ComponentMessage,
              query.text('name'),
              query.list('values').map(String),
              use,
            )
    return {
      ok: true,
      interaction: next,
      message: null,
      reply: await replyOf(next, query, context),
      test: '',
    }
  } catch (error) {
    if (!(error instanceof ComponentError)) throw error
    return { ok: false, code: error.code, message: error.message, issues: [] }
  }
}

function personOf(interaction: AnyInteraction): string | undefined {
  const { member, user } = interaction as {
    readonly member?: { readonly user: { readonly id: string } }
    readonly user?: { readonly id: string }
  }
  return member?.user.id ?? user?.id
}

/** The messages that interactions created, as they are now, by the ids of the interactions. */
export async function replies(query: Query, context: Context): Promise<object> {
  const ids = query.list('interactions').map(String)
  return Object.fromEntries(ids.map((id) => [id, context.replies.of(id)]))
}

/** What the bot suggests for an option while it is typed; nothing without a bot. */
export async function suggest(query: Query, context: Context): Promise<Reply | null> {
  const { client, resolved } = await clientOf(query, context)
  try {
    const typed = await client.autocomplete(query.text('path'), valuesOf(query), query.text('focused'), {
      resolved,
    })
    return await replyOf(typed, query, context)
  } catch (error) {
    // Other values may be wrong still; their refusal comes when the command is sent.
    if (error instanceof InvocationError) return null
    throw error
  }
}

interface Invoked {
  readonly interaction: AnyInteraction | null
  readonly message: InteractionMessage | null
}

async function invoke(client: ChatClient, query: Query, resolved: KnownObjects): Promise<Invoked> {
  const path = query.text('path')
  const target = query.text('target')
  switch (query.value('type')) {
    case CommandType.USER:
      return sent(await client.invokeOnUser(path, target, { resolved }))
    case CommandType.MESSAGE:
      return sent(await client.invokeOnMessage(path, target, { resolved }))
    case CommandType.PRIMARY_ENTRY_POINT: {
      const { interaction, message } = await client.launch()
      return { interaction, message }
    }
    default:
      return sent(await client.invoke(path, valuesOf(query), { resolved }))
  }
}

function sent(interaction: AnyInteraction): Invoked {
  return { interaction, message: null }
}

/** The chat client of the person that a question is about, and what it knows of the server. */
async function clientOf(query: Query, context: Context) {
  const { viewer, resolved } = await lookWithKnown(query, context)
  return { client: new ChatClient(context.registry, viewer as ChatClientOptions), resolved }
}

async function lookWithKnown(query: Query, context: Context) {
  const { viewer } = await lookOf(query, context)
  const server = viewer.guildId === undefined ? undefined : serverOf(viewer.guildId, context)
  return { viewer, resolved: knownThings(server, query) }
}

/** The values of a question, by option name. */
function valuesOf(query: Query): { readonly [name: string]: OptionValue } {
  const given = query.value('values')
  const entries = Object.entries(isObject(given) ? given : {})
  const isValue = (value: unknown): value is OptionValue =>
    ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(entries.filter((entry): entry is [string, OptionValue] => isValue(entry[1])))
}

/** The people, roles and channels of a server by their ids, and the files that a use names. */
function knownThings(server: ServerSettings | undefined, query: Query): KnownObjects {
  const byId = <Thing>(list: readonly Thing[], id: (thing: Thing) => string) =>
    Object.fromEntries(list.map((thing) => [id(thing), thing]))
  const files = query.list('files').filter(isObject)
  return {
    attachments: byId(
      files.map(({ id, filename }) => ({ id: String(id), filename: String(filename), size: 1_024 })),
      ({ id }) => id,
    ),
    messages: {
      '6001': { id: '6001', content: 'Hello', author: { id: '3002', username: 'grace' } as never },
    },
    ...(server !== undefined && {
      users: Object.fromEntries(server.members.map(({ user }) => [user.id, user])),
      members: Object.fromEntries(server.members.map(({ user, roles }) => [user.id, { roles }])),
      roles: byId(server.roles, ({ id }) => id),
      channels: byId(
        server.channels.map(({ id, name, type = 0 }) => ({ id, name, type: type as ChannelType })),
        ({ id }) => id,
      ),
    }),
  }
}

/** What the person sees of an answer that is written by hand; or what is wrong with it. A final one is kept. */
export async function answer(query: Query, { answers, replies }: Context): Promise<HandWritten> {
  const value = query.value('interaction')
  if (!isObject(value)) throw new TypeError('interaction is missing')
  const interaction = value as unknown as AnyInteraction
  const body = query.value('callback')
  const read = validateCallback(interaction, body)
  if (!read.ok) return { shown: null, issues: problemsOf(read.issues, body), messages: [] }
  if (query.flag('isFinal')) answers.conversations.begin(interaction, read.value)
  return {
    shown: shownBy(interaction, read.value),
    issues: problemsOf(read.warnings, body),
    messages: replies.of(interaction.id),
  }
}

/** The bot that receives what is used, and how to connect it. */
export async function bot(_query: Query, context: Context): Promise<BotState> {
  return context.bot.state()
}

/** Connects a bot on this machine. @throws TypeError for any other address */
export async function connect(query: Query, context: Context): Promise<BotState> {
  return context.bot.connect(query.text('url').trim(), query.id('app'))
}

/** Issues with their places in words. */
export function problemsOf(issues: readonly Issue[], body?: unknown): readonly Problem[] {
  return issues.slice(0, 200).map(({ code, message, path, params }) => {
    const rule = ruleOf(code)
    return {
      ...{ code, message, path, place: body === undefined ? path.join('.') : describePath(path, body) },
      rule: rule
        ? { summary: rule.summary, wire: rule.wire?.(params).code ?? '', docs: ruleUrl(code) }
        : null,
    }
  })
}
