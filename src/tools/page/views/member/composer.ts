/** Typing a command: a search in the list of commands at first, then a pill for each option, with its choices as chips. */
import { typedName } from '../../../authoring/words.ts'
import type { LocalizedOption } from '../../../../commands/localization/localization-resolver.ts'
import { CommandType, OptionType } from '../../../../model/command-types.ts'
import { searchOf } from '../../../../commands/access/collation.ts'
import { demoMessage } from '../../../../model/demo-server.ts'
import { displayName } from '../../../../model/server.ts'
import type { Answer } from '../../questions.ts'
import { ask, Source } from '../../browser/ask.ts'
import { announce, drawAndFocus, h, typed, type Child } from '../../browser/dom.ts'
import {
  button,
  debounce,
  empty,
  failure,
  moveActive,
  optionTags,
  text,
  traceList,
} from '../../browser/parts.ts'
import {
  botName,
  channels,
  mentionables,
  people,
  personName,
  place,
  roles,
  who,
} from '../../browser/place.ts'
import type { Choices } from '../../browser/place.ts'

export type CommandEntry = Answer<'picker'>['entries'][number]

interface Choice {
  readonly name: string
  readonly value: unknown
}

const composerFor = (entry: CommandEntry | null) => ({
  entry,
  /** The search, while there is no entry. */
  text: '',
  /** Texts as they are typed, by default name; with a `value` where a choice was taken. */
  values: new Map<string, { readonly text: string; readonly value?: unknown }>(),
  /** The suggestions of the bot, by default name. */
  suggestions: new Map<string, readonly Choice[]>(),
  added: [] as string[],
  /** The option that has the focus, whose choices are shown; empty for none. */
  focused: '',
  /** Whether a button adds each optional option, and not one for all. */
  isExpanded: false,
  /** The command or the choice that the arrows are at; -1 for none. */
  active: 0,
  /** Problems by default name; those of the whole under the empty name. */
  problems: new Map<string, string>(),
})

export let composer = composerFor(null)

// --- The list of commands ---------------------------------------------------------------------------------------

const picker = new Source('picker')

export const allEntries = (): readonly CommandEntry[] => picker.ask(who())?.entries ?? []

function shownEntries(): readonly CommandEntry[] {
  const entries = allEntries()
  return composer.text === '' ? entries : searchOf(entries, place.lang)(composer.text)
}

/** The entry that was chosen, or that the arrows are at. */
export const current = (): CommandEntry | undefined => composer.entry ?? shownEntries()[composer.active]

const groups: Readonly<Record<CommandType, readonly [tile: string, name: string]>> = {
  1: ['', 'Slash commands'],
  2: ['@', 'On a member'],
  3: ['✉', 'On a message'],
  4: ['▶', 'Launch'],
}

export function commandList(): Child {
  const all = picker.ask(who())
  if (all === undefined) return failure(picker)
  const entries = shownEntries()
  const { hidden } = all
  const typed = composer.text
  const item = (entry: CommandEntry, index: number) => {
    const { id, type, name, path, description, local, options } = entry
    const slash = type === CommandType.CHAT_INPUT && '/'
    const [tile, group] = groups[type]
    return h`<li role="option" id="entry-${index}" key="${id} ${path}" class="entry" aria-selected="${index === composer.active}"
      data-group=${type !== entries[index - 1]?.type && group} onclick=${() => take(entry)}>
      <span class="tile" aria-hidden="true">${tile || botName()[0]}</span>
      <span class="title">
        <b class="name">${slash}${text(name)}</b>
        ${name !== path && h`<span class="hint">${slash}${text(path, 'en')}</span>`}
        ${optionTags(options)}
      </span>
      <span class="about">${text(description)}</span>
      ${local && h`<span class="hint">this server only</span>`}
    </li>`
  }
  const nothing =
    typed === ''
      ? empty('No command is shown here', 'The reasons are below. Choose another person or channel above.')
      : empty('No command has that name', 'Names in the person’s language and default names both count.')
  return h`<section class="list ${!picker.isSettled && 'slow'}" aria-label="Commands" key="list">
    ${failure(picker)}
    <div class="list-head">
      <h2>What ${personName()} sees here${typed !== '' && ` for “${typed}”`}</h2>
      <output aria-live="polite">${entries.length} of ${all.entries.length + hidden.length}</output>
    </div>
    <ul role="listbox" id="commands" aria-label="Commands">${entries.map(item)}</ul>
    ${entries.length === 0 && nothing}
    ${hidden.length > 0 && typed === '' && hiddenList(hidden)}
  </section>`
}

function hiddenList(hidden: Answer<'picker'>['hidden']): Child {
  const reasons = [...new Set(hidden.map(({ reason }) => reason))]
  return h`<section class="hidden-commands" aria-label="Hidden commands" id="hidden">
    <h3>Hidden from ${personName()}</h3>
    ${reasons.map((reason) => {
      const commands = hidden.filter((one) => one.reason === reason)
      return h`<details key=${reason}>
        <summary>${reason}<span class="hint">${commands.map(typedName).join(', ')}</span></summary>
        ${commands.map(
          ({ id, type, name, why, trace }) => h`<div class="reason" key=${id}>
            <b class="name">${type === CommandType.CHAT_INPUT && '/'}${text(name)}</b>
            ${why.map((sentence) => h`<p>${sentence}</p>`)}
            ${trace.length > 0 && traceList(trace)}
          </div>`,
        )}
      </details>`
    })}
  </section>`
}

// --- The field --------------------------------------------------------------------------------------------------

export function reset(entry: CommandEntry | null = null): void {
  composer = composerFor(entry)
  if (entry === null) drawAndFocus('composer')
}

/** Takes an entry; its required options become pills. @param target the user or message it is used on, by id */
export function take(entry: CommandEntry, target = ''): void {
  reset(entry)
  const [option] = optionsOf(entry)
  const choice = option && choicesOf(option)?.find(({ value }) => value === target)
  if (choice !== undefined) composer.values.set(TARGET, { text: choice.name, value: target })
  announce(`${entry.name}, ${entry.options.length} options`)
  focusNext(entry)
}

/** Moves the focus to the first required option without a value, else to the button that sends. */
function focusNext(entry: CommandEntry): void {
  const isOpen = ({ required, name_default: path }: LocalizedOption) =>
    required && !composer.values.get(path)?.text
  const next = optionsOf(entry).find(isOpen)
  drawAndFocus(next === undefined ? 'send' : `pill-${next.name_default}`)
}

/** Takes the entry that the arrows are at, once the commands are there. */
async function takeActive(): Promise<void> {
  await picker.settled
  const entry = shownEntries()[composer.active]
  if (entry !== undefined && composer.entry === null) take(entry)
}

function onSearchKey(event: KeyboardEvent): unknown {
  const isTab = event.key === 'Tab' && composer.text !== '' && !event.shiftKey
  const showActive = () =>
    document.getElementById(`entry-${composer.active}`)?.scrollIntoView({ block: 'nearest' })
  const isMoved = moveActive(event, composer, shownEntries().length)
  if (!isMoved && event.key !== 'Enter' && !isTab) return
  event.preventDefault()
  return isMoved ? queueMicrotask(showActive) : takeActive()
}

export function field(isOpen: boolean, send: (entry: CommandEntry) => unknown): Child {
  const { entry } = composer
  const onsubmit = (event: Event) => {
    event.preventDefault()
    return entry && send(entry)
  }
  const onkeydown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') reset()
  }
  return h`<form class="composer" key="composer" onsubmit=${onsubmit} onkeydown=${onkeydown}>
    ${entry === null ? searchField(isOpen) : pills(entry)}
  </form>`
}

export const isListOpen = (isIdle: boolean): boolean =>
  composer.entry === null && (isIdle || composer.text !== '')

function searchField(isOpen: boolean): Child {
  const isActive = isOpen && shownEntries().length > 0
  return h`<input id="composer" key="search" role="combobox" autocomplete="off" spellcheck="false"
    aria-label="Type a command" aria-expanded="${isOpen}" aria-controls=${isOpen && 'commands'}
    aria-activedescendant=${isActive && `entry-${composer.active}`} placeholder="Type / to see what ${personName()} can use"
    value=${composer.text} onkeydown=${onSearchKey}
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
      ${button('×', () => reset(), { class: 'quiet', 'aria-label': `Leave ${entry.name}` })}
      ${options.map((option) => pill(entry, option))}
      ${rest.length > 0 && adders(rest)}
      <button class="main" id="send" key="send">${entry.type === CommandType.PRIMARY_ENTRY_POINT ? 'Launch' : 'Send'}<kbd>⏎</kbd></button>
    </div>
    ${whole !== undefined && h`<p class="problem" role="alert" key="problem">${whole}</p>`}`
}

function adders(rest: readonly LocalizedOption[]): Child {
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

const { ATTACHMENT, BOOLEAN, CHANNEL, INTEGER, MENTIONABLE, NUMBER, ROLE, STRING, USER } = OptionType

/** The name of what a user or message command is used on, which is filled like an option. */
const TARGET = 'target'

/** The options of a command; of a user or message command, its target. */
function optionsOf({ type, options }: CommandEntry): readonly LocalizedOption[] {
  const target = { name_default: TARGET, description: '', description_default: '', required: true }
  if (type === CommandType.USER) return [{ ...target, type: USER, name: 'member' }]
  if (type !== CommandType.MESSAGE) return options
  const { id, author, content } = demoMessage
  const hello = { name: `${displayName(author)}: ${content}`, name_default: content, value: id }
  return [{ ...target, type: STRING, name: 'message', choices: [hello] }]
}

const booleans = [true, false].map((value) => ({ name: value ? 'True' : 'False', value }))

const lists: Readonly<Record<number, () => Choices>> = {
  [USER]: people,
  [CHANNEL]: channels,
  [ROLE]: roles,
  [MENTIONABLE]: mentionables,
}

/** The choices of an option; `undefined` if it is typed. */
function choicesOf({ name_default: path, type, choices, autocomplete }: LocalizedOption) {
  if (autocomplete === true) return composer.suggestions.get(path)
  if (type === BOOLEAN) return booleans
  if (choices !== undefined && choices.length > 0) return choices
  return lists[type]?.().map(({ id, name }): Choice => ({ name, value: id }))
}

/** The choices that fit the typed text; all of them once one is taken, so that another can be. */
function fittingChoices(option: LocalizedOption): readonly Choice[] {
  const { text, value } = composer.values.get(option.name_default) ?? { text: '' }
  const choices = choicesOf(option) ?? []
  if (value !== undefined || option.autocomplete === true) return choices
  return choices.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
}

const suggestSoon = debounce(async () => {
  const { entry, focused, suggestions } = composer
  if (entry === null) return
  const question = { ...who(), path: entry.path, values: filled(entry).values, focused }
  const reply = await ask('suggest', question).catch(() => null)
  if (focused !== composer.focused || reply?.shown.kind !== 'choices') return
  suggestions.set(focused, reply.shown.choices)
  announce(`${reply.shown.choices.length} suggestions`)
}, 120)

function fill({ name_default: path }: LocalizedOption, text: string, value?: unknown): void {
  composer.values.set(path, { text, value })
  composer.problems.delete(path)
}

function choose(entry: CommandEntry, option: LocalizedOption, { name, value }: Choice): void {
  fill(option, name, value)
  focusNext(entry)
}

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
  const { text: typedText = '', value } = composer.values.get(path) ?? {}
  const choices = fittingChoices(option)
  const isTyped = option.autocomplete === true || choicesOf(option) === undefined
  const isOpen = composer.focused === path && choices.length > 0
  const change = (text: string) => {
    fill(option, text)
    composer.active = isTyped ? -1 : 0
    if (option.autocomplete === true) suggestSoon()
  }
  const focus = (focused: string) => () => {
    // Enter takes the first choice, unless one is taken already, or the typed text is a value too.
    Object.assign(composer, { focused, active: isTyped || value !== undefined ? -1 : 0 })
  }
  const onkeydown = (event: KeyboardEvent) => {
    const isTaking = event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey && typedText !== '')
    const choice = isTaking ? choices[composer.active] : undefined
    if (choice !== undefined) choose(entry, option, choice)
    else if (!isOpen || !moveActive(event, composer, choices.length)) return
    event.preventDefault()
  }
  const more = {
    title: description,
    inputmode: type === INTEGER || type === NUMBER ? 'decimal' : 'text',
    placeholder: type === ATTACHMENT ? ['file name', option.file_types?.join(' ')].join(' ').trim() : '',
    ...(problem !== undefined && { 'aria-invalid': 'true', 'aria-describedby': `problem-${path}` }),
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
    <input id="pill-${path}" autocomplete="off" spellcheck="false" value=${typedText} size=${Math.max(8, typedText.length)} ...${more}
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
    const { text, value } = composer.values.get(option.name_default) ?? { text: '' }
    if (text !== '') values[option.name_default] = value ?? valueOf(option, text, files)
  }
  const { [TARGET]: target = '', ...others } = values
  return entry.options.length > 0 ? { values, files } : { values: others, files, target }
}

/** A typed value as it is sent. A text that is not a choice or a number stays: a person wants to see the refusal. */
function valueOf(option: LocalizedOption, text: string, files: object[]): unknown {
  const named = choicesOf(option)?.find(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (named !== undefined) return named.value
  const { type } = option
  if (type === INTEGER || type === NUMBER) return Number.isNaN(Number(text)) ? text : Number(text)
  if (type !== ATTACHMENT) return text
  const id = String(9001 + files.length)
  files.push({ id, filename: text })
  return id
}

export function mark(message: string, issues: Extract<Answer<'use'>, { ok: false }>['issues']): void {
  const { problems, added, entry } = composer
  problems.clear()
  for (const { path, message: problem } of issues) {
    const name = path[0] === 'options' ? String(path[1]) : path[0] === TARGET ? TARGET : ''
    const isOption = entry?.options.some((option) => option.name_default === name)
    if (isOption && !added.includes(name)) added.push(name)
    problems.set(name, problems.has(name) ? `${problems.get(name)}; ${problem}` : problem)
  }
  if (issues.length === 0) problems.set('', message)
  const [first = ''] = problems.keys()
  drawAndFocus(first === '' ? 'send' : `pill-${first}`)
}
