/** The Member view: the conversation of a channel as a person sees it, the composer, and beside them the inspector. */
import { typedName } from '../../../../authoring/words.ts'
import { counted } from '../../../../../core/text.ts'
import { ask } from '../../parts/ask.ts'
import { announce, draw, drawAndFocus, h, type Child } from '../../parts/dom.ts'
import { button } from '../../parts/parts.ts'
import { place, server, who } from '../../parts/place.ts'
import { refreshRail } from '../../parts/rail.ts'
import type { ViewParts } from '../../parts/frame.ts'
import { commandList } from './command-list.ts'
import { field, isListOpen } from './composer.ts'
import { composer, reset, type CommandEntry } from './draft.ts'
import { drawFeed, openStarted, type FeedHooks } from './feed-view.ts'
import { feedOf, messagesOf, refreshFeeds, scrollToEnd } from './feeds.ts'
import { inspect, inspectCommand, inspector, isInspected, refreshInspector } from './inspector.ts'
import type { ComponentAction } from './message.ts'
import { modalDialog, openModal } from './modal.ts'
import { choiceChips, filledWithFiles, mark } from './options.ts'

/** Loads the place again, because something has happened in it. */
export function refreshPlace(): void {
  refreshFeeds()
  refreshRail()
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
  const sent = {
    type: entry.type,
    path: entry.path,
    verb: 'used',
    label,
    command: entry.id,
    ...(await filledWithFiles(entry)),
  }
  const answer = await ask('use', { ...who(), ...sent })
  announce(answer.ok ? `Sent ${label}` : `Refused: ${answer.message}`)
  if (answer.ok) reset()
  else mark(answer.message, answer.issues)
  follow(answer, place.as)
  scrollToEnd()
}

async function useComponent(message: string, as: string, action: ComponentAction): Promise<void> {
  const answer = await ask('act', { ...who(), as, message, ...action })
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
  reset()
  composer.text = '/'
  drawAndFocus('composer')
  return true
}

/** Whether the newest message is in sight, and how many messages there were when it last was. */
const end = { isInSight: true, count: 0 }

/** The feed is drawn from its end, so that its place of scrolling is negative above it. */
function followEnd(content: Element): void {
  content.addEventListener('scroll', () => {
    const isInSight = content.scrollTop > -24
    if (isInSight !== end.isInSight) draw()
    end.isInSight = isInSight
  })
}

function newMessages(): Child {
  const { length } = messagesOf()
  if (end.isInSight) end.count = length
  const added = length - end.count
  return added > 0 && button(`${counted(added, 'new message')} ↓`, scrollToEnd, { class: 'main newer' })
}

export function memberView(): ViewParts {
  openStarted(server().channels)
  const { value } = feedOf(place.as)
  const isIdle = value !== undefined && value.items.length === 0
  const isOpen = isListOpen(isIdle)
  const list = isOpen && commandList(inspectCommand)
  // Before the first message the list of commands is a part of the feed.
  const isInFeed = isIdle && composer.text === ''
  const { beside } = place
  const isDouble = beside !== '' && beside !== place.as
  return {
    main: [
      drawFeed(place.as, hooks, {
        key: 'pane',
        isNewest: !isInFeed,
        mounted: followEnd,
        below: isInFeed && list,
      }),
      isDouble && drawFeed(beside, hooks, { key: 'beside', isNewest: true }),
      modalDialog(follow),
    ],
    content: { class: `panes ${isDouble && 'double'}` },
    foot: [
      h`<div class="over">${newMessages()}${!isInFeed && list}${choiceChips()}</div>`,
      field(isOpen, useCommand),
    ],
    side: inspector(),
  }
}
