/** The Member view: a channel as a person sees it, and the composer. */
import { counted } from '../../core/text.ts'
import { allEntries } from './command-list.ts'
import { choiceChips, composer, field, helloMessage, isListOpen, listOfCommands, take } from './composer.ts'
import { changer, draw, drawAndFocus, h, type Child } from './dom.ts'
import { inspector, showUse } from './inspector.ts'
import { action, openPalette } from './palette.ts'
import { button, problemList, text, time } from './parts.ts'
import { channelName } from './place.ts'
import { drawReply } from './reply.ts'
import type { ViewParts } from './shell.ts'
import { act, send, uses, type Use } from './uses.ts'

/** Moves the focus to the composer. */
export function focusComposer(): boolean {
  if (document.getElementById('composer') === null) return false
  composer.text = '/'
  drawAndFocus('composer')
  return true
}

/** A button that opens the commands of a context menu, for the user or the message with an id. */
function target(label: string, type: 2 | 3, id: string, of: string, kind: string): Child {
  const open = (event: Event) => {
    event.preventDefault()
    const entries = allEntries().filter((entry) => entry.type === type)
    const actions = entries.map((entry) => action('App', entry.name, () => take(entry, id)))
    openPalette(actions, `Apps for ${of}`)
  }
  const title = `Right-click or Shift+F10 for ${type === 2 ? 'user' : 'message'} commands`
  return h`<button type="button" class=${kind} title=${title} oncontextmenu=${open} onclick=${open}>${label}</button>`
}

/** The one message of the channel, for commands on members and messages. */
function hello(): Child {
  const { author, authorId, id, content } = helloMessage
  if (!allEntries().some(({ type }) => type === 2 || type === 3)) return null
  return h`<div class="message" key="hello">
    ${target(author, 2, authorId, author, 'author')}${target(content, 3, id, 'the message', 'bubble')}
  </div>`
}

/** The channel with its messages. Before the first use the list of commands is a part of it. */
function feed(list: Child): Child {
  return h`<section class="feed" aria-label=${channelName()}>
    <h2>${channelName()}</h2>
    ${hello()}
    ${uses.map(useItem)}
    ${list}
  </section>`
}

function useItem(use: Use): Child {
  const { id, person, verb, label, lang, result } = use
  const isChosen = use === inspector.use
  const choose = () => showUse(use, result.ok ? 'Interaction' : 'Why')
  return h`<div class="message use ${isChosen && 'chosen'}" key=${id}>
    <button type="button" class="used" aria-pressed="${isChosen}" onclick=${choose}><b>${person}</b> ${verb} ${text(label, lang, 'name')}
      <span class="hint">${time(use.time)}${outcome(use)}</span></button>
    ${result.ok ? reply(use) : !isMarked(use) && h`<p class="problem">${result.message}</p>`}
  </div>`
}

/** Whether the composer shows the reasons of a refusal at its fields. */
const isMarked = (use: Use): boolean => use === uses.at(-1) && composer.problems.size > 0

function outcome({ result, failure, milliseconds }: Use): string {
  if (!result.ok) return ' ✗ refused'
  return failure === '' ? ` ✓ ${milliseconds} ms` : ` ✗ ${milliseconds} ms`
}

function reply(use: Use): Child {
  const { result, shown, messages, failure, issues } = use
  if (result.ok && result.message !== null)
    return h`<p class="bubble">${result.message.content}<span class="hint"> by the service</span></p>`
  if (shown === null)
    return button('Answer as the bot', () => showUse(use, 'Reply'), { class: 'quiet dashed' })
  const done = (next: Use) => showUse(next, 'Interaction', next.shown === null)
  return [
    drawReply(shown, messages, (one) => void act(use, one, done)),
    failure !== '' &&
      h`<div class="problem"><p>The bot did not answer as it should: ${failure}</p>${problemList(issues)}</div>`,
  ]
}

// --- The end of the feed ----------------------------------------------------------------------------------------

/** Whether the newest answer is in sight, and how many messages there were when it last was. */
const end = { isInSight: true, count: 0 }

const messageCount = (): number => uses.reduce((sum, { messages }) => sum + messages.length, 0)

/** The feed is drawn from its end, so that its place of scrolling is negative above it. */
function onscroll({ target }: Event): void {
  const isInSight = (target as Element).scrollTop > -24
  if (isInSight !== end.isInSight) changer(end)({ isInSight })
}

function scrollToEnd(): void {
  document.querySelector('.content')?.scrollTo({ top: 0 })
}

/** Leads down to answers that came while the person read older ones. */
function newAnswers(): Child {
  const count = messageCount()
  if (end.isInSight) end.count = count
  const added = count - end.count
  return added > 0 && button(`${counted(added, 'new answer')} ↓`, scrollToEnd, { class: 'main newer' })
}

export function memberView(side: Child): ViewParts {
  const isIdle = uses.length === 0
  const isOpen = isListOpen(isIdle)
  const sendNow = async () => {
    await send((use) => showUse(use, 'Interaction', use.shown === null))
    scrollToEnd()
    draw()
  }
  const list = isOpen && listOfCommands()
  const isInFeed = isIdle && composer.text === ''
  return {
    main: feed(isInFeed && list),
    // A long list is read from its start, the feed from its end.
    content: { class: isInFeed ? 'content' : 'content newest', onscroll },
    foot: [
      h`<div class="over">${newAnswers()}${!isInFeed && list}${choiceChips()}</div>`,
      field(isOpen, () => void sendNow()),
    ],
    side,
  }
}
