/** Discord's Markdown as nodes of the page. Texts never become markup. */
import { blocksOf, marksOf, type Block, type ListItem, type Mark } from './markdown-blocks.ts'
import { botTime } from './clock-view.ts'
import { h, type Child } from './dom.ts'
import { button } from './parts.ts'
import { channels, go, nameById, peopleIn, roles } from './place.ts'

const mention = (name: string): Child => h`<span class="mention">${name}</span>`

function channelMention(id: string): Child {
  const name = nameById(channels(), id)
  if (name === undefined) return mention('#unknown')
  return button(name, () => go({ view: 'member', channel: id }), { class: 'mention' })
}

const dateStyles: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

function timestamp(seconds: number, style = 'f'): Child {
  const date = new Date(seconds * 1_000)
  if (Number.isNaN(date.getTime())) return 'Invalid date'
  if (style !== 'R') return mention(new Intl.DateTimeFormat('en', dateStyles[style]).format(date))
  const distance = seconds - botTime() / 1_000
  const [unit, size] = units.find(([, length]) => Math.abs(distance) >= length) ?? units[5]
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return mention(format.format(Math.round(distance / size), unit))
}

const spoiler = (content: Child): Child =>
  h`<details class="spoiler"><summary>spoiler</summary>${content}</details>`

/** A picture, a file or a container that is hidden until a person opens it. */
export const cover = (content: Child, label: string): Child =>
  h`<details class="cover"><summary>Spoiler<span class="hidden">: ${label}</span></summary>${content}</details>`

/** A link that opens in a tab of its own, which does not learn where it comes from. Other addresses stay text. */
export function link(url: string, content: Child, kind = 'link'): Child {
  const isUsable = /^(?:https?|discord):\/\//i.test(url)
  if (!isUsable) return h`<span title=${url}>${content}</span>`
  return h`<a class=${kind} href=${url} title=${url} target="_blank" rel="noreferrer noopener">${content}${kind === 'button' && h`<span aria-hidden="true"> ↗</span>`}</a>`
}

export const inline = (text: string): Child => drawMarks(marksOf(text))

const drawMarks = (marks: readonly Mark[]): Child => marks.map(drawMark)

function drawMark(mark: Mark): Child {
  if (typeof mark === 'string') return lines(mark)
  switch (mark.kind) {
    case 'code':
      return h`<code>${mark.text}</code>`
    case 'link':
      return link(mark.url, drawMarks(mark.content))
    case 'user':
      return mention(nameById(peopleIn(), mark.id) ?? '@unknown-user')
    case 'role':
      return mention(nameById(roles(), mark.id) ?? '@unknown-role')
    case 'channel':
      return channelMention(mark.id)
    case 'mention':
      return mention(mark.text)
    case 'time':
      return timestamp(mark.seconds, mark.style)
    default:
      return styles[mark.kind](drawMarks(mark.content))
  }
}

const styles = {
  bold: (content: Child) => h`<b>${content}</b>`,
  italic: (content: Child) => h`<em>${content}</em>`,
  'bold-italic': (content: Child) => h`<b><em>${content}</em></b>`,
  underline: (content: Child) => h`<u>${content}</u>`,
  strike: (content: Child) => h`<s>${content}</s>`,
  spoiler,
}

const lines = (text: string): Child => text.split('\n').map((line, index) => [index > 0 && h`<br />`, line])

export const markdown = (text: string): Child => blocksOf(text).map(drawBlock)

function drawBlock(block: Block): Child {
  switch (block.kind) {
    case 'code':
      return h`<pre class="code">${block.text}</pre>`
    case 'quote':
      return h`<blockquote>${block.blocks.map(drawBlock)}</blockquote>`
    case 'heading':
      return h`<p class=${`heading-${block.level}`}>${drawMarks(block.content)}</p>`
    case 'small':
      return h`<p class="hint">${drawMarks(block.content)}</p>`
    case 'list':
      return h`<ul class="bullets">${block.items.map(drawItem)}</ul>`
    case 'text':
      return h`<p dir="auto">${drawMarks(block.content)}</p>`
  }
}

/** The steps by which items are indented. */
const DEEPEST = 3

function drawItem({ depth, number, content }: ListItem): Child {
  return h`<li class="deep-${Math.min(depth, DEEPEST)}">${number === undefined ? '• ' : `${number}. `}${drawMarks(content)}</li>`
}
