/** The conversations that are shown: each is asked for, and asked for again when something happens. */
import type { Answer } from '../../../questions/questions.ts'
import { Source } from '../../parts/ask.ts'
import { draw } from '../../parts/dom.ts'
import { place, who } from '../../parts/place.ts'

export type Item = Answer<'feed'>['items'][number]
export type MessageItem = Extract<Item, { readonly kind: 'message' }>
export type UseItem = Extract<Item, { readonly kind: 'use' }>

/** By person and place, the last one used at the end. */
const feeds = new Map<string, Source<'feed'>>()
const MAX_FEEDS = 4

/** The conversation of the place as a person sees it. */
export function feedOf(as: string): Source<'feed'> {
  const key = [place.app, place.server, place.channel, as].join(' ')
  const feed = feeds.get(key) ?? new Source('feed')
  feeds.delete(key)
  feeds.set(key, feed)
  for (const [oldest] of feeds) if (feeds.size > MAX_FEEDS) feeds.delete(oldest)
  // There is no place before the first deploy.
  if (place.app !== '') feed.ask({ ...who(), as })
  return feed
}

/** Asks again for those that are shown; the others when they are, as their person may have left. */
export function refreshFeeds(): void {
  for (const feed of feeds.values()) feed.outdate()
  draw()
}

export const feedMessages = (as = place.as): readonly MessageItem[] =>
  (feedOf(as).value?.items ?? []).filter((item) => item.kind === 'message')

/** What a message is called where one is chosen: its author and how it begins. */
export function messageTitle({ author, message }: MessageItem): string {
  const { content } = message
  return `${author.name}: ${content.length > 60 ? `${content.slice(0, 60)}…` : content}`
}

export function scrollToEnd(): void {
  for (const one of document.querySelectorAll('.newest')) one.scrollTo({ top: 0 })
}
