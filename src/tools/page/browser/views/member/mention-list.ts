/** Mentions while one types: the people and roles that `@gr` may be, and the channels that `#ge` may be. */
import { displayName } from '../../../../../model/server.ts'
import { h, type Child } from '../../parts/dom.ts'
import { keepFocus, moveActive } from '../../parts/parts.ts'
import { channels, place, roles, server } from '../../parts/place.ts'
import { composer, here } from './draft.ts'

interface Named {
  readonly id: string
  /** The tag in a sent text: `<@3002>`. */
  readonly tag: string
  /** What the field has: `@Grace`. */
  readonly label: string
  readonly hint: string
  /** In lower case, what one may begin to type. */
  readonly names: readonly string[]
  /** Whether the service finds it by its label. */
  readonly isFound: boolean
}

const SHOWN = 8
const PLAIN = /^[@#][\p{L}\p{N}_-]+$/u
/** The name before the caret. */
const TYPED = /(?<![\p{L}\p{N}<])([@#])([^\s@#]{0,32})$/u

/** The name that is typed now, and in which field; the active entry of the list. */
const state = { of: '', text: '', start: 0, typed: '', active: 0 }

/** What can be mentioned in the server, as it was listed last. */
const listed = { from: {} as object, all: [] as readonly Named[] }

function everything(): readonly Named[] {
  const from = server()
  if (listed.from !== from) Object.assign(listed, { from, all: listOf() })
  return listed.all
}

function listOf(): readonly Named[] {
  const taken = new Map<string, number>()
  const count = (label: string) => taken.set(label, (taken.get(label) ?? 0) + 1)
  const { members } = server()
  const own = roles().filter(({ name }) => name !== '@everyone')
  for (const { user, nick } of members) count(`@${nick ?? displayName(user)}`)
  for (const { name } of own) count(name)
  const isPlain = (label: string) => PLAIN.test(label) && taken.get(label) === 1
  const people = members.map(({ user, nick }): Named => {
    const name = `@${nick ?? displayName(user)}`
    const label = taken.get(name) === 1 ? name : `@${user.username}`
    const names = [nick, user.global_name, user.username].flatMap((one) => one?.toLowerCase() ?? [])
    const isFound = nick == null ? isPlain(label) : isPlain(label) && nick === user.username
    return { id: user.id, tag: `<@${user.id}>`, label, hint: user.username, names, isFound }
  })
  const others =
    (sign: string, hint: string) =>
    ({ id, name }: { readonly id: string; readonly name: string }): Named => {
      const isFound = PLAIN.test(name) && (sign === '#' || taken.get(name) === 1)
      return { id, tag: `<${sign}${id}>`, label: name, hint, names: [name.slice(1).toLowerCase()], isFound }
    }
  return [...people, ...own.map(others('@&', 'role')), ...channels().map(others('#', 'channel'))]
}

/** 0 for a name that begins with the words, 1 for one with a word that does, 2 for others that have them. */
function rankOf({ names }: Named, words: string): number {
  if (names.some((one) => one.startsWith(words))) return 0
  if (names.some((one) => one.split(/[\s_.-]/).some((word) => word.startsWith(words)))) return 1
  return names.some((one) => one.includes(words)) ? 2 : 3
}

function mentionable(): readonly Named[] {
  const [of, name = ''] = state.of.split('\n')
  const text = name === '' ? composer().text : composer().values.get(name)?.text
  if (state.typed === '' || of !== here() || text !== state.text) return []
  const words = state.typed.slice(1).toLowerCase()
  const byRank: Named[][] = [[], [], [], []]
  for (const one of everything()) if (one.label[0] === state.typed[0]) byRank[rankOf(one, words)]!.push(one)
  return byRank.slice(0, 3).flat().slice(0, SHOWN)
}

type Field = HTMLInputElement | HTMLTextAreaElement

/** Looks for a name before the caret. @param option the name of the option; empty for the message */
export function lookForMention({ value, selectionStart }: Field, option = ''): void {
  const before = value.slice(0, selectionStart ?? value.length)
  const [typed = '', sign = '', words = ''] = TYPED.exec(before) ?? []
  const start = before.length - typed.length
  Object.assign(state, { of: `${here()}\n${option}`, text: value, start, typed: sign + words, active: 0 })
}

/** Closes the list; false when none is open. */
export function closeMentions(): boolean {
  const isOpen = mentionable().length > 0
  state.typed = ''
  return isOpen
}

/** @param write gives the field its new text @returns whether the key was for the list */
export function mentionKey(event: KeyboardEvent, write: (text: string) => void): boolean {
  const found = mentionable()
  if (found.length === 0) return false
  if (/^(?:Arrow(?:Left|Right)|Home|End)$/.test(event.key)) state.typed = ''
  // A whole name needs no list: Enter sends it.
  const isWhole =
    state.active === 0 &&
    found.some(({ label, hint }) => [label.slice(1), hint].includes(state.typed.slice(1)))
  const isTaking = (event.key === 'Enter' && !isWhole) || (event.key === 'Tab' && !event.shiftKey)
  if (isTaking) takeMention(found[state.active]!, event.target as Field, write)
  else if (!moveActive(event, 'mention', state, found.length)) return false
  event.preventDefault()
  return true
}

function takeMention({ label }: Named, field: Field, write: (text: string) => void): void {
  const { text, start, typed } = state
  const rest = text.slice(start + typed.length)
  const caret = start + label.length + 1
  composer().picked.push(label)
  write(`${text.slice(0, start)}${label} ${rest.replace(/^ /, '')}`)
  state.typed = ''
  // The drawing of this event gives the field its text.
  queueMicrotask(() => field.setSelectionRange(caret, caret))
}

/** The list for the name that is typed. @param write gives the field its new text */
export function mentionList(write: (option: string, text: string) => void): Child {
  const found = mentionable()
  if (found.length === 0) return null
  const [, option = ''] = state.of.split('\n')
  const field = () => document.getElementById(option === '' ? 'composer' : `pill-${option}`) as Field
  const item = (one: Named, index: number) =>
    h`<li role="option" id="mention-${index}" key=${one.id} class="offer" aria-selected="${index === state.active}"
      onclick=${() => takeMention(one, field(), (text) => write(option, text))}><b dir="auto">${one.label}</b><span class="hint" dir="auto">${one.hint}</span></li>`
  return h`<ul class="list mentions" role="listbox" id="mentions" aria-label="Mentions" key="mentions" onmousedown=${keepFocus}>${found.map(item)}</ul>`
}

/** The attributes of a field with the list. @param option the name of the option; empty for the message */
export function mentionAttributes(option = ''): object {
  const isOpen = mentionable().length > 0 && state.of === `${here()}\n${option}`
  return isOpen ? { 'aria-controls': 'mentions', 'aria-activedescendant': `mention-${state.active}` } : {}
}

/**
 * A text as it is sent, with tags in place of labels that the service does not find by itself: those with spaces, nicknames,
 * and names that a role has too.
 */
export function withTags(text: string): string {
  return tagged(text, (one) => !one.isFound).trimEnd()
}

/** The text of an option as it is sent, with tags in place of the labels that were chosen from the list. */
export function withPicked(text: string, picked: readonly string[]): string {
  return picked.length === 0 ? text : tagged(text, ({ label }) => picked.includes(label)).trimEnd()
}

function tagged(text: string, isTagged: (one: Named) => boolean): string {
  if (place.server === '' || !/[@#]/.test(text)) return text
  const named = everything().toSorted((a, b) => b.label.length - a.label.length)
  let sent = ''
  for (let at = 0; at < text.length;) {
    const isStart = /[@#]/.test(text[at]!) && !/[\p{L}\p{N}<]$/u.test(text.slice(Math.max(0, at - 2), at))
    const fits = ({ label }: Named) =>
      text.startsWith(label, at) && !/^[\p{L}\p{N}_]/u.test(text.slice(at + label.length))
    const one = isStart ? named.find(fits) : undefined
    sent += one === undefined ? text[at] : isTagged(one) ? one.tag : one.label
    at += one?.label.length ?? 1
  }
  return sent
}
