/** Answers as a person sees them: messages and modals, with components that can be used. */
import type { Rendered } from '../../answer/rendered.ts'
import { ButtonStyle, ComponentType, MessageFlag } from '../../interaction/types.ts'
import type { ShownMessage } from '../answers.ts'
import { channels, mentionables, people, roles } from './composer.ts'
import { h, type Child } from './dom.ts'
import { button, optionsOf, type Choices } from './parts.ts'

/** A component as the app sent it, checked by the library. */
type Component = Readonly<Record<string, any>>

/** The use of a component by a person. */
export interface ComponentAction {
  readonly kind: 'press' | 'choose' | 'submit'
  /** The message or the modal. */
  readonly target: object
  /** The custom_id of the component. */
  readonly name: string
  /** Shown in the channel: `pressed` and `Yes`. */
  readonly verb: string
  readonly label: string
  readonly values: unknown
}

type OnAction = (action: ComponentAction) => void

/** The choices of menus without options of their own. */
const menus: Readonly<Record<number, () => Choices>> = {
  [ComponentType.USER_SELECT]: people,
  [ComponentType.ROLE_SELECT]: roles,
  [ComponentType.MENTIONABLE_SELECT]: mentionables,
  [ComponentType.CHANNEL_SELECT]: channels,
}

function choicesOf({ type, options = [] }: Component): Choices {
  const own = options.map((option: Component) => [option.value, option.label] as const)
  return type === ComponentType.STRING_SELECT ? own : menus[type]!()
}

const isMenu = ({ type }: Component): boolean => type === ComponentType.STRING_SELECT || type in menus

/** The parts of a component that are drawn themselves. */
const partsOf = ({ components = [], accessory, component }: Component): readonly Component[] =>
  [...components, accessory, component].filter((one) => one !== undefined)

/** An answer; its messages with every change since. */
export function drawReply(shown: Rendered, messages: readonly ShownMessage[], act: OnAction): Child {
  const isElsewhere = shown.kind === 'message' && messages.length === 0
  return [
    messages.map((one) => drawMessage(one, act)),
    shown.kind === 'modal' && drawModal(shown.modal, act),
    shown.kind === 'failure' && h`<p class="bubble problem">${shown.text}</p>`,
    isElsewhere && h`<p class="bubble dim">The message above was changed.</p>`,
    ['nothing', 'activity', 'premium_required'].includes(shown.kind) &&
      h`<p class="bubble dim">${shown.kind.replaceAll('_', ' ')}</p>`,
  ]
}

function drawMessage({ message, isEdited, isDeleted }: ShownMessage, act: OnAction): Child {
  const { id, content, flags, embeds = [], attachments = [], components } = message as unknown as Component
  if (isDeleted) return h`<p class="bubble dim" key=${id}>The app deleted its message.</p>`
  const boxes = [
    ...embeds.map((embed: Component) => [
      'Embed',
      [embed.title, embed.description].filter(Boolean).join(' – '),
    ]),
    ...attachments.map((file: Component) => ['File', file.filename]),
  ]
  return h`<div class="bubble" key=${id}>
    ${(flags & MessageFlag.EPHEMERAL) !== 0 && h`<span class="hint">only this person sees this</span>`}
    ${(flags & MessageFlag.LOADING) !== 0 ? h`<p class="dim">The app is thinking…</p>` : h`<p dir="auto">${content}</p>`}
    ${boxes.map(([kind, label]) => h`<span class="box"><b>${kind}</b> ${label}</span>`)}
    ${components.map((one: Component) => drawComponent(one, message, act))}
    ${isEdited && h`<span class="hint"> (edited)</span>`}
  </div>`
}

function drawComponent(component: Component, message: object, act: OnAction): Child {
  const { type, custom_id: name, disabled } = component
  if (type === ComponentType.TEXT_DISPLAY) return h`<p dir="auto">${component.content}</p>`
  if (type === ComponentType.BUTTON) {
    const words = component.label ?? component.emoji?.name ?? name
    if (component.style === ButtonStyle.LINK) return h`<span class="box"><b>Link</b> ${words}</span>`
    const press = () =>
      act({ kind: 'press', target: message, name, verb: 'pressed', label: words, values: [] })
    const isMain = component.style === ButtonStyle.PRIMARY
    return button(words, press, { disabled, class: isMain && 'main' })
  }
  if (isMenu(component)) return drawMenu(component, message, act)
  const parts = partsOf(component)
  return parts.length > 0 && h`<div class="row">${parts.map((one) => drawComponent(one, message, act))}</div>`
}

/** A menu that sends a single choice at once, and several with a button. */
function drawMenu(component: Component, message: object, act: OnAction): Child {
  const { custom_id: name, disabled, placeholder = 'Choose', max_values = 1 } = component
  const choices = choicesOf(component)
  const choose = ({ selectedOptions }: HTMLSelectElement) => {
    const values = Array.from(selectedOptions, ({ value }) => value)
    const labels = Array.from(selectedOptions, ({ text }) => text)
    act({ kind: 'choose', target: message, name, verb: 'chose', label: labels.join(', '), values })
  }
  if (max_values === 1) {
    const onchange = ({ target }: Event) => choose(target as HTMLSelectElement)
    return h`<select aria-label=${placeholder} disabled=${disabled} onchange=${onchange}>
      <option value="">${placeholder}</option>${optionsOf(choices)}
    </select>`
  }
  const onclick = ({ target }: Event) =>
    choose((target as Element).previousElementSibling as HTMLSelectElement)
  return h`<span>
    <select aria-label=${placeholder} disabled=${disabled} multiple>${optionsOf(choices)}</select>
    <button type="button" onclick=${onclick}>Choose</button>
  </span>`
}

function drawModal(modal: Component, act: OnAction): Child {
  const onsubmit = (event: Event) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const values = Object.fromEntries(
      [...form.keys()].map((name) => [name, given(form.getAll(name) as string[])]),
    )
    act({
      kind: 'submit',
      target: modal,
      name: modal.custom_id,
      verb: 'submitted',
      label: modal.title,
      values,
    })
  }
  const given = (values: readonly string[]) => (values.length === 1 ? values[0]! : values)
  return h`<form class="bubble modal" aria-label=${modal.title} onsubmit=${onsubmit}>
    <b>${modal.title}</b>${modal.components.map((one: Component) => drawInput(one, one.label))}
    <button class="main">Submit</button>
  </form>`
}

/** A field of a modal; a label stands around it or in it. */
function drawInput(component: Component, label: string | undefined): Child {
  const { type, custom_id: name, value = '', style, required, placeholder, max_values = 1 } = component
  if (type === ComponentType.TEXT_DISPLAY) return h`<p dir="auto">${component.content}</p>`
  const mounted = (field: HTMLInputElement) => (field.value = value)
  const words = h`<span>${component.label ?? label ?? name}${required === false && h`<span class="hint"> optional</span>`}</span>`
  if (type === ComponentType.TEXT_INPUT) {
    const field = { name, placeholder, mounted, autocomplete: 'off' }
    return h`<label>${words}${style === 2 ? h`<textarea rows="3" ...${field}></textarea>` : h`<input ...${field} />`}</label>`
  }
  if (isMenu(component)) {
    const isSingle = max_values === 1
    const choices = optionsOf(choicesOf(component))
    return h`<label>${words}<select name=${name} multiple=${!isSingle}>${choices}</select></label>`
  }
  return partsOf(component).map((one) => drawInput(one, component.label ?? label))
}
