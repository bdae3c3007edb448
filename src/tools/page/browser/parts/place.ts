/** The view, the person and the place, kept in the address. */
import { ChannelType } from '../../../../model/command-types.ts'
import { displayName, type ServerMember, type ServerSettings } from '../../../../model/server.ts'
import type { Answer, DoneVerb } from '../../questions/questions.ts'
import { ask, outdate, service } from './ask.ts'
import { draw, messages } from './dom.ts'

export const views = {
  member: 'Member',
  editor: 'Editor',
  access: 'Access',
  translations: 'Translations',
  requests: 'Requests',
  plan: 'Plan',
} as const

export type View = keyof typeof views

/** Views that show something before there are commands. */
export const early: readonly View[] = ['editor', 'plan', 'requests']

/** The application of definitions before any application is deployed. */
export const SAMPLE_APPLICATION = '1001'

export const place = {
  view: 'member' as View,
  app: '',
  server: '',
  /** A channel, or `bot` or `group` for the two kinds of DMs. */
  channel: '',
  as: '',
  /** Another person, whose view is open beside it. */
  beside: '',
  lang: '',
  /** The roles of the person, where they are not the usual ones. */
  roles: '',
  /** The person's settings other than the defaults: `minor`, `dms`, `no0` and `no1` for installations. */
  with: '',
  /** The open source of the Editor and of Plan: a file, `Draft` or `Deployed`. Empty: the first one. */
  source: '',
  /** The server whose commands the definitions are; empty for the global ones. */
  scope: '',
  sel: '',
}

export type Where = typeof place

export let about: Answer<'about'> = { applications: [], online: null, servers: [], first: {}, locales: [] }

export const server = (): ServerSettings =>
  about.servers.find(({ id }) => id === place.server) ?? about.servers[0]!
export const member = (): ServerMember | undefined =>
  server().members.find(({ user }) => user.id === place.as)

export function personName(one = member()): string {
  return one === undefined ? `user ${place.as}` : (one.nick ?? displayName(one.user))
}

/** The members whom one can act as: all but bots. */
export const members = (): readonly ServerMember[] => server().members.filter(({ user }) => user.bot !== true)

/** The name of the application, which its bot has too. */
export function botName(): string {
  const app = about.applications.find(({ id }) => id === place.app)
  if (app === undefined) return 'Your bot'
  if (app.name !== app.id) return app.name
  return about.applications.length === 1 ? 'Your bot' : `App ${app.id}`
}

/** A person by id, as menus need them; undefined for one who is not here. */
export function personOf(id: string): { id: string; name: string; isBot: boolean } | undefined {
  const found = server().members.find(({ user }) => user.id === id)
  return found && { id, name: personName(found), isBot: found.user.bot === true }
}

export type Choices = readonly { readonly id: string; readonly name: string }[]

export const nameById = (choices: Choices, id: string): string | undefined =>
  choices.find((choice) => choice.id === id)?.name

export const peopleIn = (): Choices =>
  server().members.map((one) => ({ id: one.user.id, name: `@${personName(one)}` }))
export const roles = (): Choices =>
  server().roles.map(({ id, name }) => ({ id, name: name.startsWith('@') ? name : `@${name}` }))
export const channels = (): Choices => server().channels.map(({ id, name }) => ({ id, name: `#${name}` }))
export const mentionables = (): Choices => [...peopleIn(), ...roles()]

/** To choose from: those that share their name have what tells them apart, a person the username. */
export function distinct(choices: Choices): Choices {
  const counts = new Map<string, number>()
  for (const { name } of choices) counts.set(name, (counts.get(name) ?? 0) + 1)
  const usernameOf = (id: string) => server().members.find(({ user }) => user.id === id)?.user.username
  return choices.map((one) =>
    counts.get(one.name) === 1 ? one : { ...one, name: `${one.name} (${usernameOf(one.id) ?? one.id})` },
  )
}

/** Of a channel, in which no one can write. */
const CATEGORY: number = ChannelType.GUILD_CATEGORY

/** Where a person can use commands: the channels of the server without its categories, and the two kinds of DMs. */
export const places = (): Choices => [
  ...server()
    .channels.filter(({ type }) => type !== CATEGORY)
    .map(({ id, name }) => ({ id, name: `#${name}` })),
  { id: 'bot', name: 'DM with the bot' },
  { id: 'group', name: 'Group DM' },
]

export const channelName = (): string => nameById(places(), place.channel) ?? `#${place.channel}`
export const languageName = (id: string): string => nameById(about.locales, id) ?? id

/** To choose from: each language has its own name and the English one. */
export const languages = (): Choices =>
  about.locales.map(({ id, name, english }) => ({ id, name: [...new Set([name, english])].join(' – ') }))

/** The roles of the person, with those that were ticked by hand. */
export const placeRoles = (): readonly string[] =>
  place.roles === '' ? (member()?.roles ?? []) : place.roles.split(',').filter((id) => id !== 'none')

export const has = (flag: string): boolean => place.with.split(',').includes(flag)

const toggled = (list: readonly string[], item: string): string =>
  (list.includes(item) ? list.filter((one) => one !== item) : [...list, item]).join(',')

export function toggle(flag: string): void {
  go({ with: toggled(place.with === '' ? [] : place.with.split(','), flag) }, true)
}

export function toggleRole(id: string): void {
  go({ roles: toggled(placeRoles(), id) || 'none' }, true)
}

/** The person, place and language of a question. */
export function who(): object {
  const { view, sel, beside, source, scope, ...who } = place
  return who
}

/** The person does what a verb of people says. */
export const does = (verb: DoneVerb, fields: object = {}) => ask('does', { ...who(), ...fields, verb })

export function linkTo(changes: Partial<Where>): string {
  const whole = { ...place, ...(changes.view !== undefined && { sel: '' }), ...changes }
  return beginning() + new URLSearchParams(Object.entries(whole).filter(([, value]) => value !== ''))
}

/** A file has no other pages, so its places follow a `#`. */
const beginning = (): string => (service.isInPage ? '#' : '/?')
const address = (): string => (service.isInPage ? location.hash : location.search).slice(1)

/** Goes to another place; with `replace`, the browser's back button skips the present one. */
export function go(changes: Partial<Where>, replace = false): void {
  const link = linkTo(changes)
  const isSame = link === beginning() + address()
  history[replace || isSame ? 'replaceState' : 'pushState'](null, '', link)
  messages.notice = ''
  readAddress()
  draw()
}

/** Reads the address. Unknown values become the default, and the notice names them. */
export function readAddress(): void {
  const query = new URLSearchParams(address())
  const repaired: string[] = []
  /** Sets a field to what it has of the known values. */
  const choose = (key: keyof Where, name: string, known: readonly string[], fallback = known[0] ?? '') => {
    const text = query.get(key) ?? ''
    const values = key === 'roles' || key === 'with' ? text.split(',') : [text]
    const unknown = values.filter((value) => value !== '' && !known.includes(value))
    repaired.push(...unknown.map((value) => `${name} ${value}`))
    place[key] = (values.filter((value) => known.includes(value)).join(',') || fallback) as never
  }
  const idsOf = (choices: readonly { readonly id: string }[]) => choices.map(({ id }) => id)
  choose('view', 'view', Object.keys(views))
  const given = query.get('app') ?? ''
  // Any application can be deployed to before the first.
  if (/^[0-9]{1,20}$/.test(given) && about.applications.length === 0) place.app = given
  else choose('app', 'app', idsOf(about.applications), about.online?.[0])
  choose('server', 'server', idsOf(about.servers))
  choose('channel', 'channel', idsOf(places()), about.first[place.server] || undefined)
  choose('as', 'person', idsOf(members().map(({ user }) => user)))
  choose('beside', 'person', idsOf(peopleIn()), '')
  choose('lang', 'language', idsOf(about.locales), 'en-US')
  choose('roles', 'role', ['none', ...idsOf(server().roles)], '')
  choose('with', 'option', ['minor', 'dms', 'no0', 'no1'], '')
  choose('scope', 'server', idsOf(about.servers), '')
  place.source = query.get('source') ?? ''
  place.sel = query.get('sel') ?? ''
  if (repaired.length > 0) {
    messages.notice = `This link names ${repaired.join(', ')}, which this server does not have. You see the default instead.`
  }
  history.replaceState(null, '', linkTo({}))
}

/** Loads applications, servers and languages, and outdates all answers about commands. */
export async function refreshAbout(): Promise<void> {
  const first = about.servers.length === 0
  const hadNone = about.applications.length === 0
  const online = about.online ?? []
  about = await ask('about')
  outdate()
  if (!first) followBot(online)
  const isKnown = about.applications.some(({ id }) => id === place.app)
  // A person may have left, and a channel may be deleted.
  const isHere = member() !== undefined && nameById(places(), place.channel) !== undefined
  if (first || !isKnown || !isHere) readAddress()
  const [app] = about.applications
  // The first deploy ends the first run.
  if (!first && hadNone && app !== undefined) {
    const isEarly = early.includes(place.view)
    go(isEarly ? { app: app.id } : { view: 'member', app: app.id }, isEarly)
  }
  draw()
}

/** Goes to the application of a bot that has logged in, unless the bot of this one is there. */
function followBot(before: readonly string[]): void {
  const online = about.online ?? []
  const came = online.find((id) => !before.includes(id))
  if (came === undefined || place.app === '' || online.includes(place.app)) return
  go({ app: came, sel: '' }, true)
  messages.notice = `${botName()} has logged in; you see its application.`
}

const throughStream = (bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) =>
  new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer()

export async function linkWithSet(): Promise<string> {
  const text = await ask('deployed', { app: place.app, server: '' })
  const packed = await throughStream(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const code = btoa(String.fromCharCode(...new Uint8Array(packed)))
  return `${location.href.replace(/#.*/s, '')}#set=${code.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** The definitions that the address carries, as text. @throws when they cannot be read */
export async function linkedSet(): Promise<string | undefined> {
  const code = new URLSearchParams(location.hash.slice(1)).get('set')
  if (code === null) return undefined
  const bytes = atob(code.replaceAll('-', '+').replaceAll('_', '/'))
  const packed = Uint8Array.from(bytes, (one) => one.charCodeAt(0))
  return new TextDecoder().decode(await throughStream(packed, new DecompressionStream('deflate-raw')))
}
