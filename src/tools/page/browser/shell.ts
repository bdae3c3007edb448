/** The frame of every view: person and place, the views, the inspector, and the palette. */
import { ask, service, Source } from './parts/ask.ts'
import { h, messages, notify, memo, typed, type Child } from './parts/dom.ts'
import { differences, Drafts, textForm } from './parts/drafts.ts'
import { openPalette, palette } from './parts/palette.ts'
import { recordActions, recordingLabel, startFirst } from './parts/record-menu.ts'
import { testDialog } from './parts/test-list.ts'
import { copyLink, everything } from './everything.ts'
import { badges, inspector, openInspector, type ViewParts } from './parts/frame.ts'
import { programNotice, programState } from './parts/program-view.ts'
import { drawRail, roveRail } from './parts/rail.ts'
import { clockMenu, clockText, quickMove } from './parts/clock-view.ts'
import { personCommands } from './views/member/feed-view.ts'
import { saveTranslated } from './views/edited-text.ts'
import { button, check, copyButton, isPhone, matchesMedia, optionElements, rove } from './parts/parts.ts'
import { select, showModal } from './parts/parts.ts'
import { about, botName, channelName, go, has, languageName, languages, linkTo } from './parts/place.ts'
import { personName, place, refreshAbout, placeRoles, server, toggle } from './parts/place.ts'
import { toggleRole, views, type Choices, type Where, type View } from './parts/place.ts'

const shortcut = /Mac|iP(?:hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

/** The address at which the rail was opened on a phone. It covers the view, so it closes at another address. */
let railAt = ''

function rail(): Child {
  const drawn = drawRail(personCommands)
  if (!isPhone()) return h`<nav class="rail" aria-label="Server" onkeydown=${roveRail}>${drawn}</nav>`
  const close = () => (railAt = '')
  const onclick = ({ target }: Event) => {
    if ((target as Element).closest('.channel, .person')) close()
  }
  return (
    railAt === location.href &&
    h`<dialog class="rail" aria-label="Server" mounted=${showModal} onclose=${close} onclick=${onclick}>
      ${button('Close', close, { class: 'quiet close' })}${drawn}
    </dialog>`
  )
}

function bar(hasSide: boolean): Child {
  const details = button('Details', () => openInspector(), { class: 'quiet details', key: 'details' })
  const opener = button(`☰ ${channelName()} · ${personName()}`, () => (railAt = location.href), {
    class: 'quiet opener',
    key: 'opener',
  })
  return h`<header class="bar">
    <h1>commandry</h1>
    ${isPhone() && viewMenu()}${isPhone() && opener}${whoAndWhere()}${isPhone() && hasSide && details}
    ${!isPhone() && !service.isInPage && recordButton()}
    <button type="button" class="quiet find" key="find" title="Views, commands, people and languages"
      onclick=${() => openPalette(everything)}><span aria-hidden="true">⌕</span><span class="hidden">Search</span><kbd>${shortcut}</kbd></button>
  </header>`
}

/** By keyboard the palette has it, so that the view is reached in few stops. */
function recordButton(): Child {
  const open = () => startFirst() ?? openPalette(recordActions, 'Recording')
  const title = 'Records what everyone does as a test, which then starts the bot once'
  return button(recordingLabel(), open, { class: 'quiet', key: 'record', title, tabindex: -1 })
}

function viewMenu(): Child {
  const onchange = typed((view) => go({ view: view as View }))
  const choices = Object.entries(views).map(([id, name]) => ({ id, name }))
  return h`<select class="views-menu" aria-label="View" value=${place.view} key="views" onchange=${onchange}>
    ${optionElements(choices)}
  </select>`
}

function viewList(): Child {
  const link = (view: View) => {
    const isHere = view === place.view
    const count = badges[view]?.() ?? 0
    const onclick = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      go({ view })
    }
    return h`<a href=${linkTo({ view })} key=${view} tabindex=${isHere ? 0 : -1} aria-current=${isHere && 'page'}
      onclick=${onclick}>${views[view]}${count > 0 && h`<span class="badge">${count}</span>`}</a>`
  }
  return h`<nav class="views" aria-label="Views" onkeydown=${rove} key="views">${(Object.keys(views) as View[]).map(link)}</nav>`
}

function sideOf(side: Child): Child {
  if (!side) return null
  if (!isPhone())
    return h`<aside class="side" id="inspector" aria-label="Inspector" tabindex="-1">${side}</aside>`
  const close = () => openInspector(false)
  return (
    inspector.isOpen &&
    h`<dialog class="side" id="inspector" aria-label="Inspector" mounted=${showModal} onclose=${close}>
      ${button('Close', close, { class: 'quiet close' })}${side}
    </dialog>`
  )
}

function skip(target: string, label: string): Child {
  const onclick = (event: Event) => {
    event.preventDefault()
    document.getElementById(target)?.focus()
  }
  return h`<a class="skip" href="#${target}" key=${target} onclick=${onclick}>${label}</a>`
}

/** The whole page. @param key identifies the view, so that another one begins at its top */
export function shell(key: string, parts: ViewParts, alerts: Child): readonly Child[] {
  const { main, content = { class: 'content' }, side, foot } = parts
  const isEmpty = key === 'empty'
  const hasSide = Boolean(side)
  const { notice, connected, live } = messages
  const dismiss = button('Dismiss', () => notify(''), { class: 'quiet' })
  return [
    skip('main', 'Skip to the view'),
    hasSide && !isPhone() && skip('inspector', 'Skip to the inspector'),
    bar(hasSide),
    !isPhone() && viewList(),
    !connected && h`<p class="notice bad" role="alert" key="offline">Not connected, trying again…</p>`,
    alerts,
    differences(),
    programNotice(),
    notice !== '' && h`<p class="notice" role="status" key="notice">${notice}${dismiss}</p>`,
    h`<div class="layout ${!isEmpty && 'with-rail'} ${hasSide && 'with-side'}" key="layout">
      ${!isEmpty && rail()}
      <main id="main" tabindex="-1" aria-label=${views[place.view]} key=${key}>
        <div ...${content}>${main}</div>
        ${foot !== undefined && h`<div class="foot">${foot}</div>`}
      </main>
      ${sideOf(side)}
    </div>
    <footer key="footer">An independent project, not affiliated with Discord. ${service.isInPage ? 'Everything stays in this browser.' : 'Everything stays on this machine.'}</footer>
    <p class="hidden" role="status" key="live">${live}</p>`,
    testDialog(),
    palette(),
  ]
}

// --- Who and where ----------------------------------------------------------------------------------------------

const isWide = matchesMedia('(min-width: 900px)')

function choice(label: string, key: keyof Where, choices: Choices): Child {
  return select(label, place[key], choices, (value) => {
    if (key === 'server') return go({ server: value, channel: '', as: '', beside: '', roles: '' })
    go({ [key]: value, ...(key === 'as' && { roles: '' }), ...(key === 'app' && { sel: '' }) })
  })
}

function language(): Child {
  const options = memo('languages', [about.locales], () => optionElements(languages()))
  return h`<label class="choice" key="Language"><span class="hint">Language</span>
    <select value=${place.lang} title=${place.lang} onchange=${typed((lang) => go({ lang }))}>${options}</select></label>`
}

const fieldset = (legend: string, ...fields: readonly Child[]): Child =>
  h`<fieldset><legend>${legend}</legend>${fields}</fieldset>`

function panel(): Child {
  const roles = server().roles.filter(({ id }) => id !== server().id)
  const flag = (label: string, name: string, isOn = !has(name)) => check(label, isOn, () => toggle(name))
  return h`
    ${about.applications.length > 0 && choice('App', 'app', about.applications)}
    ${choice('Server', 'server', about.servers)}
    ${!isWide() && programState()}
    ${!isWide() && [language(), !service.isInPage && fieldset('Clock', clockMenu())]}
    ${fieldset(
      `Roles of ${personName()}`,
      roles.map(({ id, name }) => check(name, placeRoles().includes(id), () => toggleRole(id))),
    )}
    ${fieldset('App installed to', flag('this server', 'no0'), flag('the user', 'no1'))}
    ${fieldset('Age', flag('Adult', 'minor'), flag('Age-restricted commands in DMs', 'dms', has('dms')))}
    ${service.isInPage ? fileFields() : botFields()}`
}

const bot = new Source('bot', false)
/** The address that was typed for the bot of an application; null for none. */
const endpoints = new Drafts<string | null>('endpoint', textForm('Endpoint'))

function botFields(): Child {
  const state = bot.value
  const { app } = place
  const url = endpoints.at(app) ?? state?.url ?? ''
  const connect = async () => {
    try {
      const connected = await endpoints.send(app, () => ask('connect', { app, url }))
      if (connected === undefined) return
      bot.value = connected
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
      oninput=${typed((value) => endpoints.put(app, value))} />
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
  return fieldset(
    'This file',
    h`<p class="hint">Commands, permissions and drafts stay in this browser; the conversation ends with the tab. Nothing is sent anywhere.</p>
    <div class="row">
      ${button('Copy link', copyLink)}${button('Export', saveTranslated)}
      ${button('Start again', () => service.startAgain().then(refreshAbout))}
    </div>`,
  )
}

/** The menus that are open. The others have no content. */
const openMenus = new Set<string>()

function menu(id: string, label: Child, panel: () => Child): Child {
  const ontoggle = ({ currentTarget }: Event) => {
    if ((currentTarget as HTMLDetailsElement).open) openMenus.add(id)
    else openMenus.delete(id)
  }
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
  return h`<details class="menu" id=${id} key=${id} onkeydown=${onkeydown} onfocusout=${onfocusout} ontoggle=${ontoggle}>
    <summary>${label}</summary><div class="panel">${openMenus.has(id) && panel()}</div>
  </details>`
}

function whoAndWhere(): Child {
  const url = service.isInPage ? '' : (bot.ask({})?.url ?? '')
  if (!isWide()) return menu('who', `${server().name} · ${languageName(place.lang)}`, panel)
  return h`
    <div class="who" role="group" aria-label="Who and where">${menu('who', `${place.app === '' ? 'No application yet' : botName()} · ${server().name}`, panel)}${language()}</div>
    ${!service.isInPage && h`<div class="row clock" key="clock">${menu('clock', h`<span class="hidden">Clock </span>${clockText()}`, () => [h`<h3>Clock</h3>`, clockMenu()])}${quickMove()}</div>`}
    ${programState()}
    ${url !== '' && h`<span class="hint" key="bot">bot ● ${url.replace(/^https?:\/\//, '')}</span>`}`
}
