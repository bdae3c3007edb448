/** The conversation of a channel as a person sees it, with what they can do with its messages and people. */
import type { CommandType } from '../../../../../model/command-types.ts'
import { hasFlag, MessageFlag } from '../../../../../model/interaction-types.ts'
import { ask } from '../../parts/ask.ts'
import { h, memo, type Child } from '../../parts/dom.ts'
import { action, openMenu } from '../../parts/palette.ts'
import { button, failure, problemList, inLanguage, clockTime } from '../../parts/parts.ts'
import { about, channelName, does, go, personName, personOf, place } from '../../parts/place.ts'
import { isOnline } from '../../parts/program-view.ts'
import { avatar, hex, personActions } from '../../parts/rail.ts'
import { dropping, startEdit, startReply } from './composer.ts'
import { allEntries } from './draft.ts'
import { feedOf, type Item, type MessageItem, type UseItem } from './feeds.ts'
import type { Widget } from './menu.ts'
import { drawMessage, drawReplied, type ComponentAction } from './message.ts'
import { take } from './options.ts'

/** What the conversation needs of the view around it. */
export interface FeedHooks {
  /** Uses a component of a message. */
  readonly act: (message: string, as: string, action: ComponentAction) => unknown
  /** Opens the inspector for a message or a use. */
  readonly inspect: (of: { readonly message?: string; readonly use?: number }, tab?: 'Reply') => unknown
  readonly isChosen: (item: Item) => boolean
}

// --- Menus ------------------------------------------------------------------------------------------------------

type Action = ReturnType<typeof action>

const commandsOn = (type: CommandType, id: string): readonly Action[] =>
  allEntries()
    .filter((entry) => entry.type === type)
    .map((entry) =>
      action('App', entry.name, () => {
        if (place.view !== 'member') go({ view: 'member' })
        take(entry, id)
      }),
    )

/** The user commands of a person. */
export const personCommands = (id: string): readonly Action[] => commandsOn(2, id)

const EMOJIS = ['👍', '❤️', '😂', '🎉', '✅', '👀']

function messageActions(item: MessageItem, hooks: FeedHooks): readonly Action[] {
  const { message, author, isOwn, isInChannel, canDelete } = item
  const { id, content } = message
  const inChannel = [
    action('Message', 'Reply', () => startReply(id, author.name)),
    ...(isOwn ? [action('Message', 'Edit', () => startEdit(id, content))] : []),
    ...EMOJIS.map((emoji) => action('React', emoji, () => does('react', { id, emoji }))),
    ...(canDelete ? [action('Message', 'Delete', () => does('delete', { id }))] : []),
    action('Message', 'Pin', () => does('pin', { id })),
    action('Message', 'Start a thread', () => startThread(id, content)),
    ...commandsOn(3, id),
  ]
  return [
    ...(isInChannel ? inChannel : []),
    action('Message', 'Inspect', () => hooks.inspect({ message: id })),
  ]
}

async function startThread(message: string, content: string): Promise<void> {
  const name = content.slice(0, 60) || 'thread'
  const { id } = await does('startThread', { id: message, name })
  opening = id
}

/** A thread that was started: the page goes there once its server has it. */
let opening = ''

export function openStarted(channels: readonly { readonly id: string }[]): void {
  if (opening === '' || !channels.some(({ id }) => id === opening)) return
  const id = opening
  opening = ''
  go({ channel: id })
}

// --- Items ------------------------------------------------------------------------------------------------------

/** Milliseconds within which messages of one author have one head. */
const TOGETHER = 7 * 60_000

function isWithBefore(item: MessageItem, before: Item | undefined): boolean {
  if (before?.kind !== 'message' || item.usedBy !== null || referenced(item) !== null) return false
  const isSame = before.author.id === item.author.id && isOnlyMine(before) === isOnlyMine(item)
  return isSame && item.time - before.time < TOGETHER
}

const isOnlyMine = ({ message }: MessageItem): boolean => hasFlag(message.flags, MessageFlag.EPHEMERAL)

const referenced = ({ message }: MessageItem): Widget | null =>
  ((message as Widget).referenced_message as Widget | undefined) ?? null

function drawItem(item: Item, before: Item | undefined, as: string, hooks: FeedHooks): Child {
  if (item.kind === 'use') return drawUse(item, hooks)
  const draw = () => drawMessageItem(item, before, as, hooks)
  // Menus of components have fields, and a state of their own.
  if ((item.message as Widget).components?.length > 0) return draw()
  return memo(`${as} ${item.key}`, [item, before, hooks.isChosen(item), about, location.href], draw)
}

function drawMessageItem(item: MessageItem, before: Item | undefined, as: string, hooks: FeedHooks): Child {
  const { key, message, author, isEdited, usedBy, failure: failed, issues, error } = item
  const { id, components } = message as Widget
  const menu = (event: Event) =>
    openMenu(event, () => messageActions(item, hooks), `Message of ${author.name}`)
  const isJoined = isWithBefore(item, before)
  const isOpen = hooks.isChosen(item)
  const inspect = () => hooks.inspect({ message: id })
  const act = (action: ComponentAction) => hooks.act(id, as, action)
  return h`<article class="message ${isJoined && 'joined'} ${isOpen && 'chosen'}" key=${key} oncontextmenu=${menu} aria-label="Message of ${author.name}">
    ${usedBy !== null && h`<button type="button" class="used" key="used" aria-pressed="${isOpen}" onclick=${inspect}><b>${usedBy.person}</b> used ${inLanguage(usedBy.label, 'en', 'name')}</button>`}
    ${drawReplied(message, nameOfAuthor)}
    ${!isJoined && avatar(author)}
    <div class="body">
      ${!isJoined && head(item)}
      <div class="bubble ${components?.length > 0 && 'parts'}">${drawMessage(message, isEdited, { key: `${as} ${id}`, as, act })}</div>
      ${isOnlyMine(item) && h`<p class="hint only">Only you can see this</p>`}
      ${failed !== '' && failureOf(failed, issues, error)}
      ${reactions(item, as)}
    </div>
    <button type="button" class="quiet more" aria-label="Menu of the message" onclick=${menu}>⋯</button>
  </article>`
}

const failures: Readonly<Record<string, string>> = {
  ended: 'The bot ended.',
  restarted: 'The bot was started again before it answered.',
  timeout: 'The bot did not answer in time.',
}

/** @param error what the program of the bot wrote meanwhile */
const failureOf = (code: string, issues: UseItem['issues'], error: string): Child =>
  h`<div class="problem"><p>${failures[code] ?? `The bot did not answer as it should: ${code}`}</p>${problemList(issues)}
    ${error !== '' && h`<pre class="fault" tabindex="0" aria-label="Error of the bot">${error}</pre>`}</div>`

function head({ author, time: at }: MessageItem): Child {
  const { id, name, isBot, colour } = author
  const person = personOf(id)
  const menu = (event: Event) => {
    const actions = person === undefined ? personCommands(id) : personActions(person, personCommands(id))
    openMenu(event, () => actions, name)
  }
  const colouring =
    colour === null ? {} : { mounted: ({ style }: HTMLElement) => (style.borderColor = hex(colour)) }
  return h`<p class="head"><button type="button" class="author" onclick=${menu} oncontextmenu=${menu} key=${colour ?? 'plain'} ...${colouring}
    title="Right-click or Shift+F10 for user commands">${name}</button>
    ${isBot && h`<span class="app">APP</span>`} <span class="hint">${clockTime(at).slice(0, 5)}</span></p>`
}

const nameOfAuthor = ({ author }: Widget): string =>
  personOf(author.id)?.name ?? author.global_name ?? author.username

function reactions({ message }: MessageItem, as: string): Child {
  const { id, reactions: all = [] } = message as Widget
  if (all.length === 0) return null
  const draw = ({ emoji, count, me }: Widget) => {
    const isOwn = emoji.id !== null
    const text = isOwn ? `<:${emoji.name}:${emoji.id}>` : emoji.name
    const name = isOwn ? `:${emoji.name}:` : emoji.name
    const toggle = () => does(me ? 'unreact' : 'react', { as, id, emoji: text })
    return button([name, ' ', count], toggle, {
      class: 'reaction',
      'aria-pressed': String(me),
      'aria-label': `${name}, ${count}`,
    })
  }
  return h`<p class="row reactions">${all.map(draw)}</p>`
}

function drawUse(item: UseItem, hooks: FeedHooks): Child {
  const { id, key, verb, label, lang, refused, launched, shown, failure: failed, issues, isOpen } = item
  const inspect = () => hooks.inspect({ use: id })
  const done = `${failed === '' ? '✓' : '✗'} ${item.milliseconds} ms`
  const outcome = item.isSending ? 'sending…' : refused === null ? done : '✗ refused'
  const repeat = () => ask('again', { use: id })
  const words: Readonly<Record<string, string>> = {
    modal: 'opened a form',
    activity: 'launched the Activity',
  }
  return h`<article class="message use ${hooks.isChosen(item) && 'chosen'}" key=${key} aria-label="Use of ${label}">
    <button type="button" class="used" key="used" aria-pressed="${hooks.isChosen(item)}" onclick=${inspect}><b>${personName()}</b> ${verb} ${inLanguage(item.line || label, lang, 'name')}
      <span class="hint">${clockTime(item.time)} ${outcome}</span></button>
    ${item.canRepeat && !item.isSending && button('↻', repeat, { class: 'quiet again', 'aria-label': `Use ${label} again`, title: 'Use again' })}
    ${refused !== null && h`<p class="problem">${refused}</p>`}
    ${launched !== null && h`<p class="bubble">${launched}<span class="hint"> by the service</span></p>`}
    ${isOpen && isOnline(place.app) === false && h`<p class="problem">No bot is logged in.</p>`}
    ${isOpen && button('Answer as the bot', () => hooks.inspect({ use: id }, 'Reply'), { class: 'quiet dashed' })}
    ${shown !== null && h`<p class="bubble dim ${failed !== '' && 'problem'}">${words[shown] ?? shown.replaceAll('_', ' ')}</p>`}
    ${failed !== '' && failureOf(failed, issues, item.error)}
    ${(refused !== null || failed !== '' || isOpen || shown !== null) && h`<p class="hint only">Only you can see this</p>`}
  </article>`
}

// --- The conversation -------------------------------------------------------------------------------------------

interface Pane {
  readonly key: string
  /** Whether it is read from its end. */
  readonly isNewest: boolean
  readonly mounted?: (element: Element) => void
  /** Drawn after the last message. */
  readonly below?: Child
}

export function drawFeed(as: string, hooks: FeedHooks, { key, isNewest, mounted, below }: Pane): Child {
  const feed = feedOf(as)
  const { items = [], isHidden = false, state = '' } = feed.value ?? {}
  const { name = as } = personOf(as) ?? {}
  const isBeside = as !== place.as
  const close = button('×', () => go({ beside: '' }), { class: 'quiet', 'aria-label': `Close ${name}` })
  const nothing = h`<p class="dim">No messages here yet. Write one below, or type / for commands.</p>`
  return h`<section class="pane" aria-label="${channelName()} as ${name}" key=${key} ...${dropping}>
    <div class="feed-head"><h2>${channelName()}</h2>${state !== '' && h`<span class="hint">${state}</span>`}<span class="hint">as ${name}</span>${isBeside && close}</div>
    <div class="stream ${isNewest && 'newest'}" tabindex="0" role="group" aria-label="Messages" mounted=${mounted}>
      <div class="feed">
        ${failure(feed)}
        ${isHidden && h`<p class="dim">${name} cannot see this channel.</p>`}
        ${items.map((item, index) => drawItem(item, items[index - 1], as, hooks))}
        ${feed.value !== undefined && items.length === 0 && !isHidden && nothing}
        ${below}
      </div>
    </div>
  </section>`
}
