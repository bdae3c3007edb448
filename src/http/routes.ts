/**
 * The endpoints as a table: method, path, grant, and a call. The table does not depend on what a command is: an `if`
 * about commands belongs to the registry.
 */
import { applicationPage, gatewayAddress, userPage } from './pages.ts'
import { managerOf } from './principal.ts'
import { json, success } from './respond.ts'
import type { Route } from './route.ts'
import { webhookRoutes } from './webhook-routes.ts'

const APPLICATION = '/applications/{application.id}'
const GUILD = `${APPLICATION}/guilds/{guild.id}`
const PERMISSIONS = `${GUILD}/commands/{command.id}/permissions`

/** The six endpoints of a scope. */
function commandRoutes(base: string, section: '4.1' | '4.2', where: string): readonly Route[] {
  const all = `${base}/commands`
  const one = `${all}/{command.id}`
  const writing = { grant: 'write_commands', response: 'Command' } as const
  return [
    {
      method: 'GET',
      path: all,
      clause: `${section}-01`,
      summary: `List the ${where} commands`,
      grant: 'read',
      localized: true,
      response: 'Commands',
      call: async ({ service: { registry, texts }, scope, view }) =>
        success('found', texts.list(await registry.list(scope), view)),
    },
    {
      ...writing,
      method: 'POST',
      path: all,
      clause: `${section}-02`,
      summary: `Create a ${where} command, or overwrite the one with its type and name`,
      body: 'CommandCreate',
      outcomes: ['created', 'updated'],
      refusals: ['too_many_commands', 'daily_creates_exhausted'],
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
      body: 'CommandsOverwrite',
      response: 'Commands',
      refusals: [
        'too_many_commands',
        'daily_creates_exhausted',
        ...(section === '4.1' ? (['entry_point_required'] as const) : []),
      ],
      call: async ({ service: { registry, texts }, scope, body }) =>
        success('updated', texts.list(await registry.overwrite(scope, body), undefined)),
    },
    {
      method: 'GET',
      path: one,
      clause: `${section}-03`,
      summary: `Get a ${where} command`,
      grant: 'read',
      response: 'Command',
      refusals: ['unknown_command'],
      call: async ({ service: { registry, texts }, scope, commandId }) =>
        success('found', texts.command(await registry.get(scope, commandId))),
    },
    {
      ...writing,
      method: 'PATCH',
      path: one,
      clause: `${section}-04`,
      summary: `Edit a ${where} command: given fields are replaced, absent fields are kept`,
      body: 'CommandEdit',
      refusals: ['unknown_command', 'name_taken'],
      call: async ({ service: { registry }, scope, commandId, body }) =>
        success('updated', JSON.stringify(await registry.edit(scope, commandId, body))),
    },
    {
      method: 'DELETE',
      path: one,
      clause: `${section}-05`,
      summary: `Delete a ${where} command and its permissions`,
      grant: 'write_commands',
      refusals: ['unknown_command'],
      call: async ({ service: { registry }, scope, commandId }) => {
        await registry.delete(scope, commandId)
        return success('removed', null)
      },
    },
  ]
}

/** Clients read these at login. */
const loginRoutes: readonly Route[] = [
  ...['/applications/@me', '/oauth2/applications/@me'].map((path): Route => ({
    method: 'GET',
    path,
    summary: "The token's application",
    grant: 'read',
    response: 'Application',
    call: async ({ service, principal }) => json(await applicationPage(service, principal)),
  })),
  {
    method: 'GET',
    path: '/users/@me',
    summary: "The token's user: the bot, or the person who granted the token",
    grant: 'read',
    response: 'User',
    call: async ({ service, principal }) => json(await userPage(service, principal)),
  },
  {
    method: 'GET',
    path: '/gateway',
    summary: 'The WebSocket address of the gateway',
    grant: 'anyone',
    response: 'Gateway',
    call: ({ service, incoming }) => json({ url: gatewayAddress(service, incoming) }),
  },
  {
    method: 'GET',
    path: '/gateway/bot',
    summary: 'The WebSocket address of the gateway, and how many connections to open',
    grant: 'read',
    response: 'GatewayBot',
    call: ({ service, incoming, principal }) =>
      json({
        url: gatewayAddress(service, incoming),
        shards: 1,
        session_start_limit: service.sessionStartLimit(principal.applicationId),
      }),
  },
]

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
    response: 'PermissionsList',
    call: async ({ service: { registry }, scope, guildId }) =>
      json(await registry.listPermissions(scope.applicationId, guildId)),
  },
  {
    method: 'GET',
    path: PERMISSIONS,
    clause: '4.3-02',
    summary: 'Get the permissions of a command, or of the application',
    grant: 'read',
    response: 'Permissions',
    refusals: ['unknown_permissions'],
    call: async ({ service: { registry }, scope, guildId, commandId }) =>
      json(await registry.getPermissions(scope.applicationId, guildId, commandId)),
  },
  {
    method: 'PUT',
    path: PERMISSIONS,
    clause: '4.3-03',
    summary: 'Replace the permissions of a command, or of the application',
    grant: 'edit_permissions',
    body: 'PermissionsEdit',
    response: 'Permissions',
    refusals: ['unknown_command'],
    call: async ({ service: { registry }, scope, guildId, commandId, body, principal }) => {
      const manager = managerOf(principal, guildId)
      const options = manager === undefined ? {} : { manager }
      return json(await registry.setPermissions(scope.applicationId, guildId, commandId, body, options))
    },
  },
  ...loginRoutes,
  ...webhookRoutes,
]
