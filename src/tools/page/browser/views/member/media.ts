/** Pictures, files and links, as Discord draws them. Nothing of another server is loaded. */
import { addressesIn } from '../../../../../interactions/answer/media-addresses.ts'
import { hasFlag, MessageFlag } from '../../../../../model/interaction-types.ts'
import { h, type Child } from '../../parts/dom.ts'
import { cover, link } from '../../parts/markdown.ts'
import { sizeText } from './chosen-files.ts'
import type { Widget } from './menu.ts'

/** Whether the page may load an address: one of its own service, or one with the content in itself. */
const isOwn = (url: unknown): url is string =>
  typeof url === 'string' && (url.startsWith('data:image/') || url.startsWith(`${location.origin}/`))

export const fileName = (url: string): string => url.replace(/[?#].*$/s, '').replace(/^.*\//, '')

/** What the page does not load, with its address where that is on the web. */
const box = (kind: string, label: string, url?: string): Child =>
  h`<span class="box"><b>${kind}</b> ${url === undefined || isOwn(url) ? label : link(url, label)}</span>`

/** A picture, or in its place a box for one of another server, which the page does not load. */
export function drawPicture(url: unknown, label: string): Child {
  if (isOwn(url)) return h`<img src=${url} alt=${label} loading="lazy" key=${url} />`
  return box('Image', label, typeof url === 'string' ? url : undefined)
}

/** The icon of an author or a footer. */
export const icon = (url: unknown): Child =>
  isOwn(url) && h`<img class="icon" src=${url} alt="" loading="lazy" key=${url} />`

/** A picture of a component, covered where it is a spoiler. */
export function drawMedia({ description, media, spoiler }: Widget): Child {
  const label = description ?? fileName(media.url)
  const shown = drawPicture(media.url, label)
  return spoiler === true ? cover(shown, label) : shown
}

const IS_SPOILER = 1 << 3

const isCovered = ({ filename, flags = 0 }: Widget): boolean =>
  filename.startsWith('SPOILER_') || (flags & IS_SPOILER) !== 0

const isPicture = ({ url, content_type: type = '' }: Widget): boolean =>
  type.startsWith('image/') && isOwn(url)

function fileBox(file: Widget): Child {
  const { filename, size = 0, url } = file
  const name = /^https?:/.test(url) ? link(url, filename) : filename
  return h`<span class="box"><b>File</b> ${name}${size > 0 && ` · ${sizeText(size)}`}</span>`
}

/** The files of a message that nothing in it uses; a layout shows only those that it uses. */
export function drawFiles(message: Widget): Child {
  const { attachments = [], flags } = message
  if (attachments.length === 0 || hasFlag(flags, MessageFlag.IS_COMPONENTS_V2)) return null
  const used = addressesIn(message)
  const files = (attachments as readonly Widget[]).filter(({ url }) => !used.has(url))
  const pictures = files.filter(isPicture)
  const draw = (file: Widget): Child => {
    const label = file.description ?? file.filename
    const shown = isPicture(file) ? drawPicture(file.url, label) : fileBox(file)
    return isCovered(file) ? cover(shown, label) : shown
  }
  const others = files.filter((file) => !isPicture(file))
  return [pictures.length > 0 && gallery(pictures.map(draw)), others.map(draw)]
}

/** A file of a layout, which is one of the message's own. */
export function drawFile({ file: { url }, spoiler }: Widget, attachments: readonly Widget[] = []): Child {
  const own = attachments.find((one) => one.url === url) ?? { filename: fileName(url), url }
  return spoiler === true ? cover(fileBox(own), own.filename) : fileBox(own)
}

/** Pictures beside each other; the first ones are larger where they do not fill rows of three. */
export function gallery(items: readonly Child[]): Child {
  const { length } = items
  return h`<div class="gallery of-${length}" role="group" aria-label="Gallery of ${length}">${items.map(
    (item) => h`<div>${item}</div>`,
  )}</div>`
}
