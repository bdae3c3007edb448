import { validateCallback } from '../../answer/callback.ts'
import { shownBy, type Rendered } from '../../answer/rendered.ts'
import { ChatClient } from '../../client/chat-client.ts'
import type { ChatClientOptions } from '../../client/client-options.ts'
import { InvocationError } from '../../client/error.ts'
import { describePath } from '../../command/format-issues.ts'
import type { OptionValue } from '../../command/usage.ts'
import { CommandType, type ChannelType } from '../../command/types.ts'
import { isObject } from '../../core/json.ts'
import type { Issue } from '../../core/report.ts'
import type { AnyInteraction, CommandInteraction, InteractionMessage } from '../../interaction/payload.ts'
import type { KnownObjects } from '../../interaction/complete.ts'
import type { ServerSettings } from '../../permission/server.ts'
import type { BotState } from '../bot.ts'
import type { Query } from '../query.ts'
import { lookOf, serverOf, type Context } from '../viewer.ts'

/** Something that is wrong, with the rule it breaks. */
export interface Problem {
  readonly code: string
  readonly message: string
  /** Where, in words; empty for the whole. */
  readonly place: string
  readonly path: Issue['path']
}

/** What became of a use. */
export type UseAnswer =
  | {
      readonly ok: true
      readonly interaction: CommandInteraction | null
      readonly message: InteractionMessage | null
      /** What the bot answered; null when none is connected, or the service answers by itself. */
      readonly reply: Reply | null
    }
  | {
      readonly ok: false
      readonly code: string
      readonly message: string
      readonly issues: readonly Problem[]
    }

/** What a bot answered, as the person sees it, or what is wrong with the answer. */
export interface Reply {
  readonly shown: Rendered
  /** Why there is no answer, in a word: `timeout`, `unreachable`; empty for an answer. */
  readonly failure: string
  readonly issues: readonly Problem[]
}

/** Uses a command as the person does; the app's interaction, or why the use is refused. */
export async function use(query: Query, context: Context): Promise<UseAnswer> {
  const { client, resolved } = await clientOf(query, context)
  try {
    const { interaction, message } = await invoke(client, query, resolved)
    const reply = interaction === null ? null : await replyOf(interaction, query, context)
    return { ok: true, interaction, message, reply }
  } catch (error) {
    if (!(error instanceof InvocationError)) throw error
    return { ok: false, code: error.code, message: error.message, issues: problemsOf(error.issues) }
  }
}

/** Sends an interaction to the bot, if there is one. */
async function replyOf(interaction: AnyInteraction, query: Query, context: Context): Promise<Reply | null> {
  const application = await context.registry.pickerSource({ applicationId: query.id('app') })
  const delivery = await context.bot.deliver(interaction, application.application, query.text('path'))
  if (delivery === null) return null
  const { rendered: shown } = delivery
  if (delivery.ok) return { shown, failure: '', issues: problemsOf(delivery.warnings) }
  return { shown, failure: delivery.code, issues: problemsOf(delivery.issues) }
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
  readonly interaction: CommandInteraction | null
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

function sent(interaction: CommandInteraction): Invoked {
  return { interaction, message: null }
}

/** The chat client of the person that a question is about, and what it knows of the server. */
export async function clientOf(
  query: Query,
  context: Context,
): Promise<{ readonly client: ChatClient; readonly resolved: KnownObjects }> {
  const { viewer } = await lookOf(query, context)
  const server = viewer.guildId === undefined ? undefined : serverOf(viewer.guildId, context)
  const client = new ChatClient(context.registry, viewer as ChatClientOptions)
  return { client, resolved: knownThings(server, query) }
}

/** The values of a question, by option name. */
export function valuesOf(query: Query): { readonly [name: string]: OptionValue } {
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

/** What the person sees of an answer that is written by hand; or what is wrong with it. */
export async function answer(
  query: Query,
  _context: Context,
): Promise<{ readonly shown: Rendered | null; readonly issues: readonly Problem[] }> {
  const interaction = query.value('interaction') as AnyInteraction
  if (!isObject(interaction)) throw new TypeError('interaction is missing')
  const body = query.value('callback')
  const read = validateCallback(interaction, body)
  if (!read.ok) return { shown: null, issues: problemsOf(read.issues, body) }
  return { shown: shownBy(interaction, read.value), issues: problemsOf(read.warnings, body) }
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
  return issues.slice(0, 200).map(({ code, message, path }) => ({
    ...{ code, message, path, place: body === undefined ? path.join('.') : describePath(path, body) },
  }))
}
