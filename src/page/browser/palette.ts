/** One palette for everything that has a name. */
import type { CommandEntry } from '../answers.ts'
import { typedName } from '../../authoring/words.ts'
import { allEntries } from './command-list.ts'
import { take } from './composer.ts'
import { service } from './ask.ts'
import { draw, h, typed, type Child } from './dom.ts'
import { copy, moveActive, remember } from './parts.ts'
import { about, go, linkTo, linkWithSet, personName, place } from './place.ts'
import { server, views, type Place, type View } from './place.ts'

export interface Action {
  readonly label: string
  readonly kind: string
  run(): void
}

/** `actions` is null for all that there are when the palette is drawn. */
const state = { isOpen: false, text: '', active: 0, actions: null as readonly Action[] | null, title: '' }

const SLASH = 'commandry slash'

/** Whether `/` leads to the composer. */
export const isSlashOn = (): boolean => localStorage.getItem(SLASH) === null

export const action = (kind: string, label: string, run: () => void): Action => ({ kind, label, run })

const going = (kind: string, label: string, changes: Partial<Place>): Action =>
  action(kind, label, () => go(changes))

/** Takes a command into the composer, in whatever view the person is. */
function use(entry: CommandEntry): void {
  if (place.view !== 'member') go({ view: 'member' })
  take(entry)
}

function everything(): readonly Action[] {
  const isOn = isSlashOn()
  return [
    ...Object.entries(views).map(([view, name]) => going('View', name, { view: view as View })),
    ...allEntries().map((entry) => action('Command', typedName(entry), () => use(entry))),
    ...server().members.map((one) => going('Person', personName(one), { as: one.user.id, roles: '' })),
    ...server().channels.map(({ id, name }) => going('Channel', `#${name}`, { channel: id })),
    ...about.locales.map(([key, native, english]) =>
      going('Language', `${native} – ${english}`, { lang: key }),
    ),
    action('Action', 'Copy a link to this', () => void copyLink()),
    action('Action', `Turn the shortcut / ${isOn ? 'off' : 'on'}`, () =>
      remember(SLASH, isOn ? 'off' : null),
    ),
  ]
}

async function copyLink(): Promise<void> {
  await copy(service.isInPage ? await linkWithSet() : location.origin + linkTo({}))
}

/** Opens the palette, with these actions or with all. */
export function openPalette(actions: readonly Action[] | null = null, title = 'Search'): void {
  Object.assign(state, { isOpen: true, text: '', active: 0, actions, title })
  draw()
}

function found(): readonly Action[] {
  const words = state.text.toLowerCase().split(' ')
  const fits = ({ kind, label }: Action) =>
    words.every((word) => `${kind} ${label}`.toLowerCase().includes(word))
  return (state.actions ?? everything()).filter(fits).slice(0, 12)
}

function close(): void {
  state.isOpen = false
  draw()
}

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
  const mounted = (dialog: HTMLDialogElement) => dialog.showModal()
  const onclick = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) close()
  }
  return h`<dialog class="palette" aria-label=${title} key="palette" mounted=${mounted} onclose=${close} onclick=${onclick}>
    <input role="combobox" aria-label=${title} aria-expanded="true" aria-controls="actions" autocomplete="off"
      aria-activedescendant=${actions.length > 0 && `action-${active}`} spellcheck="false"
      placeholder="Views, commands, people, languages" value=${text} onkeydown=${onkeydown}
      oninput=${typed((text) => Object.assign(state, { text, active: 0 }))} />
    <ul role="listbox" id="actions" aria-label="Results">${actions.map(item)}</ul>
    ${actions.length === 0 && h`<p class="dim">Nothing has that name.</p>`}
  </dialog>`
}
