/** Typing a command: the list of what the person sees, then a pill for each option. */
import type { Entry, Hidden, Option, PickerAnswer } from '../questions/picker.ts'
import type { Reply } from '../questions/use.ts'
import { h, type Child, type Described } from './dom.ts'
import { button, debounce, empty, failure, text, traceList, type Choices } from './parts.ts'
import {
  announce,
  ask,
  draw,
  drawAndFocus,
  go,
  member,
  personName,
  place,
  server,
  Source,
  who,
} from './state.ts'

/** What stands in the composer. */
export const composer = {
  text: '',
  entry: null as Entry | null,
  /** What is filled in, by default name. */
  values: new Map<string, string>(),
  /** Optional options that were added. */
  added: [] as string[],
  /** The user or message of a context menu command. */
  target: '',
  isExpanded: false,
  /** Whether the list is in sight. */
  isListOpen: true,
  active: 0,
  /** What is wrong with a value, by default name; what is wrong with the whole under the empty name. */
  problems: new Map<string, string>(),
}

const picker = new Source<PickerAnswer>()
const matches = new Source<readonly number[]>()

/** Everything the person may choose from. */
export const answer = (): PickerAnswer | undefined => picker.ask('picker', who())

const groups: Readonly<Record<number, readonly [tile: string, name: string]>> = {
  1: ['/', 'Slash commands'],
  2: ['@', 'On a member'],
  3: ['✉', 'On a message'],
  4: ['▶', 'Launch'],
}

/** The entries that the typed text leaves. */
function shown(): readonly Entry[] {
  const entries = answer()?.entries ?? []
  if (composer.text === '') return entries
  const places = matches.ask('search', { ...who(), text: composer.text }) ?? []
  return places.flatMap((index) => entries[index] ?? [])
}

/** The entry that the arrows are at, or that was chosen. */
export const current = (): Entry | undefined => composer.entry ?? shown()[composer.active]

/** Takes an entry; its required options become pills. */
export function take(entry: Entry, target = ''): void {
  const { values, problems } = composer
  values.clear()
  problems.clear()
  Object.assign(composer, { entry, text: '', added: [], target, isExpanded: false })
  announce(`${entry.name}, ${entry.options.length} options`)
  drawAndFocus(firstControl(entry))
}

function firstControl(entry: Entry): string {
  if ((entry.type === 2 || entry.type === 3) && composer.target === '') return 'pill-target'
  const first = entry.options.find(({ required }) => required)
  return first === undefined ? 'send' : `pill-${first.path}`
}

/** Empties the composer. */
export function reset(): void {
  Object.assign(composer, { entry: null, text: '', active: 0, target: '' })
  composer.values.clear()
  suggestions.clear()
  composer.problems.clear()
  drawAndFocus('composer')
}

// --- The list ---------------------------------------------------------------------------------------------------

/** The commands that the person sees here, and below them those that are hidden. */
export function commandList(): Child {
  const all = answer()
  if (all === undefined) return failure(picker)
  const entries = shown()
  const { hidden } = all
  const typed = composer.text === '' ? '' : ` for “${composer.text}”`
  return h(
    'section',
    { class: picker.isSlow ? 'list slow' : 'list', 'aria-label': 'Commands', key: 'list' },
    failure(picker),
    h(
      'div.list-head',
      h('h2', `What ${personName(member())} sees here${typed}`),
      h('output', { 'aria-live': 'polite' }, `${entries.length} of ${all.entries.length + hidden.length}`),
    ),
    h(
      'ul',
      { role: 'listbox', id: 'commands', 'aria-label': 'Commands', class: 'entries' },
      entries.map((entry, index) => entryItem(entry, index, entries[index - 1])),
    ),
    entries.length === 0 &&
      (composer.text === ''
        ? empty('No command is shown here', 'The reasons are below. Choose another person or channel above.')
        : empty('No command has that name', 'Names in the person’s language and default names both count.')),
    hidden.length > 0 && composer.text === '' && hiddenList(hidden),
  )
}

function entryItem(entry: Entry, index: number, before: Entry | undefined): Child {
  const { id, type, name, path, description, local, options } = entry
  return h(
    'li',
    {
      ...{ role: 'option', id: `entry-${index}`, key: `${id} ${path}`, class: 'entry' },
      ...{
        'aria-selected': String(index === composer.active),
        'data-group': type !== before?.type && groups[type]![1],
      },
      onclick: () => take(entry),
    },
    h('span.tile', { 'aria-hidden': 'true' }, groups[type]![0]),
    h(
      'span.title',
      h('b.name', type === 1 && '/', text(name)),
      name !== path && h('span.hint.default', type === 1 && '/', text(path, 'en')),
      options.map((option) =>
        h('span', { class: option.required ? 'option required' : 'option' }, text(option.name)),
      ),
    ),
    h('span.about', text(description)),
    local && h('span.hint', 'this server only'),
  )
}

function hiddenList(hidden: readonly Hidden[]): Described {
  const reasons = [...new Set(hidden.map(({ reason }) => reason))]
  return h(
    'section.hidden-commands',
    { 'aria-label': 'Hidden commands', id: 'hidden' },
    h('h3', `Hidden from ${personName(member())}`),
    reasons.map((reason) => {
      const commands = hidden.filter((one) => one.reason === reason)
      return h(
        'details',
        { key: reason },
        h('summary', reason, h('span.hint', namesOf(commands))),
        commands.map((command) =>
          h(
            'div.reason',
            { key: command.id },
            h('b.name', command.type === 1 && '/', text(command.name)),
            command.why.map((sentence) => h('p', sentence)),
            command.trace.length > 0 && traceList(command.trace),
          ),
        ),
      )
    }),
  )
}

function namesOf(commands: readonly Hidden[]): string {
  return commands.map(({ type, name }) => (type === 1 ? `/${name}` : name)).join(', ')
}

// --- The field --------------------------------------------------------------------------------------------------

function onkeydown(event: KeyboardEvent): void {
  const entries = shown()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined) {
    composer.active = Math.max(0, Math.min(entries.length - 1, composer.active + step))
    queueMicrotask(() =>
      document.getElementById(`entry-${composer.active}`)?.scrollIntoView({ block: 'nearest' }),
    )
  } else if (event.key === 'Enter' || (event.key === 'Tab' && composer.text !== '' && !event.shiftKey)) {
    // Fast fingers press Enter before the list has followed.
    if (composer.text !== '' && !matches.isSettled) isTaking = true
    else if (entries[composer.active] !== undefined) take(entries[composer.active]!)
  } else if (event.key === 'Escape') reset()
  else return
  event.preventDefault()
  draw()
}

let isTaking = false

/** Takes the entry that Enter was pressed for, once the list has followed the text. */
function takeSoon(): void {
  if (!isTaking || !matches.isSettled) return
  isTaking = false
  const entry = shown()[composer.active]
  if (entry !== undefined) take(entry)
}

/** The field at the bottom: a search at first, then the pills of the chosen command. */
export function field(send: () => void): Described {
  if (composer.entry === null) takeSoon()
  const { entry } = composer
  return h(
    'form',
    {
      ...{ class: 'composer', key: 'composer' },
      onsubmit: (event: Event) => {
        event.preventDefault()
        if (entry !== null) send()
      },
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && entry !== null) reset()
      },
    },
    entry === null ? searchField() : pills(entry),
  )
}

function searchField(): Child {
  const entries = shown()
  return h('input', {
    ...{ id: 'composer', key: 'search', role: 'combobox', autocomplete: 'off', spellcheck: 'false' },
    ...{ 'aria-label': 'Type a command', 'aria-expanded': String(composer.isListOpen) },
    'aria-controls': composer.isListOpen && 'commands',
    'aria-activedescendant': composer.isListOpen && entries.length > 0 && `entry-${composer.active}`,
    placeholder: `Type / to see what ${personName(member())} can use`,
    ...{ value: composer.text, onkeydown },
    oninput: (event: Event) => {
      Object.assign(composer, { text: (event.target as HTMLInputElement).value, active: 0 })
      draw()
    },
  })
}

function pills(entry: Entry): Child {
  const options = entry.options.filter(({ required, path }) => required || composer.added.includes(path))
  const rest = entry.options.filter((option) => !options.includes(option))
  const whole = composer.problems.get('')
  return [
    h(
      'div.pills',
      { role: 'group', 'aria-label': entry.name, key: 'pills' },
      h('b.name', entry.type === 1 && '/', text(entry.name)),
      button('×', reset, { class: 'quiet', 'aria-label': `Leave ${entry.name}` }),
      entry.type === 2 &&
        pill('target', 'member', peopleChoices(), composer.target, (value) => (composer.target = value)),
      entry.type === 3 &&
        pill(
          'target',
          'message',
          [['6001', 'Grace: Hello']],
          composer.target,
          (value) => (composer.target = value),
        ),
      options.map((option) => optionPill(option)),
      rest.length > 0 && more(rest),
      button([entry.type === 4 ? 'Launch' : 'Send', h('kbd', '⏎')], () => {}, {
        ...{ class: 'main', type: 'submit', id: 'send', key: 'send' },
      }),
    ),
    whole !== undefined && h('p.problem', { role: 'alert', key: 'problem' }, whole),
  ]
}

function more(rest: readonly Option[]): Child {
  const add = (option: Option) => {
    composer.added.push(option.path)
    drawAndFocus(`pill-${option.path}`)
  }
  if (rest.length > 1 && !composer.isExpanded) {
    return button(
      `+${rest.length} optional`,
      () => ((composer.isExpanded = true), drawAndFocus(`add-${rest[0]!.path}`)),
      {
        ...{ class: 'quiet', key: 'more' },
      },
    )
  }
  return rest.map((option) =>
    button(['+', text(option.name)], () => add(option), {
      ...{
        class: 'quiet dashed',
        key: `add-${option.path}`,
        id: `add-${option.path}`,
        title: option.description,
      },
      'aria-label': `Add ${option.name}: ${option.description}`,
    }),
  )
}

const peopleChoices = (): Choices => server().members.map((one) => [one.user.id, `@${personName(one)}`])
const roleChoices = (): Choices =>
  server().roles.map(({ id, name }) => [id, name.startsWith('@') ? name : `@${name}`])
const channelChoices = (): Choices => server().channels.map(({ id, name }) => [id, `#${name}`])

/** What the bot suggests, by the option's default name. */
const suggestions = new Map<string, readonly { readonly name: string; readonly value: string | number }[]>()

const suggestSoon = debounce(() => void suggest(), 120)
let suggested = ''

async function suggest(): Promise<void> {
  const { entry } = composer
  const focused = suggested
  if (entry === null) return
  const { values } = filled(entry)
  const reply = await ask<Reply | null>(
    'suggest',
    { ...who(), path: entry.path, values, focused },
    true,
  ).catch(() => null)
  if (focused !== suggested || reply?.shown.kind !== 'choices') return
  suggestions.set(focused, reply.shown.choices)
  announce(`${reply.shown.choices.length} suggestions`)
}

/** What an option can be chosen from; `undefined` when it is typed. */
function choicesOf({ type, choices }: Option): Choices | undefined {
  if (choices.length > 0) return choices.map(({ name }, index) => [String(index), name])
  switch (type) {
    case 5:
      return [
        ['true', 'True'],
        ['false', 'False'],
      ]
    case 6:
      return peopleChoices()
    case 7:
      return channelChoices()
    case 8:
      return roleChoices()
    case 9:
      return [...peopleChoices(), ...roleChoices()]
    default:
      return undefined
  }
}

function optionPill(option: Option): Described {
  const { path, name, description } = option
  const value = composer.values.get(path) ?? ''
  return pill(
    path,
    name,
    choicesOf(option),
    value,
    (given) => composer.values.set(path, given),
    description,
    option.type,
  )
}

function pill(
  id: string,
  name: string,
  choices: Choices | undefined,
  value: string,
  change: (value: string) => void,
  description = '',
  type = 3,
): Described {
  const problem = composer.problems.get(id)
  const shared = {
    ...{ id: `pill-${id}`, value, title: description, 'aria-invalid': problem !== undefined && 'true' },
    ...{ 'aria-describedby': problem !== undefined && `problem-${id}` },
  }
  const store = (event: Event) => {
    change((event.target as HTMLInputElement).value)
    composer.problems.delete(id)
    if (composer.entry?.options.find(({ path }) => path === id)?.autocomplete) {
      suggested = id
      suggestSoon()
    }
    draw()
  }
  const found = suggestions.get(id)
  const typed = {
    ...shared,
    list: found !== undefined && `suggestions-${id}`,
    oninput: store,
    autocomplete: 'off',
    size: Math.max(8, value.length),
  }
  return h(
    'span',
    { class: problem === undefined ? 'pill' : 'pill wrong', key: `pill-${id}` },
    h('label', { for: `pill-${id}` }, text(name)),
    choices !== undefined
      ? h(
          'select',
          { ...shared, onchange: store },
          h('option', { value: '' }, '…'),
          choices.map(([key, label]) => h('option', { value: key, key }, label)),
        )
      : h('input', {
          ...typed,
          inputmode: type === 4 || type === 10 ? 'decimal' : 'text',
          placeholder: type === 11 ? 'file name' : '',
        }),
    found !== undefined &&
      h(
        'datalist',
        { id: `suggestions-${id}` },
        found.map(({ name }) => h('option', { value: name, key: name })),
      ),
    problem !== undefined && h('span.problem', { id: `problem-${id}` }, problem),
  )
}

/** The values as they are sent, and the files they name. */
export function filled(entry: Entry): { readonly values: object; readonly files: readonly object[] } {
  const files: object[] = []
  const values: [string, unknown][] = []
  for (const option of entry.options) {
    const given = composer.values.get(option.path) ?? ''
    if (given !== '') values.push([option.path, valueOf(option, given, files)])
  }
  return { values: Object.fromEntries(values), files }
}

/** A value as it is sent. What is not a number stays text: the refusal is what a person wants to see. */
function valueOf({ path, type, choices }: Option, given: string, files: object[]): unknown {
  if (choices.length > 0) return choices[Number(given)]!.value
  const suggestion = suggestions.get(path)?.find(({ name }) => name === given)
  if (suggestion !== undefined) return suggestion.value
  if (type === 5) return given === 'true'
  if (type === 4 || type === 10) return Number.isNaN(Number(given)) ? given : Number(given)
  if (type !== 11) return given
  const id = String(9001 + files.length)
  files.push({ id, filename: given })
  return id
}

/** Shows why a use was refused at the pills it is about. */
export function mark(
  message: string,
  issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[],
): void {
  composer.problems.clear()
  for (const { path, message: problem } of issues) {
    const name = path[0] === 'options' ? String(path[1]) : path[0] === 'target' ? 'target' : ''
    if (composer.entry?.options.some((option) => option.path === name) && !composer.added.includes(name))
      composer.added.push(name)
    composer.problems.set(
      name,
      composer.problems.has(name) ? `${composer.problems.get(name)}; ${problem}` : problem,
    )
  }
  if (issues.length === 0) composer.problems.set('', message)
  const [first = ''] = composer.problems.keys()
  drawAndFocus(first === '' ? 'send' : `pill-${first}`)
}

/** Chooses a command for the inspector. */
export function inspect(id: string): void {
  if (place.sel !== id) go({ sel: id }, true)
}
