/** Answers as a person sees them: messages and modals, with components that can be used. */
import type { Rendered } from '../../../../interactions/answer/rendered.ts'
import { initialItems } from '../../../../interactions/usage/component.ts'
import { ButtonStyle, ComponentType, hasFlag, MessageFlag } from '../../../../model/interaction-types.ts'
import type { Answer } from '../../questions.ts'
import { h, type Child } from '../../browser/dom.ts'
import { markdown } from '../../browser/markdown.ts'
import { button, optionsOf } from '../../browser/parts.ts'
import { botName, channels, mentionables, people, roles, type Choices } from '../../browser/place.ts'

/** A component as the app sent it, checked by the library. */
type Component = Readonly<Record<string, any>>

type ShownMessage = Answer<'replies'>[string][number]

export interface ComponentAction {
  readonly kind: 'press' | 'choose' | 'submit'
  readonly target: object
  readonly name: string
  /** Shown in the channel: `pressed` and `Yes`. */
  readonly verb: string
  readonly label: string
  readonly values: unknown
}

type OnAction = (action: ComponentAction) => unknown

const { TEXT_INPUT, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX } = ComponentType

const menus: Readonly<Record<number, (menu: Component) => Choices>> = {
  [ComponentType.STRING_SELECT]: ({ options = [] }) =>
    options.map((option: Component) => ({ id: option.value, name: option.label })),
  [ComponentType.USER_SELECT]: people,
  [ComponentType.ROLE_SELECT]: roles,
  [ComponentType.MENTIONABLE_SELECT]: mentionables,
  [ComponentType.CHANNEL_SELECT]: channels,
}

/** The parts of a component that are drawn themselves. */
const partsOf = ({ components = [], accessory, component }: Component): readonly Component[] =>
  [...components, accessory, component].filter((one) => one !== undefined)

export function drawReply(shown: Rendered, messages: readonly ShownMessage[], act: OnAction): Child {
  if (shown.kind === 'failure') return h`<p class="bubble problem">${shown.text}</p>`
  const isElsewhere = shown.kind === 'message' && messages.length === 0
  return [
    h`<p class="byline"><b>${botName()}</b> <span class="app">APP</span></p>`,
    messages.map((one) => drawMessage(one, act)),
    shown.kind === 'modal' && drawModal(shown.modal, act),
    isElsewhere && h`<p class="bubble dim">The message above was changed.</p>`,
    ['nothing', 'activity', 'premium_required'].includes(shown.kind) &&
      h`<p class="bubble dim">${shown.kind.replaceAll('_', ' ')}</p>`,
  ]
}

function drawMessage({ message, isEdited, isDeleted }: ShownMessage, act: OnAction): Child {
  const fields: Component = message
  const { id, content, flags, embeds = [], attachments = [], components = [] } = fields
  if (isDeleted) return h`<p class="bubble dim" key=${id}>The app deleted its message.</p>`
  return h`<div class="bubble" key=${id}>
    ${hasFlag(flags, MessageFlag.EPHEMERAL) && h`<span class="hint">only this person sees this</span>`}
    ${hasFlag(flags, MessageFlag.LOADING) ? h`<p class="dim">The app is thinking…</p>` : markdown(content)}
    ${!hasFlag(flags, MessageFlag.SUPPRESS_EMBEDS) && embeds.map(drawEmbed)}
    ${attachments.map((file: Component) => box('File', file.filename))}
    ${components.map((one: Component) => drawComponent(one, message, act))}
    ${isEdited && h`<span class="hint"> (edited)</span>`}
  </div>`
}

/** What the page does not load: an image, a file, an address. */
const box = (kind: string, label: string): Child => h`<span class="box"><b>${kind}</b> ${label}</span>`

const fileName = (url: string): string => url.replace(/[?#].*$/, '').replace(/^.*\//, '')

const imageBox = ({ description, media }: Component): Child =>
  box('Image', description ?? fileName(media.url))

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
  const hex = `#${color.toString(16).padStart(6, '0')}`
  return { key: color, mounted: ({ style }: HTMLElement) => (style.borderLeftColor = hex) }
}

const buttonClasses: Readonly<Record<number, string>> = {
  [ButtonStyle.PRIMARY]: 'main',
  [ButtonStyle.SUCCESS]: 'success',
  [ButtonStyle.DANGER]: 'danger',
}

function drawComponent(component: Component, target: object, act: OnAction): Child {
  const all = (list: readonly Component[]) => list.map((one) => drawComponent(one, target, act))
  const { type, style, disabled, custom_id: name } = component
  if (type in menus) return drawMenu(component, target, act)
  switch (type) {
    case ComponentType.BUTTON: {
      const label = [component.emoji?.name, component.label].filter(Boolean).join(' ') || name
      if (style === ButtonStyle.LINK) return box('Link', label)
      const press = () => act({ kind: 'press', target, name, verb: 'pressed', label, values: [] })
      return button(label, press, { disabled, class: buttonClasses[style] })
    }
    case ComponentType.TEXT_DISPLAY:
      return h`<div>${markdown(component.content)}</div>`
    case ComponentType.SECTION:
      return h`<div class="section"><div>${all(component.components)}</div>${all([component.accessory])}</div>`
    case ComponentType.THUMBNAIL:
      return imageBox(component)
    case ComponentType.MEDIA_GALLERY:
      return component.items.map(imageBox)
    case ComponentType.FILE:
      return box('File', fileName(component.file.url))
    case ComponentType.SEPARATOR:
      return h`<hr class=${component.divider === false && 'space'} />`
    case ComponentType.CONTAINER:
      return h`<section class="embed" aria-label="Container" ...${coloured(component.accent_color)}>${all(partsOf(component))}</section>`
    default:
      return h`<div class="row">${all(partsOf(component))}</div>`
  }
}

/** @param hasNone whether the first item is for no choice */
function drawSelect(menu: Component, hasNone: boolean, more: object): Child {
  const { type, max_values = 1, placeholder = 'Choose' } = menu
  return h`<select multiple=${max_values !== 1} ...${more}>
    ${hasNone && h`<option value="">${placeholder}</option>`}${optionsOf(menus[type]!(menu))}
  </select>`
}

/** A menu that sends a single choice at once, and several with a button. */
function drawMenu(menu: Component, target: object, act: OnAction): Child {
  const { custom_id: name, disabled, placeholder = 'Choose', max_values = 1 } = menu
  const choose = (select: EventTarget | null) => {
    const chosen = [...(select as HTMLSelectElement).selectedOptions]
    const label = chosen.map(({ text }) => text).join(', ')
    return act({
      kind: 'choose',
      target,
      name,
      verb: 'chose',
      label,
      values: chosen.map(({ value }) => value),
    })
  }
  const more = { 'aria-label': placeholder, disabled }
  if (max_values === 1)
    return drawSelect(menu, true, { ...more, onchange: ({ target }: Event) => choose(target) })
  const onclick = ({ target }: Event) => choose((target as Element).previousElementSibling)
  return h`<span>${drawSelect(menu, false, more)}<button type="button" onclick=${onclick}>Choose</button></span>`
}

function drawModal(modal: Component, act: OnAction): Child {
  const { custom_id: name, title: label } = modal
  const onsubmit = (event: Event) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const valueOf = ({ type, custom_id: name }: Component) => {
      const { read = (entries) => entries } = inputs[type]!
      return [name, read(form.getAll(name))]
    }
    const values = Object.fromEntries(inputsIn(modal).map(valueOf))
    return act({ kind: 'submit', target: modal, name, verb: 'submitted', label, values })
  }
  return h`<form class="bubble modal" aria-label=${label} onsubmit=${onsubmit}>
    <b>${label}</b>${modal.components.map((one: Component) => drawInput(one, one.label))}
    <button class="main">Submit</button>
  </form>`
}

interface Input {
  readonly draw: (input: Component, words: Child) => Child
  /** The value that is sent, from those of the fields with the name of the input. Default: all of them. */
  readonly read?: (entries: readonly FormDataEntryValue[]) => unknown
}

const menu: Input = {
  draw(input, words) {
    const initial = initialItems(input)
    const mounted = ({ options }: HTMLSelectElement) => {
      for (const option of options) option.selected = initial.includes(option.value)
    }
    const hasNone = (input.max_values ?? 1) === 1 && initial.length === 0
    return h`<label>${words}${drawSelect(input, hasNone, { name: input.custom_id, mounted })}</label>`
  },
  read: (values) => values.filter((value) => value !== ''),
}

const group = (type: string): Input => ({
  draw: ({ custom_id: name, options }, words) =>
    h`<fieldset><legend>${words}</legend>${options.map((option: Component) => tick(type, name, option, option.label))}</fieldset>`,
})

function tick(type: string, name: string, { value = 'on', default: isChosen }: Component, words: Child) {
  const mounted = (field: HTMLInputElement) => (field.checked = isChosen === true)
  return h`<label class="check"><input ...${{ type, name, value, mounted }} />${words}</label>`
}

const inputs: Readonly<Record<number, Input>> = {
  ...Object.fromEntries(Object.keys(menus).map((type) => [type, menu])),
  [TEXT_INPUT]: {
    draw({ custom_id: name, value = '', style, placeholder }, words) {
      const mounted = (field: HTMLInputElement) => (field.value = value)
      const field = { name, placeholder, mounted, autocomplete: 'off' }
      return h`<label>${words}${style === 2 ? h`<textarea rows="3" ...${field}></textarea>` : h`<input ...${field} />`}</label>`
    },
    read: ([text]) => text,
  },
  [RADIO_GROUP]: group('radio'),
  [CHECKBOX_GROUP]: group('checkbox'),
  [CHECKBOX]: {
    draw: (input, words) => tick('checkbox', input.custom_id, input, words),
    read: ({ length }) => length > 0,
  },
  [FILE_UPLOAD]: {
    draw: ({ custom_id: name, max_values = 1, file_types: types = [] }, words) =>
      h`<label>${words}<input type="file" name=${name} multiple=${max_values !== 1} accept=${acceptOf(types)} /></label>`,
    // A field without files holds one without a name.
    read: (files) =>
      (files as readonly File[])
        .filter(({ name }) => name !== '')
        .map(({ name, size, type }) => ({ filename: name, size, ...(type && { content_type: type }) })),
  },
}

/** File types as the attribute of the field: a browser writes `image` as its media types. */
const acceptOf = (types: readonly string[]): string | undefined =>
  types.length === 0 ? undefined : types.map((type) => (type.startsWith('.') ? type : `${type}/*`)).join()

const inputsIn = (component: Component): readonly Component[] =>
  component.type in inputs ? [component] : partsOf(component).flatMap(inputsIn)

/** A part of a modal. @param label the text of the label around it */
function drawInput(component: Component, label: string | undefined): Child {
  const { type, custom_id: name, required } = component
  if (type === ComponentType.TEXT_DISPLAY) return markdown(component.content)
  const words = h`<span>${component.label ?? label ?? name}${required === false && h`<span class="hint"> optional</span>`}</span>`
  if (type in inputs) return inputs[type]!.draw(component, words)
  return partsOf(component).map((one) => drawInput(one, component.label ?? label))
}
