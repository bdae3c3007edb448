/** The inspector of a use: what the app received, what it answered, and why the person may use the command. */
import type { Answer } from '../../../questions/questions.ts'
import { counted } from '../../../../../core/text.ts'
import type { Problem } from '../../../questions/decision-words.ts'
import { ask, Source, write } from '../../parts/ask.ts'
import { announce, h, typed, type Child } from '../../parts/dom.ts'
import { button, copyButton, debounce, failure, asJson, problemList } from '../../parts/parts.ts'
import { sizeBar, tabs, inLanguage, traceList } from '../../parts/parts.ts'
import { personName, place, who } from '../../parts/place.ts'
import { closeInspector, openInspector } from '../../parts/frame.ts'
import { Drafts, textForm } from '../../parts/drafts.ts'
import { composer, current } from './draft.ts'
import type { Item } from './feeds.ts'
import { openModal } from './modal.ts'

type Inspected = NonNullable<Answer<'inspect'>>

const panels = { Interaction: interactionPanel, Reply: replyPanel, Why: whyPanel, Requests: requestsPanel }
export type Tab = keyof typeof panels

/** What the inspector shows: a message, a use or a command; null while it is closed. */
const state = {
  of: null as { readonly message?: string; readonly use?: number } | null,
  tab: 'Interaction' as Tab,
  issues: [] as readonly Problem[],
}

/** Answers that are written by hand, by the id of the interaction. */
const byHand = new Drafts<string | null>('answer', textForm('Reply'))

const inspected = new Source('inspect', false)
const explained = new Source('command')
const requests = new Source('requests', false)

const FIRST_DRAFT = asJson({ type: 4, data: { content: 'Hello' } })
const NEXT_DRAFT = asJson({ content: 'Hello again' })

/** @param isOpen whether it covers the view on a phone */
export function inspect(of: { readonly message?: string; readonly use?: number }, tab: Tab, isOpen = true) {
  Object.assign(state, { of, tab, issues: [] })
  openInspector(isOpen)
}

/** Explains the command that is being typed. */
export function inspectCommand(): void {
  inspect({}, 'Why')
}

/** A use that was opened stays open as the message that answers it. */
export function isInspected(item: Item): boolean {
  if (state.of === null) return false
  const { use, message } = state.of
  if (item.kind === 'use') return use === item.id
  return message === item.message.id || (item.use !== null && use === item.use)
}

export function refreshInspector(): void {
  if (state.of !== null) inspected.retry()
}

export function inspector(): Child {
  if (state.of === null) return null
  const isOfCommand = state.of.message === undefined && state.of.use === undefined
  const found = isOfCommand ? null : inspected.exactly({ ...who(), ...state.of })
  const isUse = found !== null && found !== undefined
  const names: readonly Tab[] = isUse
    ? ['Interaction', 'Reply', 'Why', 'Requests']
    : isOfCommand
      ? ['Why']
      : ['Interaction']
  const tab = names.includes(state.tab) ? state.tab : names[0]!
  const close = () => {
    state.of = null
    closeInspector()
  }
  const panel = isUse || isOfCommand ? panels[tab](found as Inspected) : nothing(found)
  return h`
    ${button('×', close, { class: 'quiet close shut', 'aria-label': 'Close the inspector', key: 'shut' })}
    ${failure(inspected)}
    ${tabs('Inspector', names, tab, (one) => (state.tab = one), panel)}`
}

const nothing = (found: unknown): Child =>
  found === null &&
  h`<p class="dim">This message answers no interaction: a person or the bot has sent it.</p>`

function interactionPanel({ interaction, refused, test }: Inspected): Child {
  if (refused !== null) return h`<p>The use was refused, so the app received nothing.</p>`
  if (interaction === null)
    return h`<p>The service launches the Activity itself; the app receives nothing.</p>`
  return h`
    <div class="row">
      ${copyButton('Copy JSON', () => asJson(interaction))}
      ${test !== '' && copyButton('Copy as test', () => test)}
    </div>
    <pre tabindex="0" aria-label="Interaction">${asJson(interaction)}</pre>`
}

/** Checks the draft of an answer, and shows it to the person when it is final. */
async function checkDraft({ id, interaction }: Inspected, isFinal: boolean): Promise<void> {
  const key = interaction!.id
  const post = (text: string | null) =>
    ask('answer', { use: id, callback: JSON.parse(text || FIRST_DRAFT), isFinal })
  try {
    const answer = isFinal
      ? await byHand.send(key, post, ({ shown }) => shown !== null)
      : await post(byHand.at(key))
    if (answer === undefined) return
    const { shown, issues } = answer
    state.issues = issues
    if (!isFinal) return
    announce(shown === null ? 'The answer is invalid' : 'Answered')
    if (shown === null) return
    if (shown.kind === 'modal') openModal(id, place.as, shown.modal)
  } catch (error) {
    state.issues = [problem((error as Error).message, 'json')]
  }
}

const problem = (message: string, code = ''): Problem => ({ code, message, place: '', path: [], rule: null })

const checkSoon = debounce(() => {
  const { value } = inspected
  return value && !value.isAnswered && value.interaction !== null && checkDraft(value, false)
}, 150)

function replyPanel(use: Inspected): Child {
  const { id, shown, messages, failure: failed, isAnswered, isByBot, interaction } = use
  if (interaction === null) return h`<p>There is nothing to answer.</p>`
  const answered = asJson(messages.length > 0 ? messages.map(({ message }) => message) : shown)
  const issues = state.issues.length > 0 ? state.issues : use.issues
  const change = (text: string) => {
    byHand.put(interaction.id, text || null)
    checkSoon()
  }
  const first = isAnswered ? NEXT_DRAFT : FIRST_DRAFT
  /** Follows up or edits through the public route, as a bot does. */
  const goOn = async (method: string, path: string) => {
    const { application_id, token } = interaction
    const post = (text: string | null) =>
      write(method, `/webhooks/${application_id}/${token}${path}`, text || first)
    state.issues = await byHand.send(interaction.id, post).then(
      () => [],
      ({ message }: Error) => [problem(message)],
    )
  }
  const buttons = isAnswered
    ? [
        button('Follow up', () => goOn('POST', ''), { class: 'main' }),
        button('Edit the answer', () => goOn('PATCH', '/messages/@original')),
      ]
    : button('Answer', () => checkDraft(use, true), { class: 'main' })
  return h`
    ${isAnswered && h`<h3>What the app answered</h3><pre tabindex="0" aria-label="Answer">${answered}</pre>`}
    ${failed !== '' && h`<p class="problem">${failed}</p>`}
    ${problemList(issues)}
    ${
      !isByBot &&
      h`<label for="reply">${isAnswered ? 'Go on as the bot' : 'Answer as the bot'}</label>
        <textarea id="reply" rows=${isAnswered ? 4 : 9} spellcheck="false" class="code" key="${id} ${isAnswered}"
          value=${byHand.at(interaction.id) || first} oninput=${typed(change)}></textarea>
        <div class="row">${buttons}
          <span class="hint" role="status">${issues.length === 0 ? 'valid' : counted(issues.length, 'problem')}</span></div>`
    }`
}

function whyPanel(use: Inspected | null): Child {
  const isTyping = composer().entry !== null || composer().text.startsWith('/')
  const id = (!isTyping && use?.command) || (isTyping ? current()?.id : place.sel || current()?.id)
  if (!id) return h`<p class="dim">Choose a command to see why this person may use it.</p>`
  const found = explained.exactly({ ...who(), command: id })
  if (found === undefined) return failure(explained)
  const { name, type, shown, why, trace, facts, size, overrides } = found
  const override = ({ of, target, allowed }: (typeof overrides)[number]) =>
    h`<li><span class=${allowed ? 'yes' : 'no'}>${allowed ? '✓ allowed' : '✗ denied'}</span> ${target} <span class="hint">${of}</span></li>`
  return h`
    ${failure(explained)}
    <h2>${type === 1 && '/'}${inLanguage(name, 'en')}</h2>
    <p class="verdict ${shown ? 'yes' : 'no'}">${shown ? `${personName()} can use it here` : why.join(' ')}</p>
    ${trace.length > 0 ? traceList(trace) : h`<p class="dim">Direct messages have no permissions.</p>`}
    ${overrides.length > 0 && h`<h3>Overrides</h3><ul class="plain">${overrides.map(override)}</ul>`}
    <h3>Definition</h3>
    <dl class="facts">${facts.map(([label, value]) => h`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
    ${size !== null && sizeBar('Size', size)}`
}

/** The requests that name the interaction or its messages. */
function requestsPanel({ interaction, messages }: Inspected): Child {
  const rows = requests.exactly({ of: interaction?.id ?? '', count: messages.length }) ?? []
  const ids = [
    interaction?.id ?? '-',
    interaction?.token ?? '-',
    ...messages.map(({ message }) => message.id),
  ]
  const own = rows.filter(({ path }) => ids.some((id) => path.includes(id)))
  if (own.length === 0)
    return h`<p class="dim">No request names this use. The view Requests has all of them.</p>`
  return h`<ul class="plain">${own.map(
    ({ method, path, status, summary }) =>
      h`<li class="difference"><b>${method}</b> ${path} <span class=${(status ?? 0) >= 400 ? 'no' : 'yes'}>${status}</span> ${summary}</li>`,
  )}</ul>`
}
