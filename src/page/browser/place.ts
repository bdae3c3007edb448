/** The view, the person and the place, kept in the address. */
import {
  displayName,
  type ServerChannel,
  type ServerMember,
  type ServerSettings,
} from '../../world/server.ts'
import type { About } from '../answers.ts'
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

/** The application that definitions are for while there is none. */
export const SAMPLE_APPLICATION = '1001'

/** The values of a link. */
export const place = {
  view: 'member' as View,
  app: '',
  server: '',
  /** A channel, or `bot` or `group` for the two kinds of DMs. */
  channel: '',
  /** The person. */
  as: '',
  lang: '',
  /** The roles of the person, where they are not the usual ones. */
  roles: '',
  /** The person's settings other than the defaults: `minor`, `dms`, `no0` and `no1` for installations. */
  with: '',
  /** The selection in the view. */
  sel: '',
}

export type Place = typeof place

export let about: About = { applications: [], servers: [], locales: [] }

/** The part of the address that is the same for every service of a version. */
export const basePath = '/api/v10'

export const server = (): ServerSettings =>
  about.servers.find(({ id }) => id === place.server) ?? about.servers[0]!
export const member = (): ServerMember | undefined =>
  server().members.find(({ user }) => user.id === place.as)
export const channel = (): ServerChannel | undefined =>
  server().channels.find(({ id }) => id === place.channel)

export function personName(one: ServerMember | undefined = member()): string {
  return one === undefined ? `user ${place.as}` : displayName(one.user)
}

/** The name of the application, which its bot has too. */
export function botName(): string {
  const app = about.applications.find(({ id }) => id === place.app)
  if (app === undefined) return 'Your bot'
  return app.name === app.id ? `App ${app.id}` : app.name
}

export function channelName(): string {
  if (place.channel === 'bot') return 'DM with the bot'
  return place.channel === 'group' ? 'Group DM' : `#${channel()?.name ?? place.channel}`
}

export const languageName = (key: string): string => about.locales.find(([id]) => id === key)?.[1] ?? key

/** The roles of the person, with those that were ticked by hand. */
export const roleIds = (): readonly string[] =>
  place.roles === '' ? (member()?.roles ?? []) : place.roles.split(',').filter((id) => id !== 'none')

export const has = (flag: string): boolean => place.with.split(',').includes(flag)

export function toggle(flag: string): void {
  const flags = place.with.split(',').filter((one) => one !== '')
  go({ with: (has(flag) ? flags.filter((one) => one !== flag) : [...flags, flag]).join(',') }, true)
}

/** The person, place and language of a question. */
export function who(): object {
  return {
    app: place.app,
    server: place.server,
    channel: place.channel,
    as: place.as,
    lang: place.lang,
    ...(place.roles !== '' && { roles: roleIds() }),
    minor: has('minor'),
    dms: has('dms'),
    without: [0, 1].filter((way) => has(`no${way}`)),
  }
}

export function linkTo(changes: Partial<Place>): string {
  const whole = { ...place, ...(changes.view !== undefined && { sel: '' }), ...changes }
  return beginning() + new URLSearchParams(Object.entries(whole).filter(([, value]) => value !== ''))
}

/** A file has no other pages, so its places follow a `#`. */
const beginning = (): string => (service.isInPage ? '#' : '/?')
const address = (): string => (service.isInPage ? location.hash.slice(1) : location.search)

/** Goes to another place; with `replace`, the browser's back button skips the present one. */
export function go(changes: Partial<Place>, replace = false): void {
  const link = linkTo(changes)
  history[replace || link === beginning() + address().replace(/^\?/, '') ? 'replaceState' : 'pushState'](
    null,
    '',
    link,
  )
  messages.notice = ''
  readAddress()
  draw()
}

/** Reads the address. Unknown values become the default, and the notice names them. */
export function readAddress(): void {
  const query = new URLSearchParams(address())
  const repaired: string[] = []
  const choose = (key: keyof Place, name: string, known: readonly string[], fallback = known[0] ?? '') => {
    const value = query.get(key) ?? ''
    const isKnown = known.includes(value)
    if (value !== '' && !isKnown) repaired.push(`${name} ${value}`)
    place[key] = (isKnown ? value : fallback) as never
  }
  const chooseAll = (key: 'roles' | 'with', name: string, known: readonly string[]) => {
    const values = (query.get(key) ?? '').split(',').filter((value) => value !== '')
    repaired.push(...values.filter((value) => !known.includes(value)).map((value) => `${name} ${value}`))
    place[key] = values.filter((value) => known.includes(value)).join(',')
  }
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
  choose('view', 'view', Object.keys(views))
  const given = query.get('app') ?? ''
  // Any application can be deployed to while there is none.
  if (/^[0-9]{1,20}$/.test(given) && about.applications.length === 0) place.app = given
  else choose('app', 'app', idsOf(about.applications))
  choose('server', 'server', idsOf(about.servers))
  choose('channel', 'channel', [...idsOf(server().channels), 'bot', 'group'])
  const people = server().members.map(({ user }) => user)
  choose('as', 'person', idsOf(people))
  const locales = about.locales.map(([key]) => key)
  choose('lang', 'language', locales, 'en-US')
  chooseAll('roles', 'role', ['none', ...idsOf(server().roles)])
  chooseAll('with', 'option', ['minor', 'dms', 'no0', 'no1'])
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
  about = await ask<About>('about', {})
  outdate()
  if (first || !about.applications.some(({ id }) => id === place.app)) readAddress()
  // The first deploy ends the first run.
  if (!first && hadNone && about.applications.length > 0) {
    const app = about.applications[0]!.id
    go(early.includes(place.view) ? { app } : { view: 'member', app }, early.includes(place.view))
  }
  draw()
}

// --- Sets in links ---------------------------------------------------------------------------------------------

const throughStream = (bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) =>
  new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer()

/** A link to this file with the deployed commands. */
export async function linkWithSet(): Promise<string> {
  const text = await ask<string>('deployed', { app: place.app, server: '' })
  const packed = await throughStream(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const code = btoa(String.fromCharCode(...new Uint8Array(packed)))
  return `${location.href.replace(/#.*/s, '')}#set=${code.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/** The definitions that the address carries, as text. @throws when they cannot be read */
export async function linkedSet(): Promise<string | undefined> {
  const code = new URLSearchParams(location.hash.slice(1)).get('set')
  if (code === null) return undefined
  const packed = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0),
  )
  return new TextDecoder().decode(await throughStream(packed, new DecompressionStream('deflate-raw')))
}
