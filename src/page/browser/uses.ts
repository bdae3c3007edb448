/** What was used in this session, and what became of it. */
import { announce, draw } from './dom.ts'
import type { Rendered } from '../../answer/rendered.ts'
import type { AnyInteraction } from '../../interaction/payload.ts'
import type { CommandEntry, HandWrittenReply, Problem, ShownMessage, UseAnswer } from '../answers.ts'
import { typedName } from '../typed-name.ts'
import { ask } from './ask.ts'
import { composer, filled, mark, reset } from './composer.ts'
import { json } from './parts.ts'
import { personName, place, who } from './place.ts'
import type { ComponentAction } from './reply.ts'

/** One use of a command or of a component. */
export interface Use {
  readonly id: number
  readonly time: number
  readonly person: string
  /** What the person did: `used /ban`, `pressed Yes`. */
  readonly verb: string
  readonly label: string
  readonly lang: string
  /** The command; undefined for components. */
  readonly entry: CommandEntry | undefined
  readonly sent: object
  readonly result: UseAnswer
  readonly milliseconds: number
  shown: Rendered | null
  messages: readonly ShownMessage[]
  /** The answer that is written by hand. */
  draft: string
  problems: readonly Problem[]
  /** Why the bot did not answer; empty when it did, or when there is none. */
  failure: string
}

export const uses: Use[] = []
// Only the last uses are drawn.
const MOST_USES = 50
let count = 0

/** The interaction that the app received; null when there is none. */
export const interactionOf = ({ result }: Use): AnyInteraction | null =>
  result.ok ? result.interaction : null

async function addUse(
  question: 'use' | 'act',
  sent: object,
  about: Pick<Use, 'verb' | 'label' | 'entry'>,
): Promise<Use> {
  const started = performance.now()
  const result = await ask<UseAnswer>(question, { ...who(), ...sent }, true).catch(
    (error: Error): UseAnswer => ({ ok: false, code: 'failed', message: error.message, issues: [] }),
  )
  const reply = result.ok ? result.reply : null
  const use: Use = {
    ...{ id: count++, time: Date.now(), person: personName(), lang: place.lang, ...about },
    ...{ sent: { ...who(), ...sent }, result, milliseconds: Math.round(performance.now() - started) },
    ...{ shown: reply?.shown ?? null, messages: reply?.messages ?? [] },
    ...{ problems: reply?.issues ?? [], failure: reply?.failure ?? '' },
    draft: json({ type: 4, data: { content: 'Hello' } }),
  }
  uses.push(use)
  if (uses.length > MOST_USES) uses.shift()
  announce(result.ok ? `Sent ${about.label}` : `Refused: ${result.message}`)
  // What changed while the answer was on its way.
  void loadReplies()
  return use
}

/** Sends what is in the composer. */
export async function send(chosen: (use: Use) => void): Promise<void> {
  const { entry, target } = composer
  if (entry === null) return
  const sent = { type: entry.type, path: entry.path, ...filled(entry), target }
  const use = await addUse('use', sent, { verb: 'used', label: typedName(entry), entry })
  if (!use.result.ok) return mark(use.result.message, use.result.issues)
  chosen(use)
  reset()
}

/** Uses a component of an answer. */
export async function act(use: Use, done: ComponentAction, chosen: (use: Use) => void): Promise<void> {
  const { label, ...sent } = done
  const [verb = '', ...rest] = label.split(' ')
  const about = { verb, label: rest.join(' '), entry: undefined }
  chosen(await addUse('act', { ...sent, path: label, interaction: interactionOf(use) }, about))
  draw()
}

/** Loads the messages of all uses: bots edit them, delete them and follow up. */
export async function loadReplies(): Promise<void> {
  const interactions = uses.flatMap((use) => interactionOf(use)?.id ?? [])
  if (interactions.length === 0) return
  const replies = await ask<Readonly<Record<string, Use['messages']>>>('replies', { interactions }, true)
  for (const use of uses) use.messages = replies[interactionOf(use)?.id ?? ''] ?? use.messages
  draw()
}

/** Checks the draft of an answer, and shows it to the person when it is final. */
export async function judge(use: Use, isFinal: boolean): Promise<void> {
  const interaction = interactionOf(use)
  if (interaction === null) return
  try {
    const callback: unknown = JSON.parse(use.draft)
    const { shown, issues, messages } = await ask<HandWrittenReply>(
      'answer',
      { interaction, callback, isFinal },
      true,
    )
    use.problems = issues
    if (isFinal && shown !== null)
      Object.assign(use, { shown, messages, draft: json({ content: 'Hello again' }) })
    if (isFinal) announce(shown === null ? 'The answer is invalid' : 'Answered')
  } catch (error) {
    use.problems = [{ code: 'json', message: (error as Error).message, place: '', path: [], rule: null }]
  }
  draw()
}
