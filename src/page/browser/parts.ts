/** Parts that several views have in common. */
import type { Problem } from '../questions/use.ts'
import type { Step } from '../questions/picker.ts'
import { h, type Child, type Described } from './dom.ts'
import { announce, draw, place, type Source } from './state.ts'

/** A button with a text. */
export function button(label: Child, onclick: () => void, more: Record<string, unknown> = {}): Described {
  return h('button', { type: 'button', onclick, ...more }, label)
}

export type Choices = readonly (readonly [value: string, name: string])[]

/** A select with its label. */
export function select(
  label: string,
  value: string,
  options: Choices,
  choose: (value: string) => void,
): Described {
  const onchange = (event: Event) => choose((event.target as HTMLSelectElement).value)
  const shown = options.map(([id, name]) => h('option', { value: id, key: id }, name))
  return h(
    'label.choice',
    { key: label },
    h('span.hint', label),
    h('select', { value, onchange, title: value }, shown),
  )
}

/** Text in a language, with a direction of its own: commands are named by anybody. */
export function text(value: string, lang = place.lang, kind?: string): Described {
  return h('bdi', { lang, class: kind }, value)
}

/** Puts a text on the clipboard and says so. */
export async function copy(value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value)
    announce('Copied')
  } catch {
    announce('The browser does not allow copying here')
  }
}

export const copyButton = (label: string, value: () => string): Described =>
  button(label, () => void copy(value()), { class: 'quiet' })

/** Saves a text as a file. */
export function download(name: string, value: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([value], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The failure of a source, where its answer would stand. */
export function failure(source: Source<unknown>): Child {
  return (
    source.error !== '' &&
    h(
      'div.failure',
      { role: 'alert' },
      h('p', source.error),
      button('Retry', () => source.retry()),
    )
  )
}

const stepNames: Record<string, string> = {
  administrator: 'Administrator',
  use_application_commands: 'Use commands',
  channel: 'Channel',
  command: 'Command overrides',
  application: 'App-wide overrides',
  default_member_permissions: 'Required permissions',
}

/** The steps of a permission decision, the last of which decides. */
export function traceList(steps: readonly Step[]): Described {
  return h(
    'ol.trace',
    steps.map(({ step, outcome, text: words, otherwise }) =>
      h(
        'li',
        { class: outcome },
        h('b', stepNames[step] ?? step),
        ' – ',
        words,
        otherwise !== null && h('div.dim', 'Otherwise: ', otherwise),
      ),
    ),
  )
}

/** What is wrong, each with its place and the rule it breaks. */
export function problemList(problems: readonly Problem[]): Described {
  return h(
    'ul.problems',
    problems.map(({ place: where, message, code }) =>
      h('li', where !== '' && h('b', where, ': '), message, ' ', h('code', code)),
    ),
  )
}

/** Tabs above a panel; arrows move between them. */
export function tabs<Name extends string>(
  label: string,
  names: readonly Name[],
  chosen: Name,
  choose: (name: Name) => void,
): Described {
  const onkeydown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length]!
    choose(next)
    queueMicrotask(() => document.getElementById(`tab-${next}`)?.focus())
  }
  return h(
    'div.tabs',
    { role: 'tablist', 'aria-label': label, onkeydown },
    names.map((name) =>
      button(name, () => choose(name), {
        ...{ key: name, id: `tab-${name}`, role: 'tab', 'aria-selected': String(name === chosen) },
        ...{ tabindex: name === chosen ? 0 : -1, 'aria-controls': 'inspector-panel' },
      }),
    ),
  )
}

/** A place that holds nothing yet: what will appear, and the one action that makes it appear. */
export function empty(title: string, sentence: Child, ...actions: Child[]): Described {
  return h('div.empty', h('h2', title), h('p', sentence), h('div.row', actions))
}

export const time = (milliseconds: number): string => new Date(milliseconds).toTimeString().slice(0, 8)

export const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Calls a function once nothing has called for it for some time. */
export function debounce(run: () => void, milliseconds: number): () => void {
  let timer = 0
  return () => {
    clearTimeout(timer)
    timer = window.setTimeout(run, milliseconds)
  }
}

/** Whether the window is as wide as a media query asks; the page is drawn again when that changes. */
export function media(query: string): () => boolean {
  const list = matchMedia(query)
  list.addEventListener('change', draw)
  return () => list.matches
}
