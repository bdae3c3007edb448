/** The palette: a list of actions, of which typing leaves those whose names have the words. */
import { draw, h, typed, type Child } from './dom.ts'
import { moveActive, recall, remember, showModal } from './parts.ts'

export type Action = ReturnType<typeof action>

/** @param text the text as it is typed */
type Actions = (text: string) => readonly Action[]

/** The actions of an open palette, as they are when it is drawn; null while it is closed. */
const state = {
  actions: null as Actions | null,
  title: '',
  hint: '',
  text: '',
  active: 0,
  at: null as Point | null,
}

interface Point {
  readonly x: number
  readonly y: number
}

const SLASH = 'commandry slash'

/** Whether `/` leads to the composer. */
export const isSlashOn = (): boolean => recall(SLASH) === null

export const turnSlash = (isOn: boolean): void => remember(SLASH, isOn ? null : 'off')

export const action = (kind: string, label: string, run: () => unknown) => ({ kind, label, run })

const SEARCH = 'Search'

/** @param hint what the field is for, where it names something new. Default: a search */
export function openPalette(actions: Actions, title = SEARCH, hint = ''): void {
  Object.assign(state, { actions, title, hint, text: '', active: 0, at: null })
  draw()
}

/** Opens the menu of a person or a message at the pointer, or at its button for the keyboard. */
export function openMenu(event: Event, actions: Actions, title: string): void {
  event.preventDefault()
  event.stopPropagation()
  const { clientX: x = 0, clientY: y = 0 } = event as MouseEvent
  const box = (event.currentTarget as Element).getBoundingClientRect()
  openPalette(actions, title)
  state.at = x + y > 0 ? { x, y } : { x: box.left, y: box.bottom }
}

/** Moves the corner of a menu so that all of it is in sight, also when its list becomes longer. */
function keepInside(dialog: HTMLDialogElement, at: Point): void {
  const { width, height } = dialog.getBoundingClientRect()
  const inside = (corner: number, size: number, all: number) => Math.max(8, Math.min(corner, all - size - 8))
  Object.assign(at, { x: inside(at.x, width, innerWidth), y: inside(at.y, height, innerHeight) })
  Object.assign(dialog.style, { left: `${at.x}px`, top: `${at.y}px` })
}

function found(): readonly Action[] {
  const words = state.text.toLowerCase().split(/[ _]/)
  const fits = ({ kind, label }: Action) =>
    words.every((word) => `${kind} ${label}`.toLowerCase().includes(word))
  return (state.actions?.(state.text) ?? []).filter(fits).slice(0, 12)
}

function close(): void {
  state.actions = null
}

function run(action: Action | undefined): unknown {
  if (action === undefined) return
  close()
  return action.run()
}

function onkeydown(event: KeyboardEvent): unknown {
  if (moveActive(event, 'action', state, found().length) || event.key !== 'Enter') return
  event.preventDefault()
  return run(found()[state.active])
}

export function palette(): Child {
  if (state.actions === null) return null
  const { title, hint, active, text, at } = state
  const mounted = (dialog: HTMLDialogElement) => {
    showModal(dialog)
    if (at !== null) new ResizeObserver(() => keepInside(dialog, at)).observe(dialog)
  }
  const actions = found()
  const item = (action: Action, index: number) =>
    h`<li role="option" id="action-${index}" aria-selected="${index === active}" onclick=${() => run(action)}>
      <span>${action.label}</span><span class="hint">${action.kind}</span></li>`
  const onclick = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) close()
  }
  return h`<dialog class="palette ${at !== null && 'at'}" aria-label=${title} key="palette" mounted=${mounted} onclose=${close} onclick=${onclick}>
    ${title !== SEARCH && h`<h2>${title}</h2>`}
    <input role="combobox" aria-label=${title} aria-expanded="true" aria-controls="actions" autocomplete="off"
      aria-activedescendant=${actions.length > 0 && `action-${active}`} spellcheck="false"
      placeholder=${hint || (title === SEARCH ? 'Views, commands, people, languages' : 'Type to search')} value=${text} onkeydown=${onkeydown}
      oninput=${typed((text) => Object.assign(state, { text, active: 0 }))} />
    <ul role="listbox" id="actions" aria-label="Results">${actions.map(item)}</ul>
    ${actions.length === 0 && hint === '' && h`<p class="dim">Nothing has that name.</p>`}
  </dialog>`
}
