/** Parts of several views. */
import { parsedJson } from '../../../../core/json.ts'
import type { Answer } from '../../questions/questions.ts'
import type { Problem } from '../../questions/decision-words.ts'
import type { Source } from './ask.ts'
import { announce, draw, drawing, h, notify, typed, type Child } from './dom.ts'
import { place, type Choices } from './place.ts'

export function button(label: Child, onclick: () => unknown, more: Record<string, unknown> = {}): Child {
  return h`<button type="button" onclick=${onclick} ...${more}>${label}</button>`
}

/** Leaves the focus in the field whose list is clicked. */
export const keepFocus = (event: Event): void => event.preventDefault()

/** Moves the active item of a list with the arrow keys, and scrolls to it; false for all other keys. @param id begins those of the items */
export function moveActive(event: KeyboardEvent, id: string, list: { active: number }, count: number) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return false
  event.preventDefault()
  list.active = Math.max(0, Math.min(count - 1, list.active + step))
  queueMicrotask(() => document.getElementById(`${id}-${list.active}`)?.scrollIntoView({ block: 'nearest' }))
  return true
}

/** Moves the focus with the arrow keys between the children of an element, around its ends. */
export function rove(event: KeyboardEvent): HTMLElement | undefined {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return undefined
  event.preventDefault()
  const items = [...(event.currentTarget as Element).children] as HTMLElement[]
  const next = items.at((items.indexOf(event.target as HTMLElement) + step) % items.length)
  next?.focus()
  return next
}

export const showModal = (dialog: HTMLDialogElement): void => dialog.showModal()

export const namedChoices = (names: readonly string[]): Choices => names.map((name) => ({ id: name, name }))

export const optionElements = (choices: Choices): Child =>
  choices.map(({ id, name }) => h`<option value=${id} key=${id}>${name}</option>`)

export function select(label: string, value: string, choices: Choices, choose: (value: string) => unknown) {
  return h`<label class="choice" key=${label}>
    <span class="hint">${label}</span>
    <select value=${value} title=${value} onchange=${typed(choose)}>${optionElements(choices)}</select>
  </label>`
}

export function check(label: string, checked: boolean, onchange: () => void): Child {
  return h`<label class="check" key=${label}>
    <input type="checkbox" checked=${checked} onchange=${onchange} /><span>${label}</span>
  </label>`
}

export function filterField(placeholder: string, value: string, filter: (value: string) => void): Child {
  return h`<input type="search" aria-label="Filter" placeholder=${placeholder} value=${value} oninput=${typed(filter)} />`
}

/** Opens a JSON file of this machine; errors of `open` are shown. */
export function fileButton(label: string, open: (value: unknown, name: string) => void): Child {
  const onchange = async ({ target }: { readonly target: HTMLInputElement }) => {
    const [file] = target.files!
    if (file === undefined) return
    try {
      open(JSON.parse(await file.text()), file.name)
    } catch (error) {
      notify(`${file.name} cannot be opened: ${(error as Error).message}`)
    }
    target.value = ''
  }
  return h`<label class="button" key=${label}>
    <input class="hidden" type="file" accept=".json,application/json" onchange=${onchange} />${label}
  </label>`
}

/** Text in a language, with a direction of its own: commands are named by anybody. */
export function inLanguage(value: string, lang = place.lang, kind?: string): Child {
  return h`<bdi lang=${lang} class=${kind}>${value}</bdi>`
}

/** The options of a command in a row, those that are required with a border. */
export function optionTags(
  options: readonly { readonly name: string; readonly required?: boolean; readonly isHere?: boolean }[],
): Child {
  return options.map(
    ({ name, required, isHere }) =>
      h`<span class="option ${required && 'required'} ${isHere && 'here'}">${inLanguage(name)}</span>`,
  )
}

export async function copy(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    announce('Copied')
    return true
  } catch {
    announce('The browser does not allow copying here')
    return false
  }
}

export const copyButton = (label: string, value: () => string): Child =>
  button(label, () => copy(value()), { class: 'quiet' })

export function download(name: string, value: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([value], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

export function failure(source: Source<any>): Child {
  return (
    source.error !== '' &&
    h`<div class="failure" role="alert"><p>${source.error}</p>${button('Retry', () => source.retry())}</div>`
  )
}

export function traceList(steps: Answer<'command'>['trace']): Child {
  return h`<ol class="trace">${steps.map(
    ({ name, outcome, text: words, otherwise }) =>
      h`<li class=${outcome}><b>${name}</b> – ${words}
        ${otherwise !== null && h`<div class="dim">Otherwise: ${otherwise}</div>`}</li>`,
  )}</ol>`
}

export function ruleDetails({ code, rule }: Problem): Child {
  if (rule === null) return h`<code>${code}</code>`
  return h`<details class="rule"><summary><code>${code}</code></summary>
    <p>${rule.summary}</p>
    <p class="hint">${rule.wire !== '' && h`Discord: <code>${rule.wire}</code> · `}<code>${rule.docs}</code></p>
  </details>`
}

export function problemList(problems: readonly Problem[]): Child {
  return h`<ul class="problems">${problems.map(
    (problem) =>
      h`<li>${problem.place !== '' && h`<b>${problem.place}: </b>`}${problem.message} ${ruleDetails(problem)}</li>`,
  )}</ul>`
}

export function tabs<Name extends string>(
  label: string,
  names: readonly Name[],
  chosen: Name,
  choose: (name: Name) => void,
  panel: Child,
): Child {
  const onkeydown = (event: KeyboardEvent) => rove(event)?.click()
  const tab = (name: Name) => h`
    <button type="button" key=${name} id="tab-${name}" role="tab" aria-selected="${name === chosen}"
      tabindex=${name === chosen ? 0 : -1} aria-controls="inspector-panel" onclick=${() => choose(name)}>${name}</button>`
  return h`
    <div class="tabs" role="tablist" aria-label=${label} onkeydown=${onkeydown}>${names.map(tab)}</div>
    <div id="inspector-panel" role="tabpanel" aria-labelledby="tab-${chosen}" tabindex="0" key=${chosen}>${panel}</div>`
}

export function sizeBar(label: string, { used, most }: Answer<'check'>['size']): Child {
  return h`<label class="size">${label} ${used.toLocaleString('en')} of ${most.toLocaleString('en')} characters
    <progress value=${used} max=${most}></progress></label>`
}

/** In an empty view: its future content, and the actions that fill it. */
export function empty(title: string, sentence: Child, ...actions: readonly Child[]): Child {
  return h`<div class="empty"><h2>${title}</h2><p>${sentence}</p><div class="row">${actions}</div></div>`
}

export const clockTime = (milliseconds: number): string => new Date(milliseconds).toTimeString().slice(0, 8)

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** JSON with one value a line; any other text as it is. */
export function pretty(text: string): string {
  const value = parsedJson(text)
  return value === undefined ? text : asJson(value)
}

/** A value that is stored in the browser; null if it is missing or forbidden. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a value in the browser, or removes it. Does nothing if the store is full or forbidden. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // The value is lost when the tab is closed.
  }
}

/** Runs a function, and draws the page, once it has not been called for some milliseconds. */
export function debounce(run: () => unknown, milliseconds: number): () => void {
  let timer = 0
  return () => {
    clearTimeout(timer)
    timer = window.setTimeout(drawing(run), milliseconds)
  }
}

/** Whether the window is as wide as a media query asks; the page is drawn again when that changes. */
export function matchesMedia(query: string): () => boolean {
  const list = matchMedia(query)
  list.addEventListener('change', draw)
  return () => list.matches
}

/** A narrow or a low window: one column, the rest in dialogs. The style has the same query. */
export const isPhone = matchesMedia('(max-width: 600px), (max-width: 1099px) and (max-height: 500px)')
