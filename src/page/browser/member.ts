/** The Member view: a channel as a person sees it, and the composer. */
import { allEntries } from './command-list.ts'
import { composer, field, helloMessage, listOfCommands, take } from './composer.ts'
import { draw, drawAndFocus, h, type Child } from './dom.ts'
import { inspector, showUse } from './inspector.ts'
import { action, openPalette } from './palette.ts'
import { button, text, time } from './parts.ts'
import { channelName } from './place.ts'
import { drawReply } from './reply.ts'
import type { ViewParts } from './shell.ts'
import { act, interactionOf, send, uses, type Use } from './uses.ts'

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

function feed(): Child {
  const { author, authorId, id, content } = helloMessage
  return h`<section class="feed" aria-label=${channelName()}>
    <h2>${channelName()}</h2>
    <div class="message" key="hello">
      ${target(author, 2, authorId, author, 'author')}${target(content, 3, id, 'the message', 'bubble')}
    </div>
    ${uses.map(useItem)}
  </section>`
}

function useItem(use: Use): Child {
  const { id, person, verb, label, lang, result, milliseconds } = use
  const isChosen = use === inspector.use
  const choose = () => showUse(use, result.ok ? 'Interaction' : 'Why')
  return h`<div class="message use ${isChosen && 'chosen'}" key=${id}>
    <button type="button" class="used" aria-pressed="${isChosen}" onclick=${choose}><b>${person}</b> ${verb} ${text(label, lang, 'name')}
      <span class="hint">${time(use.time)}${result.ok ? ` ✓ ${milliseconds} ms` : ' ✗ refused'}</span></button>
    ${result.ok ? reply(use) : h`<p class="problem">${result.message}</p>`}
  </div>`
}

function reply(use: Use): Child {
  const { result, shown, messages, failure } = use
  if (result.ok && result.message !== null)
    return h`<p class="bubble">${result.message.content}<span class="hint"> by the service</span></p>`
  if (shown === null)
    return button('Answer as the bot', () => showUse(use, 'Reply'), { class: 'quiet dashed' })
  const done = (next: Use) => showUse(next, next.shown === null ? 'Reply' : 'Interaction', false)
  return [
    drawReply(shown, messages, (one) => void act(use, one, done)),
    failure !== '' && h`<p class="problem">The bot did not answer as it should: ${failure}</p>`,
  ]
}

export function memberView(side: Child): ViewParts {
  composer.isListOpen = composer.entry === null && (uses.length === 0 || composer.text !== '')
  const sendNow = () =>
    send((use) => showUse(use, interactionOf(use) === null ? 'Interaction' : 'Reply', false))
  return { main: [feed(), listOfCommands()], foot: field(() => void sendNow().then(draw)), side }
}
