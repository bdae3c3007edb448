/** One palette for everything that has a name. */
import { typedName } from '../../authoring/words.ts'
import { service } from './ask.ts'
import { allEntries } from '../views/member/draft.ts'
import { take } from '../views/member/options.ts'
import { draw, h, typed, type Child } from './dom.ts'
import { copy, moveActive, recall, remember, showModal } from './parts.ts'
import { about, go, linkTo, linkWithSet, members, place, places, views } from './place.ts'
import { personName, type Place, type View } from './place.ts'
import { recordActions } from '../views/record/record-menu.ts'

type Action = ReturnType<typeof action>

/** @param text the text as it is typed */
type Actions = (text: string) => readonly Action[]

/** The actions of an open palette, as they are when it is drawn; null while it is closed. */
const state = { actions: null as Actions | null, title: '', text: '', active: 0 }

const SLASH = 'commandry slash'

/** Whether `/` leads to the composer. */
export const isSlashOn = (): boolean => recall(SLASH) === null

export const action = (kind: string, label: string, run: () => unknown) => ({ kind, label, run })

const going = (kind: string, label: string, changes: Partial<Place>): Action =>
  action(kind, label, () => go(changes))

function everything(): readonly Action[] {
  const isOn = isSlashOn()
  const copyLink = async () => copy(service.isInPage ? await linkWithSet() : location.origin + linkTo({}))
  const toggleSlash = () => remember(SLASH, isOn ? 'off' : null)
  const commands = allEntries().map((entry) =>
    action('Command', typedName(entry), () => {
      if (place.view !== 'member') go({ view: 'member' })
      take(entry)
    }),
  )
  return [
    ...Object.entries(views).map(([view, name]) => going('View', name, { view: view as View })),
    ...commands,
    ...members().map((one) => going('Person', personName(one), { as: one.user.id, roles: '' })),
    ...places().map(({ id, name }) => going('Channel', name, { channel: id })),
    ...about.locales.map(({ id, name, english }) => going('Language', `${name} – ${english}`, { lang: id })),
    ...(service.isInPage ? [] : recordActions()),
    action('Action', 'Copy a link to this', copyLink),
    action('Action', `Turn the shortcut / ${isOn ? 'off' : 'on'}`, toggleSlash),
  ]
}

export function openPalette(actions: Actions = everything, title = 'Search'): void {
  Object.assign(state, { actions, title, text: '', active: 0 })
  draw()
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
  if (event.key !== 'Enter' && !moveActive(event, state, found().length)) return
  event.preventDefault()
  if (event.key === 'Enter') return run(found()[state.active])
}

export function palette(): Child {
  if (state.actions === null) return null
  const { title, active, text } = state
  const actions = found()
  const item = (action: Action, index: number) =>
    h`<li role="option" id="action-${index}" aria-selected="${index === active}" onclick=${() => run(action)}>
      <span>${action.label}</span><span class="hint">${action.kind}</span></li>`
  const onclick = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) close()
  }
  return h`<dialog class="palette" aria-label=${title} key="palette" mounted=${showModal} onclose=${close} onclick=${onclick}>
    <input role="combobox" aria-label=${title} aria-expanded="true" aria-controls="actions" autocomplete="off"
      aria-activedescendant=${actions.length > 0 && `action-${active}`} spellcheck="false"
      placeholder="Views, commands, people, languages" value=${text} onkeydown=${onkeydown}
      oninput=${typed((text) => Object.assign(state, { text, active: 0 }))} />
    <ul role="listbox" id="actions" aria-label="Results">${actions.map(item)}</ul>
    ${actions.length === 0 && h`<p class="dim">Nothing has that name.</p>`}
  </dialog>`
}
