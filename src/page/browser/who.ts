/** The person and the place: the fields of the top bar and of the menu under it. */
import { ask, service, Source } from './ask.ts'
import { h, typed, type Child } from './dom.ts'
import { button, check, copy, copyButton, download, media, select } from './parts.ts'
import { about, botName, channelName, go, has, languageName, linkWithSet, nameOf } from './place.ts'
import { personName, place, places, refreshAbout, roleIds, server, toggle } from './place.ts'
import type { Choices, Place } from './place.ts'

const isWide = media('(min-width: 1100px)')

function choice(label: string, key: keyof Place, choices: Choices): Child {
  return select(label, place[key], choices, (value) => {
    if (key === 'server') return go({ server: value, channel: '', as: '', roles: '' })
    go({ [key]: value, ...(key === 'as' && { roles: '' }), ...(key === 'app' && { sel: '' }) })
  })
}

function personAndPlace(): Child {
  const people = server().members.map((one) => {
    const roles = one.roles.map((id) => nameOf(server().roles, id) ?? id)
    return { id: one.user.id, name: [personName(one), ...roles].join(' · ') }
  })
  const languages = about.locales.map(({ id, name, english }) => {
    return { id, name: name === english ? name : `${name} – ${english}` }
  })
  return [
    choice('in', 'channel', places()),
    choice('as', 'as', people),
    choice('Language', 'lang', languages),
  ]
}

const fieldset = (legend: string, ...fields: readonly Child[]): Child =>
  h`<fieldset><legend>${legend}</legend>${fields}</fieldset>`

function panel(): Child {
  const chosen = roleIds()
  const toggleRole = (id: string) => {
    const roles = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
    go({ roles: roles.length === 0 ? 'none' : roles.join(',') }, true)
  }
  const roles = server().roles.filter(({ id }) => id !== server().id)
  const flag = (label: string, name: string, isOn = !has(name)) => check(label, isOn, () => toggle(name))
  return h`<div class="panel">
    ${about.applications.length > 0 && choice('App', 'app', about.applications)}
    ${choice('Server', 'server', about.servers)}
    ${!isWide() && personAndPlace()}
    ${fieldset(
      `Roles of ${personName()}`,
      roles.map(({ id, name }) => check(name, chosen.includes(id), () => toggleRole(id))),
    )}
    ${fieldset('App installed to', flag('this server', 'no0'), flag('the user', 'no1'))}
    ${fieldset('Age', flag('Adult', 'minor'), flag('Age-restricted commands in DMs', 'dms', has('dms')))}
    ${service.isInPage ? fileFields() : botFields()}
  </div>`
}

const bot = new Source('bot', false)
let typedUrl: string | undefined

function botFields(): Child {
  const state = bot.ask({})
  const url = typedUrl ?? state?.url ?? ''
  const connect = async () => {
    try {
      bot.value = await ask('connect', { app: place.app, url })
      bot.error = ''
    } catch (error) {
      bot.error = (error as Error).message
    }
  }
  const problems = bot.error !== '' ? [bot.error] : (state?.problems ?? [])
  return fieldset(
    'Bot',
    h`<label class="hint" for="bot">Endpoint for interactions on this machine</label>
    <input id="bot" type="url" placeholder="http://127.0.0.1:3000" value=${url}
      oninput=${typed((value) => (typedUrl = value))} />
    <div class="row">
      ${button('Connect', connect)}${copyButton('Copy the public key', () => state?.publicKey ?? '')}
    </div>
    <div role="status">
      ${problems.map((problem) => h`<p class="problem">${problem}</p>`)}
      ${state?.problems?.length === 0 && h`<p class="yes">✓ connected: the handshake succeeded</p>`}
    </div>`,
  )
}

function fileFields(): Child {
  const exportSet = async () =>
    download('commands.json', await ask('deployed', { app: place.app, server: '' }))
  return fieldset(
    'This file',
    h`<p class="hint">Its changes stay in this browser; nothing is sent anywhere.</p>
    <div class="row">
      ${button('Copy link', () => linkWithSet().then(copy))}${button('Export', exportSet)}
      ${button('Start again', () => service.startAgain().then(refreshAbout))}
    </div>`,
  )
}

function menu(label: string): Child {
  const onkeydown = ({ key, currentTarget }: KeyboardEvent) => {
    const menu = currentTarget as HTMLDetailsElement
    if (key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')!.focus()
  }
  const onfocusout = ({ currentTarget, relatedTarget }: FocusEvent) => {
    const menu = currentTarget as HTMLDetailsElement
    if (relatedTarget !== null && !menu.contains(relatedTarget as Node)) menu.open = false
  }
  return h`<details class="menu" id="who" key="who" onkeydown=${onkeydown} onfocusout=${onfocusout}>
    <summary>${label}</summary>${panel()}
  </details>`
}

export function whoAndWhere(): Child {
  if (!isWide()) return menu(`${personName()} · ${channelName()} · ${languageName(place.lang)}`)
  const url = bot.value?.url ?? ''
  return h`
    <div class="who" role="group" aria-label="Who and where">${menu(`${place.app === '' ? 'No application yet' : botName()} · ${server().name}`)}${personAndPlace()}</div>
    <span class="hint" key="bot">${url !== '' && `bot ● ${url.replace(/^https?:\/\//, '')}`}</span>`
}
