/** The questions of the page, each with the function that answers it: `about` for `/ui/about`. */
import { localeNames, locales } from '../../../model/locales.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { scopeOfKey } from '../../../commands/registry/scope.ts'
import { DEMO_SERVER_ID } from '../../../model/demo-server.ts'
import { displayName, type ServerSettings } from '../../../model/server.ts'
import type { ServerState } from '../../../service/world/entities.ts'
import { currentServer, type Context, type Query } from './query.ts'
import { access } from './access-questions.ts'
import { advance, clock } from './clock-questions.ts'
import { check, deployed } from './editor-questions.ts'
import { command, line, picker } from './picker-questions.ts'
import { plan } from './plan-questions.ts'
import { exchanges, request, requests } from './requests-questions.ts'
import { texts, translate, translations } from './translations-questions.ts'
import { actions, feed, news, rail } from './place-questions.ts'
import { keep, record, recorded, runTests, tests } from './record-questions.ts'
import { act, again, answer, inspect, suggest, use } from './use-questions.ts'
import { sampleCommands } from './samples.ts'
import type { VerbName } from '../../../testing/testbed/people/verbs.ts'

export const questions = {
  about,
  access,
  act,
  again,
  advance,
  answer,
  check,
  clock,
  command,
  deployed,
  exchanges,
  feed,
  inspect,
  keep,
  line,
  news,
  picker,
  plan,
  rail,
  record,
  recorded,
  request,
  requests,
  runTests,
  suggest,
  tests,
  texts,
  translate,
  translations,
  use,
  ...actions,
  bot: (_query: Query, { bot }: Context) => bot.state(),
  clear: (_query: Query, { session }: Context) => session.traffic.clear(),
  connect: (query: Query, { bot }: Context) => bot.connect(query.text('url').trim(), query.id('app')),
  files: (_query: Query, { files }: Context) => files(),
  /** The program that the service has started; null for none. */
  program: (_query: Query, { kept }: Context) => kept?.state ?? null,
  restart: (_query: Query, { kept }: Context) => kept?.restart(),
  samples: () => sampleCommands,
}

export type QuestionName = keyof typeof questions

/** What a person does by the question `does`. */
export type DoneVerb = VerbName

export type Answer<Name extends QuestionName> = Awaited<ReturnType<(typeof questions)[Name]>>

const MAX_SCOPES = 1_000

/** The applications, servers and languages to choose from; a language has its own name and the English one. */
async function about(_query: Query, context: Context) {
  const { applications, servers, store } = context
  const names = new Map(applications.map(({ id, name }) => [id, name ?? id]))
  const isConfigured = names.size > 0
  const guilds = new Set(servers.map(({ id }) => id))
  if (!isConfigured) for (const id of context.bots?.online ?? []) names.set(id, id)
  let count = 0
  try {
    for await (const key of store.keys('scope/')) {
      if (++count > MAX_SCOPES) break
      const scope = scopeOfKey(key)
      if (scope === undefined || (isConfigured && !names.has(scope.applicationId))) continue
      if (!names.has(scope.applicationId)) names.set(scope.applicationId, scope.applicationId)
      if (scope.kind === 'guild') guilds.add(scope.guildId)
    }
  } catch (cause) {
    throw new RegistryError('storage', { cause })
  }
  for (const { guilds: authorized = [] } of applications) for (const id of authorized) guilds.add(id)
  if (guilds.size === 0) guilds.add(DEMO_SERVER_ID)
  const { world } = context.people
  for (const id of guilds) if (world.server(id) === undefined) world.addServer(currentServer(id, context))
  return {
    applications: Array.from(names, ([id, name]) => ({
      id,
      name: name === id ? nameOfBot(id, context) : name,
    })),
    /** The applications whose bots are logged in; null where none can log in. */
    online: context.bots?.online ?? null,
    servers: Array.from(guilds, (id) => pageServer(world.server(id)!)),
    /** The channel of each server that the page begins with, by its id. */
    first: Object.fromEntries(Array.from(guilds, (id) => [id, firstChannel(id, context)])),
    locales: locales.map((id) => ({ id, name: localeNames[id][1], english: localeNames[id][0] })),
  }
}

/** The first channel in which the first person may write; empty for none. */
function firstChannel(serverId: string, { people: { world } }: Context): string {
  const { channels, members } = world.server(serverId)!
  const person = members.find(({ user }) => user.bot !== true)?.user.id
  const isOpen = (channel: ServerState['channels'][number]) => {
    if (!WRITABLE.has(channel.type ?? ChannelType.GUILD_TEXT) || person === undefined) return false
    const held = world.permissions(serverId, person, { ...channel, guild_id: serverId })
    return (held & WRITES) === WRITES
  }
  return channels.find(isOpen)?.id ?? ''
}

const WRITABLE = new Set<number>([ChannelType.GUILD_TEXT, ChannelType.GUILD_ANNOUNCEMENT])
const WRITES = PermissionFlag.VIEW_CHANNEL | PermissionFlag.SEND_MESSAGES

/** The name of an application that the configuration does not name: that of its bot, once there is one; else its id. */
function nameOfBot(id: string, { people }: Context): string {
  const user = people.world.user(id)
  return user === undefined ? id : displayName(user)
}

/** What the page needs of a server; threads are channels. */
function pageServer({ id, name, owner_id, roles, channels, threads, members }: ServerState) {
  const own = threads.map(({ id, name, type, parent_id }) => ({ id, name, type, parent_id }))
  const settings: ServerSettings = { id, name, roles, members, channels: [...channels, ...own] }
  return owner_id === undefined ? settings : { ...settings, owner_id }
}
