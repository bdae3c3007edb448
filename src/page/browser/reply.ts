/** Answers as a person sees them: messages and modals, with components that can be used. */
import type { Rendered } from '../../answer/rendered.ts'
import { ButtonStyle, ComponentType, MessageFlag } from '../../interaction/types.ts'
import type { Recorder } from '../recorder.ts'
import { h, type Child } from './dom.ts'
import { markdown } from './markdown.ts'
import { button, optionsOf } from './parts.ts'
import { botName, channels, mentionables, people, roles, type Choices } from './place.ts'

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

type ShownMessage = ReturnType<Recorder['messagesOf']>[number]

type OnAction = (action: ComponentAction) => unknown

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
    shown.kind !== 'failure' && h`<p class="byline"><b>${botName()}</b> <span class="app">APP</span></p>`,
    messages.map((one) => drawMessage(one, act)),
    shown.kind === 'modal' && drawModal(shown.modal, act),
    shown.kind === 'failure' && h`<p class="bubble problem">${shown.text}</p>`,
    isElsewhere && h`<p class="bubble dim">The message above was changed.</p>`,
    ['nothing', 'activity', 'premium_required'].includes(shown.kind) &&
      h`<p class="bubble dim">${shown.kind.replaceAll('_', ' ')}</p>`,
  ]
}

function drawMessage({ message, isEdited, isDeleted }: ShownMessage, act: OnAction): Child {
  const { id, content, flags, embeds = [], ...rest } = message as unknown as Component
  const { attachments = [], components = [] } = rest
  if (isDeleted) return h`<p class="bubble dim" key=${id}>The app deleted its message.</p>`
  const isLoading = (flags & MessageFlag.LOADING) !== 0
  const shows = (flag: number) => (flags & flag) === 0
  return h`<div class="bubble" key=${id}>
    ${!shows(MessageFlag.EPHEMERAL) && h`<span class="hint">only this person sees this</span>`}
    ${isLoading ? h`<p class="dim">The app is thinking…</p>` : markdown(content)}
    ${shows(MessageFlag.SUPPRESS_EMBEDS) && embeds.map(drawEmbed)}
    ${attachments.map((file: Component) => box('File', file.filename))}
    ${components.map((one: Component) => drawComponent(one, message, act))}
    ${isEdited && h`<span class="hint"> (edited)</span>`}
  </div>`
}

/** What the page does not load: an image, a file, an address. */
const box = (kind: string, label: string): Child => h`<span class="box"><b>${kind}</b> ${label}</span>`

const fileName = (url: string): string => url.replace(/[?#].*$/, '').replace(/^.*\//, '')

function drawEmbed(embed: Component): Child {
  const { author, title, url, description, fields = [], image, thumbnail, footer, timestamp } = embed
  const field = ({ name, value, inline }: Component) =>
    h`<div class=${inline !== true && 'wide'}><b>${markdown(name)}</b>${markdown(value)}</div>`
  const written = [footer?.text, timestamp && new Date(timestamp).toLocaleString()].filter(Boolean)
  return h`<section class="embed" aria-label="Embed" ...${coloured(embed.color)}>
    ${author && h`<p class="hint">${author.name}</p>`}
    ${title && h`<p class="embed-title ${url && 'link'}" title=${url}>${title}</p>`}
    ${description && markdown(description)}
    ${fields.length > 0 && h`<div class="fields">${fields.map(field)}</div>`}
    ${[image, thumbnail].map((one) => one && box('Image', fileName(one.url)))}
    ${written.length > 0 && h`<p class="hint">${written.join(' • ')}</p>`}
  </section>`
}

/** The colour of the bar at an embed or a container, by its number. */
function coloured(color: unknown): object {
  if (typeof color !== 'number') return {}
  const mounted = ({ style }: HTMLElement) =>
    (style.borderLeftColor = `#${color.toString(16).padStart(6, '0')}`)
  return { key: color, mounted }
}

const buttonClasses: Readonly<Record<number, string>> = {
  [ButtonStyle.PRIMARY]: 'main',
  [ButtonStyle.SUCCESS]: 'success',
  [ButtonStyle.DANGER]: 'danger',
}

function drawComponent(component: Component, message: object, act: OnAction): Child {
  const { type, custom_id: name, disabled } = component
  const parts = () => partsOf(component).map((one) => drawComponent(one, message, act))
  if (isMenu(component)) return drawMenu(component, message, act)
  switch (type) {
    case ComponentType.BUTTON: {
      const words = [component.emoji?.name, component.label].filter(Boolean).join(' ') || name
      if (component.style === ButtonStyle.LINK) return box('Link', words)
      const press = () =>
        act({ kind: 'press', target: message, name, verb: 'pressed', label: words, values: [] })
      return button(words, press, { disabled, class: buttonClasses[component.style] })
    }
    case ComponentType.TEXT_DISPLAY:
      return h`<div>${markdown(component.content)}</div>`
    case ComponentType.SECTION:
      return h`<div class="section"><div>${component.components.map((one: Component) => drawComponent(one, message, act))}</div>
        ${drawComponent(component.accessory, message, act)}</div>`
    case ComponentType.THUMBNAIL:
      return box('Image', component.description ?? fileName(component.media.url))
    case ComponentType.MEDIA_GALLERY:
      return component.items.map((item: Component) =>
        box('Image', item.description ?? fileName(item.media.url)),
      )
    case ComponentType.FILE:
      return box('File', fileName(component.file.url))
    case ComponentType.SEPARATOR:
      return h`<hr class=${component.divider === false && 'space'} />`
    case ComponentType.CONTAINER:
      return h`<section class="embed" aria-label="Container" ...${coloured(component.accent_color)}>${parts()}</section>`
    default:
      return h`<div class="row">${parts()}</div>`
  }
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
    const { custom_id: name, title: label } = modal
    act({ kind: 'submit', target: modal, name, verb: 'submitted', label, values })
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
  if (type === ComponentType.TEXT_DISPLAY) return markdown(component.content)
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
