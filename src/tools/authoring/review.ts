/** What a change of definitions means for people: who gains and loses which command, and which texts change. */
import { isObject, jsonValue, type JsonObject } from '../../core/json.ts'
import type { ApplicationCommand, CommandBody } from '../../model/command-definition.ts'
import { ChannelType } from '../../model/command-types.ts'
import type { ServerSettings } from '../../model/server.ts'
import type { Viewer } from '../../commands/access/picker.ts'
import { LocalizationResolver, type LocaleCoverage } from '../../commands/definition/localization-resolver.ts'
import type { OverwritePlan } from '../../commands/registry/changes.ts'
import { renamesOf } from './renames.ts'
import { differencesOf, type Difference } from './differences.ts'
import { CommandRegistry } from '../../commands/registry/registry.ts'
import { globalScope, type Scope } from '../../commands/registry/scope.ts'
import { commandLabel } from './words.ts'

/** People whose pickers are compared: those with one role, at a place. */
export interface Audience {
  /** Such as `Moderators`, or `DM with the bot`. */
  readonly name: string
  readonly viewer: Omit<Viewer, 'locale'>
}

/** A command that some audiences gain or lose. */
export interface VisibilityChange {
  readonly label: string
  /** In the order of the audiences; null for one that sees it as before. */
  readonly changes: readonly ('gains' | 'loses' | null)[]
}

/** A text that people read, and what happened to its translations. */
export interface TextChange {
  readonly label: string
  /** Such as `options.days.description`. */
  readonly place: string
  /** Undefined if only translations changed. */
  readonly text: { readonly before: string; readonly after: string } | undefined
  /** Translations that are no longer there. */
  readonly lost: readonly string[]
  readonly changed: readonly string[]
  /** Translations that stayed as they were while the text changed. */
  readonly old: readonly string[]
}

export interface Rename {
  readonly from: string
  readonly to: string
  /** Whether the definition names the id, so that the command is the same one. */
  readonly keepsId: boolean
}

export interface Review {
  readonly plan: OverwritePlan
  readonly audiences: readonly Audience[]
  readonly visibility: readonly VisibilityChange[]
  readonly texts: readonly TextChange[]
  /** Each loses its permissions in every server (clause 2.9-09). */
  readonly renames: readonly Rename[]
  /** The languages of the definitions, with the number of texts they lack before and after. */
  readonly coverage: readonly { readonly locale: string; readonly before: number; readonly after: number }[]
}

// Any application will do: nothing is sent anywhere.
const APPLICATION = '1001'

/**
 * Compares two valid lists of definitions.
 *
 * @param server its roles are the audiences, beside DMs
 */
export async function reviewOf(
  before: readonly unknown[],
  after: readonly unknown[],
  server: ServerSettings,
): Promise<Review> {
  const scope: Scope = globalScope(APPLICATION)
  const registry = new CommandRegistry()
  const old = await registry.overwrite(scope, withIds(before, new Map()))
  const bodies = withIds(after, new Map(before.map((body, index) => [idOf(body), old[index]!.id])))
  const plan = await registry.plan(scope, bodies)
  const audiences = audiencesOf(server)
  const seenBefore = await seenBy(registry, audiences)
  const now = await registry.overwrite(scope, bodies)
  const seenAfter = await seenBy(registry, audiences)
  return {
    plan,
    audiences,
    visibility: visibilityOf(seenBefore, seenAfter),
    texts: plan.updates.flatMap((update) =>
      reviewTexts(commandLabel(update.after), differencesOf(update), update.after),
    ),
    renames: [
      ...renamesOf(plan).map(({ from, to }) => ({
        from: commandLabel(from),
        to: commandLabel(to),
        keepsId: false,
      })),
      ...plan.updates
        .filter(({ fields }) => fields.includes('name'))
        .map(({ before: from, after: to }) => ({
          from: commandLabel(from),
          to: commandLabel(to),
          keepsId: true,
        })),
    ],
    coverage: coverageOf(old, now),
  }
}

function idOf(body: unknown): unknown {
  const value = jsonValue(body)
  return isObject(value) ? value.id : undefined
}

/** Definitions with the ids of this registry in place of those of the service, which it does not know. */
function withIds(bodies: readonly unknown[], known: ReadonlyMap<unknown, string>): readonly CommandBody[] {
  return bodies.map((body) => {
    const { id: given, ...rest } = jsonValue(body) as JsonObject
    const id = given === undefined ? undefined : known.get(given)
    return (id === undefined ? rest : { ...rest, id }) as unknown as CommandBody
  })
}

// --- Who sees what --------------------------------------------------------------------------------------------

function audiencesOf({ id: guildId, roles, channels }: ServerSettings): readonly Audience[] {
  const channel =
    channels.find(({ type }) => type === ChannelType.GUILD_TEXT || type === undefined) ?? channels[0]
  const shared = { applicationId: APPLICATION }
  // No user has the id 1, so neither entries for users nor owning the server count.
  const memberWith = (id: string) => ({ user: { id: '1' }, roles: id === guildId ? [] : [id] })
  const inServer =
    channel === undefined
      ? []
      : roles.map(({ id, name }) => {
          return {
            name,
            viewer: { ...shared, guildId, roles, channel, member: memberWith(id) } as Audience['viewer'],
          }
        })
  return [
    ...inServer,
    { name: 'DM with the bot', viewer: shared },
    { name: 'group DM', viewer: { ...shared, channel: { id: '1', type: ChannelType.GROUP_DM } } },
  ]
}

/** The lines of the picker of each audience: a subcommand is a line of its own. */
async function seenBy(registry: CommandRegistry, audiences: readonly Audience[]) {
  return Promise.all(
    audiences.map(async ({ viewer }) => {
      const { entries } = await registry.commandsFor({ ...viewer, locale: 'en-US' } as Viewer)
      return new Set(
        entries.map(({ type, path }) => commandLabel({ type, name: path.split(' ')[0] }) + rest(path)),
      )
    }),
  )
}

const rest = (path: string) => path.slice(path.split(' ')[0]!.length)

function visibilityOf(
  before: readonly ReadonlySet<string>[],
  after: readonly ReadonlySet<string>[],
): readonly VisibilityChange[] {
  const labels = new Set([...before, ...after].flatMap((seen) => [...seen]))
  const changes = [...labels].sort().map((label) => ({
    label,
    changes: before.map((seen, index) => {
      const [was, is] = [seen.has(label), after[index]!.has(label)]
      return was === is ? null : is ? ('gains' as const) : ('loses' as const)
    }),
  }))
  return changes.filter((change) => change.changes.some((one) => one !== null))
}

// --- Texts ----------------------------------------------------------------------------------------------------

const DICTIONARY = /^(name|description)_localizations$/

const resolver = new LocalizationResolver()

/** How many texts lack a translation, for each language that the definitions have before or after. */
function coverageOf(
  old: readonly ApplicationCommand[],
  now: readonly ApplicationCommand[],
): Review['coverage'] {
  const among = new Set(resolver.coverage([...old, ...now]).map(({ locale }) => locale))
  const [before, after] = [old, now].map((commands) => resolver.coverage(commands, [...among]))
  const lacking = ({ texts, translated }: LocaleCoverage) => texts - translated
  return [...among].map((locale, index) => {
    return { locale, before: lacking(before![index]!), after: lacking(after![index]!) }
  })
}

function reviewTexts(
  label: string,
  differences: readonly Difference[],
  after: ApplicationCommand,
): readonly TextChange[] {
  const texts = new Map<
    string,
    { text?: TextChange['text']; lost: string[]; changed: string[]; path: readonly string[] }
  >()
  const at = (path: readonly string[]) => {
    const place = path.join('.')
    const known = texts.get(place) ?? { lost: [], changed: [], path }
    texts.set(place, known)
    return known
  }
  for (const { path, before, after: now } of differences) {
    const [last, holder] = [path.at(-1)!, path.at(-2) ?? '']
    if (/^(name|description)$/.test(last) && typeof before === 'string' && typeof now === 'string')
      at(path).text = { before, after: now }
    else if (DICTIONARY.test(holder) && typeof before === 'string') {
      const found = at([...path.slice(0, -2), holder.replace('_localizations', '')])
      if (typeof now === 'string') found.changed.push(last)
      else found.lost.push(last)
    }
  }
  return [...texts].map(([place, { text, lost, changed, path }]) => {
    const kept = text === undefined ? [] : Object.keys(dictionaryAt(after, path) ?? {})
    return { label, place, text, lost, changed, old: kept.filter((locale) => !changed.includes(locale)) }
  })
}

/** The translations of a text; options and choices are found by name. */
function dictionaryAt(command: ApplicationCommand, path: readonly string[]): object | undefined {
  const holder = path.slice(0, -1).reduce<any>((value, step) => {
    if (Array.isArray(value)) return value.find((item) => item.name === step)
    return value?.[step]
  }, command)
  return holder?.[`${path.at(-1)}_localizations`] ?? undefined
}
