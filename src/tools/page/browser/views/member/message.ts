/** The content of a message as a person sees it, with components that can be used. */
import { ButtonStyle, ComponentType, hasFlag, MessageFlag } from '../../../../../model/interaction-types.ts'
import { h, type Child } from '../../parts/dom.ts'
import { inline, markdown } from '../../parts/markdown.ts'
import { button } from '../../parts/parts.ts'
import { hex } from '../../parts/rail.ts'
import { sizeText } from './chosen-files.ts'
import { drawMenu, isMenu, type Component } from './menu.ts'

export interface ComponentAction {
  readonly kind: 'press' | 'choose'
  readonly name: string
  /** Shown in the channel: `pressed` and `Yes`. */
  readonly verb: string
  readonly label: string
  readonly values: unknown
}

/** Who uses the components of a message, and how. */
interface Acting {
  /** Names the message and the person. */
  readonly key: string
  readonly act: (action: ComponentAction) => unknown
}

/** The parts of a component that are drawn themselves. */
export const partsOf = ({ components = [], accessory, component }: Component): readonly Component[] =>
  [...components, accessory, component].filter((one) => one !== undefined)

/** @param isEdited whether the content was changed */
export function drawMessage(fields: Component, isEdited: boolean, acting: Acting): Child {
  const { content = '', flags, embeds = [], attachments = [], components = [] } = fields
  return [
    hasFlag(flags, MessageFlag.LOADING) ? h`<p class="dim">thinking…</p>` : markdown(content),
    !hasFlag(flags, MessageFlag.SUPPRESS_EMBEDS) && embeds.map(drawEmbed),
    attachments.map(drawFile),
    components.map((one: Component) => drawComponent(one, acting)),
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

/** What the page does not load: an image, a file, an address. */
const box = (kind: string, label: string): Child => h`<span class="box"><b>${kind}</b> ${label}</span>`

const fileName = (url: string): string => url.replace(/[?#].*$/s, '').replace(/^.*\//, '')

const imageBox = ({ description, media }: Component): Child =>
  picture(media.url, description ?? fileName(media.url))

function drawEmbed(embed: Component): Child {
  const { author, title, url, description, fields = [], image, thumbnail, footer, timestamp } = embed
  const field = ({ name, value, inline }: Component) =>
    h`<div class=${inline !== true && 'wide'}><b>${markdown(name)}</b>${markdown(value)}</div>`
  const written = [footer?.text, timestamp && new Date(timestamp).toLocaleString()].filter(Boolean)
  return h`<section class="embed" aria-label="Embed" ...${coloured(embed.color)}>
    ${author && h`<p class="hint">${author.name}</p>`}
    ${title && h`<p class="embed-title ${url && 'link'}" title=${url}>${inline(title)}</p>`}
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

function drawComponent(component: Component, acting: Acting): Child {
  const all = (list: readonly Component[]) => list.map((one) => drawComponent(one, acting))
  const { type, style, disabled, custom_id: name } = component
  if (isMenu(component)) {
    const send = (values: readonly string[], label: string) =>
      acting.act({ kind: 'choose', name, verb: 'chose', label, values })
    return drawMenu(component, { key: `${acting.key} ${name}`, send })
  }
  switch (type) {
    case ComponentType.BUTTON: {
      const label = [component.emoji?.name, component.label].filter(Boolean).join(' ') || name
      if (style === ButtonStyle.LINK) return box('Link', label)
      const press = () => acting.act({ kind: 'press', name, verb: 'pressed', label, values: [] })
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
