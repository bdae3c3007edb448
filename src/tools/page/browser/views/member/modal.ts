/** The modal that the bot has opened for a person, as a dialog. */
import { fileGroups } from '../../../../../model/file-types.ts'
import { inputName, inputsOf } from '../../../../../interactions/usage/modal-inputs.ts'
import { ComponentType } from '../../../../../model/interaction-types.ts'
import { ask } from '../../parts/ask.ts'
import { draw, h, type Child } from '../../parts/dom.ts'
import { Drafts, type DraftFields } from '../../parts/drafts.ts'
import { markdown } from '../../parts/markdown.ts'
import { button, showModal } from '../../parts/parts.ts'
import { place, who } from '../../parts/place.ts'
import { encoded } from './chosen-files.ts'
import { drawMenu, type Widget } from './menu.ts'
import { drawnParts } from './message.ts'

const { TEXT_INPUT, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX } = ComponentType

interface OpenModal {
  /** The use that opened it. */
  readonly use: number
  readonly as: string
  readonly modal: Widget
  problem: string
  isSending: boolean
}

let open: OpenModal | null = null

/** The texts of a form, by their names. */
const typedIn = new Drafts<DraftFields>('form', {
  empty: () => new Map(),
  isEmpty: ({ size }) => size === 0,
  kept: { title: 'Form', write: (texts) => texts, read: (texts) => texts },
})

/** The form that a person had open last. */
const lastOpen = new Drafts<{ readonly use: number; readonly form: string } | null>('open form', {
  empty: () => null,
  isEmpty: (one) => one === null,
  kept: { write: (one) => new Map([['', one]]), read: (fields) => (fields.get('') ?? null) as never },
})

const keyOf = (as: string): string => `${place.server} ${as}`
const formOf = (modal: Widget, as: string): string => `${keyOf(as)} ${modal.custom_id}`

export function openModal(use: number, as: string, modal: object): void {
  lastOpen.put(keyOf(as), { use, form: String((modal as Widget).custom_id) })
  open = { use, as, modal, problem: '', isSending: false }
  draw()
}

/** Ends the form, and what is typed in it. */
function close(): void {
  if (open === null) return
  typedIn.drop(formOf(open.modal, open.as))
  lastOpen.drop(keyOf(open.as))
  open = null
}

/** The people whose form was opened again after a reload, or is gone. */
const reopened = new Set<string>()

/** Opens the form that a person had open before a reload, unless it was submitted since. */
export function reopenModal(): void {
  const { as } = place
  const key = keyOf(as)
  if (reopened.has(key) || open !== null) return
  reopened.add(key)
  const typed = lastOpen.at(key)
  if (typed === null) return
  void ask('inspect', { ...who(), use: typed.use }).then(
    (found) => {
      const { shown = null, isSubmitted = true } = found ?? {}
      const isThere = shown?.kind === 'modal' && shown.modal.custom_id === typed.form && !isSubmitted
      if (isThere && open === null && place.as === as) openModal(typed.use, as, shown.modal)
    },
    () => {},
  )
}

const namedInputs = ({ modal }: OpenModal) => inputsOf(modal.components, (one) => Number(one.type) in drawers)

/** The input that the problem names. */
function wrongInput(form: OpenModal): Widget | undefined {
  const named = namedInputs(form)
  return named.find(({ input }) => form.problem.includes(`"${inputName(input, named)}"`))?.input
}

/** A problem ends when its input changes. */
function endProblem(name: string): void {
  if (open !== null && wrongInput(open)?.custom_id === name) open.problem = ''
}

/** Keeps the text of a field. */
function keepField({ target }: Event): void {
  const { name, value, type } = target as HTMLInputElement
  endProblem(name)
  const key = open && formOf(open.modal, open.as)
  if (key !== null && /^text/.test(type)) typedIn.put(key, new Map([...typedIn.at(key), [name, value]]))
}

/** The text of a field that is kept, else the one that the bot has given. */
const textOf = (name: string, given: string): string =>
  String(typedIn.at(formOf(open!.modal, open!.as)).get(name) ?? given)

/** @param onAnswer called with the answer to a modal that was accepted */
export function modalDialog(onAnswer: (answer: any, as: string) => void): Child {
  if (open === null) return null
  const { modal, use, as, problem } = open
  const inputs = namedInputs(open).map(({ input }) => input as Widget)
  const onsubmit = async (event: Event) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const valueOf = async ({ type, custom_id: name }: Widget) => {
      const { read = (entries) => entries } = drawers[type]!
      return [name, await read(form.getAll(name))]
    }
    if (open?.use !== use || open.isSending) return
    open.isSending = true
    draw()
    const values = Object.fromEntries(await Promise.all(inputs.map(valueOf)))
    const words = { verb: 'submitted', label: modal.title }
    const question = { ...who(), as, use, kind: 'submit', ...words, values }
    const answer = await ask('act', question).catch(({ message }: Error) => ({ ok: false as const, message }))
    if (open?.use !== use) return
    open.isSending = false
    // What was typed stays until the bot has answered.
    const isAnswered = answer.ok && (answer.reply?.failure ?? '') === ''
    if (isAnswered) close()
    else open.problem = answer.ok ? 'Something went wrong. Try again.' : answer.message
    if (answer.ok) onAnswer(answer, as)
  }
  const wrong = wrongInput(open)
  const draws = (one: Widget) => drawInput(one, one, wrong === undefined ? null : { wrong, problem })
  return h`<dialog class="modal" aria-labelledby="modal-title" key="modal ${use}" mounted=${showModal} onclose=${close}>
    <form onsubmit=${onsubmit} oninput=${keepField} novalidate>
      <h2 id="modal-title">${modal.title}</h2>
      ${modal.components.map(draws)}
      ${wrong === undefined && problem !== '' && h`<p class="problem" role="alert">${problem}</p>`}
      <div class="row"><button class="main" aria-disabled=${open.isSending && 'true'}>${open.isSending ? 'Sending…' : 'Submit'}</button>${button('Cancel', close, { class: 'quiet' })}</div>
    </form>
  </dialog>`
}

interface Drawer {
  /** @param more attributes of the field */
  readonly draw: (input: Widget, words: Child, more: object, label: string) => Child
  /** The value that is sent, from those of the fields with the name of the input. Default: all of them. */
  readonly read?: (entries: readonly FormDataEntryValue[]) => unknown
}

const menu: Drawer = {
  draw(input, words, more, label) {
    const { custom_id: name } = input
    // It is a button, which a label around it would press.
    return h`${words}${drawMenu(input, { key: `modal ${open!.use} ${name}`, name, label, more, changed: () => endProblem(name) })}`
  },
}

const group = (type: string): Drawer => ({
  draw: ({ custom_id: name, options }, words) =>
    h`<fieldset><legend>${words}</legend>${options.map((option: Widget) => tick(type, name, option, option.label))}</fieldset>`,
})

function tick(type: string, name: string, { value = 'on', default: isChosen }: Widget, words: Child) {
  const mounted = (field: HTMLInputElement) => (field.checked = isChosen === true)
  return h`<label class="check"><input ...${{ type, name, value, mounted }} />${words}</label>`
}

const drawers: Readonly<Record<number, Drawer>> = {
  [TEXT_INPUT]: {
    draw({ custom_id: name, value = '', style, placeholder }, words, more) {
      const field = { name, placeholder, value: textOf(name, value), autocomplete: 'off', ...more }
      return h`<label>${words}${style === 2 ? h`<textarea rows="3" ...${field}></textarea>` : h`<input ...${field} />`}</label>`
    },
    read: ([text]) => text,
  },
  [RADIO_GROUP]: group('radio'),
  [CHECKBOX_GROUP]: group('checkbox'),
  [CHECKBOX]: {
    draw: (input, words) => tick('checkbox', input.custom_id, input, words),
    read: ({ length }) => length > 0,
  },
  [FILE_UPLOAD]: {
    draw: ({ custom_id: name, max_values = 1, file_types: types = [] }, words, more) =>
      h`<label>${words}<input type="file" name=${name} multiple=${max_values !== 1} accept=${acceptOf(types)} ...${more} /></label>`,
    // A field without files holds one without a name.
    read: (files) => Promise.all((files as readonly File[]).filter(({ name }) => name !== '').map(encoded)),
  },
  ...Object.fromEntries([3, 5, 6, 7, 8].map((type) => [type, menu])),
}

/** File types as the attribute of the field: the extensions of each group. */
const acceptOf = (types: readonly string[]): string | undefined =>
  types.length === 0 ? undefined : types.flatMap((type) => fileGroups[type] ?? type).join()

interface Wrong {
  readonly wrong: Widget
  readonly problem: string
}

/** A part of a modal. @param label the label around it, with its text and its description */
function drawInput(component: Widget, label: Widget, wrong: Wrong | null): Child {
  const { type, custom_id: name, required } = component
  if (type === ComponentType.TEXT_DISPLAY) return markdown(component.content)
  if (!(type in drawers)) {
    const around = component.label === undefined ? label : component
    return drawnParts(component).map((one) => drawInput(one, around, wrong))
  }
  const isWrong = wrong?.wrong === component
  const described = [label.description && `about-${name}`, isWrong && `wrong-${name}`].filter(Boolean)
  const title: string = component.label ?? label.label ?? name
  const words = h`<span>${title}${required === false && h`<span class="hint"> optional</span>`}</span>`
  const more = {
    'aria-describedby': described.length > 0 && described.join(' '),
    'aria-invalid': isWrong && 'true',
  }
  return h`<div class="input">
    ${drawers[type]!.draw(component, words, more, title)}
    ${label.description && h`<p class="hint" id="about-${name}">${label.description}</p>`}
    ${isWrong && h`<p class="problem" role="alert" id="wrong-${name}">${wrong.problem}</p>`}
  </div>`
}
