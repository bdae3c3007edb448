/** The content of a message as a person sees it, with components that can be used. */
import { ButtonStyle, ComponentType, hasFlag, MessageFlag } from '../../../../model/interaction-types.ts'
import { h, type Child } from '../../browser/dom.ts'
import { markdown } from '../../browser/markdown.ts'
import { button, optionsOf } from '../../browser/parts.ts'
import { channels, mentionables, people, roles, type Choices } from '../../browser/place.ts'
import { hex } from '../../browser/rail.ts'

/** A component as the app sent it, checked by the library. */
export type Component = Readonly<Record<string, any>>

export interface ComponentAction {
  readonly kind: 'press' | 'choose'
  readonly name: string
  /** Shown in the channel: `pressed` and `Yes`. */
  readonly verb: string
  readonly label: string
  readonly values: unknown
}

type OnAction = (action: ComponentAction) => unknown

const menus: Readonly<Record<number, (menu: Component) => Choices>> = {
  [ComponentType.STRING_SELECT]: ({ options = [] }) =>
    options.map((option: Component) => ({ id: option.value, name: option.label })),
  [ComponentType.USER_SELECT]: people,
  [ComponentType.ROLE_SELECT]: roles,
  [ComponentType.MENTIONABLE_SELECT]: mentionables,
  [ComponentType.CHANNEL_SELECT]: channels,
}

export const isMenu = ({ type }: Component): boolean => type in menus

/** The parts of a component that are drawn themselves. */
export const partsOf = ({ components = [], accessory, component }: Component): readonly Component[] =>
  [...components, accessory, component].filter((one) => one !== undefined)

/** @param isEdited whether the content was changed */
export function drawMessage(fields: Component, isEdited: boolean, act: OnAction): Child {
  const { content = '', flags, embeds = [], attachments = [], components = [] } = fields
  return [
    hasFlag(flags, MessageFlag.LOADING) ? h`<p class="dim">thinking…</p>` : markdown(content),
    !hasFlag(flags, MessageFlag.SUPPRESS_EMBEDS) && embeds.map(drawEmbed),
    attachments.map(drawFile),
    components.map((one: Component) => drawComponent(one, act)),
    isEdited && h`<span class="hint"> (edited)</span>`,
  ]
}

/** Whether the page may load an address: one of its own service, or one with the content in itself. */
const isOwn = (url: unknown): url is string =>
  typeof url === 'string' && (url.startsWith('data:image/') || url.startsWith(`${location.origin}/`))

/** A picture, or in its place a box for one of another server, which the page does not load. */
function picture(url: unknown, label: string): Child {
  return isOwn(url) ? h`<img src=${url} alt=${label} loading="lazy" key=${url} />` : box('Image', label)
}

function drawFile({ filename, size, url, content_type: type = '' }: Component): Child {
  if (type.startsWith('image/') && isOwn(url)) return picture(url, filename)
  const words = size > 0 ? `${filename} · ${sizeText(size)}` : filename
  return box('File', words)
}

function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`
}

/** What the page does not load: an image, a file, an address. */
const box = (kind: string, label: string): Child => h`<span class="box"><b>${kind}</b> ${label}</span>`

const fileName = (url: string): string => url.replace(/[?#].*$/, '').replace(/^.*\//, '')

const imageBox = ({ description, media }: Component): Child =>
  picture(media.url, description ?? fileName(media.url))

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
    ${[image, thumbnail].map((one) => one && picture(one.url, fileName(one.url)))}
    ${written.length > 0 && h`<p class="hint">${written.join(' • ')}</p>`}
  </section>`
}

/** The colour of the bar at an embed or a container, by its number. */
function coloured(color: unknown): object {
  if (typeof color !== 'number') return {}
  return { key: color, mounted: ({ style }: HTMLElement) => (style.borderInlineStartColor = hex(color)) }
}

const buttonClasses: Readonly<Record<number, string>> = {
  [ButtonStyle.PRIMARY]: 'main',
  [ButtonStyle.SUCCESS]: 'success',
  [ButtonStyle.DANGER]: 'danger',
}

function drawComponent(component: Component, act: OnAction): Child {
  const all = (list: readonly Component[]) => list.map((one) => drawComponent(one, act))
  const { type, style, disabled, custom_id: name } = component
  if (type in menus) return drawMenu(component, act)
  switch (type) {
    case ComponentType.BUTTON: {
      const label = [component.emoji?.name, component.label].filter(Boolean).join(' ') || name
      if (style === ButtonStyle.LINK) return box('Link', label)
      const press = () => act({ kind: 'press', name, verb: 'pressed', label, values: [] })
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
export function drawSelect(menu: Component, hasNone: boolean, more: object): Child {
  const { type, max_values = 1, placeholder = 'Choose' } = menu
  return h`<select multiple=${max_values !== 1} ...${more}>
    ${hasNone && h`<option value="">${placeholder}</option>`}${optionsOf(menus[type]!(menu))}
  </select>`
}

/** A menu that sends a single choice at once, and several with a button. */
function drawMenu(menu: Component, act: OnAction): Child {
  const { custom_id: name, disabled, placeholder = 'Choose', max_values = 1 } = menu
  const choose = (select: EventTarget | null) => {
    const chosen = [...(select as HTMLSelectElement).selectedOptions]
    const label = chosen.map(({ text }) => text).join(', ')
    return act({
      kind: 'choose',
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
