/** Typing a command: a search at first, then a pill for each option, with its choices as chips above the field. */
import type { LocalizedOption } from '../../command/localization-resolver.ts'
import { CommandType, OptionType } from '../../command/types.ts'
import type { BotReply, CommandEntry } from '../answers.ts'
import { ask } from './ask.ts'
import { commandList, isListSettled, shownEntries } from './command-list.ts'
import { announce, draw, drawAndFocus, h, typed, type Child } from './dom.ts'
import { button, debounce, moveActive, text, type Choices } from './parts.ts'
import { personName, server, who } from './place.ts'

/** A choice of an option: its name, and the value that is sent. */
interface Choice {
  readonly name: string
  readonly value: unknown
}

/** A value as it is typed; with a `value` where a choice was taken. */
interface Filled {
  readonly text: string
  readonly value?: unknown
}

/** The content of the composer. */
export const composer = {
  text: '',
  entry: null as CommandEntry | null,
  /** Values by default name. */
  values: new Map<string, Filled>(),
  /** Optional options that were added. */
  added: [] as string[],
  /** The option that has the focus, whose choices are shown; empty for none. */
  focused: '',
  isExpanded: false,
  /** The command or the choice that the arrows are at; -1 for none. */
  active: 0,
  /** Problems by default name; those of the whole under the empty name. */
  problems: new Map<string, string>(),
}

const shown = (): readonly CommandEntry[] => shownEntries(composer.text)

/** The entry that the arrows are at, or that was chosen. */
export const current = (): CommandEntry | undefined => composer.entry ?? shown()[composer.active]

export const listOfCommands = (): Child => commandList(composer.text, composer.active, take)

/** Puts a command into the composer, or nothing. */
function fillWith(entry: CommandEntry | null): void {
  Object.assign(composer, { entry, text: '', active: 0, added: [], focused: '', isExpanded: false })
  for (const map of [composer.values, composer.problems, suggestions]) map.clear()
}

/** Takes an entry; its required options become pills. @param target the user or message it is used on, by id */
export function take(entry: CommandEntry, target = ''): void {
  fillWith(entry)
  const [option] = optionsOf(entry)
  const choice = option && choicesOf(option)?.find(({ value }) => value === target)
  if (choice !== undefined) composer.values.set(TARGET, { text: choice.name, value: target })
  announce(`${entry.name}, ${entry.options.length} options`)
  focusNext(entry)
}

/** Moves the focus to the first required option without a value, else to the button that sends. */
function focusNext(entry: CommandEntry): void {
  const next = optionsOf(entry).find(
    ({ required, name_default: path }) => required && !composer.values.get(path)?.text,
  )
  drawAndFocus(next === undefined ? 'send' : `pill-${next.name_default}`)
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
export function field(isOpen: boolean, send: () => void): Child {
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
    ${entry === null ? searchField(isOpen) : pills(entry)}
  </form>`
}

/** Whether the list of commands is shown. */
export const isListOpen = (isIdle: boolean): boolean =>
  composer.entry === null && (isIdle || composer.text !== '')

function searchField(isOpen: boolean): Child {
  const { active } = composer
  const isActive = isOpen && shown().length > 0
  return h`<input id="composer" key="search" role="combobox" autocomplete="off" spellcheck="false"
    aria-label="Type a command" aria-expanded="${isOpen}" aria-controls=${isOpen && 'commands'}
    aria-activedescendant=${isActive && `entry-${active}`} placeholder="Type / to see what ${personName()} can use"
    value=${composer.text} onkeydown=${onkeydown}
    oninput=${typed((text) => Object.assign(composer, { text, active: 0 }))} />`
}

function pills(entry: CommandEntry): Child {
  const all = optionsOf(entry)
  const options = all.filter((one) => one.required || composer.added.includes(one.name_default))
  const rest = all.filter((option) => !options.includes(option))
  const whole = composer.problems.get('')
  return h`
    <div class="pills" role="group" aria-label=${entry.name} key="pills">
      <b class="name">${entry.type === CommandType.CHAT_INPUT && '/'}${text(entry.name)}</b>
      ${button('×', reset, { class: 'quiet', 'aria-label': `Leave ${entry.name}` })}
      ${options.map((option) => pill(entry, option))}
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

// --- Options and their choices ----------------------------------------------------------------------------------

/** The one message of every channel. */
export const helloMessage = { id: '6001', author: 'Grace', authorId: '3002', content: 'Hello' }

export const people = (): Choices => server().members.map((one) => [one.user.id, `@${personName(one)}`])
export const roles = (): Choices =>
  server().roles.map(({ id, name }) => [id, name.startsWith('@') ? name : `@${name}`])
export const channels = (): Choices => server().channels.map(({ id, name }) => [id, `#${name}`])

export const mentionables = (): Choices => [...people(), ...roles()]

const { ATTACHMENT, BOOLEAN, CHANNEL, INTEGER, MENTIONABLE, NUMBER, ROLE, STRING, USER } = OptionType

/** The name of what a user or message command is used on, which is filled like an option. */
const TARGET = 'target'

/** The options of a command; of a user or message command, its target. */
function optionsOf({ type, options }: CommandEntry): readonly LocalizedOption[] {
  const target = { name_default: TARGET, description: '', description_default: '', required: true }
  if (type === CommandType.USER) return [{ ...target, type: USER, name: 'member' }]
  if (type !== CommandType.MESSAGE) return options
  const { id, author, content } = helloMessage
  const hello = { name: `${author}: ${content}`, name_default: content, value: id }
  return [{ ...target, type: STRING, name: 'message', choices: [hello] }]
}

const booleans = [true, false].map((value) => ({ name: value ? 'True' : 'False', value }))

const lists: Readonly<Record<number, () => Choices>> = {
  [USER]: people,
  [CHANNEL]: channels,
  [ROLE]: roles,
  [MENTIONABLE]: mentionables,
}

/** The suggestions of the bot, by the option's default name. */
const suggestions = new Map<string, readonly Choice[]>()

/** The choices of an option; `undefined` if it is typed. */
function choicesOf({ name_default: path, type, choices, autocomplete }: LocalizedOption) {
  if (autocomplete === true) return suggestions.get(path)
  if (type === BOOLEAN) return booleans
  if (choices !== undefined && choices.length > 0) return choices
  return lists[type]?.().map(([value, name]): Choice => ({ name, value }))
}

/** The choices that fit the typed text; all of them once one is taken, so that another can be. */
function fittingChoices(option: LocalizedOption): readonly Choice[] {
  const { text, value } = composer.values.get(option.name_default) ?? { text: '' }
  const choices = choicesOf(option) ?? []
  if (value !== undefined || option.autocomplete === true) return choices
  return choices.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
}

const suggestSoon = debounce(() => void suggest(), 120)

async function suggest(): Promise<void> {
  const { entry, focused } = composer
  if (entry === null) return
  const question = { ...who(), path: entry.path, values: filled(entry).values, focused }
  const reply = await ask<BotReply | null>('suggest', question, true).catch(() => null)
  if (focused !== composer.focused || reply?.shown.kind !== 'choices') return
  suggestions.set(focused, reply.shown.choices)
  announce(`${reply.shown.choices.length} suggestions`)
}

function fill({ name_default: path }: LocalizedOption, filled: Filled): void {
  composer.values.set(path, filled)
  composer.problems.delete(path)
}

function choose(entry: CommandEntry, option: LocalizedOption, { name, value }: Choice): void {
  fill(option, { text: name, value })
  focusNext(entry)
}

/** The choices of the option that has the focus. */
export function choiceChips(): Child {
  const { entry, focused, active, values } = composer
  const option = entry && optionsOf(entry).find((one) => one.name_default === focused)
  if (!option) return null
  const choices = fittingChoices(option)
  const taken = values.get(focused)?.value
  // The focus stays in the field, so that a press does not close the chips.
  const onmousedown = (event: Event) => event.preventDefault()
  const chip = (choice: Choice, index: number) =>
    h`<li role="option" id="choice-${index}" class="chip ${choice.value === taken && 'taken'}" aria-selected="${index === active}"
      onclick=${() => choose(entry, option, choice)}>${text(choice.name)}</li>`
  return (
    choices.length > 0 &&
    h`<ul class="list chips" role="listbox" id="choices" aria-label="Choices of ${option.name}" key="choices"
      onmousedown=${onmousedown}>${choices.map(chip)}</ul>`
  )
}

/** Up to this many choices a phone shows the chips without its keyboard. */
const MAX_CHIPS_ALONE = 12

function pill(entry: CommandEntry, option: LocalizedOption): Child {
  const { name_default: path, name, description, type } = option
  const problem = composer.problems.get(path)
  const value = composer.values.get(path)?.text ?? ''
  const choices = fittingChoices(option)
  const isTyped = option.autocomplete === true || choicesOf(option) === undefined
  const isOpen = composer.focused === path && choices.length > 0
  // Enter takes the first choice, unless one is taken already, or the typed text is a value too.
  const first = isTyped || composer.values.get(path)?.value !== undefined ? -1 : 0
  const change = (text: string) => {
    fill(option, { text })
    composer.active = isTyped ? -1 : 0
    if (option.autocomplete === true) suggestSoon()
  }
  const focus = (focused: string) => () => {
    Object.assign(composer, { focused, active: first })
    draw()
  }
  const onkeydown = (event: KeyboardEvent) => {
    const isTaking = event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey && value !== '')
    const choice = isTaking ? choices[composer.active] : undefined
    if (choice !== undefined) choose(entry, option, choice)
    else if (!isOpen || !moveActive(event, composer, choices.length)) return
    event.preventDefault()
    draw()
  }
  const more = {
    title: description,
    inputmode: type === INTEGER || type === NUMBER ? 'decimal' : 'text',
    placeholder: type === ATTACHMENT ? 'file name' : '',
    'aria-invalid': problem !== undefined && 'true',
    'aria-describedby': problem !== undefined && `problem-${path}`,
    ...(!isTyped && choices.length <= MAX_CHIPS_ALONE && { inputmode: 'none' }),
    ...((!isTyped || choices.length > 0) && {
      role: 'combobox',
      'aria-expanded': String(isOpen),
      'aria-controls': isOpen && 'choices',
      'aria-activedescendant': isOpen && composer.active >= 0 && `choice-${composer.active}`,
    }),
  }
  return h`<span class="pill ${problem !== undefined && 'wrong'}" key="pill-${path}">
    <label for="pill-${path}">${text(name)}</label>
    <input id="pill-${path}" autocomplete="off" spellcheck="false" value=${value} size=${Math.max(8, value.length)} ...${more}
      oninput=${typed(change)} onkeydown=${onkeydown} onfocus=${focus(path)} onblur=${focus('')} />
    ${problem !== undefined && h`<span class="problem" id="problem-${path}">${problem}</span>`}
  </span>`
}

// --- Values -----------------------------------------------------------------------------------------------------

/** The values as they are sent, the files they name, and what a user or message command is used on. */
export function filled(entry: CommandEntry) {
  const files: object[] = []
  const values: Record<string, unknown> = {}
  for (const option of optionsOf(entry)) {
    const given = composer.values.get(option.name_default)
    if (given !== undefined && given.text !== '') values[option.name_default] = valueOf(option, given, files)
  }
  const { [TARGET]: target = '', ...others } = values
  return entry.options.length > 0 ? { values, files } : { values: others, files, target }
}

/** A value as it is sent. A text that is not a choice or a number stays: the refusal is what a person wants to see. */
function valueOf(option: LocalizedOption, { text, value }: Filled, files: object[]): unknown {
  if (value !== undefined) return value
  const named = choicesOf(option)?.find(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (named !== undefined) return named.value
  const { type } = option
  if (type === INTEGER || type === NUMBER) return Number.isNaN(Number(text)) ? text : Number(text)
  if (type !== ATTACHMENT) return text
  const id = String(9001 + files.length)
  files.push({ id, filename: text })
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
    const name = path[0] === 'options' ? String(path[1]) : path[0] === TARGET ? TARGET : ''
    if (entry?.options.some((option) => option.name_default === name) && !added.includes(name))
      added.push(name)
    problems.set(name, problems.has(name) ? `${problems.get(name)}; ${problem}` : problem)
  }
  if (issues.length === 0) problems.set('', message)
  const [first = ''] = problems.keys()
  drawAndFocus(first === '' ? 'send' : `pill-${first}`)
}
