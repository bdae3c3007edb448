/** One palette for everything that has a name. */
import { h, type Child } from './dom.ts'
import { about, draw, go, linkTo, personName, server, views, type Place, type View } from './state.ts'

export interface Action {
  readonly label: string
  readonly kind: string
  run(): void
}

const state = { isOpen: false, text: '', active: 0, actions: [] as readonly Action[], title: '' }

/** Views add what they can do. */
export const sources: (() => readonly Action[])[] = []

const going = (kind: string, label: string, changes: Partial<Place>): Action => ({
  ...{ kind, label },
  run: () => go(changes),
})

function everything(): readonly Action[] {
  return [
    ...Object.entries(views).map(([view, name]) => going('View', name, { view: view as View })),
    ...sources.flatMap((source) => source()),
    ...server().members.map((one) => going('Person', personName(one), { as: one.user.id, roles: '' })),
    ...server().channels.map(({ id, name }) => going('Channel', `#${name}`, { channel: id })),
    ...about.locales.map(([key, native, english]) =>
      going('Language', `${native} – ${english}`, { lang: key }),
    ),
    {
      kind: 'Action',
      label: 'Copy a link to this',
      run: () => void navigator.clipboard.writeText(location.origin + linkTo({})),
    },
  ]
}

/** Opens the palette, with these actions or with all. */
export function openPalette(actions: readonly Action[] = everything(), title = 'Search'): void {
  Object.assign(state, { isOpen: true, text: '', active: 0, actions, title })
  draw()
}

function found(): readonly Action[] {
  const words = state.text.toLowerCase().split(' ')
  const fits = ({ kind, label }: Action) =>
    words.every((word) => `${kind} ${label}`.toLowerCase().includes(word))
  return state.actions.filter(fits).slice(0, 12)
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
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Enter') run(found()[state.active])
  else if (step !== undefined) state.active = Math.max(0, Math.min(found().length - 1, state.active + step))
  else return
  event.preventDefault()
  draw()
}

export function palette(): Child {
  if (!state.isOpen) return null
  const actions = found()
  return h(
    'dialog',
    {
      ...{ class: 'palette', 'aria-label': state.title, key: 'palette', onclose: close },
      mounted: (dialog: HTMLDialogElement) => dialog.showModal(),
      onclick: (event: MouseEvent) => event.target === event.currentTarget && close(),
    },
    h('input', {
      ...{ role: 'combobox', 'aria-label': state.title, 'aria-expanded': 'true', 'aria-controls': 'actions' },
      'aria-activedescendant': actions.length > 0 && `action-${state.active}`,
      ...{ placeholder: 'Views, commands, people, languages', autocomplete: 'off', spellcheck: 'false' },
      ...{ value: state.text, onkeydown },
      oninput: (event: Event) => {
        Object.assign(state, { text: (event.target as HTMLInputElement).value, active: 0 })
        draw()
      },
    }),
    h(
      'ul',
      { role: 'listbox', id: 'actions', 'aria-label': 'Results' },
      actions.map((action, index) =>
        h(
          'li',
          {
            ...{ role: 'option', id: `action-${index}`, 'aria-selected': String(index === state.active) },
            onclick: () => run(action),
          },
          h('span', action.label),
          h('span.hint', action.kind),
        ),
      ),
    ),
    actions.length === 0 && h('p.dim', 'Nothing has that name.'),
  )
}
