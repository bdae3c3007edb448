/** One palette for everything that has a name. */
import { typedName } from '../../authoring/words.ts'
import { service } from './ask.ts'
import { allEntries, take } from './composer.ts'
import { changer, draw, h, typed, type Child } from './dom.ts'
import { copy, moveActive, remember, showModal } from './parts.ts'
import { about, channels, go, linkTo, linkWithSet, place, server, views } from './place.ts'
import { personName, type Place, type View } from './place.ts'

type Action = ReturnType<typeof action>

/** `actions` is null for all that there are when the palette is drawn. */
const state = { isOpen: false, text: '', active: 0, actions: null as readonly Action[] | null, title: '' }

const change = changer(state)

const SLASH = 'commandry slash'

/** Whether `/` leads to the composer. */
export const isSlashOn = (): boolean => localStorage.getItem(SLASH) === null

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
    ...server().members.map((one) => going('Person', personName(one), { as: one.user.id, roles: '' })),
    ...channels().map(([channel, name]) => going('Channel', name, { channel })),
    ...about.locales.map(([lang, native, english]) => going('Language', `${native} – ${english}`, { lang })),
    action('Action', 'Copy a link to this', copyLink),
    action('Action', `Turn the shortcut / ${isOn ? 'off' : 'on'}`, toggleSlash),
  ]
}

export function openPalette(actions: readonly Action[] | null = null, title = 'Search'): void {
  change({ isOpen: true, text: '', active: 0, actions, title })
}

function found(): readonly Action[] {
  const words = state.text.toLowerCase().split(' ')
  const fits = ({ kind, label }: Action) =>
    words.every((word) => `${kind} ${label}`.toLowerCase().includes(word))
  return (state.actions ?? everything()).filter(fits).slice(0, 12)
}

const close = (): void => change({ isOpen: false })

function run(action: Action | undefined): void {
  if (action === undefined) return
  close()
  action.run()
}

function onkeydown(event: KeyboardEvent): void {
  if (event.key === 'Enter') run(found()[state.active])
  else if (!moveActive(event, state, found().length)) return
  event.preventDefault()
  draw()
}

export function palette(): Child {
  if (!state.isOpen) return null
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
      oninput=${typed((text) => change({ text, active: 0 }))} />
    <ul role="listbox" id="actions" aria-label="Results">${actions.map(item)}</ul>
    ${actions.length === 0 && h`<p class="dim">Nothing has that name.</p>`}
  </dialog>`
}
