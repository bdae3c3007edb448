/** The rail at the left: the channels of a person, the direct messages, and the people to act as. */
import type { Answer } from '../../questions/questions.ts'
import { ask, Source } from './ask.ts'
import { h, memo, typed, type Child } from './dom.ts'
import { action, openMenu, openPalette } from './palette.ts'
import { button, failure, recall, remember } from './parts.ts'
import { about, botName, does, go, nameById, personName, personOf, place, places } from './place.ts'
import { who, type Where } from './place.ts'
import { isOnline } from './program-view.ts'
import { drawTests } from './test-list.ts'

const rail = new Source('rail')

type Rail = Answer<'rail'>
type Channel = Rail['channels'][number]
type News = Answer<'news'>
export type PersonEntry = Rail['people'][number]

/** The last messages, which change more often than channels and people. */
const news = new Source('news')

/** Asks for what is new; before the first question there is no place. */
export function refreshNews(): void {
  if (news.value !== undefined) news.retry()
}

/** The words that people are searched by. */
const looks = { search: '' }

/** Moves the focus with the arrow keys, so that each list of the rail is one stop of the Tab key. */
export function roveRail(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const buttons = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('button:not(:disabled)')]
  buttons.at((buttons.indexOf(event.target as HTMLElement) + step) % buttons.length)?.focus()
}

// --- What is new ------------------------------------------------------------------------------------------------

const SEEN = 'commandry seen'

/** The last message that was shown, by person and channel. Kept in the browser, so that a reload shows the same. */
const seen = new Map<string, string>(Object.entries(JSON.parse(recall(SEEN) ?? '{}') as object))
const MAX_SEEN = 200

function isNew(channel: string, last = ''): boolean {
  const key = `${place.server} ${place.as} ${channel}`
  const before = seen.get(key) ?? ''
  if (last === '' || before === last) return false
  const isShown = place.view === 'member' && place.channel === channel
  if (!isShown) return before.length < last.length || before < last
  seen.delete(key)
  seen.set(key, last)
  for (const [oldest] of seen) if (seen.size > MAX_SEEN) seen.delete(oldest)
  remember(SEEN, JSON.stringify(Object.fromEntries(seen)))
  return false
}

// --- Drawing ----------------------------------------------------------------------------------------------------

/** The colours of people without a role that has one. */
const COLOURS = 8

/** The picture of a person; without one, the initials of the name in the colour of the highest role. */
export function avatar(person: Pick<PersonEntry, 'id' | 'name' | 'colour' | 'picture'>): Child {
  const { id, name, colour, picture } = person
  const initials = name
    .split(/[\s_.-]+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
  const own = colour === null ? '' : hex(colour)
  const mounted = ({ style }: HTMLElement) => (style.borderColor = own)
  const kind = `avatar tone-${Number(BigInt(id) % BigInt(COLOURS))}`
  return h`<span class=${kind} aria-hidden="true" key="${id} ${own}" mounted=${mounted}>${picture === '' ? initials.toUpperCase() : h`<img src=${picture} alt="" key=${picture} />`}</span>`
}

export const hex = (colour: number): string => `#${colour.toString(16).padStart(6, '0')}`

function item(id: string, label: Child, changes: Partial<Where>, more: object, dot: boolean): Child {
  const isHere = place.view === 'member' && place.channel === id
  const open = () => go({ view: 'member', ...changes })
  const stop = place.channel === id ? 0 : -1
  return h`<li key=${id}><button type="button" class="channel" aria-current=${isHere && 'true'} tabindex=${stop} onclick=${open} ...${more}>
    ${label}${dot && h`<span class="dot"><span class="hidden">new messages</span></span>`}
  </button></li>`
}

function channelItem(channel: Channel, last: News): Child {
  const { id, name, isCategory, isThread, isVoice, people, state } = channel
  if (isCategory) return h`<li class="category" key=${id}>${name}</li>`
  if (isVoice) {
    const isIn = people.includes(personName())
    const toggle = () => (isIn ? does('leaveVoice') : does('joinVoice', { voice: id }))
    return h`<li key=${id}><button type="button" class="channel" tabindex="-1" aria-pressed="${isIn}" onclick=${toggle}
      title=${isIn ? 'Leave the voice channel' : 'Join the voice channel'}><span aria-hidden="true">🔊 </span>${name}
      ${people.length > 0 && h`<span class="hint"> ${people.join(', ')}</span>`}</button></li>`
  }
  const label = h`<span class=${isThread && 'in-thread'}><span aria-hidden="true">${isThread ? '↳ ' : '# '}</span>${name}${state !== '' && h`<span class="hint"> ${state}</span>`}</span>`
  return item(id, label, { channel: id }, {}, isNew(id, last[id]))
}

/** Whether the page knows the channel, so that one can go there. */
const isPlace = ({ id, isCategory }: Channel): boolean => isCategory || nameById(places(), id) !== undefined

/** Channels in the order of the server, each with its threads below it. */
function inOrder(channels: readonly Channel[]): readonly Channel[] {
  const ids = new Set(channels.filter((one) => one.isCategory).map(({ id }) => id))
  const threadsOf = (id: string) => channels.filter((one) => one.isThread && one.parent === id)
  const isTop = (one: Channel) => !one.isThread && !(one.parent !== null && ids.has(one.parent))
  const withThreads = (one: Channel): readonly Channel[] => [one, ...threadsOf(one.id)]
  return channels.filter(isTop).flatMap((one) => {
    const inside = one.isCategory
      ? channels.filter(({ parent, isThread }) => parent === one.id && !isThread)
      : []
    return [...withThreads(one), ...inside.flatMap(withThreads)]
  })
}

/** What can be done with a person: by right-click, Shift+F10 or the button. */
export function personActions(
  person: Pick<PersonEntry, 'id' | 'name' | 'isBot'>,
  more: readonly ReturnType<typeof action>[] = [],
) {
  const { id, name, isBot } = person
  const isSelf = id === place.as
  const kick = () => ask('kick', { ...who(), user: id })
  const leave = () => ask('leave', { ...who(), user: id })
  return [
    ...(isBot || isSelf ? [] : [action('Person', `Act as ${name}`, () => go({ as: id, roles: '' }))]),
    ...(isBot || isSelf
      ? []
      : [
          place.beside === id
            ? action('Person', `Close ${name} beside`, () => go({ beside: '' }))
            : action('Person', `Open ${name} beside`, () => go({ view: 'member', beside: id })),
        ]),
    ...more,
    ...(isSelf ? [] : [action('Server', `Kick ${name}`, kick)]),
    action('Server', `${name} leaves the server`, leave),
  ]
}

function personItem(person: PersonEntry, more: (id: string) => readonly ReturnType<typeof action>[]): Child {
  const { id, name, isBot, roles } = person
  const isHere = id === place.as
  const menu = (event: Event) => openMenu(event, () => personActions(person, more(id)), name)
  const words = isBot ? botWords(id) : roles.join(', ')
  return h`<li key=${id} class="person-row"><button type="button" class="person" id="person-${id}" tabindex=${isHere ? 0 : -1} aria-pressed="${isHere}" disabled=${isBot}
      title=${isBot ? 'A bot' : `Act as ${name}`} onclick=${() => go({ as: id, roles: '' })} oncontextmenu=${menu}>
      ${avatar(person)}<span class="person-text"><span class="name">${name}</span><span class="hint">${words}</span></span></button>
    <button type="button" class="quiet more" tabindex="-1" aria-label="Menu of ${name}" onclick=${menu}>⋯</button></li>`
}

/** Whether a bot is there, where bots can log in. */
function botWords(id: string): Child {
  const isHere = isOnline(id)
  return isHere === null
    ? 'APP'
    : h`APP <span class=${isHere ? 'yes' : 'no'}>● ${isHere ? 'online' : 'offline'}</span>`
}

function addPerson(): void {
  openPalette(
    (typed) => {
      const name = typed.trim().toLowerCase().replaceAll(/\s+/g, '_')
      return name === ''
        ? []
        : [action('Server', `${name} joins the server`, () => ask('join', { ...who(), name }))]
    },
    'Name of the person who joins',
    'A name such as mouse',
  )
}

type MenuOf = (id: string) => readonly ReturnType<typeof action>[]

/** @param menuOf further actions with a person, by id */
export function drawRail(menuOf: MenuOf): Child {
  const found = rail.ask({ ...who(), search: looks.search })
  const last = news.ask(who()) ?? none
  if (found === undefined) return failure(rail)
  // The address has all of the place.
  const here = [found, about, location.href, place.view, menuOf]
  const { found: count, all } = found
  // Who has joined can be chosen once the page knows the server with them.
  const people = found.people.filter(({ id }) => personOf(id) !== undefined)
  const search = () => h`<input type="search" class="search" key="search" aria-label="Search people"
    placeholder="Search ${all} people" value=${looks.search} oninput=${typed((text) => (looks.search = text))} />`
  return h`
    ${failure(rail)}
    ${memo('places', [...here, last], () => placesOf(found, last))}
    <h2>People</h2>
    ${all > people.length && search()}
    ${memo('people', here, () => h`<ul aria-label="People">${people.map((one) => personItem(one, menuOf))}</ul>`)}
    ${count === 0 && h`<p class="hint rest">No one has that name.</p>`}
    ${count > people.length && h`<p class="hint rest">and ${count - people.length} more: search for them</p>`}
    ${button('+ Person', addPerson, { class: 'quiet dashed', key: 'join', tabindex: -1 })}
    ${drawTests()}`
}

const none: News = {}

function placesOf({ channels }: Rail, last: News): Child {
  return h`
    <h2>Channels</h2>
    <ul aria-label="Channels">${inOrder(channels)
      .filter(isPlace)
      .map((one) => channelItem(one, last))}</ul>
    <h2>Direct messages</h2>
    <ul aria-label="Direct messages">
      ${item('bot', botName(), { channel: 'bot' }, { title: 'The DM with the bot' }, isNew('bot', last['bot']))}
      ${item('group', 'Group DM', { channel: 'group' }, { title: 'A group DM without the bot' }, false)}
    </ul>`
}
