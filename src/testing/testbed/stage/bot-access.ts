/** What a bot needs: the permissions, intents, scopes and routes that it used, and the smallest link that installs it. */
import { installUrl } from '../../../authorization/install-url.ts'
import { counted, listed } from '../../../core/text.ts'
import { permissionNames } from '../../../model/permission-bits.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import type { IntentUse } from '../../../service/gateway/intent-use.ts'
import { Intent, intentNames } from '../../../service/gateway/intents.ts'
import type { RefusedAccess } from '../../../service/world/access-log.ts'
import { hasBot } from '../../../service/world/installation.ts'
import type { World } from '../../../service/world/world.ts'

/** What a bot has needed so far: at least this, as nothing is known of what was not tried. */
export interface BotAccess {
  readonly permissions: {
    /** Those of its requests, also of refused ones, and those by which it got events. */
    readonly needed: readonly string[]
    /** Those that it has in a server and did not use; `ADMINISTRATOR` alone for a bot that may do everything. */
    readonly unused: readonly string[]
    readonly refused: readonly RefusedAccess[]
  }
  readonly intents: {
    /** Those by which it got events, and the privileged ones that its requests needed. */
    readonly needed: readonly string[]
    /** Those that it asked for, and by which it got nothing. */
    readonly unused: readonly string[]
    /** Those without which events were empty: MESSAGE_CONTENT. */
    readonly missing: readonly string[]
  }
  /** OAuth2 scopes. */
  readonly scopes: readonly string[]
  /** The routes of servers and channels that it called, sorted. */
  readonly routes: readonly string[]
  /** The link that installs it with just these permissions. */
  readonly installUrl: string
}

export function accessOf(
  world: World,
  applicationId: string,
  { asked, received }: IntentUse,
  hasCommands: boolean,
): BotAccess {
  const { permissions, routes, intents, refused } = world.access.of(applicationId)
  const requested = [...intents].reduce((bits, name) => bits | Intent[name], 0)
  const needed = [...permissions].sort()
  const bits = needed.reduce((all, name) => all | PermissionFlag[name], 0n)
  const held = world.servers.reduce((all, { id }) => all | world.permissions(id, applicationId), 0n)
  const isAll = (held & PermissionFlag.ADMINISTRATOR) !== 0n
  const isInServer = world.servers.some(({ id }) => hasBot(world, id, applicationId))
  const scopes = [...(isInServer ? ['bot'] : []), ...(hasCommands ? ['applications.commands'] : [])]
  const link = { applicationId, scopes: scopes.join(' ') || 'applications.commands' }
  return {
    permissions: {
      needed,
      unused: isAll ? ['ADMINISTRATOR'] : permissionNames(held & ~bits),
      refused: [...refused.values()],
    },
    intents: {
      needed: intentNames((received & asked) | requested),
      unused: intentNames(asked & ~received & ~requested),
      missing: intentNames(received & ~asked),
    },
    scopes,
    routes: [...routes].sort(),
    installUrl: installUrl({ ...link, ...(isInServer && { permissions: bits }) }),
  }
}

/** The report for people. */
export function accessText({ permissions, intents, scopes, routes, installUrl }: BotAccess): string {
  const names = (list: readonly string[]) => (list.length === 0 ? 'none' : listed(list))
  const isAdministrator = permissions.unused.includes('ADMINISTRATOR')
  const refused = permissions.refused.map(({ permission, place }) => `  ${permission} in ${place}`)
  return [
    'At least this much access is needed; what was not tried is not known.',
    `Permissions needed: ${names(permissions.needed)}`,
    isAdministrator
      ? `The bot is an administrator; ${counted(permissions.needed.length, 'permission')} would do.`
      : `Permissions it has and did not use: ${names(permissions.unused)}`,
    ...(refused.length > 0 ? ['Refused, as the bot lacks:', ...refused] : []),
    `Intents needed: ${names(intents.needed)}`,
    `Intents it asks for and did not use: ${names(intents.unused)}`,
    ...intents.missing.map((name) =>
      name === 'MESSAGE_CONTENT'
        ? 'The bot has no MESSAGE_CONTENT: messages arrived with empty content.'
        : `The bot has no ${name}: its request for members had no answer.`,
    ),
    `Scopes: ${names(scopes)}`,
    `Routes of servers and channels: ${routes.length === 0 ? 'none' : ''}`.trimEnd(),
    ...routes.map((route) => `  ${route}`),
    `Smallest install link: ${installUrl}`,
  ].join('\n')
}

/** What an earlier report says that the bot needs. */
export interface KnownAccess {
  readonly permissions: readonly string[]
  readonly intents: readonly string[]
  readonly scopes: readonly string[]
}

export function neededIn({ permissions, intents, scopes }: BotAccess): KnownAccess {
  return { permissions: permissions.needed, intents: intents.needed, scopes }
}

/** What one list has beyond another, in words. */
export function accessBeyond(now: KnownAccess, known: KnownAccess): readonly string[] {
  const beyond = (what: string, list: readonly string[], before: readonly string[]) =>
    list.filter((name) => !before.includes(name)).map((name) => `${what} ${name}`)
  return [
    ...beyond('permission', now.permissions, known.permissions),
    ...beyond('intent', now.intents, known.intents),
    ...beyond('scope', now.scopes, known.scopes),
  ]
}
