/** What the page knows: who looks at what, kept in the address, and the answers of the server. */
import type { ServerChannel, ServerMember, ServerSettings } from '../../permission/server.ts'
import type { About } from '../questions/about.ts'

export const views = {
  member: 'Member',
  editor: 'Editor',
  access: 'Access',
  translations: 'Translations',
  requests: 'Requests',
  plan: 'Plan',
} as const

export type View = keyof typeof views

/** Everything that a link carries. */
export interface Place {
  view: View
  app: string
  server: string
  /** A channel, or `bot` or `group` for the two kinds of DMs. */
  channel: string
  /** The person. */
  as: string
  lang: string
  /** The roles of the person, where they are not the usual ones. */
  roles: string
  /** What is not the default about the person: `minor`, `dms`, `no0` and `no1` for installations. */
  with: string
  /** What is selected in the view. */
  sel: string
}

export const place: Place = {
  ...{ view: 'member', app: '', server: '', channel: '', as: '', lang: '', roles: '', with: '', sel: '' },
}

export let about: About = { applications: [], servers: [], locales: [] }

/** The part of the address that is the same for every service of a version. */
export const basePath = '/api/v10'

export const messages = { notice: '', live: '', connected: true }

const defaultNames: Partial<Record<keyof Place, string>> = {
  channel: 'channel',
  as: 'person',
  lang: 'language',
}

// --- Drawing ----------------------------------------------------------------------------------------------------

let render = (): void => {}
let isScheduled = false
let focusId: string | null = null

export function onDraw(callback: () => void): void {
  render = callback
}

/** Draws the page once the present event is over. */
export function draw(): void {
  if (isScheduled) return
  isScheduled = true
  queueMicrotask(() => {
    isScheduled = false
    render()
    if (focusId === null) return
    const element = document.getElementById(focusId)
    focusId = null
    element?.focus()
  })
}

/** Draws the page and then moves the focus: only after something the person did. */
export function drawAndFocus(id: string): void {
  focusId = id
  draw()
}

/** Says a sentence to screen readers. */
export function announce(text: string): void {
  messages.live = text
  draw()
}

// --- The address ------------------------------------------------------------------------------------------------

export const server = (): ServerSettings =>
  about.servers.find(({ id }) => id === place.server) ?? about.servers[0]!
export const member = (): ServerMember | undefined =>
  server().members.find(({ user }) => user.id === place.as)
export const channel = (): ServerChannel | undefined =>
  server().channels.find(({ id }) => id === place.channel)
export const personName = (one: ServerMember | undefined): string =>
  one === undefined ? `user ${place.as}` : (one.user.global_name ?? one.user.username)

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

/** Who looks, where and in which language, as questions carry it. */
export function who(): object {
  return {
    ...{ app: place.app, server: place.server, channel: place.channel, as: place.as, lang: place.lang },
    ...(place.roles !== '' && { roles: roleIds() }),
    ...{ minor: has('minor'), dms: has('dms'), without: [0, 1].filter((way) => has(`no${way}`)) },
  }
}

export function linkTo(changes: Partial<Place>): string {
  const whole = { ...place, ...(changes.view !== undefined && { sel: '' }), ...changes }
  const used = Object.entries(whole).filter(([, value]) => value !== '')
  return `/?${new URLSearchParams(used)}`
}

/** Goes to another place; with `replace` the step back leads past it. */
export function go(changes: Partial<Place>, replace = false): void {
  const link = linkTo(changes)
  const next = new URLSearchParams(link.slice(2))
  history[replace || link === `/${location.search}` ? 'replaceState' : 'pushState'](null, '', link)
  for (const key of Object.keys(place) as (keyof Place)[]) place[key] = (next.get(key) ?? '') as never
  messages.notice = ''
  draw()
}

/** Reads the address. What it names and does not exist becomes the default, and the notice says so. */
export function readAddress(): void {
  const query = new URLSearchParams(location.search)
  const repaired: string[] = []
  const choose = (key: keyof Place, known: readonly string[], fallback = known[0] ?? '') => {
    const value = query.get(key) ?? ''
    const isKnown = known.includes(value)
    if (value !== '' && !isKnown) repaired.push(`${defaultNames[key] ?? key} ${value}`)
    place[key] = (isKnown ? value : fallback) as never
  }
  choose('view', Object.keys(views))
  const given = query.get('app') ?? ''
  // An application without commands yet is as good as any other, so its id need not be known.
  if (/^[0-9]{1,20}$/.test(given) && about.applications.length === 0) place.app = given
  else
    choose(
      'app',
      about.applications.map(({ id }) => id),
    )
  choose(
    'server',
    about.servers.map(({ id }) => id),
  )
  choose('channel', [...server().channels.map(({ id }) => id), 'bot', 'group'])
  choose(
    'as',
    server().members.map(({ user }) => user.id),
  )
  choose(
    'lang',
    about.locales.map(([id]) => id),
    'en-US',
  )
  const roles = (query.get('roles') ?? '').split(',')
  place.roles = roles.filter((id) => id === 'none' || server().roles.some((role) => role.id === id)).join(',')
  place.with = query.get('with') ?? ''
  place.sel = query.get('sel') ?? ''
  if (repaired.length > 0) {
    messages.notice = `This link names ${repaired.join(', ')}, which this server does not have. You see the default instead.`
  }
  history.replaceState(null, '', linkTo({}))
}

// --- Asking -----------------------------------------------------------------------------------------------------

/** A question to the server. @throws Error with the server's message */
export async function ask<Answer>(name: string, query: object, post = false): Promise<Answer> {
  const response = post
    ? await fetch(`/ui/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(query),
      })
    : await fetch(`/ui/${name}?q=${encodeURIComponent(JSON.stringify(query))}`)
  const body = await response.json()
  if (!response.ok) throw new Error(body.message)
  return body as Answer
}

let changeCount = 0

/** An answer that is asked for again whenever its question, or what the server holds, has changed. */
export class Source<Answer> {
  value: Answer | undefined
  error = ''
  /** True once an answer has taken 200 ms. */
  isSlow = false
  /** Whether the last question is answered. */
  isSettled = false
  #asked = ''
  #turn = 0
  readonly #isLive: boolean

  /** @param isLive whether a change of the commands changes the answer */
  constructor(isLive = true) {
    this.#isLive = isLive
  }

  /** Asks unless it has; the answer is drawn when it comes, and a later question outdates it. */
  ask(name: string, query: object, post = false): Answer | undefined {
    const asked = JSON.stringify([name, query, this.#isLive && changeCount])
    if (asked !== this.#asked) void this.#load(name, query, post, asked)
    return this.value
  }

  async #load(name: string, query: object, post: boolean, asked: string): Promise<void> {
    const turn = ++this.#turn
    this.#asked = asked
    this.isSettled = false
    const timer = setTimeout(() => {
      this.isSlow = true
      draw()
    }, 200)
    try {
      const value = await ask<Answer>(name, query, post)
      if (turn !== this.#turn) return
      this.value = value
      this.error = ''
    } catch (error) {
      if (turn === this.#turn) this.error = (error as Error).message
    } finally {
      clearTimeout(timer)
      if (turn === this.#turn) {
        this.isSlow = false
        this.isSettled = true
        draw()
      }
    }
  }

  /** Asks again. */
  retry(): void {
    this.#asked = ''
    draw()
  }
}

/** Loads what there is, and from then on whatever changes. */
export async function refreshAbout(): Promise<void> {
  const first = about.servers.length === 0
  const hadNone = about.applications.length === 0
  about = await ask<About>('about', {})
  changeCount++
  if (first || !about.applications.some(({ id }) => id === place.app)) readAddress()
  // The first deploy is what the page was waiting for.
  if (!first && hadNone && about.applications.length > 0)
    go({ view: 'member', app: about.applications[0]!.id })
  draw()
}
