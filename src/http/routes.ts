/**
 * The endpoints of section 4 of the specification as a table: method, path, who may, and the call into the
 * registry. It knows nothing of commands: what needs an `if` about them belongs to the registry.
 */
import type { CommandRegistry } from '../registry/registry.ts'
import type { Scope } from '../registry/scope.ts'
import type { ListView } from '../registry/view.ts'
import { commandJson, listJson } from './json.ts'
import type { Answer } from './message.ts'
import type { Pages } from './pages.ts'
import { managerOf, type Grant, type Principal } from './principal.ts'
import { json, succeed, type Outcome, type Refusal } from './respond.ts'

/** What the handler asks of a registry. */
export type Commands = Pick<
  CommandRegistry,
  | 'list'
  | 'get'
  | 'upsert'
  | 'edit'
  | 'delete'
  | 'overwrite'
  | 'listPermissions'
  | 'getPermissions'
  | 'setPermissions'
>

/** All that a call may need; what its route does not name in its path is empty. */
export interface Call {
  readonly registry: Commands
  readonly pages: Pages
  readonly scope: Scope
  readonly guildId: string
  /** A command or, where permissions are asked for, the application. */
  readonly commandId: string
  readonly body: unknown
  readonly principal: Principal
  /** Of a list; absent: with all dictionaries. */
  readonly view: ListView | undefined
}

/** What a route takes and gives, for the OpenAPI document. */
export type Shape =
  'command' | 'commands' | 'permissions' | 'permissionsList' | 'application' | 'user' | 'gateway'
export type BodyShape = 'commandCreate' | 'commandEdit' | 'commandsOverwrite' | 'permissionsEdit'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base path; names in braces stand for one segment. */
  readonly path: string
  /** Clause of the specification; empty for what it does not have. */
  readonly clause: string
  readonly summary: string
  readonly grant: Grant
  readonly body: BodyShape | null
  /** Whether the answer is a list that can be localized. */
  readonly localized: boolean
  readonly outcomes: readonly Outcome[]
  readonly answer: Shape | null
  /** What the call itself can be refused for; `refusalsOf` in openapi.ts adds what every route can. */
  readonly refusals: readonly Refusal[]
  readonly call: (call: Call) => Promise<Answer> | Answer
}

const APPLICATION = '/applications/{application.id}'
const GUILD = `${APPLICATION}/guilds/{guild.id}`
const PERMISSIONS = `${GUILD}/commands/{command.id}/permissions`

/** The six endpoints that both scopes have. */
function commandRoutes(base: string, section: '4.1' | '4.2', where: string): readonly Route[] {
  const all = `${base}/commands`
  const one = `${all}/{command.id}`
  const shared = { grant: 'commands', body: null, localized: false, answer: 'command' } as const
  const noPlace: readonly Refusal[] =
    section === '4.1' ? ['unknown_application'] : ['unknown_application', 'missing_access']
  return [
    {
      ...shared,
      method: 'GET',
      path: all,
      clause: `${section}-01`,
      summary: `List the ${where} commands`,
      localized: true,
      outcomes: ['found'],
      answer: 'commands',
      refusals: noPlace,
      call: async ({ registry, scope, view }) => succeed('found', listJson(await registry.list(scope), view)),
    },
    {
      ...shared,
      method: 'POST',
      path: all,
      clause: `${section}-02`,
      summary: `Create a ${where} command, or overwrite the one of its type and name`,
      body: 'commandCreate',
      outcomes: ['created', 'updated'],
      refusals: [...noPlace, 'invalid', 'too_many_commands', 'daily_creates_exhausted'],
      call: async ({ registry, scope, body }) => {
        const { command, created } = await registry.upsert(scope, body)
        return succeed(created ? 'created' : 'updated', JSON.stringify(command))
      },
    },
    {
      ...shared,
      method: 'PUT',
      path: all,
      clause: `${section}-06`,
      summary: `Replace all ${where} commands, all or nothing`,
      body: 'commandsOverwrite',
      outcomes: ['updated'],
      answer: 'commands',
      refusals: [
        ...noPlace,
        'invalid',
        'too_many_commands',
        'daily_creates_exhausted',
        ...(section === '4.1' ? (['entry_point_required'] as const) : []),
      ],
      call: async ({ registry, scope, body }) =>
        succeed('updated', JSON.stringify(await registry.overwrite(scope, body))),
    },
    {
      ...shared,
      method: 'GET',
      path: one,
      clause: `${section}-03`,
      summary: `Get a ${where} command`,
      outcomes: ['found'],
      refusals: [...noPlace, 'unknown_command'],
      call: async ({ registry, scope, commandId }) =>
        succeed('found', commandJson(await registry.get(scope, commandId))),
    },
    {
      ...shared,
      method: 'PATCH',
      path: one,
      clause: `${section}-04`,
      summary: `Edit a ${where} command: a given field is replaced as a whole, an absent one kept`,
      body: 'commandEdit',
      outcomes: ['updated'],
      refusals: [...noPlace, 'unknown_command', 'invalid', 'name_taken'],
      call: async ({ registry, scope, commandId, body }) =>
        succeed('updated', JSON.stringify(await registry.edit(scope, commandId, body))),
    },
    {
      ...shared,
      method: 'DELETE',
      path: one,
      clause: `${section}-05`,
      summary: `Delete a ${where} command and its permissions`,
      outcomes: ['removed'],
      answer: null,
      refusals: [...noPlace, 'unknown_command'],
      call: async ({ registry, scope, commandId }) => {
        await registry.delete(scope, commandId)
        return succeed('removed', null)
      },
    },
  ]
}

const page = {
  method: 'GET',
  clause: '',
  grant: 'self',
  body: null,
  localized: false,
  outcomes: ['found'],
  refusals: ['unknown_application'],
} as const

/** Every endpoint there is. */
export const routes: readonly Route[] = [
  ...commandRoutes(APPLICATION, '4.1', 'global'),
  ...commandRoutes(GUILD, '4.2', 'guild'),
  {
    method: 'GET',
    path: `${GUILD}/commands/permissions`,
    clause: '4.3-01',
    summary: 'List all permissions of the application in the guild',
    grant: 'read_permissions',
    body: null,
    localized: false,
    outcomes: ['found'],
    answer: 'permissionsList',
    refusals: ['unknown_application', 'missing_access'],
    call: async ({ registry, scope, guildId }) =>
      json(await registry.listPermissions(scope.applicationId, guildId)),
  },
  {
    method: 'GET',
    path: PERMISSIONS,
    clause: '4.3-02',
    summary: 'Get the permissions of a command, or of the application',
    grant: 'read_permissions',
    body: null,
    localized: false,
    outcomes: ['found'],
    answer: 'permissions',
    refusals: ['unknown_application', 'missing_access', 'unknown_permissions'],
    call: async ({ registry, scope, guildId, commandId }) =>
      json(await registry.getPermissions(scope.applicationId, guildId, commandId)),
  },
  {
    method: 'PUT',
    path: PERMISSIONS,
    clause: '4.3-03',
    summary: 'Replace the permissions of a command, or of the application',
    grant: 'edit_permissions',
    body: 'permissionsEdit',
    localized: false,
    outcomes: ['updated'],
    answer: 'permissions',
    refusals: ['unknown_application', 'missing_access', 'invalid', 'unknown_command'],
    call: async ({ registry, scope, guildId, commandId, body, principal }) => {
      const manager = managerOf(principal, guildId)
      const options = manager === undefined ? {} : { manager }
      return json(await registry.setPermissions(scope.applicationId, guildId, commandId, body, options))
    },
  },
  // What real clients ask for before anything else (client requirements 5).
  {
    ...page,
    path: '/applications/@me',
    summary: "The token's application",
    answer: 'application',
    call: ({ pages, principal }) => pages.application(principal),
  },
  {
    ...page,
    path: '/oauth2/applications/@me',
    summary: "The token's application",
    answer: 'application',
    call: ({ pages, principal }) => pages.application(principal),
  },
  {
    ...page,
    path: '/users/@me',
    summary: "The token's user: the bot, or who granted the token",
    answer: 'user',
    call: ({ pages, principal }) => pages.user(principal),
  },
  {
    ...page,
    path: '/gateway',
    summary: 'Where a gateway would be; there is none',
    grant: 'anyone',
    answer: 'gateway',
    refusals: [],
    call: ({ pages }) => pages.gateway(),
  },
  {
    ...page,
    path: '/gateway/bot',
    summary: 'Where a gateway would be; there is none',
    answer: 'gateway',
    refusals: [],
    call: ({ pages }) => pages.gatewayOfBot(),
  },
]
