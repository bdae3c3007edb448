/** The Member view: a channel as a person sees it, the composer, and beside them the inspector of a use. */
import type { Rendered } from '../../../../interactions/answer/rendered.ts'
import { typedName } from '../../../authoring/words.ts'
import { counted } from '../../../../core/text.ts'
import { demoMessage } from '../../../../model/demo-server.ts'
import { displayName } from '../../../../model/server.ts'
import type { Answer } from '../../questions.ts'
import type { Problem } from '../../words.ts'
import { ask, Source, write } from '../../browser/ask.ts'
import { allEntries, choiceChips, commandList, composer, current } from './composer.ts'
import { field, filled, isListOpen, mark, reset, take, type CommandEntry } from './composer.ts'
import { announce, draw, drawAndFocus, h, typed, type Child } from '../../browser/dom.ts'
import { action, openPalette } from '../../browser/palette.ts'
import { button, copyButton, debounce, failure, json, problemList } from '../../browser/parts.ts'
import { sizeBar, tabs, text, time, traceList } from '../../browser/parts.ts'
import { channelName, personName, place, who } from '../../browser/place.ts'
import { drawReply, type ComponentAction } from './reply.ts'
import { openInspector, type ViewParts } from '../../browser/shell.ts'

// --- Uses -------------------------------------------------------------------------------------------------------

/** A use of a command or of a component: `used`, `/ban` or `pressed`, `Yes`. */
type Use = Awaited<ReturnType<typeof addUse>>

/** The first answer as the person sees it, null while there is none, and its messages as they are now. */
type Reply = Omit<NonNullable<Answer<'suggest'>>, 'shown'> & { shown: Rendered | null }

export const uses: Use[] = []
const MAX_USES = 50
let count = 0

const problem = (message: string, code = ''): Problem => ({ code, message, place: '', path: [], rule: null })

/** The interaction that the app received; null when there is none. */
const interactionOf = ({ result }: Use) => (result.ok ? result.interaction : null)

/** @param entry the command; none for a component */
async function addUse(
  question: 'use' | 'act',
  sent: object,
  verb: string,
  label: string,
  entry?: CommandEntry,
) {
  const started = performance.now()
  const result = await ask(question, { ...who(), ...sent }).catch(({ message }: Error): Answer<'use'> => {
    return { ok: false, code: 'failed', message, issues: [] }
  })
  const reply: Reply = (result.ok && result.reply) || { shown: null, messages: [], issues: [], failure: '' }
  const use = {
    id: count++,
    time: Date.now(),
    person: personName(),
    lang: place.lang,
    ...{ verb, label, entry, result },
    ...reply,
    milliseconds: Math.round(performance.now() - started),
    draft: json({ type: 4, data: { content: 'Hello' } }),
  }
  uses.push(use)
  if (uses.length > MAX_USES) uses.shift()
  announce(result.ok ? `Sent ${label}` : `Refused: ${result.message}`)
  // Changes that happened before the answer arrived.
  void loadReplies()
  return use
}

async function useCommand(entry: CommandEntry): Promise<void> {
  const sent = { type: entry.type, path: entry.path, ...filled(entry) }
  const use = await addUse('use', sent, 'used', typedName(entry), entry)
  if (use.result.ok) {
    showSent(use)
    reset()
  } else mark(use.result.message, use.result.issues)
  scrollToEnd()
}

async function useComponent(of: Use, { verb, label, ...sent }: ComponentAction): Promise<void> {
  const question = { ...sent, path: `${verb} ${label}`, interaction: interactionOf(of) }
  showSent(await addUse('act', question, verb, label))
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
async function checkDraft(use: Use, isFinal: boolean): Promise<void> {
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

// --- The channel ------------------------------------------------------------------------------------------------

export function focusComposer(): boolean {
  if (document.getElementById('composer') === null) return false
  composer.text = '/'
  drawAndFocus('composer')
  return true
}

/** A button that opens the commands of a context menu, for the user or the message with an id. */
function target(label: string, type: 2 | 3, id: string, of: string, kind: string): Child {
  const apps = () =>
    allEntries()
      .filter((entry) => entry.type === type)
      .map((entry) => action('App', entry.name, () => take(entry, id)))
  const open = (event: Event) => {
    event.preventDefault()
    openPalette(apps, `Apps for ${of}`)
  }
  const title = `Right-click or Shift+F10 for ${type === 2 ? 'user' : 'message'} commands`
  return h`<button type="button" class=${kind} title=${title} oncontextmenu=${open} onclick=${open}>${label}</button>`
}

function feed(list: Child): Child {
  const { author, id, content } = demoMessage
  const name = displayName(author)
  const hello = h`<div class="message" key="hello">
    ${target(name, 2, author.id, name, 'author')}${target(content, 3, id, 'the message', 'bubble')}
  </div>`
  return h`<section class="feed" aria-label=${channelName()}>
    <h2>${channelName()}</h2>
    ${allEntries().some(({ type }) => type === 2 || type === 3) && hello}
    ${uses.map(useItem)}
    ${list}
  </section>`
}

function useItem(use: Use): Child {
  const { id, person, verb, label, lang, result, failure, milliseconds } = use
  const isChosen = use === inspector.use
  const choose = () => showUse(use, result.ok ? 'Interaction' : 'Why')
  const outcome = result.ok ? `${failure === '' ? '✓' : '✗'} ${milliseconds} ms` : '✗ refused'
  // The composer shows the reasons of the last refusal at its fields.
  const isMarked = use === uses.at(-1) && composer.problems.size > 0
  return h`<div class="message use ${isChosen && 'chosen'}" key=${id}>
    <button type="button" class="used" aria-pressed="${isChosen}" onclick=${choose}><b>${person}</b> ${verb} ${text(label, lang, 'name')}
      <span class="hint">${time(use.time)} ${outcome}</span></button>
    ${result.ok ? reply(use) : !isMarked && h`<p class="problem">${result.message}</p>`}
  </div>`
}

function reply(use: Use): Child {
  const { result, shown, messages, failure, issues } = use
  if (result.ok && result.message !== null)
    return h`<p class="bubble">${result.message.content}<span class="hint"> by the service</span></p>`
  if (shown === null)
    return button('Answer as the bot', () => showUse(use, 'Reply'), { class: 'quiet dashed' })
  return [
    drawReply(shown, messages, (action) => useComponent(use, action)),
    failure !== '' &&
      h`<div class="problem"><p>The bot did not answer as it should: ${failure}</p>${problemList(issues)}</div>`,
  ]
}

/** Whether the newest answer is in sight, and how many messages there were when it last was. */
const end = { isInSight: true, count: 0 }

/** The feed is drawn from its end, so that its place of scrolling is negative above it. */
function followEnd(content: Element): void {
  content.addEventListener('scroll', () => {
    const isInSight = content.scrollTop > -24
    if (isInSight !== end.isInSight) draw()
    end.isInSight = isInSight
  })
}

function scrollToEnd(): void {
  document.querySelector('.content')?.scrollTo({ top: 0 })
}

function newAnswers(): Child {
  const count = uses.reduce((sum, { messages }) => sum + messages.length, 0)
  if (end.isInSight) end.count = count
  const added = count - end.count
  return added > 0 && button(`${counted(added, 'new answer')} ↓`, scrollToEnd, { class: 'main newer' })
}

export function memberView(): ViewParts {
  const isIdle = uses.length === 0
  const isOpen = isListOpen(isIdle)
  const list = isOpen && commandList()
  // Before the first use the list of commands is a part of the feed.
  const isInFeed = isIdle && composer.text === ''
  return {
    main: feed(isInFeed && list),
    // A long list is read from its start, the feed from its end.
    content: { class: isInFeed ? 'content' : 'content newest', mounted: followEnd },
    foot: [
      h`<div class="over">${newAnswers()}${!isInFeed && list}${choiceChips()}</div>`,
      field(isOpen, useCommand),
    ],
    side: inspectorSide(),
  }
}

// --- The inspector ----------------------------------------------------------------------------------------------

const inspector = { use: undefined as Use | undefined, tab: 'Why' as keyof typeof panels }

/** @param isOpen whether it covers the view on a phone */
function showUse(use: Use, tab: keyof typeof panels, isOpen = true): void {
  Object.assign(inspector, { use, tab })
  openInspector(isOpen)
}

const showSent = (use: Use): void => showUse(use, 'Interaction', use.shown === null)

const panels = { Interaction: interactionPanel, Reply: replyPanel, Why: whyPanel }

function inspectorSide(): Child {
  const { use, tab } = inspector
  const names = use === undefined ? (['Why'] as const) : (['Interaction', 'Reply', 'Why'] as const)
  const choose = (tab: keyof typeof panels) => (inspector.tab = tab)
  return tabs('Inspector', names, tab, choose, panels[tab](use!))
}

function interactionPanel({ result }: Use): Child {
  if (!result.ok) return h`<p>The use was refused, so the app received nothing.</p>`
  const { interaction, test } = result
  if (interaction === null)
    return h`<p>The service launches the Activity itself; the app receives nothing.</p>`
  return h`
    <div class="row">
      ${copyButton('Copy JSON', () => json(interaction))}
      ${test !== '' && copyButton('Copy as test', () => test)}
    </div>
    <pre tabindex="0" aria-label="Interaction">${json(interaction)}</pre>`
}

const checkSoon = debounce(() => {
  const { use } = inspector
  // A refused use has nothing to answer.
  return use?.shown === null && interactionOf(use) !== null && checkDraft(use, false)
}, 150)

function replyPanel(use: Use): Child {
  const { shown, messages, issues, draft, result, failure } = use
  const interaction = interactionOf(use)
  if (interaction === null) return h`<p>There is nothing to answer.</p>`
  const isAnswered = shown !== null
  const answered = json(messages.length > 0 ? messages.map(({ message }) => message) : shown)
  const isByBot = result.ok && result.reply !== null
  const change = (text: string) => {
    use.draft = text
    checkSoon()
  }
  /** Follows up or edits through the public route, as a bot does. */
  const goOn = async (method: string, path: string) => {
    const { application_id, token } = interaction
    const sent = write(method, `/webhooks/${application_id}/${token}${path}`, use.draft)
    use.issues = await sent.then(
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
    ${isAnswered && failure !== '' && h`<p class="problem">${failure}</p>`}
    ${problemList(issues)}
    ${
      !isByBot &&
      h`<label for="reply">${isAnswered ? 'Go on as the bot' : 'Answer as the bot'}</label>
        <textarea id="reply" rows=${isAnswered ? 4 : 9} spellcheck="false" class="code" key="${use.id} ${isAnswered}"
          value=${draft} oninput=${typed(change)}></textarea>
        <div class="row">${buttons}
          <span class="hint" role="status">${issues.length === 0 ? 'valid' : counted(issues.length, 'problem')}</span></div>`
    }`
}

const explained = new Source('command')

function whyPanel(): Child {
  const isIdle = composer.entry === null && composer.text === ''
  const linked = isIdle && place.sel !== '' ? place.sel : current()?.id
  const id = (isIdle && inspector.use?.entry?.id) || linked
  if (id === undefined) return h`<p class="dim">Choose a command to see why this person may use it.</p>`
  const found = explained.ask({ ...who(), command: id })
  if (found === undefined) return failure(explained)
  const { name, type, shown, why, trace, facts, size, overrides } = found
  const override = ({ of, target, allowed }: (typeof overrides)[number]) =>
    h`<li><span class=${allowed ? 'yes' : 'no'}>${allowed ? '✓ allowed' : '✗ denied'}</span> ${target} <span class="hint">${of}</span></li>`
  return h`
    ${failure(explained)}
    <h2>${type === 1 && '/'}${text(name, 'en')}</h2>
    <p class="verdict ${shown ? 'yes' : 'no'}">${shown ? `${personName()} can use it here` : why.join(' ')}</p>
    ${trace.length > 0 ? traceList(trace) : h`<p class="dim">Direct messages have no permissions.</p>`}
    ${overrides.length > 0 && h`<h3>Overrides</h3><ul class="plain">${overrides.map(override)}</ul>`}
    <h3>Definition</h3>
    <dl class="facts">${facts.map(([label, value]) => h`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
    ${size !== null && sizeBar('Size', size)}`
}
