/** The page of `commandry serve` and the questions it asks. They only read, and need no token. */
import { SIZE_MAX, sizeOf } from '../command/size.ts'
import type { ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand, CommandOption, Localizations } from '../command/definition.ts'
import { commandTypeNames, CommandType, InteractionContext, type IntegrationType } from '../command/kinds.ts'
import { LocalizationResolver } from '../command/localize.ts'
import { isObject } from '../core/json.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { listed, quoted } from '../core/text.ts'
import type { Answer, Exchange, Incoming } from '../http/message.ts'
import { json, refuse, refuseMethod } from '../http/respond.ts'
import { localeNames, locales } from '../locale/locales.ts'
import { permissionNames } from '../permission/bits.ts'
import { PermissionFlag, PermissionTargetType } from '../permission/kinds.ts'
import { allChannelsId, everyoneId, type CommandPermission } from '../permission/overwrite.ts'
import { RegistryError } from '../registry/error.ts'
import {
  installableWays,
  pick,
  type ExplainedPicker,
  type HiddenCommand,
  type PickerEntry,
  type ShownCommand,
  type Viewer,
} from '../registry/picker.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import { globalScope, guildScope, scopeOfKey } from '../registry/scope.ts'
import type { Store } from '../storage/store.ts'
import { page, pagePolicy } from './page.ts'

export interface UiOptions {
  readonly registry: CommandRegistry
  /** Asked for the scopes it holds, to suggest applications and guilds. */
  readonly store: Store
  /** The applications of the configuration; empty when any will do. */
  readonly applications: readonly (ApplicationSettings & { readonly id: string })[]
}

/**
 * An exchange that answers `GET /` with the page and `GET /ui/...` with what it asks for, and leaves everything
 * else to another. The page tells whoever can connect about every command, so it is for this machine alone: under
 * any other name than this machine's, which is how a foreign page could come to ask, there is nothing here.
 */
export function withUi(exchange: Exchange, options: UiOptions): Exchange {
  return async (incoming) => {
    const { path, method } = incoming
    if (path !== '/' && !path.startsWith('/ui/')) return exchange(incoming)
    if (!isLocal(incoming.header('host'))) return refuse('not_found')
    if (method !== 'GET' && method !== 'HEAD') return refuseMethod('GET, HEAD')
    const answer = path === '/' ? document : await ask(path.slice('/ui/'.length), incoming, options)
    return method === 'HEAD' ? { ...answer, body: null } : answer
  }
}

const document: Answer = {
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  },
  body: page,
}

function isLocal(host: string | null): boolean {
  return host !== null && /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]+)?$/i.test(host)
}

type Question = (query: Query, options: UiOptions) => Promise<unknown>

const questions: ReadonlyMap<string, Question> = new Map<string, Question>([
  ['about', about],
  ['mentions', mentions],
  ['picker', picker],
  ['command', command],
])

async function ask(name: string, { query }: Incoming, options: UiOptions): Promise<Answer> {
  const question = questions.get(name)
  if (question === undefined) return refuse('not_found')
  try {
    return json(await question(new Query(new URLSearchParams(query).get('q')), options))
  } catch (error) {
    if (error instanceof TypeError || (error instanceof RegistryError && error.code !== 'storage')) {
      return { ...json({ message: error.message }), status: 400 }
    }
    console.error(error)
    return refuse('server_fault')
  }
}

/** What the page has sent along. */
class Query {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(text: string | null) {
    let values: unknown
    try {
      values = JSON.parse(text ?? '{}')
    } catch {
      throw new TypeError('The question cannot be read.')
    }
    this.#values = isObject(values) ? values : {}
  }

  text(name: string): string {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : ''
    return typeof value === 'string' ? value : ''
  }

  flag(name: string): boolean {
    return Object.hasOwn(this.#values, name) && this.#values[name] === true
  }

  list(name: string): readonly unknown[] {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : []
    return Array.isArray(value) ? value.slice(0, 1_000) : []
  }

  texts(name: string): readonly string[] {
    return this.list(name).filter((value) => typeof value === 'string')
  }

  id(name: string, label: string): string {
    const value = this.text(name)
    if (isSnowflake(value)) return value
    throw new TypeError(
      `${label} ${value === '' ? 'is missing' : `${quoted(value)} is no id`}: ids are digits only.`,
    )
  }

  get guildId(): string | undefined {
    return this.text('place') === 'guild' ? this.id('guild', 'The guild') : undefined
  }
}

// --- What there is --------------------------------------------------------------------------------------------

// Suggestions only: whoever looks for another can type its id.
const MOST_SCOPES = 1_000

async function about(_query: Query, { store, applications }: UiOptions): Promise<object> {
  const guilds = new Map(applications.map(({ id, guilds = [] }) => [id, new Set(guilds)]))
  const configured = guilds.size > 0
  let seen = 0
  for await (const key of store.keys('scope/')) {
    if (seen++ >= MOST_SCOPES) break
    const scope = scopeOfKey(key)
    if (scope === undefined || (configured && !guilds.has(scope.applicationId))) continue
    const known = guilds.get(scope.applicationId) ?? new Set<string>()
    if (scope.kind === 'guild') known.add(scope.guildId)
    guilds.set(scope.applicationId, known)
  }
  return {
    applications: Array.from(guilds, ([id, known]) => ({ id, guilds: [...known] })),
    locales: locales.map((locale) => [locale, localeNames[locale][1], localeNames[locale][0]]),
    permissions: Object.keys(PermissionFlag),
  }
}

/** The roles, users and channels that entries of the app in the guild are about, without the constants. */
async function mentions(query: Query, { registry }: UiOptions): Promise<object> {
  const sets = await permissionsOf(query, registry)
  const { guildId } = query
  const ids = (type: PermissionTargetType) => [
    ...new Set(
      sets
        .flatMap(({ permissions }) => permissions.filter((entry) => entry.type === type))
        .map(({ id }) => id),
    ),
  ]
  const { ROLE, USER, CHANNEL } = PermissionTargetType
  const constant = (id: string) =>
    guildId !== undefined && (id === everyoneId(guildId) || id === allChannelsId(guildId))
  return {
    roles: ids(ROLE).filter((id) => !constant(id)),
    users: ids(USER),
    channels: ids(CHANNEL).filter((id) => !constant(id)),
  }
}

async function permissionsOf(query: Query, registry: CommandRegistry) {
  const applicationId = query.id('application', 'The application')
  const { guildId } = query
  if (guildId === undefined) return []
  try {
    return await registry.listPermissions(applicationId, guildId)
  } catch (error) {
    // Where the app is not authorized it has no permissions either.
    if (error instanceof RegistryError && error.code === 'missing_access') return []
    throw error
  }
}

// --- The picker -----------------------------------------------------------------------------------------------

async function picker(query: Query, { registry }: UiOptions): Promise<object> {
  const { seen, installable } = await look(query, registry)
  const { entries, hidden, search } = seen
  const typed = query.text('search')
  return {
    installable,
    locale: query.text('locale'),
    searching: typed !== '',
    entries: (typed === '' ? entries : search(typed)).map(entryJson),
    hidden: hidden.map(hiddenJson),
  }
}

interface Seen {
  readonly seen: ExplainedPicker
  /** The ways of installing the app that there are; the person's own wish can only leave some of them out. */
  readonly installable: readonly IntegrationType[]
}

async function look(query: Query, registry: CommandRegistry): Promise<Seen> {
  const viewer = viewerOf(query)
  const source = await registry.pickerSource(viewer)
  const installable = installableWays(source.application, viewer.guildId)
  const wanted = query.list('installed')
  const installed = installable.filter((way) => wanted.includes(way))
  return { seen: pick({ ...viewer, installed }, source, { explain: true }), installable }
}

function viewerOf(query: Query): Viewer {
  const { guildId } = query
  const shared = {
    applicationId: query.id('application', 'The application'),
    locale: query.text('locale'),
    adult: query.flag('adult'),
    ageRestrictedInDirectMessages: query.flag('dms'),
  }
  const user = { id: query.id('user', 'The user') }
  if (guildId === undefined) {
    const { BOT_DM, PRIVATE_CHANNEL } = InteractionContext
    return { ...shared, user, context: query.text('place') === 'group' ? PRIVATE_CHANNEL : BOT_DM }
  }
  const granted = query.texts('permissions')
  const bits = Object.entries(PermissionFlag).reduce(
    (sum, [name, bit]) => (granted.includes(name) ? sum | bit : sum),
    0n,
  )
  return {
    ...shared,
    guildId,
    channel: { id: query.id('channel', 'The channel'), nsfw: query.flag('nsfw') },
    member: { user, roles: query.texts('roles'), permissions: bits },
  }
}

function entryJson({
  type,
  name,
  path,
  description,
  options,
  command: { id, guild_id },
}: PickerEntry): object {
  return {
    ...{ id, type, name, path, description },
    guild: guild_id !== undefined,
    options: options.map((option) => ({ name: option.name, required: option.required ?? false })),
  }
}

function hiddenJson({ command, why, access }: HiddenCommand): object {
  const trace = access?.trace.map(({ step, outcome, text, otherwise }) => ({
    ...{ step, outcome, text },
    otherwise: otherwise === null ? null : otherwise.text,
  }))
  const { id, type, name, name_default: path, description }: ShownCommand = command
  return { id, type, name, path, description, why, trace: trace ?? null }
}

// --- One command ----------------------------------------------------------------------------------------------

const resolver = new LocalizationResolver()

// What a person can look through; a command may have thousands.
const MOST_TEXTS = 500

async function command(query: Query, { registry }: UiOptions): Promise<object> {
  const applicationId = query.id('application', 'The application')
  const { guildId } = query
  const found = await findCommand(registry, applicationId, guildId, query.id('command', 'The command'))
  const coverage = resolver.coverage([found])
  const texts = [...textsOf(found, '')]
  const sets = await permissionsOf(query, registry)
  const { seen, installable } = await look(query, registry)
  const entriesOf = (id: string) => sets.find((set) => set.id === id)?.permissions ?? []
  return {
    installable,
    type: found.type,
    name: found.name,
    description: found.description,
    why: seen.hidden.find(({ command: { id } }) => id === found.id)?.why ?? [],
    facts: factsOf(found),
    size: sizeOf(found),
    most: SIZE_MAX,
    locales: coverage.map(({ locale, texts: all, translated }) => ({ locale, texts: all, translated })),
    texts: texts.slice(0, MOST_TEXTS).map(({ label, text, localizations }) => ({
      ...{ label, text },
      cells: coverage.map(({ locale }) => {
        const shown = resolver.resolve(text, localizations, locale)
        return { text: shown.text, from: shown.locale }
      }),
    })),
    more: Math.max(0, texts.length - MOST_TEXTS),
    permissions:
      guildId === undefined
        ? null
        : [
            {
              of: 'this command',
              entries: entriesOf(found.id).map((entry) => permissionJson(entry, guildId)),
            },
            {
              of: 'the whole app',
              entries: entriesOf(applicationId).map((entry) => permissionJson(entry, guildId)),
            },
          ],
  }
}

async function findCommand(
  registry: CommandRegistry,
  applicationId: string,
  guildId: string | undefined,
  id: string,
): Promise<ApplicationCommand> {
  try {
    return await registry.get(globalScope(applicationId), id)
  } catch (error) {
    const isElsewhere =
      error instanceof RegistryError && error.code === 'unknown_command' && guildId !== undefined
    if (!isElsewhere) throw error
    return registry.get(guildScope(applicationId, guildId), id)
  }
}

interface Text {
  /** Where it stands: `user get, description`. */
  readonly label: string
  readonly text: string
  readonly localizations: Localizations | null
}

/** Every text of a command that can be translated, in the order of the document. */
function* textsOf(holder: ApplicationCommand | CommandOption, place: string): Generator<Text> {
  const at = (what: string) => (place === '' ? what : `${place}, ${what}`)
  yield { label: at('name'), text: holder.name, localizations: holder.name_localizations }
  if (holder.description !== '') {
    yield {
      label: at('description'),
      text: holder.description,
      localizations: holder.description_localizations,
    }
  }
  for (const [i, choice] of (('choices' in holder ? holder.choices : undefined) ?? []).entries()) {
    yield { label: at(`choice ${i + 1}`), text: choice.name, localizations: choice.name_localizations }
  }
  for (const option of holder.options ?? []) yield* textsOf(option, `${place} ${option.name}`.trimStart())
}

function factsOf(found: ApplicationCommand): readonly (readonly [string, string])[] {
  const { default_member_permissions: bits, guild_id, contexts, integration_types, nsfw } = found
  const facts: [string, string][] = [
    ['Type', `${commandTypeNames[found.type]} command`],
    ['Scope', guild_id === undefined ? 'global' : `guild ${guild_id}`],
    ['Asks for', asksFor(bits)],
  ]
  if (guild_id === undefined) {
    facts.push([
      'For',
      contexts == null ? 'guilds and the bot DM, by default' : named(contexts, contextNames),
    ])
    facts.push(['Comes with', named(integration_types ?? [], installationNames)])
  }
  if (found.dm_permission === false) facts.push(['Deprecated', 'dm_permission is false'])
  if (found.default_permission === false) facts.push(['Deprecated', 'default_permission is false'])
  if (nsfw) facts.push(['Age', 'age-restricted'])
  if (found.type === CommandType.PRIMARY_ENTRY_POINT) {
    facts.push(['Handled by', found.handler === 2 ? 'the service, which launches the Activity' : 'the app'])
  }
  facts.push(['Id', found.id], ['Version', found.version])
  return facts
}

function asksFor(bits: string | null): string {
  if (bits === null) return 'no permissions'
  return bits === '0' ? 'nothing anybody has: administrators only' : listed(permissionNames(BigInt(bits)))
}

const contextNames: readonly string[] = ['guilds', 'the bot DM', 'other DMs and group DMs']
const installationNames: readonly string[] = ['a guild install', 'a user install']

function named(values: readonly number[], names: readonly string[]): string {
  return listed(values.map((value) => names[value] ?? String(value)))
}

const targets: readonly string[] = ['', 'Role', 'User', 'Channel']

function permissionJson({ type, id, permission }: CommandPermission, guildId: string): object {
  const { ROLE, CHANNEL } = PermissionTargetType
  let target = targets[type]!
  if (type === ROLE && id === everyoneId(guildId)) target = 'Everyone'
  if (type === CHANNEL && id === allChannelsId(guildId)) target = 'All channels'
  return { target, id, permission }
}
