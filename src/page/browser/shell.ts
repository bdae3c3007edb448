/** The frame of every view: person and place, the views, the inspector, and the palette. */
import { service } from './ask.ts'
import { h, messages, notify, typed, type Child } from './dom.ts'
import { openPalette, palette } from './palette.ts'
import { button, media, neighbour, optionsOf, showModal } from './parts.ts'
import { go, linkTo, place, views, type View } from './place.ts'
import { whoAndWhere } from './who.ts'

export interface ViewParts {
  readonly main: Child
  /** Attributes of the element that scrolls. */
  readonly content?: object
  readonly side?: Child
  /** At the bottom of the main area, always visible. */
  readonly foot?: Child
}

const shortcut = /Mac|iP(?:hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

const isPhone = media('(max-width: 600px)')

/** On a phone the inspector covers the view while it is open. */
let isInspectorOpen = false

export function openInspector(isOpen = true): void {
  isInspectorOpen = isOpen
}

function bar(hasSide: boolean): Child {
  const details = button('Details', () => openInspector(), { class: 'quiet details', key: 'details' })
  return h`<header class="bar">
    <h1>commandry</h1>
    ${isPhone() && viewMenu()}${whoAndWhere()}${isPhone() && hasSide && details}
    <button type="button" class="quiet find" key="find" title="Views, commands, people and languages"
      onclick=${() => openPalette()}><span aria-hidden="true">⌕</span><span class="hidden">Search</span><kbd>${shortcut}</kbd></button>
  </header>`
}

export const badges: Partial<Record<View, () => number>> = {}

function viewMenu(): Child {
  const onchange = typed((view) => go({ view: view as View }))
  const choices = Object.entries(views).map(([id, name]) => ({ id, name }))
  return h`<select class="views-menu" aria-label="View" value=${place.view} key="views" onchange=${onchange}>
    ${optionsOf(choices)}
  </select>`
}

function viewList(): Child {
  const onkeydown = (event: KeyboardEvent) => {
    const links = [...(event.currentTarget as Element).querySelectorAll('a')]
    const next = neighbour(event, links, event.target as HTMLAnchorElement)
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  }
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
  return h`<nav class="views" aria-label="Views" onkeydown=${onkeydown} key="views">${(Object.keys(views) as View[]).map(link)}</nav>`
}

function sideOf(side: Child): Child {
  if (side === undefined) return null
  if (!isPhone())
    return h`<aside class="side" id="inspector" aria-label="Inspector" tabindex="-1">${side}</aside>`
  const close = () => openInspector(false)
  return (
    isInspectorOpen &&
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
  const { notice, connected, live } = messages
  const dismiss = button('Dismiss', () => notify(''), { class: 'quiet' })
  return [
    skip('main', 'Skip to the view'),
    side !== undefined && !isPhone() && skip('inspector', 'Skip to the inspector'),
    bar(side !== undefined),
    !isPhone() && viewList(),
    !connected && h`<p class="notice bad" role="alert" key="offline">Not connected, trying again…</p>`,
    alerts,
    notice !== '' && h`<p class="notice" role="status" key="notice">${notice}${dismiss}</p>`,
    h`<div class="layout ${side !== undefined && 'with-side'}" key="layout">
      <main id="main" tabindex="-1" aria-label=${views[place.view]} key=${key}>
        <div ...${content}>${main}</div>
        ${foot !== undefined && h`<div class="foot">${foot}</div>`}
      </main>
      ${sideOf(side)}
    </div>
    <footer key="footer">An independent project, not affiliated with Discord. ${service.isInPage ? 'Everything stays in this browser.' : 'Everything stays on this machine.'}</footer>
    <p class="hidden" role="status" key="live">${live}</p>`,
    palette(),
  ]
}
