/** The uses of this session, with their answers. */
import type { Rendered } from '../../answer/rendered.ts'
import { typedName } from '../../authoring/words.ts'
import type { Answer } from '../questions.ts'
import type { Problem } from '../words.ts'
import { ask } from './ask.ts'
import { filled, type CommandEntry } from './composer.ts'
import { announce, draw } from './dom.ts'
import { json } from './parts.ts'
import { personName, place, who } from './place.ts'
import type { ComponentAction } from './reply.ts'

/** The use of a command or of a component: `used`, `/ban` or `pressed`, `Yes`. */
interface Action {
  readonly verb: string
  readonly label: string
  /** The command; undefined for components. */
  readonly entry?: CommandEntry
}

/** A use with the messages of its answer, and why the bot did not answer, if so. */
export interface Use extends Action, Omit<NonNullable<Answer<'suggest'>>, 'shown'> {
  readonly id: number
  readonly time: number
  readonly person: string
  readonly lang: string
  readonly result: Answer<'use'>
  readonly milliseconds: number
  /** The first answer as the person sees it; null while there is none. */
  shown: Rendered | null
  draft: string
}

export const uses: Use[] = []
const MAX_USES = 50
let count = 0

/** The interaction that the app received; null when there is none. */
export const interactionOf = ({ result }: Use) => (result.ok ? result.interaction : null)

async function addUse(question: 'use' | 'act', sent: object, action: Action): Promise<Use> {
  const started = performance.now()
  const result = await ask(question, { ...who(), ...sent }).catch(({ message }: Error): Answer<'use'> => ({
    ok: false,
    code: 'failed',
    message,
    issues: [],
  }))
  const use: Use = {
    id: count++,
    time: Date.now(),
    person: personName(),
    lang: place.lang,
    ...action,
    ...((result.ok && result.reply) || { shown: null, messages: [], issues: [], failure: '' }),
    result,
    milliseconds: Math.round(performance.now() - started),
    draft: json({ type: 4, data: { content: 'Hello' } }),
  }
  uses.push(use)
  if (uses.length > MAX_USES) uses.shift()
  announce(result.ok ? `Sent ${use.label}` : `Refused: ${result.message}`)
  // Changes that happened before the answer arrived.
  void loadReplies()
  return use
}

/** Uses a command with the values of the composer. */
export function send(entry: CommandEntry): Promise<Use> {
  const sent = { type: entry.type, path: entry.path, ...filled(entry) }
  return addUse('use', sent, { verb: 'used', label: typedName(entry), entry })
}

/** Uses a component of the answer of a use. */
export function act(use: Use, { verb, label, ...sent }: ComponentAction): Promise<Use> {
  const question = { ...sent, path: `${verb} ${label}`, interaction: interactionOf(use) }
  return addUse('act', question, { verb, label })
}

/** Loads the messages of all uses: bots edit them, delete them and follow up. */
export async function loadReplies(): Promise<void> {
  const interactions = uses.flatMap((use) => interactionOf(use)?.id ?? [])
  if (interactions.length === 0) return
  const replies = await ask('replies', { interactions })
  for (const use of uses) use.messages = replies[interactionOf(use)?.id ?? ''] ?? use.messages
  draw()
}

/** Checks the draft of an answer, and shows it to the person when it is final. */
export async function checkDraft(use: Use, isFinal: boolean): Promise<void> {
  try {
    const question = { interaction: interactionOf(use), callback: JSON.parse(use.draft), isFinal }
    const { shown, issues, messages } = await ask('answer', question)
    use.issues = issues
    if (isFinal) announce(shown === null ? 'The answer is invalid' : 'Answered')
    if (isFinal && shown !== null)
      Object.assign(use, { shown, messages, draft: json({ content: 'Hello again' }) })
  } catch (error) {
    use.issues = [problem((error as Error).message, 'json')]
  }
}

export function problem(message: string, code = ''): Problem {
  return { code, message, place: '', path: [], rule: null }
}
