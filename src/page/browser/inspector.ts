/** The inspector of Member: the interaction of a use, its reply, and why it is allowed. */
import { counted } from '../../core/text.ts'
import type { CommandAnswer } from '../questions/command.ts'
import { Source } from './ask.ts'
import { composer, current } from './composer.ts'
import { write } from './deploy.ts'
import { changer, draw, h, typed, type Child } from './dom.ts'
import { button, copyButton, debounce, failure, json, problemList } from './parts.ts'
import { sizeBar, tabs, text, traceList } from './parts.ts'
import { personName, place, who } from './place.ts'
import { openInspector } from './shell.ts'
import { checkDraft, interactionOf, problem, type Use } from './uses.ts'

type Tab = 'Interaction' | 'Reply' | 'Why'

/** The use that is shown, and its part. */
export const inspector = { use: undefined as Use | undefined, tab: 'Why' as Tab }

const explained = new Source<CommandAnswer>()

/** @param isOpened whether it covers the view on a phone */
export function showUse(use: Use, tab: Tab, isOpened = true): void {
  changer(inspector)({ use, tab })
  if (isOpened) openInspector()
}

export function inspectorSide(): Child {
  const { use, tab } = inspector
  const names: readonly Tab[] = use === undefined ? ['Why'] : ['Interaction', 'Reply', 'Why']
  const chosen = use === undefined ? 'Why' : tab
  const choose = (tab: Tab) => changer(inspector)({ tab })
  return tabs('Inspector', names, chosen, choose, panel(use, chosen))
}

function panel(use: Use | undefined, tab: Tab): Child {
  if (use === undefined || tab === 'Why') return whyPanel()
  return tab === 'Reply' ? replyPanel(use) : interactionPanel(use)
}

function interactionPanel(use: Use): Child {
  const { result } = use
  const interaction = interactionOf(use)
  if (!result.ok) return h`<p>The use was refused, so the app received nothing.</p>`
  if (interaction === null)
    return h`<p>The service launches the Activity itself; the app receives nothing.</p>`
  return h`
    <div class="row">
      ${copyButton('Copy JSON', () => json(interaction))}
      ${result.test !== '' && copyButton('Copy as test', () => result.test)}
    </div>
    <pre tabindex="0" aria-label="Interaction">${json(interaction)}</pre>`
}

const checkSoon = debounce(() => {
  if (inspector.use?.shown === null) void checkDraft(inspector.use, false)
}, 150)

function replyPanel(use: Use): Child {
  if (interactionOf(use) === null) return h`<p>There is nothing to answer.</p>`
  const { shown, issues, draft, result } = use
  const isAnswered = shown !== null
  const answered = json(use.messages.length > 0 ? use.messages.map(({ message }) => message) : shown)
  const isByBot = result.ok && result.reply !== null
  const change = (text: string) => {
    use.draft = text
    checkSoon()
  }
  const goOnButtons = [
    button('Follow up', () => void goOn(use, 'POST', ''), { class: 'main' }),
    button('Edit the answer', () => void goOn(use, 'PATCH', '/messages/@original')),
  ]
  return h`
    ${isAnswered && h`<h3>What the app answered</h3><pre tabindex="0" aria-label="Answer">${answered}</pre>`}
    ${isAnswered && use.failure !== '' && h`<p class="problem">${use.failure}</p>`}
    ${problemList(issues)}
    ${
      !isByBot &&
      h`<label for="reply">${isAnswered ? 'Go on as the bot' : 'Answer as the bot'}</label>
        <textarea id="reply" rows=${isAnswered ? 4 : 9} spellcheck="false" class="code" key="${use.id} ${isAnswered}"
          value=${draft} oninput=${typed(change)}></textarea>
        <div class="row">${isAnswered ? goOnButtons : button('Answer', () => void checkDraft(use, true), { class: 'main' })}
          <span class="hint" role="status">${issues.length === 0 ? 'valid' : counted(issues.length, 'problem')}</span></div>`
    }`
}

/** Follows up or edits through the public route, as a bot does. */
async function goOn(use: Use, method: string, path: string): Promise<void> {
  const { application_id, token } = interactionOf(use)!
  const message = await write(method, `/webhooks/${application_id}/${token}${path}`, use.draft)
  use.issues = message === '' ? [] : [problem(message)]
  draw()
}

function whyPanel(): Child {
  const isIdle = composer.entry === null && composer.text === ''
  const linked = isIdle && place.sel !== '' ? place.sel : current()?.id
  const id = (isIdle && inspector.use?.entry?.id) || linked
  if (id === undefined) return h`<p class="dim">Choose a command to see why this person may use it.</p>`
  const found = explained.ask('command', { ...who(), command: id })
  if (found === undefined) return failure(explained)
  const { name, type, shown, why, trace, facts, size, overrides } = found
  return h`
    ${failure(explained)}
    <h2>${type === 1 && '/'}${text(name, 'en')}</h2>
    <p class="verdict ${shown ? 'yes' : 'no'}">${shown ? `${personName()} can use it here` : why.join(' ')}</p>
    ${trace.length > 0 ? traceList(trace) : h`<p class="dim">Direct messages have no permissions.</p>`}
    ${
      overrides.length > 0 &&
      h`<h3>Overrides</h3><ul class="plain">${overrides.map(
        ({ of, target, allowed }) =>
          h`<li><span class=${allowed ? 'yes' : 'no'}>${allowed ? '✓ allowed' : '✗ denied'}</span> ${target} <span class="hint">${of}</span></li>`,
      )}</ul>`
    }
    <h3>Definition</h3>
    <dl class="facts">${facts.map(([label, value]) => h`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
    ${size !== null && sizeBar('Size', size)}`
}
