/** What a person sees and gets when they type. */
import type { CommandAnswer } from '../questions/command.ts'
import type { Entry } from '../questions/picker.ts'
import type { Problem, UseAnswer } from '../questions/use.ts'
import type { Shown } from '../../answer/rendered.ts'
import { answer, commandList, composer, current, field, filled, mark, reset, take } from './composer.ts'
import { h, type Child, type Described } from './dom.ts'
import { openPalette, sources } from './palette.ts'
import {
  button,
  copyButton,
  debounce,
  failure,
  json,
  problemList,
  tabs,
  text,
  time,
  traceList,
} from './parts.ts'
import { openInspector, type Drawn } from './shell.ts'
import {
  announce,
  ask,
  channelName,
  draw,
  drawAndFocus,
  member,
  personName,
  place,
  Source,
  who,
} from './state.ts'

/** One use of a command. */
interface Use {
  readonly id: number
  readonly time: number
  readonly person: string
  readonly label: string
  readonly lang: string
  readonly entry: Entry
  readonly sent: object
  readonly result: UseAnswer
  readonly milliseconds: number
  shown: Shown | null
  /** The answer that is written by hand. */
  draft: string
  problems: readonly Problem[]
  /** Why the bot did not answer; empty when it did, or when there is none. */
  failure: string
}

const uses: Use[] = []
// Only the last uses are drawn.
const MOST_USES = 50
let chosen: Use | undefined
let tab: 'Interaction' | 'Reply' | 'Why' = 'Why'
const explained = new Source<CommandAnswer>()

async function send(): Promise<void> {
  const { entry } = composer
  if (entry === null) return
  const { values, files } = filled(entry)
  const sent = { type: entry.type, path: entry.path, values, files, target: composer.target }
  const started = performance.now()
  let result: UseAnswer
  try {
    result = await ask<UseAnswer>('use', { ...who(), ...sent }, true)
  } catch (error) {
    result = { ok: false, code: 'failed', message: (error as Error).message, issues: [] }
  }
  const use: Use = {
    ...{ id: uses.length, time: Date.now(), person: personName(member()), lang: place.lang },
    ...{ label: (entry.type === 1 ? '/' : '') + entry.name, entry, sent: { ...who(), ...sent }, result },
    ...{ milliseconds: Math.round(performance.now() - started), shown: null, problems: [], failure: '' },
    draft: json({ type: 4, data: { content: 'Hello' } }),
  }
  const reply = result.ok ? result.reply : null
  if (reply !== null) {
    use.shown = reply.shown
    use.problems = reply.issues
    use.failure = reply.failure
  }
  uses.push(use)
  if (uses.length > MOST_USES) uses.shift()
  if (!result.ok) {
    announce(`Refused: ${result.message}`)
    return mark(result.message, result.issues)
  }
  choose(use, result.interaction === null ? 'Interaction' : 'Reply')
  announce(`Sent ${use.label}`)
  reset()
}

function choose(use: Use, name: typeof tab): void {
  chosen = use
  tab = name
  openInspector()
  draw()
}

/** Moves the focus to the composer. */
export function focusComposer(): boolean {
  const input = document.getElementById('composer') as HTMLInputElement | null
  if (input === null) return false
  composer.text = '/'
  drawAndFocus('composer')
  return true
}

sources.push(() =>
  (answer()?.entries ?? []).map((entry) => ({
    ...{ kind: 'Command', label: (entry.type === 1 ? '/' : '') + entry.name, run: () => take(entry) },
  })),
)

// --- The channel ------------------------------------------------------------------------------------------------

/** The commands of a context menu, for the user or the message with an id. */
function contextMenu(event: Event, type: 2 | 3, target: string, label: string): void {
  event.preventDefault()
  const entries = (answer()?.entries ?? []).filter((entry) => entry.type === type)
  openPalette(
    entries.map((entry) => ({ kind: 'App', label: entry.name, run: () => take(entry, target) })),
    `Apps for ${label}`,
  )
}

function author(name: string, id: string): Described {
  return button(name, () => {}, {
    ...{ class: 'author', title: 'Right-click or Shift+F10 for user commands' },
    oncontextmenu: (event: Event) => contextMenu(event, 2, id, name),
    onclick: (event: Event) => contextMenu(event, 2, id, name),
  })
}

function feed(): Described {
  return h(
    'section.feed',
    { 'aria-label': channelName() },
    h('h2.channel', channelName()),
    h(
      'div.message',
      { key: 'hello' },
      author('Grace', '3002'),
      button('Hello', () => {}, {
        ...{ class: 'bubble', title: 'Right-click or Shift+F10 for message commands' },
        oncontextmenu: (event: Event) => contextMenu(event, 3, '6001', 'the message'),
        onclick: (event: Event) => contextMenu(event, 3, '6001', 'the message'),
      }),
    ),
    uses.map((use) =>
      h(
        'div',
        { class: use === chosen ? 'message use chosen' : 'message use', key: use.id },
        button(
          [
            h('b', use.person),
            ' used ',
            text(use.label, use.lang, 'name'),
            h('span.hint', time(use.time), use.result.ok ? ' ✓' : ' ✗ refused'),
          ],
          () => choose(use, use.result.ok ? 'Interaction' : 'Why'),
          { class: 'used', 'aria-pressed': String(use === chosen) },
        ),
        use.result.ok ? reply(use) : h('p.problem', use.result.message),
      ),
    ),
  )
}

function reply(use: Use): Child {
  if (use.result.ok && use.result.message !== null) {
    return h('p.bubble', use.result.message.content, h('span.hint', ' by the service'))
  }
  if (use.shown === null) {
    return button('Answer as the bot', () => choose(use, 'Reply'), { class: 'quiet dashed' })
  }
  return [
    drawShown(use.shown),
    use.failure !== '' && h('p.problem', `The bot did not answer as it should: ${use.failure}`),
  ]
}

/** What the person sees of an answer. */
export function drawShown(shown: Shown): Described {
  switch (shown.kind) {
    case 'message': {
      const { embeds = [], components = [], attachments = [] } = shown.message as Record<string, any>
      const boxes = [
        ...embeds.map((embed: any) => [
          'Embed',
          [embed.title, embed.description].filter(Boolean).join(' – '),
        ]),
        ...components.flatMap((row: any) =>
          (row.components ?? [row]).map((one: any) => [
            'Component',
            one.label ?? one.custom_id ?? `type ${one.type}`,
          ]),
        ),
        ...attachments.map((file: any) => ['File', file.filename ?? file.id]),
      ]
      return h(
        'div.bubble',
        shown.ephemeral && h('span.hint', `only this person sees this`),
        h('p', { dir: 'auto' }, shown.content),
        boxes.map(([kind, label]) => h('span.box', h('b', kind), ' ', String(label))),
      )
    }
    case 'thinking':
      return h('p.bubble.dim', 'The app is thinking…')
    case 'modal':
      return h('p.bubble', h('b', 'Modal'), ' ', shown.title)
    case 'failure':
      return h('p.bubble.problem', shown.text)
    default:
      return h('p.bubble.dim', shown.kind.replaceAll('_', ' '))
  }
}

// --- The inspector ----------------------------------------------------------------------------------------------

function inspectorSide(): Child {
  const names = chosen === undefined ? (['Why'] as const) : (['Interaction', 'Reply', 'Why'] as const)
  if (chosen === undefined) tab = 'Why'
  return [
    tabs('Inspector', names, tab, (name) => {
      tab = name
      draw()
    }),
    h(
      'div',
      { id: 'inspector-panel', role: 'tabpanel', 'aria-labelledby': `tab-${tab}`, tabindex: 0, key: tab },
      chosen !== undefined && tab === 'Interaction'
        ? interactionPanel(chosen)
        : chosen !== undefined && tab === 'Reply'
          ? replyPanel(chosen)
          : whyPanel(),
    ),
  ]
}

function interactionPanel(use: Use): Child {
  const { result } = use
  if (!result.ok) return h('p', 'The use was refused, so the app received nothing.')
  if (result.interaction === null)
    return h('p', 'The service launches the Activity itself; the app receives nothing.')
  return [
    h(
      'div.row',
      copyButton('Copy JSON', () => json(result.interaction)),
      copyButton('Copy as test', () => testCode(use)),
    ),
    h('pre', { tabindex: 0, 'aria-label': 'Interaction' }, json(result.interaction)),
  ]
}

/** The use as a line of a test. */
function testCode({ sent, entry }: Use): string {
  const { values, target, lang, as } = sent as { values: object; target: string; lang: string; as: string }
  const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(entry.path) ? entry.path : 'command'
  const [, ...rest] = entry.path.split(' ')
  const request = {
    ...(rest.length > 0 && entry.type === 1 && { subcommand: rest.join(' ') }),
    ...(Object.keys(values).length > 0 && { options: values }),
    ...(target !== '' && { target }),
    ...(lang !== 'en-US' && { locale: lang }),
    user: { id: as },
  }
  return `import { interactionFor } from 'commandry/testing'\n\nconst interaction = interactionFor(${name}, ${json(request)})\n`
}

const check = debounce(() => {
  if (chosen !== undefined) void judge(chosen, false)
}, 150)

/** Checks the draft of an answer, and shows it to the person when it is final. */
async function judge(use: Use, isFinal: boolean): Promise<void> {
  if (!use.result.ok || use.result.interaction === null) return
  try {
    const callback: unknown = JSON.parse(use.draft)
    const { shown, issues } = await ask<{ shown: Shown | null; issues: readonly Problem[] }>(
      'answer',
      { interaction: use.result.interaction, callback },
      true,
    )
    use.problems = issues
    if (isFinal && shown !== null) use.shown = shown
    if (isFinal) announce(shown === null ? 'The answer is invalid' : 'Answered')
  } catch (error) {
    use.problems = [{ code: 'json', message: (error as Error).message, place: '', path: [] }]
  }
  draw()
}

function replyPanel(use: Use): Child {
  if (!use.result.ok || use.result.interaction === null) return h('p', 'There is nothing to answer.')
  return [
    h('label', { for: 'reply' }, 'Answer as the bot'),
    h('textarea', {
      ...{ id: 'reply', rows: 9, spellcheck: 'false', value: use.draft, class: 'code', key: use.id },
      oninput: (event: Event) => {
        use.draft = (event.target as HTMLTextAreaElement).value
        check()
      },
    }),
    h(
      'div.row',
      button('Answer', () => void judge(use, true), { class: 'main' }),
      h(
        'span.hint',
        { role: 'status' },
        use.problems.length === 0 ? 'valid' : `${use.problems.length} problems`,
      ),
    ),
    problemList(use.problems),
    use.shown !== null && [h('h3', `What ${use.person} sees`), drawShown(use.shown)],
  ]
}

function whyPanel(): Child {
  const entry =
    tab === 'Why' && chosen !== undefined && composer.entry === null && composer.text === ''
      ? chosen.entry
      : current()
  if (entry === undefined) return h('p.dim', 'Choose a command to see why this person may use it.')
  const found = explained.ask('command', { ...who(), command: entry.id })
  if (found === undefined) return failure(explained)
  const { name, type, shown, why, trace, facts, size, overrides } = found
  return [
    failure(explained),
    h('h2', type === 1 && '/', text(name, 'en')),
    h(
      'p',
      { class: shown ? 'verdict yes' : 'verdict no' },
      shown ? `${personName(member())} can use it here` : why.join(' '),
    ),
    trace.length > 0 ? traceList(trace) : h('p.dim', 'Direct messages have no permissions.'),
    overrides.length > 0 && [
      h('h3', 'Overrides'),
      h(
        'ul.plain',
        overrides.map(({ of, target, allowed }) =>
          h(
            'li',
            h('span', { class: allowed ? 'yes' : 'no' }, allowed ? '✓ allowed' : '✗ denied'),
            ` ${target} `,
            h('span.hint', of),
          ),
        ),
      ),
    ],
    h('h3', 'Definition'),
    h(
      'dl.facts',
      facts.map(([label, value]) => [h('dt', label), h('dd', value)]),
    ),
    size !== null && [
      h(
        'label.size',
        `Size ${size.used.toLocaleString('en')} of ${size.most.toLocaleString('en')} characters`,
        h('progress', { value: size.used, max: size.most }),
      ),
    ],
  ]
}

// --- Together ---------------------------------------------------------------------------------------------------

export function memberView(): Drawn {
  composer.isListOpen = composer.entry === null && (uses.length === 0 || composer.text !== '')
  return {
    main: [feed(), composer.isListOpen && commandList()],
    foot: field(() => void send()),
    side: inspectorSide(),
  }
}
