import type { ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { dailyCreates, entryPointKept } from '../command/scope-rules.ts'
import { commandCount, countRules } from '../command/set.ts'
import { sameJson } from '../core/json.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { listed, quoted } from '../core/text.ts'
import { DEFAULT_BASE_PATH } from '../http/exchange.ts'
import { isToken, readCredentials, TOKEN_SHAPE } from '../http/principal.ts'
import { RegistryError } from '../registry/error.ts'
import type { OverwritePlan } from '../registry/preview.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { globalScope, guildScope, type Scope } from '../registry/scope.ts'
import type { ApplicationSnapshot } from '../registry/snapshot.ts'
import { AgainstError, heldByService, heldInFile, type Held } from './against.ts'
import { oneOf, readArguments, UsageError, wholeNumber, type ExitCode } from './arguments.ts'
import { checkFile, type Checked } from './check.ts'
import { asJson, asText, type Planned, type Rename } from './plan-text.ts'
import { isLoopback } from './serve.ts'
import { settingsFor } from './settings.ts'
import { Service } from './service.ts'

export const planUsage = `commandry plan FILE --against SNAPSHOT|URL

Tells what a deploy would do, without doing it: a bulk overwrite with the definitions of FILE, which is what
"commandry check" takes. SNAPSHOT is a file of "commandry export". URL is a server of the service, with or without
its base path (${DEFAULT_BASE_PATH}). Exits with 2 when permissions would be lost or a limit be exceeded, and with 1 when
definitions are invalid or something cannot be read.

  --against SNAPSHOT|URL  what there is now
  --application ID        whose commands; a snapshot says it itself
  --guild ID              the commands of a guild (the global ones)
  --permissions-in GUILD  where a URL is asked for permissions of global commands; may be repeated
  --token TOKEN           for a URL: of a bot, or "Bearer TOKEN"; better in the environment, as COMMANDRY_TOKEN
  --timeout SECONDS       in which a URL has to answer (10)
  --format text|json      how to tell it (text)`

export async function planCommand(argv: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    against: { type: 'string' },
    application: { type: 'string' },
    guild: { type: 'string' },
    'permissions-in': { type: 'string', multiple: true, default: [] },
    token: { type: 'string' },
    timeout: { type: 'string', default: '10' },
    format: { type: 'string', default: 'text' },
  })
  const { against, application, guild } = values
  const [file] = positionals
  if (file === undefined) throw new UsageError('name the file with the definitions')
  // What is one too many may be the second half of a token.
  if (positionals.length > 1) throw new UsageError('takes one file; put quotes around a --token of two words')
  if (against === undefined) throw new UsageError('name what there is now: --against SNAPSHOT or URL')
  const format = oneOf('format', values.format, ['text', 'json'])
  const seconds = wholeNumber('timeout', values.timeout, 3_600, 1)
  const permissionsIn = new Set(values['permissions-in'])
  for (const id of [application, guild, ...permissionsIn]) {
    if (id !== undefined && !isSnowflake(id))
      throw new UsageError(`${quoted(id, 40)} is no id: ids are digits only`)
  }
  if (guild !== undefined && permissionsIn.size > 0)
    throw new UsageError('--permissions-in is for global commands; with --guild, that guild is looked at')

  let hold = () => heldInFile(against, application)
  if (/^https?:/i.test(against)) {
    if (application === undefined) throw new UsageError('--against a URL needs the --application')
    const url = urlOf(against)
    const options = { url, ...accessOf(url, values.token, application), seconds }
    hold = () => heldByService(new Service(options), scopeOf(application, guild), [...permissionsIn])
  }

  const checked = await checkFile(file, guild === undefined ? 'global' : 'guild', false)
  let planned: Planned = { checked, preview: null }
  if (checked.ok) {
    try {
      const held = await hold()
      planned = await planOf(checked, held, scopeOf(held.snapshot.application_id, guild))
    } catch (error) {
      if (!(error instanceof AgainstError)) throw error
      console.error(`commandry plan: ${error.message}`)
      return 1
    }
  }
  console.log(format === 'json' ? asJson(planned) : asText(planned))
  return exitCodeOf(planned)
}

function scopeOf(applicationId: string, guildId: string | undefined): Scope {
  return guildId === undefined ? globalScope(applicationId) : guildScope(applicationId, guildId)
}

function urlOf(text: string): URL {
  // What cannot be read, and who is named in it, may be a secret.
  if (!URL.canParse(text)) throw new UsageError('--against is no URL that can be read')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--against names a user or a password; the service knows tokens only, as --token')
  return url
}

function accessOf(
  { hostname }: URL,
  option: string | undefined,
  applicationId: string,
): { readonly authorization: string; readonly named: boolean } {
  const text = (option ?? process.env.COMMANDRY_TOKEN ?? '').trim()
  if (text === '') {
    // An open service takes any token, and reads from it which application is asked about.
    if (isLoopback(hostname.replace(/^\[|\]$/g, '')))
      return { authorization: `Bot ${btoa(applicationId)}.commandry.plan`, named: false }
    throw new UsageError('--against a URL needs a token, as --token or as COMMANDRY_TOKEN in the environment')
  }
  const { type, token } = readCredentials(text) ?? { type: 'Bot', token: text }
  if (!isToken(token))
    throw new UsageError(`the token is not ${TOKEN_SHAPE}, after "Bot" or "Bearer" or nothing`)
  return { authorization: `${type} ${token}`, named: true }
}

// --- The plan -------------------------------------------------------------------------------------------------

/** What the service refuses a list for, however good each of its definitions is. */
const limits: ReadonlySet<string> = new Set(
  [commandCount, ...Object.values(countRules), dailyCreates, entryPointKept].map(({ code }) => code),
)

function exitCodeOf({ checked: { errors }, preview }: Planned): ExitCode {
  if (errors.length > 0) return errors.every(({ code }) => limits.has(code)) ? 2 : 1
  return preview !== null && preview.plan.permissionsLost.length > 0 ? 2 : 0
}

async function planOf(checked: Checked, held: Held, scope: Scope): Promise<Planned> {
  const bodies = asList(checked).body
  const { snapshot } = held
  const global =
    scope.kind === 'global' ? snapshot.scopes.find(({ guild_id }) => guild_id === null) : undefined
  const { settings, guess } = settingsFor(held.settings, global?.commands ?? [], bodies)
  let plan: OverwritePlan
  let createsLeft: number | null = null
  let errors: Checked['errors'] = []
  try {
    plan = await overwritePlan(snapshot, settings, scope, bodies)
    if (held.whole) createsLeft = plan.createsLeft
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    errors = error.issues
    if (error.code !== 'daily_creates_exhausted')
      return { checked: { ...asList(checked), ok: false, errors }, preview: null }
    // On another day it would be this.
    plan = await overwritePlan(uncounted(snapshot), settings, scope, bodies)
  }
  const unseen = [...unseenOf(plan, held, scope), ...(guess === undefined ? [] : [guess])]
  return {
    checked: errors.length === 0 ? checked : { ...asList(checked), ok: false, errors },
    preview: { against: held.name, scope, plan, createsLeft, renames: renamesOf(plan), unseen },
  }
}

/** One definition as the list of one that a deploy makes of it; the issues of a deploy are about lists. */
function asList(checked: Checked): Checked & { readonly body: readonly unknown[] } {
  const { body, warnings } = checked
  if (Array.isArray(body)) return { ...checked, body }
  return {
    ...checked,
    body: [body],
    warnings: warnings.map((issue) => ({ ...issue, path: [0, ...issue.path] })),
  }
}

async function overwritePlan(
  snapshot: ApplicationSnapshot,
  settings: ApplicationSettings,
  scope: Scope,
  bodies: readonly unknown[],
): Promise<OverwritePlan> {
  const registry = new CommandRegistry({ applications: { get: () => settings } })
  await registry.restore(snapshot)
  return registry.plan(scope, bodies)
}

function uncounted(snapshot: ApplicationSnapshot): ApplicationSnapshot {
  return {
    ...snapshot,
    scopes: snapshot.scopes.map((scope) => ({ ...scope, creates: { day: '', count: 0 } })),
  }
}

/** What could be of weight for this plan, and could not be seen. */
function unseenOf({ creates, updates, deletes }: OverwritePlan, held: Held, scope: Scope): readonly string[] {
  if (held.whole) return []
  const notes: string[] = []
  if (creates.length > 0) notes.push('how many creates are left today, HTTP does not tell')
  const renamed = updates.some(({ fields }) => fields.includes('name'))
  if (deletes.length === 0 && !renamed) return notes
  if (held.unread !== undefined)
    notes.push(`permissions that would be lost were not seen: the service ${held.unread}`)
  if (scope.kind === 'guild') return notes
  notes.push(
    held.guilds.length === 0
      ? 'permissions that would be lost were not looked for: name guilds with --permissions-in'
      : `permissions that would be lost were looked for in guild ${listed(held.guilds)} only`,
  )
  return notes
}

/** Pairs of a delete and a create that may be meant as one command with a new name. */
function renamesOf({ deletes, creates }: OverwritePlan): readonly Rename[] {
  const left = new Set(creates)
  return deletes.flatMap((from) => {
    const rivals = [deletes, creates].map((list) => list.filter(({ type }) => type === from.type).length)
    const to = [...left].find((create) => resembles(from, create, Math.max(...rivals) === 1))
    if (to === undefined) return []
    left.delete(to)
    return [{ from, to }]
  })
}

/** @param only whether no other command of the type is deleted or created */
function resembles(from: ApplicationCommand, to: ApplicationCommand, only: boolean): boolean {
  if (from.type !== to.type) return false
  if (from.description === '' && from.options === undefined) return only
  const sameOptions = from.options !== undefined && sameJson(from.options, to.options)
  return sameOptions || (from.description !== '' && from.description === to.description)
}
