/** Embeds, as Discord draws them: text at the left, the thumbnail beside it, the picture below. */
import { h, type Child } from '../../parts/dom.ts'
import { inline, link, markdown } from '../../parts/markdown.ts'
import { hex } from '../../parts/rail.ts'
import { fileName, icon, drawPicture } from './media.ts'
import type { Widget } from './menu.ts'

export function drawEmbed(embed: Widget): Child {
  const { provider, author, title, url, description, fields = [], image, thumbnail, footer } = embed
  const field = ({ name, value, inline }: Widget) =>
    h`<div class=${inline !== true && 'wide'}><b>${markdown(name)}</b>${markdown(value)}</div>`
  const linked = (content: Child, address: unknown) =>
    typeof address === 'string' ? link(address, content) : content
  const words = h`<div class="embed-text">
    ${provider && h`<p class="hint">${linked(provider.name, provider.url)}</p>`}
    ${author && h`<p class="embed-author">${icon(author.icon_url)}<b>${linked(author.name, author.url)}</b></p>`}
    ${title && h`<p class="embed-title" dir="auto">${linked(inline(title), url)}</p>`}
    ${description && markdown(description)}
    ${fields.length > 0 && h`<div class="fields">${fields.map(field)}</div>`}
  </div>`
  return h`<div class="embed" role="group" aria-label="Embed" ...${barColor(embed.color)}>
    <div class="embed-body">${words}${thumbnail && h`<div class="thumbnail">${drawPicture(thumbnail.url, fileName(thumbnail.url))}</div>`}</div>
    ${image && drawPicture(image.url, fileName(image.url))}
    ${foot(footer, embed.timestamp)}
  </div>`
}

function foot(footer: Widget | undefined, timestamp: string | undefined): Child {
  const date = timestamp && new Date(timestamp).toLocaleString()
  const written = [footer?.text, date].filter(Boolean)
  return written.length > 0 && h`<p class="hint">${icon(footer?.icon_url)}${written.join(' • ')}</p>`
}

/** The colour of the bar at an embed or a container, by its number. */
export function barColor(color: unknown): object {
  if (typeof color !== 'number') return {}
  return { key: color, mounted: ({ style }: HTMLElement) => (style.borderInlineStartColor = hex(color)) }
}
