/** The person and the place: the fields of the top bar and of the menu under it. */
import type { BotState } from '../answers.ts'
import { ask, service, Source } from './ask.ts'
import { draw, h, typed, type Child } from './dom.ts'
import { button, check, copy, copyButton, download, media, select, type Choices } from './parts.ts'
import { about, botName, channelName, go, has, languageName, linkWithSet, member } from './place.ts'
import { personName, place, refreshAbout, roleIds, server, toggle, type Place } from './place.ts'

const isWide = media('(min-width: 1100px)')

function choice(label: string, key: keyof Place, options: Choices): Child {
  return select(label, place[key], options, (value) => choose(key, value))
}

function choose(key: keyof Place, value: string): void {
  if (key === 'server') return go({ server: value, channel: '', as: '', roles: '' })
  go({ [key]: value, ...(key === 'as' && { roles: '' }), ...(key === 'app' && { sel: '' }) })
}

const namesOf = (list: readonly { readonly id: string; readonly name: string }[]): Choices =>
  list.map(({ id, name }) => [id, name])

function personAndPlace(): Child {
  const channels = server().channels.map(({ id, name }) => [id, `#${name}`] as const)
  const people = server().members.map((one) => {
    const roles = one.roles.map((id) => server().roles.find((role) => role.id === id)?.name ?? id)
    return [one.user.id, [personName(one), ...roles].join(' · ')] as const
  })
  const languages = about.locales.map(
    ([key, native, english]) => [key, native === english ? native : `${native} – ${english}`] as const,
  )
  return [
    choice('in', 'channel', [...channels, ['bot', 'DM with the bot'], ['group', 'Group DM']]),
    choice('as', 'as', people),
    choice('Language', 'lang', languages),
  ]
}

function toggleRole(id: string): void {
  const roles = roleIds().includes(id) ? roleIds().filter((one) => one !== id) : [...roleIds(), id]
  go({ roles: roles.length === 0 ? 'none' : roles.join(',') }, true)
}

/** The settings of the person and the place; in narrow windows this is the only form. */
function panel(): Child {
  const roles = server().roles.filter(({ id }) => id !== server().id)
  const flag = (label: string, name: string, isOn = has(name)) => check(label, isOn, () => toggle(name))
  return h`<div class="panel">
    ${about.applications.length > 0 && choice('App', 'app', namesOf(about.applications))}
    ${choice('Server', 'server', namesOf(about.servers))}
    ${!isWide() && personAndPlace()}
    <fieldset>
      <legend>Roles of ${personName()}</legend>
      ${roles.map(({ id, name }) => check(name, roleIds().includes(id), () => toggleRole(id)))}
    </fieldset>
    <fieldset>
      <legend>App installed to</legend>
      ${flag('this server', 'no0', !has('no0'))}${flag('the user', 'no1', !has('no1'))}
    </fieldset>
    <fieldset>
      <legend>Age</legend>
      ${flag('Adult', 'minor', !has('minor'))}${flag('Age-restricted commands in DMs', 'dms')}
    </fieldset>
    ${service.isInPage ? fileFields() : botFields()}
  </div>`
}

const bot = new Source<BotState>(false)
let typedUrl: string | undefined

/** The endpoint of the bot, and the public key that the bot needs. */
function botFields(): Child {
  const state = bot.ask('bot', {})
  const url = typedUrl ?? state?.url ?? ''
  const connect = async () => {
    try {
      bot.value = await ask<BotState>('connect', { app: place.app, url }, true)
      bot.error = ''
    } catch (error) {
      bot.error = (error as Error).message
    }
    draw()
  }
  const problems = bot.error !== '' ? [bot.error] : (state?.problems ?? [])
  return h`<fieldset>
    <legend>Bot</legend>
    <label class="hint" for="bot">Endpoint for interactions on this machine</label>
    <input id="bot" type="url" placeholder="http://127.0.0.1:3000" value=${url}
      oninput=${typed((value) => (typedUrl = value))} />
    <div class="row">
      ${button('Connect', () => void connect())}${copyButton('Copy the public key', () => state?.publicKey ?? '')}
    </div>
    <div role="status">
      ${problems.map((problem) => h`<p class="problem">${problem}</p>`)}
      ${state?.problems?.length === 0 && h`<p class="yes">✓ connected: the handshake succeeded</p>`}
    </div>
  </fieldset>`
}

/** What can be done with a page that is one file. */
function fileFields(): Child {
  const startAgain = () => void service.startAgain!().then(refreshAbout)
  const exportSet = async () =>
    download('commands.json', await ask<string>('deployed', { app: place.app, server: '' }))
  return h`<fieldset>
    <legend>This file</legend>
    <p class="hint">Its changes stay in this browser; nothing is sent anywhere.</p>
    <div class="row">
      ${button('Copy link', () => void linkWithSet().then(copy))}${button('Export', () => void exportSet())}
      ${button('Start again', startAgain)}
    </div>
  </fieldset>`
}

/** A button that opens the form. */
function menu(label: string): Child {
  const onkeydown = (event: KeyboardEvent) => {
    const menu = event.currentTarget as HTMLDetailsElement
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')!.focus()
  }
  const onfocusout = (event: FocusEvent) => {
    const menu = event.currentTarget as HTMLDetailsElement
    if (event.relatedTarget !== null && !menu.contains(event.relatedTarget as Node)) menu.open = false
  }
  return h`<details class="menu" id="who" key="who" onkeydown=${onkeydown} onfocusout=${onfocusout}>
    <summary>${label}</summary>${panel()}
  </details>`
}

export function whoAndWhere(): Child {
  if (!isWide()) return menu(`${personName(member())} · ${channelName()} · ${languageName(place.lang)}`)
  const url = bot.value?.url ?? ''
  return h`
    <div class="who" role="group" aria-label="Who and where">${menu(`${place.app === '' ? 'No application yet' : botName()} · ${server().name}`)}${personAndPlace()}</div>
    <span class="hint" key="bot">${url !== '' && `bot ● ${url.replace(/^https?:\/\//, '')}`}</span>`
}
