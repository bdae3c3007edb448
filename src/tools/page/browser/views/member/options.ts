/** The options of a command as pills, with their choices as chips. */
import type { LocalizedOption } from '../../../../../commands/definition/localization-resolver.ts'
import { CommandType, OptionType } from '../../../../../model/command-types.ts'
import type { Answer } from '../../../questions/questions.ts'
import { ask } from '../../parts/ask.ts'
import { announce, drawAndFocus, h, type Child } from '../../parts/dom.ts'
import { debounce, keepFocus, moveActive, inLanguage } from '../../parts/parts.ts'
import { channels, distinct, mentionables, peopleIn, roles, who, type Choices } from '../../parts/place.ts'
import { encoded, fileChip, nextFileId } from './chosen-files.ts'
import { composer, keep, reset, setAside, type Choice, type CommandEntry } from './draft.ts'
import { feedMessages, messageTitle } from './feeds.ts'
import { lookForMention, mentionAttributes, mentionKey, withPicked } from './mention-list.ts'

const { ATTACHMENT, BOOLEAN, CHANNEL, INTEGER, MENTIONABLE, NUMBER, ROLE, STRING, USER } = OptionType

/** The name of what a user or message command is used on, which is filled like an option. */
export const TARGET = 'target'

/** The options of a command; of a user or message command, its target. */
export function toFill({ type, options }: CommandEntry): readonly LocalizedOption[] {
  const target = { name_default: TARGET, description: '', description_default: '', required: true }
  if (type === CommandType.USER) return [{ ...target, type: USER, name: 'member' }]
  if (type !== CommandType.MESSAGE) return options
  const choices = feedMessages()
    .filter(({ isInChannel }) => isInChannel)
    .map((item) => ({ name: messageTitle(item), name_default: messageTitle(item), value: item.message.id }))
    .reverse()
    .slice(0, 25)
  return [{ ...target, type: STRING, name: 'message', choices }]
}

export function nameOfTarget(entry: CommandEntry, id: string): string {
  const [option] = toFill(entry)
  return (option && offeredChoices(option)?.find(({ value }) => value === id)?.name) ?? id
}

const booleans = [true, false].map((value) => ({ name: value ? 'True' : 'False', value }))

const lists: Readonly<Record<number, () => Choices>> = {
  [USER]: peopleIn,
  [CHANNEL]: channels,
  [ROLE]: roles,
  [MENTIONABLE]: mentionables,
}

/** The choices of an option; `undefined` if it is typed. */
export function offeredChoices({ name_default: path, type, choices, autocomplete }: LocalizedOption) {
  if (autocomplete === true) return composer().suggestions.get(path)
  if (type === BOOLEAN) return booleans
  if (choices !== undefined && choices.length > 0) return choices
  const list = lists[type]
  return list && distinct(list()).map(({ id, name }): Choice => ({ name, value: id }))
}

/** The choices that fit the typed text; all of them once one is taken, so that another can be. */
function fittingChoices(option: LocalizedOption): readonly Choice[] {
  const { text, value } = composer().values.get(option.name_default) ?? { text: '' }
  const choices = offeredChoices(option) ?? []
  if (value !== undefined || option.autocomplete === true) return choices
  return choices.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
}

const suggestSoon = debounce(async () => {
  const { entry, focused, suggestions } = composer()
  if (entry === null) return
  const question = { ...who(), path: entry.path, command: entry.id, values: filled(entry).values, focused }
  const reply = await ask('suggest', question).catch(() => null)
  // Another place may have the field by now.
  if (suggestions !== composer().suggestions || focused !== composer().focused) return
  if (reply?.shown.kind !== 'choices') return
  suggestions.set(focused, reply.shown.choices)
  announce(`${reply.shown.choices.length} suggestions`)
}, 120)

function fill({ name_default: path }: LocalizedOption, text: string, value?: unknown): void {
  composer().values.set(path, { text, value })
  composer().problems.delete(path)
  keep()
}

function choose(entry: CommandEntry, option: LocalizedOption, { name, value }: Choice): void {
  fill(option, name, value)
  focusNext(entry)
}

export function choiceChips(): Child {
  const { entry, focused, active, values } = composer()
  const option = entry && toFill(entry).find((one) => one.name_default === focused)
  if (!option) return null
  const choices = fittingChoices(option)
  const taken = values.get(focused)?.value
  // The focus stays in the field, so that a press does not close the chips.
  const chip = (choice: Choice, index: number) =>
    h`<li role="option" id="choice-${index}" class="chip ${choice.value === taken && 'taken'}" aria-selected="${index === active}"
      onclick=${() => choose(entry, option, choice)}>${inLanguage(choice.name)}</li>`
  return (
    choices.length > 0 &&
    h`<ul class="list chips" role="listbox" id="choices" aria-label="Choices of ${option.name}" key="choices"
      onmousedown=${keepFocus}>${choices.map(chip)}</ul>`
  )
}

/** Up to this many choices a phone shows the chips without its keyboard. */
const MAX_CHIPS_ALONE = 12

export function pill(entry: CommandEntry, option: LocalizedOption): Child {
  const { name_default: path, name, description, type } = option
  const problem = composer().problems.get(path)
  const { text: typedText = '', value } = composer().values.get(path) ?? {}
  const choices = fittingChoices(option)
  const isTyped = option.autocomplete === true || offeredChoices(option) === undefined
  const isOpen = composer().focused === path && choices.length > 0
  const canMention = type === STRING && isTyped && option.autocomplete !== true
  const oninput = ({ target }: Event) => {
    change((target as HTMLInputElement).value)
    if (canMention) lookForMention(target as HTMLInputElement, path)
  }
  const change = (text: string) => {
    fill(option, text)
    composer().active = isTyped ? -1 : 0
    if (option.autocomplete === true) suggestSoon()
  }
  const focus = (focused: string) => () => {
    // Enter takes the first choice, unless one is taken already, or the typed text is a value too.
    Object.assign(composer(), { focused, active: isTyped || value !== undefined ? -1 : 0 })
  }
  const onkeydown = (event: KeyboardEvent) => {
    if (canMention && mentionKey(event, (text) => fill(option, text))) return
    const isTaking = event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey && typedText !== '')
    const choice = isTaking ? choices[composer().active] : undefined
    if (choice !== undefined) choose(entry, option, choice)
    else if (!isOpen || !moveActive(event, 'choice', composer(), choices.length)) return
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
      'aria-activedescendant': isOpen && composer().active >= 0 && `choice-${composer().active}`,
    }),
  }
  const file = composer().attached.get(path)
  const detach = () => {
    composer().attached.delete(path)
    composer().values.delete(path)
  }
  return h`<span class="pill ${problem !== undefined && 'wrong'}" key="pill-${path}">
    <label for="pill-${path}">${inLanguage(name)}</label>
    ${
      file !== undefined
        ? fileChip(file, detach)
        : h`<input id="pill-${path}" autocomplete="off" spellcheck="false" value=${typedText} size=${Math.max(8, typedText.length)} ...${more}
      oninput=${oninput} onkeydown=${onkeydown} onfocus=${focus(path)} onblur=${focus('')} ...${canMention ? mentionAttributes(path) : {}} />`
    }
    ${type === ATTACHMENT && file === undefined && chooser(entry, option)}
    ${problem !== undefined && h`<span class="problem" id="problem-${path}">${problem}</span>`}
  </span>`
}

/** Chooses the file of an option. */
function chooser(entry: CommandEntry, option: LocalizedOption): Child {
  const onchange = ({ target }: Event) => {
    const [file] = (target as HTMLInputElement).files!
    if (file === undefined) return
    attach(option, file)
    focusNext(entry)
  }
  return h`<label class="button">Choose a file<input class="hidden" type="file" aria-label="Choose a file for ${option.name}" onchange=${onchange} /></label>`
}

function attach(option: LocalizedOption, file: File): void {
  fill(option, file.name)
  composer().attached.set(option.name_default, file)
}

/** Gives files that are dropped or pasted to the options that take some and have none. */
export function attachTo(entry: CommandEntry, files: FileList): void {
  const free = toFill(entry).filter(
    ({ type, name_default: path }) => type === ATTACHMENT && !composer().attached.has(path),
  )
  for (const [index, option] of free.entries()) {
    const file = files[index]
    if (file === undefined) return
    if (!option.required) composer().added.push(option.name_default)
    attach(option, file)
  }
  focusNext(entry)
}

// --- Values -----------------------------------------------------------------------------------------------------

interface Attached {
  readonly id: string
  readonly filename?: string
  readonly size?: number
  readonly file?: File
}

/** The values as they are sent, the files they name, and what a user or message command is used on. */
function filled(entry: CommandEntry, draft = composer()) {
  const files: Attached[] = []
  const values: Record<string, unknown> = {}
  for (const option of toFill(entry)) {
    const { text, value } = draft.values.get(option.name_default) ?? { text: '' }
    if (text !== '') values[option.name_default] = value ?? valueOf(option, text, files, draft)
  }
  const { [TARGET]: target = '', ...others } = values
  return entry.options.length > 0 ? { values, files } : { values: others, files, target }
}

/** The values as they are sent, with the contents of the files. */
export async function filledWithFiles(entry: CommandEntry, draft = composer()): Promise<object> {
  const { files, ...others } = filled(entry, draft)
  const each = async (one: { readonly id: string; readonly file?: File }) =>
    one.file === undefined ? one : { ...(await encoded(one.file)), id: one.id }
  return { ...others, files: await Promise.all(files.map(each)) }
}

/** A typed value as it is sent. A text that is not a choice or a number stays: a person wants to see the refusal. */
function valueOf(option: LocalizedOption, text: string, files: Attached[], draft = composer()): unknown {
  const named = offeredChoices(option)?.find(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (named !== undefined) return named.value
  const { type } = option
  if (type === INTEGER || type === NUMBER) return Number.isNaN(Number(text)) ? text : Number(text)
  if (type !== ATTACHMENT) return type === STRING ? withPicked(text, draft.picked) : text
  const id = nextFileId()
  const file = draft.attached.get(option.name_default)
  // A file that is only named has no content.
  files.push(file === undefined ? { id, filename: text, size: 1_024 } : { id, file })
  return id
}

export function mark(message: string, issues: Extract<Answer<'use'>, { ok: false }>['issues']): void {
  const { problems, added, entry } = composer()
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

// --- Taking a command ---------------------------------------------------------------------------------------------------

/** Takes an entry; its required options become pills. @param target the user or message it is used on, by id */
export function take(entry: CommandEntry, target = ''): void {
  // What began with a slash was the search for it.
  if (!composer().text.startsWith('/')) setAside()
  reset(entry)
  if (target !== '') composer().values.set(TARGET, { text: nameOfTarget(entry, target), value: target })
  announce(`${entry.name}, ${entry.options.length} options`)
  focusNext(entry)
}

/** Moves the focus to the first required option without a value, else to the button that sends. */
export function focusNext(entry: CommandEntry): void {
  const isOpen = ({ required, name_default: path }: LocalizedOption) =>
    required && !composer().values.get(path)?.text
  const next = toFill(entry).find(isOpen)
  drawAndFocus(next === undefined ? 'send' : `pill-${next.name_default}`)
}
