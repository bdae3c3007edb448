/** What stands around every view: who and where, the views, the inspector, and the palette. */
import { h, type Child, type Described } from './dom.ts'
import { openPalette, palette } from './palette.ts'
import type { BotState } from '../bot.ts'
import { button, copyButton, media, select, type Choices } from './parts.ts'
import { deploy } from './deploy.ts'
import { SAMPLE_APPLICATION, sampleCommands } from './samples.ts'
import {
  about,
  ask,
  basePath,
  channelName,
  draw,
  go,
  has,
  languageName,
  linkTo,
  member,
  messages,
  personName,
  place,
  roleIds,
  server,
  Source,
  toggle,
  views,
  type Place,
  type View,
} from './state.ts'

/** What a view shows: its main area and, beside or below it, its inspector. */
export interface Drawn {
  readonly main: Child
  readonly side?: Child
  /** At the bottom of the main area, always in sight. */
  readonly foot?: Child
}

export const isWide = media('(min-width: 1100px)')
export const isPhone = media('(max-width: 600px)')

/** On a phone the inspector covers the view while it is open. */
export const inspector = { isOpen: false }

export function openInspector(): void {
  inspector.isOpen = true
  draw()
}

// --- Who and where ----------------------------------------------------------------------------------------------

const choice = (label: string, key: keyof Place, options: Choices): Described =>
  select(label, place[key], options, (value) => choose(key, value))

function choose(key: keyof Place, value: string): void {
  if (key === 'server') return go({ server: value, channel: '', as: '', roles: '', ...firstOf(value) })
  go({ [key]: value, ...(key === 'as' && { roles: '' }), ...(key === 'app' && { sel: '' }) })
}

/** The first channel and member of another server. */
function firstOf(serverId: string): Partial<Place> {
  const { channels, members } = about.servers.find(({ id }) => id === serverId)!
  return { channel: channels[0]?.id ?? 'bot', as: members[0]?.user.id ?? '' }
}

function channelChoice(): Described {
  const channels = server().channels.map(({ id, name }) => [id, `#${name}`] as const)
  return choice('in', 'channel', [...channels, ['bot', 'DM with the bot'], ['group', 'Group DM']])
}

function personChoice(): Described {
  const people = server().members.map((one) => {
    const roles = one.roles.map((id) => server().roles.find((role) => role.id === id)?.name ?? id)
    return [one.user.id, [personName(one), ...roles].join(' · ')] as const
  })
  return choice('as', 'as', people)
}

function languageChoice(): Described {
  const languages = about.locales.map(
    ([key, native, english]) => [key, native === english ? native : `${native} – ${english}`] as const,
  )
  return choice('Language', 'lang', languages)
}

function check(label: string, checked: boolean, onchange: () => void, key: string): Described {
  return h('label.check', { key }, h('input', { type: 'checkbox', checked, onchange }), h('span', label))
}

function toggleRole(id: string): void {
  const roles = roleIds().includes(id) ? roleIds().filter((one) => one !== id) : [...roleIds(), id]
  go({ roles: roles.length === 0 ? 'none' : roles.join(',') }, true)
}

/** Everything about the person and the place; on narrow windows this is the only form. */
function whoPanel(): Described {
  const roles = server().roles.filter(({ id }) => id !== server().id)
  return h(
    'div.panel',
    about.applications.length > 0 &&
      choice(
        'App',
        'app',
        about.applications.map(({ id, name }) => [id, name] as const),
      ),
    choice(
      'Server',
      'server',
      about.servers.map(({ id, name }) => [id, name] as const),
    ),
    !isWide() && [channelChoice(), personChoice(), languageChoice()],
    h(
      'fieldset',
      h('legend', `Roles of ${personName(member())}`),
      roles.map(({ id, name }) => check(name, roleIds().includes(id), () => toggleRole(id), id)),
    ),
    h(
      'fieldset',
      h('legend', 'App installed to'),
      check('this server', !has('no0'), () => toggle('no0'), 'no0'),
      check('the user', !has('no1'), () => toggle('no1'), 'no1'),
    ),
    h(
      'fieldset',
      h('legend', 'Age'),
      check('Adult', !has('minor'), () => toggle('minor'), 'minor'),
      check('Age-restricted commands in DMs', has('dms'), () => toggle('dms'), 'dms'),
    ),
    botFields(),
  )
}

const bot = new Source<BotState>(false)
let typedUrl: string | undefined

/** Where the interactions go, and what a bot needs to be connected. */
function botFields(): Described {
  const state = bot.ask('bot', {})
  const connect = async () => {
    const url = typedUrl ?? state?.url ?? ''
    try {
      bot.value = await ask<BotState>('connect', { app: place.app, url }, true)
      bot.error = ''
    } catch (error) {
      bot.error = (error as Error).message
    }
    draw()
  }
  const problems = bot.error !== '' ? [bot.error] : (state?.problems ?? [])
  return h(
    'fieldset',
    h('legend', 'Bot'),
    h('label.hint', { for: 'bot' }, 'Endpoint for interactions on this machine'),
    h('input', {
      ...{
        id: 'bot',
        type: 'url',
        placeholder: 'http://127.0.0.1:3000',
        value: typedUrl ?? state?.url ?? '',
      },
      oninput: (event: Event) => (typedUrl = (event.target as HTMLInputElement).value),
    }),
    h(
      'div.row',
      button('Connect', () => void connect()),
      copyButton('Copy the public key', () => state?.publicKey ?? ''),
    ),
    h(
      'div',
      { role: 'status' },
      problems.map((problem) => h('p.problem', problem)),
      state?.problems?.length === 0 && h('p.yes', '✓ connected: the handshake succeeded'),
    ),
  )
}

function whoMenu(label: string): Described {
  return h(
    'details',
    {
      ...{ class: 'menu', id: 'who', key: 'who' },
      onkeydown: (event: KeyboardEvent) => {
        const menu = event.currentTarget as HTMLDetailsElement
        if (event.key !== 'Escape' || !menu.open) return
        menu.open = false
        menu.querySelector('summary')!.focus()
      },
      onfocusout: (event: FocusEvent) => {
        const menu = event.currentTarget as HTMLDetailsElement
        if (event.relatedTarget !== null && !menu.contains(event.relatedTarget as Node)) menu.open = false
      },
    },
    h('summary', label),
    whoPanel(),
  )
}

function bar(hasSide: boolean): Described {
  const app = about.applications.find(({ id }) => id === place.app)
  const appName = app === undefined ? 'No application yet' : app.name === app.id ? `App ${app.id}` : app.name
  return h(
    'header.bar',
    h('h1', 'commandry'),
    isPhone() && viewMenu(),
    isWide()
      ? h(
          'div.who',
          { role: 'group', 'aria-label': 'Who and where' },
          whoMenu(`${appName} · ${server().name}`),
          ...[channelChoice(), personChoice(), languageChoice()],
        )
      : whoMenu(`${personName(member())} · ${channelName()} · ${languageName(place.lang)}`),
    isPhone() && hasSide && button('Details', openInspector, { class: 'quiet details', key: 'details' }),
    isWide() && h('span.hint', bot.value?.url ? `bot ● ${bot.value.url.replace(/^https?:\/\//, '')}` : ''),
    button([h('span', 'Search '), h('kbd', '⌘K')], () => openPalette(), {
      ...{ class: 'quiet find', title: 'Views, commands, people and languages', key: 'find' },
    }),
  )
}

// --- Views ------------------------------------------------------------------------------------------------------

const entries = Object.entries(views) as [View, string][]

/** Counts beside the names of views. */
export const badges: Partial<Record<View, () => number>> = {}

function viewMenu(): Described {
  return h(
    'select',
    {
      ...{ class: 'views-menu', 'aria-label': 'View', value: place.view, key: 'views' },
      onchange: (event: Event) => go({ view: (event.target as HTMLSelectElement).value as View }),
    },
    entries.map(([view, name]) => h('option', { value: view, key: view }, name)),
  )
}

function viewList(): Described {
  const onkeydown = (event: KeyboardEvent) => {
    const links = [...(event.currentTarget as Element).querySelectorAll('a')]
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    links[(links.indexOf(event.target as HTMLAnchorElement) + step + links.length) % links.length]!.focus()
  }
  return h(
    'nav.views',
    { 'aria-label': 'Views', onkeydown, key: 'views' },
    entries.map(([view, name]) => {
      const isHere = view === place.view
      const count = badges[view]?.() ?? 0
      return h(
        'a',
        {
          ...{ href: linkTo({ view }), key: view, tabindex: isHere ? 0 : -1 },
          'aria-current': isHere && 'page',
          onclick: (event: MouseEvent) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            go({ view })
          },
        },
        name,
        count > 0 && h('span.badge', count),
      )
    }),
  )
}

// --- The first run ----------------------------------------------------------------------------------------------

function firstRun(): Described {
  const api = `${location.origin}${basePath.replace(/\/v\d+$/, '')}`
  return h(
    'div.empty.first',
    h('h2', 'Nothing deployed yet'),
    h('p', `This page fills itself with your first deploy to ${location.host}.`),
    h(
      'div.ways',
      button('Load the sample commands', () => void deploy(SAMPLE_APPLICATION, '', sampleCommands), {
        class: 'main',
      }),
      copyButton('Copy the REST line for discord.js', () => `new REST({ api: '${api}' })`),
      button('Paste a definition', () => go({ view: 'editor' })),
    ),
    h('p.dim', h('code', `new REST({ api: '${api}' })`)),
  )
}

/** Views that show something before there are commands. */
const early: readonly View[] = ['editor', 'plan', 'requests']

// --- Together ---------------------------------------------------------------------------------------------------

function sideOf(side: Child): Child {
  if (side === undefined || side === null || side === false) return null
  if (!isPhone()) return h('aside.side', { id: 'inspector', 'aria-label': 'Inspector', tabindex: -1 }, side)
  return (
    inspector.isOpen &&
    h(
      'dialog',
      {
        ...{ class: 'side', id: 'inspector', 'aria-label': 'Inspector' },
        mounted: (dialog: HTMLDialogElement) => dialog.showModal(),
        onclose: closeInspector,
      },
      button('Close', closeInspector, { class: 'quiet close' }),
      side,
    )
  )
}

function closeInspector(): void {
  inspector.isOpen = false
  draw()
}

function skip(target: string, label: string): Described {
  return h(
    'a',
    {
      ...{ class: 'skip', href: `#${target}`, key: target },
      onclick: (event: Event) => {
        event.preventDefault()
        document.getElementById(target)?.focus()
      },
    },
    label,
  )
}

/** The whole page. */
export function shell(view: () => Drawn): readonly Child[] {
  const isEmpty = about.applications.length === 0 && !early.includes(place.view)
  const drawn = isEmpty ? { main: firstRun() } : view()
  return [
    skip('main', 'Skip to the view'),
    drawn.side !== undefined && !isPhone() && skip('inspector', 'Skip to the inspector'),
    bar(drawn.side !== undefined),
    !isPhone() && viewList(),
    !messages.connected &&
      h('p.notice.bad', { role: 'alert', key: 'offline' }, 'Not connected, trying again…'),
    messages.notice !== '' &&
      h(
        'p.notice',
        { role: 'status', key: 'notice' },
        messages.notice,
        button('Dismiss', () => ((messages.notice = ''), draw()), { class: 'quiet' }),
      ),
    h(
      'div',
      { class: drawn.side === undefined ? 'layout' : 'layout with-side', key: 'layout' },
      h(
        'main',
        { id: 'main', tabindex: -1, 'aria-label': views[place.view], key: isEmpty ? 'empty' : place.view },
        h('div.content', drawn.main),
        drawn.foot !== undefined && h('div.foot', drawn.foot),
      ),
      sideOf(drawn.side),
    ),
    h(
      'footer',
      { key: 'footer' },
      'An independent project, not affiliated with Discord. Everything stays on this machine.',
    ),
    h('p.hidden', { role: 'status', key: 'live' }, messages.live),
    palette(),
  ]
}
