/** Typing a command: a search at first, then a pill for each option. */
import type { LocalizedOption } from '../../command/localization-resolver.ts'
import { CommandType, OptionType } from '../../command/types.ts'
import type { BotReply, CommandEntry } from '../answers.ts'
import { ask } from './ask.ts'
import { commandList, isListSettled, shownEntries } from './command-list.ts'
import { announce, draw, drawAndFocus, h, typed, type Child } from './dom.ts'
import { button, debounce, moveActive, optionsOf, text, type Choices } from './parts.ts'
import { personName, server, who } from './place.ts'

/** The content of the composer. */
export const composer = {
  text: '',
  entry: null as CommandEntry | null,
  /** Values by default name. */
  values: new Map<string, string>(),
  /** Optional options that were added. */
  added: [] as string[],
  /** The user or message of a context menu command. */
  target: '',
  isExpanded: false,
  /** Whether the list is visible. */
  isListOpen: true,
  active: 0,
  /** Problems by default name; those of the whole under the empty name. */
  problems: new Map<string, string>(),
}

/** The entries that the typed text leaves. */
const shown = (): readonly CommandEntry[] => shownEntries(composer.text)

/** The entry that the arrows are at, or that was chosen. */
export const current = (): CommandEntry | undefined => composer.entry ?? shown()[composer.active]

export const listOfCommands = (): Child =>
  composer.isListOpen && commandList(composer.text, composer.active, take)

/** Puts a command into the composer, or nothing. */
function fillWith(entry: CommandEntry | null, target = ''): void {
  Object.assign(composer, { entry, target, text: '', active: 0, added: [], isExpanded: false })
  for (const map of [composer.values, composer.problems, suggestions]) map.clear()
}

/** Takes an entry; its required options become pills. */
export function take(entry: CommandEntry, target = ''): void {
  fillWith(entry, target)
  announce(`${entry.name}, ${entry.options.length} options`)
  drawAndFocus(firstControl(entry))
}

function firstControl(entry: CommandEntry): string {
  const isOnTarget = entry.type === CommandType.USER || entry.type === CommandType.MESSAGE
  if (isOnTarget && composer.target === '') return 'pill-target'
  const first = entry.options.find(({ required }) => required)
  return first === undefined ? 'send' : `pill-${first.name_default}`
}

/** Empties the composer. */
export function reset(): void {
  fillWith(null)
  drawAndFocus('composer')
}

// --- The field --------------------------------------------------------------------------------------------------

function onkeydown(event: KeyboardEvent): void {
  const entries = shown()
  const isTab = event.key === 'Tab' && composer.text !== '' && !event.shiftKey
  if (moveActive(event, composer, entries.length)) {
    queueMicrotask(() =>
      document.getElementById(`entry-${composer.active}`)?.scrollIntoView({ block: 'nearest' }),
    )
  } else if (event.key === 'Enter' || isTab) {
    // Enter may come before the list has followed the text.
    if (composer.text !== '' && !isListSettled()) isTaking = true
    else if (entries[composer.active] !== undefined) take(entries[composer.active]!)
  } else return
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
    if (key === 'Escape') reset()
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
  const options = entry.options.filter((one) => one.required || composer.added.includes(one.name_default))
  const rest = entry.options.filter((option) => !options.includes(option))
  const whole = composer.problems.get('')
  const targetPill = (name: string, choices: Choices) =>
    pill({ path: 'target', name }, composer.target, (value) => (composer.target = value), choices)
  return h`
    <div class="pills" role="group" aria-label=${entry.name} key="pills">
      <b class="name">${entry.type === CommandType.CHAT_INPUT && '/'}${text(entry.name)}</b>
      ${button('×', reset, { class: 'quiet', 'aria-label': `Leave ${entry.name}` })}
      ${entry.type === CommandType.USER && targetPill('member', people())}
      ${entry.type === CommandType.MESSAGE && targetPill('message', messageChoices)}
      ${options.map((option) => {
        const { name_default: path } = option
        const change = (value: string) => composer.values.set(path, value)
        return pill({ ...option, path }, composer.values.get(path) ?? '', change, choicesOf(option))
      })}
      ${rest.length > 0 && more(rest)}
      <button class="main" id="send" key="send">${entry.type === CommandType.PRIMARY_ENTRY_POINT ? 'Launch' : 'Send'}<kbd>⏎</kbd></button>
    </div>
    ${whole !== undefined && h`<p class="problem" role="alert" key="problem">${whole}</p>`}`
}

function more(rest: readonly LocalizedOption[]): Child {
  const expand = () => {
    composer.isExpanded = true
    drawAndFocus(`add-${rest[0]!.name_default}`)
  }
  if (rest.length > 1 && !composer.isExpanded)
    return button(`+${rest.length} optional`, expand, { class: 'quiet', key: 'more' })
  return rest.map(({ name_default: path, name, description }) => {
    const add = () => {
      composer.added.push(path)
      drawAndFocus(`pill-${path}`)
    }
    const more = { class: 'quiet dashed', key: `add-${path}`, id: `add-${path}`, title: description }
    return button(['+', text(name)], add, { ...more, 'aria-label': `Add ${name}: ${description}` })
  })
}

// --- Values -----------------------------------------------------------------------------------------------------

/** The one message of every channel. */
export const helloMessage = { id: '6001', author: 'Grace', authorId: '3002', content: 'Hello' }
const messageChoices: Choices = [[helloMessage.id, `${helloMessage.author}: ${helloMessage.content}`]]

export const people = (): Choices => server().members.map((one) => [one.user.id, `@${personName(one)}`])
export const roles = (): Choices =>
  server().roles.map(({ id, name }) => [id, name.startsWith('@') ? name : `@${name}`])
export const channels = (): Choices => server().channels.map(({ id, name }) => [id, `#${name}`])

export const mentionables = (): Choices => [...people(), ...roles()]

const { ATTACHMENT, BOOLEAN, CHANNEL, INTEGER, MENTIONABLE, NUMBER, ROLE, USER } = OptionType

/** The choices of an option, by its type. */
const lists: Readonly<Record<number, () => Choices>> = {
  [BOOLEAN]: () => [
    ['true', 'True'],
    ['false', 'False'],
  ],
  [USER]: people,
  [CHANNEL]: channels,
  [ROLE]: roles,
  [MENTIONABLE]: mentionables,
}

/** The suggestions of the bot, by the option's default name. */
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

/** The choices of an option; `undefined` if it is typed. */
function choicesOf({ type, choices = [] }: LocalizedOption): Choices | undefined {
  if (choices.length > 0) return choices.map(({ name }, index) => [String(index), name])
  return lists[type]?.()
}

interface Pill extends Partial<Pick<LocalizedOption, 'description' | 'type' | 'autocomplete'>> {
  readonly name: string
  /** The default name of the option; `target` for what a command is used on. */
  readonly path: string
}

function pill(
  option: Pill,
  value: string,
  change: (value: string) => unknown,
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
    id: `pill-${path}`,
    value,
    title: description,
    'aria-invalid': problem !== undefined && 'true',
    'aria-describedby': problem !== undefined && `problem-${path}`,
  }
  const found = suggestions.get(path)
  const hint = {
    inputmode: type === INTEGER || type === NUMBER ? 'decimal' : 'text',
    placeholder: type === ATTACHMENT ? 'file name' : '',
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
    const given = composer.values.get(option.name_default) ?? ''
    if (given !== '') values.push([option.name_default, valueOf(option, given, files)])
  }
  return { values: Object.fromEntries(values), files }
}

/** A value as it is sent. What is not a number stays text: the refusal is what a person wants to see. */
function valueOf(option: LocalizedOption, given: string, files: object[]): unknown {
  const { name_default: path, type, choices = [] } = option
  if (choices.length > 0) return choices[Number(given)]!.value
  const suggestion = suggestions.get(path)?.find(({ name }) => name === given)
  if (suggestion !== undefined) return suggestion.value
  if (type === BOOLEAN) return given === 'true'
  if (type === INTEGER || type === NUMBER) return Number.isNaN(Number(given)) ? given : Number(given)
  if (type !== ATTACHMENT) return given
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
    if (entry?.options.some((option) => option.name_default === name) && !added.includes(name))
      added.push(name)
    problems.set(name, problems.has(name) ? `${problems.get(name)}; ${problem}` : problem)
  }
  if (issues.length === 0) problems.set('', message)
  const [first = ''] = problems.keys()
  drawAndFocus(first === '' ? 'send' : `pill-${first}`)
}
