/**
 * The endpoints as a table: method, path, grant, and a call. The table does not depend on what a command is: an `if`
 * about commands belongs to the registry.
 */
import { managerOf } from './principal.ts'
import type { Refusal } from './refusals.ts'
import { json, success } from './respond.ts'
import type { Route } from './route.ts'
import { webhookRoutes } from './webhook-routes.ts'

const APPLICATION = '/applications/{application.id}'
const GUILD = `${APPLICATION}/guilds/{guild.id}`
const PERMISSIONS = `${GUILD}/commands/{command.id}/permissions`

/** The six endpoints of a scope: a table, so it may be longer than other functions. */
function commandRoutes(base: string, section: '4.1' | '4.2', where: string): readonly Route[] {
  const all = `${base}/commands`
  const one = `${all}/{command.id}`
  const reading = { grant: 'read', response: 'command' } as const
  const writing = { grant: 'write_commands', response: 'command' } as const
  const noAccess: readonly Refusal[] =
    section === '4.1' ? ['unknown_application'] : ['unknown_application', 'missing_access']
  return [
    {
      ...reading,
      method: 'GET',
      path: all,
      clause: `${section}-01`,
      summary: `List the ${where} commands`,
      localized: true,
      outcomes: ['found'],
      response: 'commands',
      refusals: noAccess,
      call: async ({ service: { registry, texts }, scope, view }) =>
        success('found', texts.list(await registry.list(scope), view)),
    },
    {
      ...writing,
      method: 'POST',
      path: all,
      clause: `${section}-02`,
      summary: `Create a ${where} command, or overwrite the one with its type and name`,
      body: 'commandCreate',
      outcomes: ['created', 'updated'],
      refusals: [...noAccess, 'invalid', 'too_many_commands', 'daily_creates_exhausted'],
      call: async ({ service: { registry }, scope, body }) => {
        const { command, created } = await registry.upsert(scope, body)
        return success(created ? 'created' : 'updated', JSON.stringify(command))
      },
    },
    {
      ...writing,
      method: 'PUT',
      path: all,
      clause: `${section}-06`,
      summary: `Replace all ${where} commands, all or nothing`,
      body: 'commandsOverwrite',
      outcomes: ['updated'],
      response: 'commands',
      refusals: [
        ...noAccess,
        'invalid',
        'too_many_commands',
        'daily_creates_exhausted',
        ...(section === '4.1' ? (['entry_point_required'] as const) : []),
      ],
      call: async ({ service: { registry, texts }, scope, body }) =>
        success('updated', texts.list(await registry.overwrite(scope, body), undefined)),
    },
    {
      ...reading,
      method: 'GET',
      path: one,
      clause: `${section}-03`,
      summary: `Get a ${where} command`,
      outcomes: ['found'],
      refusals: [...noAccess, 'unknown_command'],
      call: async ({ service: { registry, texts }, scope, commandId }) =>
        success('found', texts.command(await registry.get(scope, commandId))),
    },
    {
      ...writing,
      method: 'PATCH',
      path: one,
      clause: `${section}-04`,
      summary: `Edit a ${where} command: given fields are replaced, absent fields are kept`,
      body: 'commandEdit',
      outcomes: ['updated'],
      refusals: [...noAccess, 'unknown_command', 'invalid', 'name_taken'],
      call: async ({ service: { registry }, scope, commandId, body }) =>
        success('updated', JSON.stringify(await registry.edit(scope, commandId, body))),
    },
    {
      method: 'DELETE',
      path: one,
      clause: `${section}-05`,
      summary: `Delete a ${where} command and its permissions`,
      grant: 'write_commands',
      outcomes: ['removed'],
      refusals: [...noAccess, 'unknown_command'],
      call: async ({ service: { registry }, scope, commandId }) => {
        await registry.delete(scope, commandId)
        return success('removed', null)
      },
    },
  ]
}

const page = {
  method: 'GET',
  grant: 'read',
  outcomes: ['found'],
  refusals: ['unknown_application'],
} as const

/** Every endpoint. */
export const routes: readonly Route[] = [
  ...commandRoutes(APPLICATION, '4.1', 'global'),
  ...commandRoutes(GUILD, '4.2', 'guild'),
  {
    method: 'GET',
    path: `${GUILD}/commands/permissions`,
    clause: '4.3-01',
    summary: 'List all permissions of the application in the guild',
    grant: 'read',
    outcomes: ['found'],
    response: 'permissionsList',
    refusals: ['unknown_application', 'missing_access'],
    call: async ({ service: { registry }, scope, guildId }) =>
      json(await registry.listPermissions(scope.applicationId, guildId)),
  },
  {
    method: 'GET',
    path: PERMISSIONS,
    clause: '4.3-02',
    summary: 'Get the permissions of a command, or of the application',
    grant: 'read',
    outcomes: ['found'],
    response: 'permissions',
    refusals: ['unknown_application', 'missing_access', 'unknown_permissions'],
    call: async ({ service: { registry }, scope, guildId, commandId }) =>
      json(await registry.getPermissions(scope.applicationId, guildId, commandId)),
  },
  {
    method: 'PUT',
    path: PERMISSIONS,
    clause: '4.3-03',
    summary: 'Replace the permissions of a command, or of the application',
    grant: 'edit_permissions',
    body: 'permissionsEdit',
    outcomes: ['updated'],
    response: 'permissions',
    refusals: ['unknown_application', 'missing_access', 'invalid', 'unknown_command'],
    call: async ({ service: { registry }, scope, guildId, commandId, body, principal }) => {
      const manager = managerOf(principal, guildId)
      const options = manager === undefined ? {} : { manager }
      return json(await registry.setPermissions(scope.applicationId, guildId, commandId, body, options))
    },
  },
  // Clients read these at login.
  {
    ...page,
    path: '/applications/@me',
    summary: "The token's application",
    response: 'application',
    call: ({ service, principal }) => service.pages.application(principal),
  },
  {
    ...page,
    path: '/oauth2/applications/@me',
    summary: "The token's application",
    response: 'application',
    call: ({ service, principal }) => service.pages.application(principal),
  },
  {
    ...page,
    path: '/users/@me',
    summary: "The token's user: the bot, or the person who granted the token",
    response: 'user',
    call: ({ service, principal }) => service.pages.user(principal),
  },
  {
    ...page,
    path: '/gateway',
    summary: 'The WebSocket address of the gateway',
    grant: 'anyone',
    response: 'gateway',
    refusals: [],
    call: ({ service, incoming }) => service.pages.gateway(incoming),
  },
  {
    ...page,
    path: '/gateway/bot',
    summary: 'The WebSocket address of the gateway, and how many connections to open',
    response: 'gatewayBot',
    refusals: [],
    call: ({ service, incoming, principal }) => service.pages.gatewayOfBot(incoming, principal),
  },
  ...webhookRoutes,
]
