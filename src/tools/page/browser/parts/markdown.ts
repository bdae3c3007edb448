/** Discord's Markdown as nodes of the page. Texts never become markup. */
import { botTime } from './clock-view.ts'
import { h, type Child } from './dom.ts'
import { button } from './parts.ts'
import { channels, go, nameOf, people, roles } from './place.ts'

type Rule = readonly [pattern: RegExp, draw: (match: RegExpExecArray) => Child]

/** The texts between which `inline` looks for a rule: no other character begins one. */
const BEGINNINGS = /[\\`*_~|[<@]|https?:\/\//g

/** The first rule whose pattern fits at a place draws it; each pattern is sticky. */
const rules: readonly Rule[] = [
  [/\\([^\w\s])/y, ([, character]) => character],
  [/(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)/sy, ([, , code]) => h`<code>${code}</code>`],
  [/\*\*\*(?!\s)(.+?)\*\*\*/sy, ([, text]) => h`<b><em>${inline(text!)}</em></b>`],
  [/\*\*(?!\s)(.+?)\*\*(?!\*)/sy, ([, text]) => h`<b>${inline(text!)}</b>`],
  [/__(.+?)__(?!_)/sy, ([, text]) => h`<u>${inline(text!)}</u>`],
  [/\*(?!\s)(.+?)(?<!\s)\*(?!\*)/sy, ([, text]) => h`<em>${inline(text!)}</em>`],
  [/(?<!\w)_(.+?)_(?!\w)/sy, ([, text]) => h`<em>${inline(text!)}</em>`],
  [/~~(.+?)~~/sy, ([, text]) => h`<s>${inline(text!)}</s>`],
  [/\|\|(.+?)\|\|/sy, ([, text]) => spoiler(inline(text!))],
  [
    /\[([^\]\n]+)\]\(<?(https?:\/\/[^\s>)]+)>?(?:\s+"[^"\n]*")?\)/y,
    ([, text, url]) => link(inline(text!), url!),
  ],
  [/<(https?:\/\/[^\s>]+)>/y, ([, url]) => link(url!, url!)],
  [/https?:\/\/[^\s<>|)]+/y, ([url]) => link(url, url)],
  [/<@!?(\d+)>/y, ([, id]) => mention(nameOf(people(), id!) ?? '@unknown-user')],
  [/<@&(\d+)>/y, ([, id]) => mention(nameOf(roles(), id!) ?? '@unknown-role')],
  [/<#(\d+)>/y, ([, id]) => channelMention(id!)],
  [/<\/([^:>\n]+):\d+>/y, ([, name]) => mention(`/${name}`)],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, ([, seconds, style]) => timestamp(Number(seconds), style)],
  [/<a?(:\w+:)\d+>/y, ([, name]) => name],
  [/@(?:everyone|here)\b/y, ([text]) => mention(text)],
]

const link = (text: Child, url: string): Child => h`<span class="link" title=${url}>${text}</span>`
const mention = (name: string): Child => h`<span class="mention">${name}</span>`

function channelMention(id: string): Child {
  const name = nameOf(channels(), id)
  if (name === undefined) return mention('#unknown')
  return button(name, () => go({ view: 'member', channel: id }), { class: 'mention' })
}

const spoiler = (content: Child): Child =>
  h`<details class="spoiler"><summary>spoiler</summary>${content}</details>`

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

export function inline(text: string): Child {
  const parts: Child[] = []
  let end = 0
  for (const { index } of text.matchAll(BEGINNINGS)) {
    if (index < end) continue
    for (const [pattern, draw] of rules) {
      pattern.lastIndex = index
      const match = pattern.exec(text)
      if (match === null) continue
      parts.push(lines(text.slice(end, index)), draw(match))
      end = index + match[0].length
      break
    }
  }
  return [...parts, lines(text.slice(end))]
}

const lines = (text: string): Child => text.split('\n').map((line, index) => [index > 0 && h`<br />`, line])

const QUOTE = /^>(?:>>)? /
const HEADING = /^(#{1,3}) +([^ ].*)$/
const SMALL = /^-# +([^ ].*)$/
const ITEM = /^( *)(?:[-*]|(\d+)\.) +([^ ].*|)$/

export function markdown(text: string): Child {
  const pieces = text.split(/```(?:[\w+-]+\n)?\n?([^]+?)\n?```\n?/)
  return pieces.map((piece, index) =>
    index % 2 === 1 ? h`<pre class="code">${piece}</pre>` : blocks(piece.split('\n')),
  )
}

function blocks(given: readonly string[]): Child {
  const drawn: Child[] = []
  for (let at = 0; at < given.length;) {
    const start = at
    const take = (fits: (line: string) => boolean) => {
      while (at < given.length && fits(given[at]!)) at++
      return given.slice(start, at)
    }
    const line = given[at]!
    const [, level, heading] = HEADING.exec(line) ?? []
    const [, small] = SMALL.exec(line) ?? []
    if (line.startsWith('>>> ')) {
      at = given.length
      const quoted = [line.slice(4), ...given.slice(start + 1)].join('\n')
      drawn.push(h`<blockquote>${markdown(quoted)}</blockquote>`)
    } else if (line.startsWith('> ')) {
      const quoted = take((one) => one.startsWith('> ')).map((one) => one.replace(QUOTE, ''))
      drawn.push(h`<blockquote>${blocks(quoted)}</blockquote>`)
    } else if (heading !== undefined || small !== undefined) {
      at++
      const kind = small === undefined ? `heading-${level!.length}` : 'hint'
      drawn.push(h`<p class=${kind}>${inline(heading ?? small!)}</p>`)
    } else if (ITEM.test(line)) {
      drawn.push(h`<ul class="bullets">${take((one) => ITEM.test(one)).map(item)}</ul>`)
    } else {
      const plain = take((one) => ![QUOTE, HEADING, SMALL, ITEM].some((pattern) => pattern.test(one)))
      const words = plain.join('\n').replace(/\n$/, '')
      if (words !== '') drawn.push(h`<p dir="auto">${inline(words)}</p>`)
    }
  }
  return drawn
}

function item(line: string): Child {
  const [, indent, number, words] = ITEM.exec(line)!
  return h`<li class=${indent!.length > 1 && 'deep'}>${number === undefined ? '• ' : `${number}. `}${inline(words!)}</li>`
}
