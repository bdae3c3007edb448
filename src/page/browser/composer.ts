/** Typing a command: a search at first, then a pill for each option. */
import type { CommandEntry, EntryOption, BotReply } from '../answers.ts'
import { ask } from './ask.ts'
import { commandList, isListSettled, shownEntries } from './command-list.ts'
import { announce, draw, drawAndFocus, h, typed, type Child } from './dom.ts'
import { button, debounce, optionsOf, text, type Choices } from './parts.ts'
import { personName, server, who } from './place.ts'

/** What stands in the composer. */
export const composer = {
  text: '',
  entry: null as CommandEntry | null,
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

/** The entries that the typed text leaves. */
const shown = (): readonly CommandEntry[] => shownEntries(composer.text)

/** The entry that the arrows are at, or that was chosen. */
export const current = (): CommandEntry | undefined => composer.entry ?? shown()[composer.active]

/** The name of an entry as a person types it. */
export const entryName = ({ type, name }: Pick<CommandEntry, 'type' | 'name'>): string =>
  type === 1 ? `/${name}` : name

export const listOfCommands = (): Child =>
  composer.isListOpen && commandList(composer.text, composer.active, take)

/** Takes an entry; its required options become pills. */
export function take(entry: CommandEntry, target = ''): void {
  composer.values.clear()
  composer.problems.clear()
  Object.assign(composer, { entry, text: '', added: [], target, isExpanded: false })
  announce(`${entry.name}, ${entry.options.length} options`)
  drawAndFocus(firstControl(entry))
}

function firstControl(entry: CommandEntry): string {
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
    if (composer.text !== '' && !isListSettled()) isTaking = true
    else if (entries[composer.active] !== undefined) take(entries[composer.active]!)
  } else if (event.key === 'Escape') reset()
  else return
  event.preventDefault()
  draw()
}

let isTaking = false

/** Takes the entry that Enter was pressed for, once the list has followed the text. */
function takeSoon(): void {
  if (!isTaking || !isListSettled()) return
  isTaking = false
  const entry = shown()[composer.active]
  if (entry !== undefined) take(entry)
}

/** The field at the bottom: a search at first, then the pills of the chosen command. */
export function field(send: () => void): Child {
  if (composer.entry === null) takeSoon()
  const { entry } = composer
  const onsubmit = (event: Event) => {
    event.preventDefault()
    if (entry !== null) send()
  }
  const onkeydown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && entry !== null) reset()
  }
  return h`<form class="composer" key="composer" onsubmit=${onsubmit} onkeydown=${onkeydown}>
    ${entry === null ? searchField() : pills(entry)}
  </form>`
}

function searchField(): Child {
  const { isListOpen, active } = composer
  const isActive = isListOpen && shown().length > 0
  return h`<input id="composer" key="search" role="combobox" autocomplete="off" spellcheck="false"
    aria-label="Type a command" aria-expanded="${isListOpen}" aria-controls=${isListOpen && 'commands'}
    aria-activedescendant=${isActive && `entry-${active}`} placeholder="Type / to see what ${personName()} can use"
    value=${composer.text} onkeydown=${onkeydown}
    oninput=${typed((text) => Object.assign(composer, { text, active: 0 }))} />`
}

function pills(entry: CommandEntry): Child {
  const options = entry.options.filter(({ required, path }) => required || composer.added.includes(path))
  const rest = entry.options.filter((option) => !options.includes(option))
  const whole = composer.problems.get('')
  const target = { 2: ['member', people()], 3: ['message', messageChoices] }[entry.type as number]
  const setTarget = (value: string) => (composer.target = value)
  return h`
    <div class="pills" role="group" aria-label=${entry.name} key="pills">
      <b class="name">${entry.type === 1 && '/'}${text(entry.name)}</b>
      ${button('×', reset, { class: 'quiet', 'aria-label': `Leave ${entry.name}` })}
      ${target !== undefined && pill({ path: 'target', name: target[0] as string }, composer.target, setTarget, target[1] as Choices)}
      ${options.map((option) =>
        pill(
          option,
          composer.values.get(option.path) ?? '',
          (value) => composer.values.set(option.path, value),
          choicesOf(option),
        ),
      )}
      ${rest.length > 0 && more(rest)}
      <button class="main" id="send" key="send">${entry.type === 4 ? 'Launch' : 'Send'}<kbd>⏎</kbd></button>
    </div>
    ${whole !== undefined && h`<p class="problem" role="alert" key="problem">${whole}</p>`}`
}

function more(rest: readonly EntryOption[]): Child {
  const expand = () => {
    composer.isExpanded = true
    drawAndFocus(`add-${rest[0]!.path}`)
  }
  if (rest.length > 1 && !composer.isExpanded)
    return button(`+${rest.length} optional`, expand, { class: 'quiet', key: 'more' })
  return rest.map(({ path, name, description }) => {
    const add = () => {
      composer.added.push(path)
      drawAndFocus(`pill-${path}`)
    }
    const more = { class: 'quiet dashed', key: `add-${path}`, id: `add-${path}`, title: description }
    return button(['+', text(name)], add, { ...more, 'aria-label': `Add ${name}: ${description}` })
  })
}

// --- Values -----------------------------------------------------------------------------------------------------

/** The one message that everybody can see. */
export const helloMessage = { id: '6001', author: 'Grace', authorId: '3002', content: 'Hello' }
const messageChoices: Choices = [[helloMessage.id, `${helloMessage.author}: ${helloMessage.content}`]]

const people = (): Choices => server().members.map((one) => [one.user.id, `@${personName(one)}`])
const roles = (): Choices =>
  server().roles.map(({ id, name }) => [id, name.startsWith('@') ? name : `@${name}`])
const channels = (): Choices => server().channels.map(({ id, name }) => [id, `#${name}`])

/** What can be chosen from, for options and for menus. */
export const known = { people, roles, channels, mentionables: (): Choices => [...people(), ...roles()] }

const booleans: Choices = [
  ['true', 'True'],
  ['false', 'False'],
]
/** By the type of an option. */
const lists: Readonly<Record<number, () => Choices>> = {
  ...{ 5: () => booleans, 6: known.people, 7: known.channels, 8: known.roles, 9: known.mentionables },
}

/** What the bot suggests, by the option's default name. */
const suggestions = new Map<string, readonly { readonly name: string; readonly value: string | number }[]>()

const suggestSoon = debounce(() => void suggest(), 120)
let suggested = ''

async function suggest(): Promise<void> {
  const { entry } = composer
  const focused = suggested
  if (entry === null) return
  const question = { ...who(), path: entry.path, values: filled(entry).values, focused }
  const reply = await ask<BotReply | null>('suggest', question, true).catch(() => null)
  if (focused !== suggested || reply?.shown.kind !== 'choices') return
  suggestions.set(focused, reply.shown.choices)
  announce(`${reply.shown.choices.length} suggestions`)
}

/** What an option can be chosen from; `undefined` when it is typed. */
function choicesOf({ type, choices }: EntryOption): Choices | undefined {
  if (choices.length > 0) return choices.map(({ name }, index) => [String(index), name])
  return lists[type]?.()
}

type Pill = Pick<EntryOption, 'name' | 'path'> &
  Partial<Pick<EntryOption, 'description' | 'type' | 'autocomplete'>>

function pill(
  option: Pill,
  value: string,
  change: (value: string) => void,
  choices: Choices | undefined,
): Child {
  const { path, name, description, type } = option
  const problem = composer.problems.get(path)
  const store = (given: string) => {
    change(given)
    composer.problems.delete(path)
    if (option.autocomplete !== true) return
    suggested = path
    suggestSoon()
  }
  const shared = {
    ...{ id: `pill-${path}`, value, title: description, 'aria-invalid': problem !== undefined && 'true' },
    ...{ 'aria-describedby': problem !== undefined && `problem-${path}` },
  }
  const found = suggestions.get(path)
  const hint = {
    inputmode: type === 4 || type === 10 ? 'decimal' : 'text',
    placeholder: type === 11 ? 'file name' : '',
  }
  return h`<span class="pill ${problem !== undefined && 'wrong'}" key="pill-${path}">
    <label for="pill-${path}">${text(name)}</label>
    ${
      choices === undefined
        ? h`<input autocomplete="off" ...${shared} ...${hint} size=${Math.max(8, value.length)}
            list=${found !== undefined && `suggestions-${path}`} oninput=${typed(store)} />`
        : h`<select ...${shared} onchange=${typed(store)}><option value="">…</option>${optionsOf(choices)}</select>`
    }
    ${found && h`<datalist id="suggestions-${path}">${found.map(({ name }) => h`<option value=${name} key=${name}></option>`)}</datalist>`}
    ${problem !== undefined && h`<span class="problem" id="problem-${path}">${problem}</span>`}
  </span>`
}

/** The values as they are sent, and the files they name. */
export function filled(entry: CommandEntry): { readonly values: object; readonly files: readonly object[] } {
  const files: object[] = []
  const values: [string, unknown][] = []
  for (const option of entry.options) {
    const given = composer.values.get(option.path) ?? ''
    if (given !== '') values.push([option.path, valueOf(option, given, files)])
  }
  return { values: Object.fromEntries(values), files }
}

/** A value as it is sent. What is not a number stays text: the refusal is what a person wants to see. */
function valueOf({ path, type, choices }: EntryOption, given: string, files: object[]): unknown {
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
  const { problems, added, entry } = composer
  problems.clear()
  for (const { path, message: problem } of issues) {
    const name = path[0] === 'options' ? String(path[1]) : path[0] === 'target' ? 'target' : ''
    if (entry?.options.some((option) => option.path === name) && !added.includes(name)) added.push(name)
    problems.set(name, problems.has(name) ? `${problems.get(name)}; ${problem}` : problem)
  }
  if (issues.length === 0) problems.set('', message)
  const [first = ''] = problems.keys()
  drawAndFocus(first === '' ? 'send' : `pill-${first}`)
}
