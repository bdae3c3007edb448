/** The Member view: the conversation of a channel as a person sees it, the composer, and beside them the inspector. */
import { typedName } from '../../../../authoring/words.ts'
import { counted } from '../../../../../core/text.ts'
import { ask } from '../../parts/ask.ts'
import { announce, draw, drawAndFocus, h, type Child } from '../../parts/dom.ts'
import { button } from '../../parts/parts.ts'
import { Drafts } from '../../parts/drafts.ts'
import { place, server, who } from '../../parts/place.ts'
import { refreshNews } from '../../parts/rail.ts'
import type { ViewParts } from '../../parts/frame.ts'
import { commandList } from './command-list.ts'
import { composerField, isListOpen, notSentLines, writeIn } from './composer.ts'
import { composer, here, lineIn, renewEntry, sendWritten, written, type CommandEntry } from './draft.ts'
import { drawFeed, openStarted, type FeedHooks } from './feed-view.ts'
import { feedOf, feedMessages, refreshFeeds, scrollToEnd } from './feeds.ts'
import { inspect, inspectCommand, inspector, isInspected, refreshInspector } from './inspector.ts'
import type { ComponentAction } from './message.ts'
import { mentionList } from './mention-list.ts'
import { modalDialog, openModal, reopenModal } from './modal.ts'
import { choiceChips, filledWithFiles, mark } from './options.ts'

/** Loads the place again, because something has happened in it. */
export function refreshPlace(): void {
  refreshFeeds()
  refreshNews()
  refreshInspector()
}

// --- Uses -------------------------------------------------------------------------------------------------------

/** What follows an accepted use: the modal that it opens. */
function follow(answer: Awaited<ReturnType<typeof ask<'use'>>>, as: string): void {
  if (answer.ok && answer.reply?.shown.kind === 'modal') openModal(answer.id, as, answer.reply.shown.modal)
  refreshFeeds()
}

async function useCommand(entry: CommandEntry): Promise<void> {
  const label = typedName(entry)
  const [by, as, from] = [who(), place.as, here()]
  const { type, path, id: command } = entry
  // Who sends it looks at the end, and may leave it before the bot answers.
  scrollToEnd()
  const { result: answer, isBack } = await sendWritten(
    async (draft) => {
      const filled = await filledWithFiles(entry, draft)
      return ask('use', { ...by, type, path, verb: 'used', label, command, line: lineIn(draft), ...filled })
    },
    ({ ok }) => ok,
  )
  if (answer === undefined) return
  announce(answer.ok ? `Sent ${label}` : `Refused: ${answer.message}`)
  // Another place has the field by now.
  if (!answer.ok && isBack && here() === from) mark(answer.message, answer.issues)
  follow(answer, as)
}

/** The messages of which a component waits for the bot: Discord sends no other one of them. */
const pressed = new Drafts<null>('press', { empty: () => null, isEmpty: () => true })

async function useComponent(message: string, as: string, action: ComponentAction): Promise<void> {
  const post = () => ask('act', { ...who(), as, message, ...action })
  const answer = await pressed.send(`${as} ${message}`, post)
  if (answer === undefined) return
  announce(answer.ok ? `${action.verb} ${action.label}` : `Refused: ${answer.message}`)
  follow(answer, as)
}

const hooks: FeedHooks = {
  act: useComponent,
  inspect: (of, tab) => inspect(of, tab ?? 'Interaction'),
  isChosen: isInspected,
}

// --- The view ---------------------------------------------------------------------------------------------------

export function focusComposer(): boolean {
  if (document.getElementById('composer') === null) return false
  // A slash begins a command only in an empty field: what is written stays.
  if (written.isEmpty(here())) Object.assign(composer(), { text: '/', isClosed: false })
  drawAndFocus('composer')
  return true
}

/** The feed, whether its newest message is in sight, and how many messages there were when it last was. */
const end = { feed: null as Element | null, isInSight: true, count: 0 }

/** The feed is drawn from its end, so that its place of scrolling is negative above it. */
const isEndInSight = () => (end.feed?.scrollTop ?? 0) > -24

function followEnd(content: Element): void {
  end.feed = content
  content.addEventListener('scroll', () => {
    if (isEndInSight() !== end.isInSight) draw()
    end.isInSight = isEndInSight()
  })
}

function newMessages(): Child {
  const { length } = feedMessages()
  // A message may arrive before the event of a scroll.
  if (isEndInSight()) end.count = length
  const added = length - end.count
  return added > 0 && button(`${counted(added, 'new message')} ↓`, scrollToEnd, { class: 'main newer' })
}

export function memberView(): ViewParts {
  openStarted(server().channels)
  reopenModal()
  renewEntry()
  const { value } = feedOf(place.as)
  const isIdle = value !== undefined && value.items.length === 0
  const isOpen = isListOpen(isIdle)
  const isHidden = value?.isHidden === true
  const list = isOpen && !isHidden && commandList(inspectCommand)
  // Before the first message the list of commands is a part of the feed.
  const isInFeed = isIdle && composer().text === ''
  const { beside } = place
  const isDouble = beside !== '' && beside !== place.as
  return {
    main: [
      drawFeed(place.as, hooks, {
        key: 'pane',
        isNewest: !isInFeed,
        mounted: followEnd,
        below: [notSentLines(), isInFeed && list],
      }),
      isDouble && drawFeed(beside, hooks, { key: 'beside', isNewest: true }),
      modalDialog(follow),
    ],
    content: { class: `panes ${isDouble && 'double'}` },
    foot: [
      h`<div class="over">${newMessages()}${!isInFeed && list}${mentionList(writeIn)}${choiceChips()}</div>`,
      value?.isClosed
        ? h`<p class="dim">This thread is locked: people who may manage threads can write here.</p>`
        : !isHidden && composerField(isOpen, useCommand),
    ],
    side: inspector(),
  }
}
