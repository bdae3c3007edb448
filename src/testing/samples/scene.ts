/** Interactions for tests, from a definition and the input of a user. All other fields have fixed defaults. */
import { demandObject } from '../../core/rules/arguments.ts'
import { invalidOptions } from '../../interactions/client/invocation-error.ts'
import { ChannelType, CommandType, InteractionContext } from '../../model/command-types.ts'
import { deepFreeze } from '../../core/freeze.ts'
import {
  withoutBuilders,
  type DefinitionBuilder,
  type DefinitionOf,
} from '../../commands/definition/builder.ts'
import type { ByFocus, InputOf, Rest, TypingOf, UseOf } from '../../interactions/usage/usage.ts'
import {
  createInteraction,
  type InteractionRequest,
  type UsableCommand,
} from '../../interactions/usage/create.ts'
import { commandTypeOf } from '../../interactions/usage/match.ts'
import type {
  AutocompleteInteraction,
  ChatInputInteraction,
  CommandInteraction,
  EntryPointInteraction,
  InteractionChannel,
  InteractionMessage,
  InteractionUser,
  MessageCommandInteraction,
  UserCommandInteraction,
} from '../../model/interaction-payload.ts'
import { completeUser, type KnownObjects } from '../../interactions/usage/complete.ts'
import type { MemberInput, Partly } from '../../model/server.ts'
import { contextOf } from '../../commands/access/availability.ts'
import { permissions } from '../../model/permission-bits.ts'
import { NAMELESS_APPLICATION } from '../../service/http/placeholder-token.ts'
import { DEMO_SERVER_ID, demoId, demoMessage } from '../../model/demo-server.ts'

const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType
const { GUILD, BOT_DM } = InteractionContext

/** The defaults of interactions in tests, the same in every run: the demo server and its members. */
export const scene = /* @__PURE__ */ createScene()

function createScene() {
  const { author } = demoMessage
  return deepFreeze({
    applicationId: NAMELESS_APPLICATION,
    guildId: DEMO_SERVER_ID,
    user: { id: demoId(3001), username: 'ada', global_name: 'Ada' },
    member: {
      roles: [],
      permissions: permissions('VIEW_CHANNEL', 'SEND_MESSAGES', 'USE_APPLICATION_COMMANDS'),
    },
    /** The target of a user command. */
    target: author,
    channel: { id: demoId(4001), type: ChannelType.GUILD_TEXT, name: 'general' },
    /** The target of a message command. */
    message: { ...demoMessage, author: completeUser(author) },
    /** The id of a command that is not registered. */
    commandId: demoId(7001),
    interactionId: demoId(8001),
    token: tokenOf(demoId(8001)),
  } as const)
}

/** The interaction an app receives for a command of each type, and the target of the command. */
interface ByType {
  readonly [CHAT_INPUT]: [ChatInputInteraction, never]
  readonly [USER]: [UserCommandInteraction, Partial<InteractionUser>]
  readonly [MESSAGE]: [MessageCommandInteraction, Partial<InteractionMessage>]
  readonly [PRIMARY_ENTRY_POINT]: [EntryPointInteraction, never]
}

/** The type of a command, if it is a literal type. */
type TypeOf<Command> = Command extends { readonly type: infer Type extends CommandType }
  ? Type
  : 'type' extends keyof Command
    ? CommandType
    : typeof CHAT_INPUT

/** The interaction of a used command, by the type of the command. */
export type InteractionOf<Command> = ByType[TypeOf<Command>][0]

/** The use of a command: input, place and user. Absent fields have the values of `scene`. */
export interface InteractionFixture<Command = UsableCommand> extends Omit<
  InteractionRequest,
  'user' | 'member' | 'channel' | 'target'
> {
  readonly user?: Partial<InteractionUser>
  /** The member. In a guild, its user is the user of the command. */
  readonly member?: Omit<Partial<MemberInput>, 'user'> & { readonly user?: Partial<InteractionUser> }
  /** The channel of a DM or a group DM, by its type; then there is no guild. */
  readonly channel?: Partial<InteractionChannel>
  /** The target of a user or message command, or its id. */
  readonly target?: string | ByType[TypeOf<Command>][1]
}

type InputField = 'subcommand' | 'options' | 'focused' | 'target'

/** The input of the user; the target of a user or message command has a default. */
type FixtureUse<Command> = Command extends { readonly type: 2 | 3 }
  ? { readonly target?: string | ByType[TypeOf<Command>][1]; readonly focused?: undefined }
  : UseOf<Command>

type FixtureRequest<Command, Focus> = Omit<InteractionFixture<Command>, InputField> & {
  readonly focused?: Focus
} & InputOf<
    Command,
    ByFocus<Focus, FixtureUse<Command>, TypingOf<Command>>,
    Pick<InteractionFixture<Command>, InputField>
  >

/**
 * The interaction an app receives when a user uses a command or, with `focused`, types in an option with autocomplete.
 * Takes the fields of `createInteraction`; absent ones have the values of `scene`. All interactions have the same ids;
 * `ids` and `tokens` change that. The default place is the guild if the command is available there, and an
 * age-restricted channel if the command is age-restricted.
 *
 * @example interactionFor(roll, { options: { sides: 6 } })
 *
 * @throws InvocationError `invalid_options` with every issue, when the input does not fit the command
 */
export function interactionFor<
  const Command extends UsableCommand | DefinitionBuilder,
  const Focus extends string | undefined = undefined,
>(
  command: Command,
  ...request: Rest<FixtureRequest<DefinitionOf<Command>, Focus>>
): ByFocus<Focus, InteractionOf<DefinitionOf<Command>>, AutocompleteInteraction>
export function interactionFor(
  definition: unknown,
  input: unknown = {},
): CommandInteraction | AutocompleteInteraction {
  const command = withoutBuilders<UsableCommand>(definition)
  demandObject(command, 'command')
  demandObject(input, 'request')
  const request = input as InteractionFixture
  const { user, member, channel, target, ...rest } = request
  const context = contextFor(command, request)
  const guildId = request.guildId ?? (context === GUILD ? (command.guild_id ?? scene.guildId) : undefined)
  const place: Partly<InteractionChannel> = {
    ...(guildId === undefined ? { id: scene.channel.id } : scene.channel),
    ...(command.nsfw === true && { nsfw: true }),
  }
  const who = withDefaults<Partly<InteractionUser>>(scene.user, { ...user, ...member?.user })
  const whole: InteractionRequest = {
    ids: { next: () => scene.interactionId },
    tokens: tokenOf,
    ...rest,
    ...targetOf(command, target, rest.resolved),
    context,
    channel: withDefaults(place, channel),
    ...(guildId === undefined
      ? { user: who }
      : { guildId, member: { ...scene.member, ...member, user: who } }),
  }
  const used: UsableCommand = { id: scene.commandId, application_id: scene.applicationId, ...command }
  const created = createInteraction(used, whole)
  if (!created.ok) throw invalidOptions(created.issues, whole, used.id!)
  return created.value
}

/** The context: that of the request, otherwise one in which the command is available. */
function contextFor({ guild_id, contexts }: UsableCommand, request: InteractionFixture): InteractionContext {
  const { context, guildId = guild_id, channel } = request
  if (context !== undefined) return context
  const isDirect = channel?.type === ChannelType.DM || channel?.type === ChannelType.GROUP_DM
  if (guildId !== undefined || isDirect) return contextOf(guildId, channel)
  const [first = GUILD] = contexts ?? []
  // PRIVATE_CHANNEL requires an app that users can install.
  return [GUILD, BOT_DM].find((kind) => contexts?.includes(kind)) ?? first
}

/** The target of a user or message command, and its known objects. */
function targetOf(
  command: UsableCommand,
  target: InteractionFixture['target'],
  resolved: KnownObjects | undefined,
): Pick<InteractionRequest, 'target' | 'resolved'> {
  const given = typeof target === 'string' ? { id: target } : target
  const type = commandTypeOf(command)
  if (type === USER) {
    const user = withDefaults<Partly<InteractionUser>>(scene.target, given)
    return { target: user.id, resolved: { ...resolved, users: { [user.id]: user, ...resolved?.users } } }
  }
  if (type === MESSAGE) {
    const message = withDefaults<Partly<InteractionMessage>>(scene.message, given)
    const messages = { [message.id]: message, ...resolved?.messages }
    return { target: message.id, resolved: { ...resolved, messages } }
  }
  // The checks of the input refuse a target of a command that takes none.
  return given === undefined ? {} : { target: String(given.id) }
}

/** The defaults replaced by the given fields; for another id, only the given fields. */
function withDefaults<Thing extends { readonly id: string }>(
  usual: Thing,
  given: Partial<Thing> = {},
): Thing {
  const { id = usual.id } = given
  return id === usual.id ? { ...usual, ...given } : ({ ...given, id } as Thing)
}

function tokenOf(interactionId: string): string {
  return `token-of-${interactionId}`
}
