/** Menus of messages and modals: lists that can be searched, with their limits and what is chosen before. */
import { initialItems } from '../../../../../interactions/usage/modal-inputs.ts'
import { ComponentType } from '../../../../../model/interaction-types.ts'
import { h, typed, type Child } from '../../parts/dom.ts'
import { Drafts } from '../../parts/drafts.ts'
import { button, keepFocus, moveActive } from '../../parts/parts.ts'
import { channels, distinct, mentionables, peopleIn, roles, server, type Choices } from '../../parts/place.ts'

/** A component as the app sent it, checked by the library. */
export type Widget = Readonly<Record<string, any>>

type MenuChoices = readonly (Choices[number] & { readonly hint?: string })[]

const menus: Readonly<Record<number, (menu: Widget) => MenuChoices>> = {
  [ComponentType.STRING_SELECT]: ({ options = [] }) =>
    options.map(({ value: id, label, description: hint, emoji }: Widget) => {
      return { id, hint, name: [emoji?.name, label].filter(Boolean).join(' ') }
    }),
  [ComponentType.USER_SELECT]: () => distinct(peopleIn()),
  [ComponentType.ROLE_SELECT]: () => distinct(roles()),
  [ComponentType.MENTIONABLE_SELECT]: () => distinct(mentionables()),
  [ComponentType.CHANNEL_SELECT]: ({ channel_types: types = [] }) =>
    distinct(channels()).filter(
      (_, index) => types.length === 0 || types.includes(server().channels[index]!.type ?? 0),
    ),
}

export const isMenu = ({ type }: Widget): boolean => type in menus

/** The list that is open; the key is empty for none. */
const open = { key: '', text: '', active: 0 }

/** What is chosen in menus and not sent, by key. */
const chosen = new Drafts<readonly string[] | null>('menu', {
  empty: () => null,
  isEmpty: (ids) => ids === null,
})

interface MenuUse {
  /** Names the menu, and whom it is shown to. */
  readonly key: string
  /** The name of its values in a form. */
  readonly name?: string
  /** What the menu is for. Default: its placeholder says so. */
  readonly label?: string
  /** Sends the choice. Default: it stays until the form is sent. */
  readonly send?: (values: readonly string[], label: string) => unknown
  /** Called after each choice. */
  readonly changed?: () => void
  /** Attributes of its button. */
  readonly more?: object
}

export function drawMenu(menu: Widget, { key, name, label: purpose, send, changed, more }: MenuUse): Child {
  const { placeholder = 'Choose', disabled, max_values: most = 1 } = menu
  const least: number = menu.required === false ? 0 : (menu.min_values ?? 1)
  const choices = menus[menu.type]!(menu)
  const values = chosen.at(key) ?? initialItems(menu)
  const labelOf = (ids: readonly string[]) =>
    ids.map((id) => choices.find((one) => one.id === id)?.name ?? id).join(', ')
  const isOpen = open.key === key
  const isSingle = most === 1
  const close = () => (open.key = '')
  const set = (ids: readonly string[]) => {
    chosen.put(key, ids)
    changed?.()
  }
  const finish = (ids: readonly string[]) => {
    close()
    set(ids)
    if (send === undefined) return
    return chosen.send(key, async () => send(ids, labelOf(ids)))
  }
  const take = (id: string) => {
    const others = values.filter((one) => one !== id)
    const isTaken = others.length < values.length
    // A single choice is sent at once; none can be sent only by the button.
    if (isSingle && !(isTaken && least === 0)) return finish([id])
    if (isTaken) set(others)
    else if (values.length < most) set([...others, id])
  }
  const onclick = () => Object.assign(open, { key: isOpen ? '' : key, text: '', active: 0 })
  const isEnough = values.length >= least && values.length <= most
  const label = values.length === 0 ? placeholder : labelOf(values)
  const spoken = [purpose, placeholder, values.length > 0 && label].filter(Boolean).join(': ')
  const limits = least === most ? `${most}` : `${least} to ${most}`
  const hasEnd = !isSingle || least === 0
  const found = choices.filter(({ name }) => name.toLowerCase().includes(open.text.toLowerCase()))
  return h`<span class="pick" key=${key} onfocusout=${leaving(close)} onkeydown=${escaping(close)}>
    <button type="button" class="opener" disabled=${disabled} aria-haspopup="listbox" aria-expanded="${isOpen}"
      aria-label=${spoken} onclick=${onclick} ...${more}><span class=${values.length === 0 && 'dim'}>${label}</span></button>
    ${name !== undefined && values.map((value) => h`<input type="hidden" name=${name} value=${value} />`)}
    ${
      isOpen &&
      h`<span class="picking">
        ${searchField(found, placeholder, take)}
        <ul role="listbox" id="menu-items" aria-label=${placeholder} aria-multiselectable="${!isSingle}" onmousedown=${keepFocus}>${found.map(
          (choice, index) => item(choice, index, values.includes(choice.id), take),
        )}</ul>
        ${found.length === 0 && h`<p class="dim">Nothing has that name.</p>`}
        ${hasEnd && h`<span class="row">${button(send ? 'Choose' : 'Done', () => finish(values), { disabled: !isEnough })}<span class="hint" role="status">${limits}, ${values.length} chosen</span></span>`}
      </span>`
    }
  </span>`
}

function searchField(found: MenuChoices, placeholder: string, take: (id: string) => unknown): Child {
  const onkeydown = (event: KeyboardEvent) => {
    if (moveActive(event, 'menu', open, found.length) || event.key !== 'Enter') return
    event.preventDefault()
    const choice = found[open.active]
    return choice && take(choice.id)
  }
  return h`<input role="combobox" aria-label="Search: ${placeholder}" placeholder="Search" autocomplete="off" spellcheck="false"
    aria-expanded="true" aria-controls="menu-items" aria-activedescendant=${found.length > 0 && `menu-${open.active}`}
    value=${open.text} onkeydown=${onkeydown} mounted=${(field: HTMLElement) => field.focus()}
    oninput=${typed((text) => Object.assign(open, { text, active: 0 }))} />`
}

function item(
  { id, name, hint }: MenuChoices[number],
  index: number,
  isTaken: boolean,
  take: (id: string) => unknown,
): Child {
  const isActive = index === open.active
  return h`<li role="option" id="menu-${index}" key=${id} class=${isActive && 'active'} aria-selected="${isTaken}" onclick=${() => take(id)}>
    <span aria-hidden="true">${isTaken ? '✓ ' : ''}</span><span>${name}</span>${hint && h`<span class="hint">${hint}</span>`}</li>`
}

/** Closes the list once the focus is elsewhere. */
const leaving =
  (close: () => void) =>
  ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && !(currentTarget as Element).contains(relatedTarget as Node)) close()
  }

const escaping = (close: () => void) => (event: KeyboardEvent) => {
  const menu = event.currentTarget as Element
  if (event.key !== 'Escape' || menu.querySelector('ul') === null) return
  // The dialog around it stays open.
  event.preventDefault()
  event.stopPropagation()
  close()
  menu.querySelector('button')!.focus()
}
