/** The addresses of pictures and files that a message shows in its embeds and components. */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Path } from '../../core/rules/rule.ts'
import { partsOf } from './component-parts.ts'

/** No list of a message has more. */
export const MOST_ITEMS = 25

/** An address, and where it is. */
export type Address = readonly [url: unknown, at: Path]

/** The addresses of a component's own media. */
export function mediaOf({ media, file, items }: JsonObject): readonly Address[] {
  const own = ([holder, at]: readonly [unknown, Path]): readonly Address[] =>
    isObject(holder) ? [[holder.url, [...at, 'url']]] : []
  const list = Array.isArray(items) ? items.slice(0, MOST_ITEMS) : []
  const inItems = list.map(
    (item, index) => [isObject(item) && item.media, ['items', index, 'media']] as const,
  )
  return [[media, ['media']] as const, [file, ['file']] as const, ...inItems].flatMap(own)
}

const EMBED_MEDIA = [
  ['image', 'url'],
  ['thumbnail', 'url'],
  ['author', 'icon_url'],
  ['footer', 'icon_url'],
] as const

/** The addresses of the media of embeds. */
export function embedMediaOf({ embeds }: JsonObject): readonly Address[] {
  if (!Array.isArray(embeds)) return []
  return embeds.slice(0, MOST_ITEMS).flatMap((embed: unknown, index) =>
    EMBED_MEDIA.flatMap(([part, field]): readonly Address[] => {
      const holder = isObject(embed) ? embed[part] : undefined
      return isObject(holder) ? [[holder[field], ['embeds', index, part, field]]] : []
    }),
  )
}

/** The addresses in a message. Its files with one of them are shown there, and not below the message again. */
export function addressesIn(message: JsonObject): ReadonlySet<unknown> {
  const components = Array.isArray(message.components) ? partsOf(message.components) : []
  const all = [...components.flatMap(({ component }) => mediaOf(component)), ...embedMediaOf(message)]
  return new Set(all.map(([url]) => url))
}
