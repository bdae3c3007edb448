/** A poll, in which a person votes as on Discord: the results are shown once they have voted, and when it is over. */
import { counted } from '../../../../../core/text.ts'
import { botTime } from '../../parts/clock-view.ts'
import { h, type Child } from '../../parts/dom.ts'
import { button } from '../../parts/parts.ts'
import type { Widget } from './menu.ts'

interface Voting {
  /** @param verb `vote`, or `unvote` to take one back */
  readonly vote: (verb: 'vote' | 'unvote', answer: string) => unknown
}

export function drawPoll(poll: Widget, { vote }: Voting): Child {
  const { question, answers = [], allow_multiselect: isMultiple, expiry, results } = poll
  const counts: readonly Widget[] = results?.answer_counts ?? []
  const isOver = results?.is_finalized === true
  const countOf = (id: number) => counts.find((one) => one.id === id)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(0, ...counts.map(({ count }) => count))
  const hasVoted = counts.some((one) => one.me_voted)
  const answer = ({ answer_id: id, poll_media: { text = '', emoji } }: Widget) => {
    const { count = 0, me_voted: isOwn = false } = countOf(id) ?? {}
    const percent = total === 0 ? 0 : Math.round((100 * count) / total)
    const isFirst = isOver && count === most && count > 0
    const share =
      (hasVoted || isOver) && h`<span class="hint"> ${percent}% · ${counted(count, 'vote')}</span>`
    const label = [emoji?.name && `${emoji.name} `, text, isFirst && ' ✓', share]
    const more = { disabled: isOver, 'aria-pressed': String(isOwn), key: id }
    const isAlone = answers.every((one: Widget) => one.answer_id === id || one.poll_media.text !== text)
    const act = () => vote(isOwn ? 'unvote' : 'vote', isAlone ? text : String(id))
    return h`<li key=${id}>${button(label, act, more)}</li>`
  }
  const rule = isMultiple ? 'Select one or more answers' : 'Select one answer'
  return h`<div class="embed poll" role="group" aria-label="Poll">
    <p><b>${question.text}</b></p>
    ${!isOver && h`<p class="hint">${rule}</p>`}
    <ul>${answers.map(answer)}</ul>
    <p class="hint">${counted(total, 'vote')} · ${isOver ? 'Poll closed' : timeLeft(expiry)}</p>
  </div>`
}

function timeLeft(expiry: string): string {
  const minutes = Math.ceil((Date.parse(expiry) - botTime()) / 60_000)
  if (minutes < 60) return `${Math.max(0, minutes)}m left`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours}h left` : `${Math.round(hours / 24)}d left`
}
