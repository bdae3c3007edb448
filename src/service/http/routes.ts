/**
 * The endpoints as a table: method, path, grant, and a call. The table does not depend on what a command is: an `if`
 * about commands belongs to the registry.
 */
import type { AppMessage } from '../../interactions/bot/bot-message.ts'
import { callbackResponse } from '../../interactions/bot/callback-response.ts'
import type { MessageRequest, MessageResult, WebhookPath } from '../../interactions/bot/conversations.ts'
import type { TokenAnswers, TokenPath } from '../../interactions/bot/pending.ts'
import { scopeOf, type Scope } from '../../commands/registry/scope.ts'
import { applicationPage, gatewayAddress, userPage } from './pages.ts'
import { actorOf, managerOf } from './principal.ts'
import { json, success } from './respond.ts'
import { noteOf } from '../../core/rules/report.ts'
import type { Outgoing } from '../../core/http-message.ts'
import { messageRefusal, Refused } from '../refusals.ts'
import type { Call, Route, Tag } from './call.ts'
import type { PathParams } from './router.ts'

const APPLICATION = '/applications/{application.id}'
const GUILD = `${APPLICATION}/guilds/{guild.id}`
const PERMISSIONS = `${GUILD}/commands/{command.id}/permissions`

const reading = { method: 'GET', grant: 'read' } as const

function scopeIn({ application_id = '', guild_id }: PathParams): Scope {
  return scopeOf(application_id, guild_id)
}

/** The command can be the application. */
function permissionPath({ application_id = '', guild_id = '', command_id = '' }: PathParams) {
  return [application_id, guild_id, command_id] as const
}

interface Scoping {
  readonly section: '4.1' | '4.2'
  readonly tag: Tag
  readonly where: 'global' | 'guild'
  /** A command in the ids of operations. */
  readonly noun: string
}

const ofGlobal: Scoping = {
  section: '4.1',
  tag: 'Commands',
  where: 'global',
  noun: 'application_command',
}
const ofGuild: Scoping = {
  section: '4.2',
  tag: 'Guild commands',
  where: 'guild',
  noun: 'guild_application_command',
}

const writing = { grant: 'write_commands', response: 'Command' } as const

function commandRoutes(base: string, scoping: Scoping): readonly Route[] {
  const all = `${base}/commands`
  return [...routesOfAll(all, scoping), ...routesOfOne(`${all}/{command.id}`, scoping)]
}

function routesOfAll(all: string, { section, tag, where, noun }: Scoping): readonly Route[] {
  return [
    {
      ...reading,
      path: all,
      clause: `${section}-01`,
      operation: `list_${noun}s`,
      tag,
      summary: `List the ${where} commands`,
      localized: true,
      response: 'Commands',
      call: async ({ service: { registry, texts }, params, view }) =>
        success('found', texts.list(await registry.list(scopeIn(params)), view)),
    },
    {
      ...writing,
      method: 'POST',
      path: all,
      clause: `${section}-02`,
      operation: `create_${noun}`,
      tag,
      summary: `Create a ${where} command, or overwrite the one with its type and name`,
      body: 'CommandCreate',
      outcomes: ['created', 'updated'],
      refusals: ['too_many_commands', 'daily_creates_exhausted'],
      call: async ({ service: { registry }, params, body, principal }) => {
        const by = actorOf(principal)
        const { command, created } = await registry.upsert(scopeIn(params), body, { by })
        return success(created ? 'created' : 'updated', JSON.stringify(command))
      },
    },
    {
      ...writing,
      method: 'PUT',
      path: all,
      clause: `${section}-06`,
      operation: `bulk_set_${noun}s`,
      tag,
      summary: `Replace all ${where} commands, all or nothing`,
      body: 'CommandsOverwrite',
      response: 'Commands',
      refusals: [
        'too_many_commands',
        'daily_creates_exhausted',
        ...(section === '4.1' ? (['entry_point_required'] as const) : []),
      ],
      call: async ({ service: { registry, texts }, params, body, principal }) => {
        const by = actorOf(principal)
        return success(
          'updated',
          texts.list(await registry.overwrite(scopeIn(params), body, { by }), undefined),
        )
      },
    },
  ]
}

function routesOfOne(one: string, { section, tag, where, noun }: Scoping): readonly Route[] {
  return [
    {
      ...reading,
      path: one,
      clause: `${section}-03`,
      operation: `get_${noun}`,
      tag,
      summary: `Get a ${where} command`,
      response: 'Command',
      refusals: ['unknown_command'],
      call: async ({ service: { registry, texts }, params }) =>
        success('found', texts.command(await registry.get(scopeIn(params), params.command_id!))),
    },
    {
      ...writing,
      method: 'PATCH',
      path: one,
      clause: `${section}-04`,
      operation: `update_${noun}`,
      tag,
      summary: `Edit a ${where} command: given fields are replaced, absent fields are kept`,
      body: 'CommandEdit',
      refusals: [
        'unknown_command',
        'name_taken',
        ...(section === '4.1' ? (['too_many_commands'] as const) : []),
      ],
      call: async ({ service: { registry }, params, body, principal }) => {
        const by = actorOf(principal)
        return json(await registry.edit(scopeIn(params), params.command_id!, body, { by }))
      },
    },
    {
      method: 'DELETE',
      path: one,
      clause: `${section}-05`,
      operation: `delete_${noun}`,
      tag,
      summary: `Delete a ${where} command and its permissions`,
      grant: 'write_commands',
      refusals: ['unknown_command'],
      call: async ({ service: { registry }, params, principal }) => {
        await registry.delete(scopeIn(params), params.command_id!, { by: actorOf(principal) })
        return success('removed', null)
      },
    },
  ]
}

const myApplication = [
  ['/applications/@me', 'get_my_application'],
  ['/oauth2/applications/@me', 'get_my_oauth2_application'],
] as const

const loginRoutes: readonly Route[] = [
  ...myApplication.map(([path, operation]): Route => ({
    ...reading,
    path,
    operation,
    tag: 'Login',
    summary: "The token's application",
    response: 'Application',
    call: async ({ service, principal }) => json(await applicationPage(service, principal)),
  })),
  {
    ...reading,
    path: '/users/@me',
    operation: 'get_my_user',
    tag: 'Login',
    summary: "The token's user: the bot, or the person who granted the token",
    response: 'User',
    call: async ({ service, principal }) => json(await userPage(service, principal)),
  },
  {
    method: 'GET',
    path: '/gateway',
    operation: 'get_gateway',
    tag: 'Gateway',
    summary: 'The WebSocket address of the gateway',
    grant: 'anyone',
    response: 'Gateway',
    call: ({ service, incoming }) => json({ url: gatewayAddress(service, incoming) }),
  },
  {
    ...reading,
    path: '/gateway/bot',
    operation: 'get_bot_gateway',
    tag: 'Gateway',
    summary: 'The WebSocket address of the gateway, and how many connections to open',
    response: 'GatewayBot',
    call: ({ service, incoming, principal }) =>
      json({
        url: gatewayAddress(service, incoming),
        shards: 1,
        session_start_limit: service.sessionStartLimit(principal.applicationId),
      }),
  },
]

// --- Answers and follow-ups of interactions: the only token is that of the interaction, in the path -----------

const callbackRoute: Route = {
  method: 'POST',
  path: '/interactions/{interaction.id}/{interaction.token}/callback',
  clause: '2.11-09',
  operation: 'create_interaction_response',
  tag: 'Interactions',
  summary: 'Answer an interaction',
  grant: 'anyone',
  body: 'InteractionCallback',
  outcomes: ['acknowledged', 'found'],
  response: 'InteractionCallbackResponse',
  refusals: ['unknown_interaction', 'already_answered', 'empty_message'],
  checkEarly: ({ interaction_id: id = '', interaction_token: token = '' }, service) =>
    withAnswers(
      service,
      { token },
      (answers) => answers.stateOf(id, token),
      (state) => {
        if (state !== 'waiting') throw new Refused(state)
      },
    ),
  call: ({ service, params, incoming, body, files, notes }) => {
    const { interaction_id: id = '', interaction_token: token = '' } = params
    const withResponse = new URLSearchParams(incoming.query).get('with_response') ?? ''
    return withAnswers(
      service,
      { token },
      (answers) => answers.receive(id, token, body, files),
      (received) => {
        if (!received.ok) throw messageRefusal(received.code, received.issues)
        notes.push(...received.warnings.map(noteOf))
        return /^(?:true|1)$/i.test(withResponse)
          ? json(callbackResponse(received.interaction, received.callback, received.message))
          : success('acknowledged', null)
      },
    )
  },
}

const WEBHOOK = '/webhooks/{application.id}/{interaction.token}'
const webhook = {
  path: WEBHOOK,
  clause: '2.11-11',
  tag: 'Interactions',
  grant: 'anyone',
  refusals: ['unknown_webhook', 'invalid_webhook_token'],
} as const
const message = {
  ...webhook,
  path: `${WEBHOOK}/messages/{message.id}`,
  refusals: [...webhook.refusals, 'unknown_message'],
} as const

const webhookRoutes: readonly Route[] = [
  callbackRoute,
  {
    ...webhook,
    method: 'POST',
    operation: 'execute_webhook',
    summary: 'Send a follow-up message',
    body: 'Message',
    response: 'MessageAnswer',
    refusals: [...webhook.refusals, 'empty_message', 'too_many_follow_ups'],
    checkEarly: (params, service) =>
      withMessages(params, service, 'read', (original) => {
        // The answer may have no message yet, or none any more.
        if (!original.ok && original.code !== 'unknown_message') acceptedMessage(original)
      }),
    call: ({ service, params, body, files, notes }) =>
      withMessages(params, service, 'followUp', showNoted(notes), { body, files }),
  },
  {
    ...message,
    method: 'GET',
    operation: 'get_webhook_message',
    summary: 'Get the original answer (@original) or a follow-up message',
    response: 'MessageAnswer',
    call: ({ service, params }) => withMessages(params, service, 'read', showMessage),
  },
  {
    ...message,
    method: 'PATCH',
    operation: 'update_webhook_message',
    summary: 'Edit the original answer or a follow-up message',
    body: 'Message',
    response: 'MessageAnswer',
    refusals: [...message.refusals, 'empty_message', 'poll_edited'],
    checkEarly: (params, service) =>
      withMessages(params, service, 'read', (found) => void acceptedMessage(found)),
    call: ({ service, params, body, files, notes }) =>
      withMessages(params, service, 'edit', showNoted(notes), { body, files }),
  },
  {
    ...message,
    method: 'DELETE',
    operation: 'delete_webhook_message',
    summary: 'Delete the original answer or a follow-up message',
    call: ({ service, params }) =>
      withMessages(params, service, 'delete', (found) => {
        acceptedMessage(found)
        return success('removed', null)
      }),
  },
]

/** Uses the result of an operation on the answers to a token: at once, or when a store has recorded it. */
function withAnswers<T, Used>(
  { answers }: Call['service'],
  path: TokenPath,
  operation: (answers: TokenAnswers) => T,
  use: (result: T) => Used,
): Used | Promise<Used> {
  return 'at' in answers ? answers.at(path, operation).then(use) : use(operation(answers))
}

function withMessages<Used>(
  params: PathParams,
  service: Call['service'],
  operation: keyof TokenAnswers['conversations'],
  use: (result: MessageResult) => Used,
  request: MessageRequest = { body: undefined },
): Used | Promise<Used> {
  const path = webhookPath(params)
  const { world } = service
  return withAnswers(
    service,
    path,
    ({ conversations }) => conversations[operation](path, request),
    (result) => use(result.ok && world ? { ...result, message: world.inChannel(result.message) } : result),
  )
}

function webhookPath({ application_id = '', interaction_token = '', message_id }: PathParams): WebhookPath {
  const path = { applicationId: application_id, token: interaction_token }
  return message_id === undefined ? path : { ...path, messageId: message_id }
}

/** @throws Refused */
function acceptedMessage(result: MessageResult): AppMessage {
  if (result.ok) return result.message
  throw messageRefusal(result.code, result.issues)
}

const showMessage = (result: MessageResult) => json(acceptedMessage(result))

function showNoted(notes: string[]): (result: MessageResult) => Outgoing {
  return (result) => {
    const response = showMessage(result)
    if (result.ok) notes.push(...(result.warnings ?? []).map(noteOf))
    return response
  }
}

export const routes: readonly Route[] = [
  ...commandRoutes(APPLICATION, ofGlobal),
  ...commandRoutes(GUILD, ofGuild),
  {
    ...reading,
    path: `${GUILD}/commands/permissions`,
    clause: '4.3-01',
    operation: 'list_guild_application_command_permissions',
    tag: 'Permissions',
    summary: 'List all permissions of the application in the guild',
    response: 'PermissionsList',
    call: async ({ service: { registry }, params }) =>
      json(await registry.listPermissions(params.application_id!, params.guild_id!)),
  },
  {
    ...reading,
    path: PERMISSIONS,
    clause: '4.3-02',
    operation: 'get_guild_application_command_permissions',
    tag: 'Permissions',
    summary: 'Get the permissions of a command, or of the application',
    response: 'Permissions',
    refusals: ['unknown_permissions'],
    call: async ({ service: { registry }, params }) =>
      json(await registry.getPermissions(...permissionPath(params))),
  },
  {
    method: 'PUT',
    path: PERMISSIONS,
    clause: '4.3-03',
    operation: 'set_guild_application_command_permissions',
    tag: 'Permissions',
    summary: 'Replace the permissions of a command, or of the application',
    grant: 'edit_permissions',
    body: 'PermissionsEdit',
    response: 'Permissions',
    refusals: ['unknown_command'],
    call: async ({ service: { registry }, params, body, principal }) => {
      const manager = managerOf(principal, params.guild_id!)
      const by = actorOf(principal)
      const options = manager === undefined ? { by } : { by, manager }
      return json(await registry.setPermissions(...permissionPath(params), body, options))
    },
  },
  ...loginRoutes,
  ...webhookRoutes,
]
