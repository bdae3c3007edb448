/** A definition as text, with its issues at their lines. */
import type { CheckAnswer, Finding } from '../questions/editor.ts'
import { h, type Child, type Described } from './dom.ts'
import { definitions, draft, files, followFile, format, keep, openSource } from './draft.ts'
import { button, debounce, empty, failure, select, text } from './parts.ts'
import { sampleCommands } from './samples.ts'
import { badges, type Drawn } from './shell.ts'
import { about, announce, ask, draw, go, languageName, place, Source } from './state.ts'

const checked = new Source<CheckAnswer>(false)
/** The text that is checked: the one in the editor, some milliseconds after the last key. */
let settled = ''
const settle = debounce(() => {
  settled = draft.text
  draw()
}, 60)

badges.editor = () => checked.value?.findings.filter(({ level }) => level === 'error').length ?? 0

const area = (): HTMLTextAreaElement => document.getElementById('source') as HTMLTextAreaElement

/** Replaces only the characters that differ, as typing would, so that undo works. */
function replaceText(next: string): void {
  const { value } = area()
  let start = 0
  while (start < Math.min(value.length, next.length) && value[start] === next[start]) start++
  let end = 0
  const most = Math.min(value.length, next.length) - start
  while (end < most && value[value.length - 1 - end] === next[next.length - 1 - end]) end++
  area().focus()
  area().setSelectionRange(start, value.length - end)
  const inserted = next.slice(start, next.length - end)
  if (
    inserted === '' ? !document.execCommand('delete') : !document.execCommand('insertText', false, inserted)
  ) {
    area().setRangeText(inserted, start, value.length - end, 'end')
    type()
  }
}

function type(): void {
  keep(area().value)
  settle()
}

async function repair(findings: readonly Pick<Finding, 'edits'>[]): Promise<void> {
  const edits = findings.flatMap((finding) => finding.edits)
  replaceText(await ask<string>('edit', { text: draft.text, edits }, true))
  announce(`${findings.length} fixed`)
}

/** Moves the caret to a line and a column. */
function caretTo({ line, column }: Finding): void {
  const lines = draft.text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  area().focus()
  area().setSelectionRange(start, start + 1)
  area().parentElement!.scrollTop = (line - 8) * 20
}

function toolbar(answer: CheckAnswer | undefined): Described {
  const findings = answer?.findings ?? []
  const fixable = findings.filter(({ edits }) => edits.length > 0)
  const errors = findings.filter(({ level }) => level === 'error').length
  const isBlank = draft.text.trim() === ''
  const counts = errors === 0 && !isBlank ? '✓ valid' : `${errors} errors`
  return h(
    'div.toolbar',
    select(
      'Source',
      draft.source,
      ['Draft', 'Deployed', ...(files.value ?? []).map(({ name }) => name)].map((name) => [name, name]),
      (source) => void openSource(source),
    ),
    select(
      'Scope',
      draft.server,
      [['', 'global'], ...about.servers.map(({ id, name }) => [id, name] as const)],
      (server) => void openSource(draft.source, server),
    ),
    h(
      'output',
      { class: errors > 0 ? 'no' : 'yes' },
      isBlank ? '' : counts,
      findings.length > errors && `, ${findings.length - errors} warnings`,
    ),
    button('Format', () => replaceText(format(draft.text)), { disabled: isBlank }),
    fixable.length > 0 && button(`Fix all (${fixable.length})`, () => void repair(fixable)),
    draft.text !== draft.original && button('Revert', () => replaceText(draft.original)),
    button('Deploy…', () => go({ view: 'plan' }), { class: 'main', disabled: definitions() === null }),
  )
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g
// Above this many characters the text has no colours.
const MOST_COLOURED = 200_000

function coloured(line: string): Child {
  const parts: Child[] = []
  let end = 0
  for (const match of line.matchAll(TOKEN)) {
    parts.push(line.slice(end, match.index))
    const kind = match[1] === undefined ? 'value' : match[2] === undefined ? 'string' : 'field'
    parts.push(h(`span.${kind}`, match[0]))
    end = match.index + match[0].length
  }
  return [parts, line.slice(end), '\n']
}

function source(findings: readonly Finding[]): Described {
  const lines = draft.text.split('\n')
  const levels = new Map(findings.toReversed().map(({ line, level }) => [line, level]))
  const isColoured = draft.text.length < MOST_COLOURED
  return h(
    'div.source',
    { key: 'source' },
    h(
      'pre.gutter',
      { 'aria-hidden': 'true' },
      lines.map((_, index) => h('span', { class: levels.get(index + 1) }, `${index + 1}\n`)),
    ),
    h(
      'div.text',
      h(
        'pre',
        { 'aria-hidden': 'true' },
        isColoured
          ? lines.map((line, index) => h('span', { class: levels.get(index + 1) }, coloured(line)))
          : draft.text,
      ),
      h('textarea', {
        ...{
          id: 'source',
          'aria-label': 'Definition',
          spellcheck: 'false',
          wrap: 'off',
          value: draft.text,
          oninput: type,
          readonly: draft.isReadOnly,
        },
        ...{
          'aria-describedby': 'findings',
          placeholder: 'Paste a command or a list of commands here, as JSON',
        },
      }),
    ),
  )
}

function findingItem(finding: Finding): Described {
  const { level, line, column, place: where, message, code, rule, edits, offers } = finding
  return h(
    'li',
    { class: level, key: `${code} ${line}:${column} ${message}` },
    button(
      [level === 'error' ? '✗ ' : '! ', `${line}:${column} `, where !== '' && h('b', where, ' '), message],
      () => caretTo(finding),
      { class: 'finding' },
    ),
    h(
      'div.row',
      h('code', { title: rule }, code),
      edits.length > 0 && button('Fix it', () => void repair([finding]), { class: 'quiet' }),
      offers.map((offer) => button(offer.label, () => void repair([offer]), { class: 'quiet' })),
    ),
  )
}

function findingsSide(answer: CheckAnswer | undefined): Child {
  if (draft.text.trim() === '') {
    return [
      h('h2', 'Issues'),
      h('p.dim', 'What is wrong with a definition appears here while you type, at its line.'),
    ]
  }
  const { findings = [], size, count = 0 } = answer ?? {}
  return [
    h('h2', 'Issues'),
    failure(checked),
    findings.length === 0 &&
      h('p.yes', `✓ ${count === 1 ? 'The command is' : `All ${count} commands are`} valid`),
    h('ul.findings', { id: 'findings' }, findings.map(findingItem)),
    size !== undefined &&
      size.used > 0 &&
      h(
        'label.size',
        `Largest command ${size.used} of ${size.most.toLocaleString('en')} characters`,
        h('progress', { value: size.used, max: size.most }),
      ),
  ]
}

export function editorView(): Drawn {
  followFile()
  if (!draft.isOpen && files.isSettled) void openSource(files.value?.[0]?.name ?? 'Draft')
  if (settled !== draft.text) settle()
  const answer = checked.ask('check', { text: settled, server: draft.server, lang: place.lang }, true)
  const isBlank = draft.text === ''
  return {
    main: [
      toolbar(answer),
      answer !== undefined &&
        answer.preview.length > 0 &&
        h(
          'p.preview',
          h('span.hint', `Preview in ${languageName(place.lang)} `),
          answer.preview.map(({ name, options }) =>
            h(
              'span',
              { key: name },
              h('b', text(name)),
              options.map(([option, required]) =>
                h('span', { class: required ? 'option required' : 'option' }, text(option)),
              ),
            ),
          ),
        ),
      source(answer?.findings ?? []),
      isBlank &&
        empty(
          'Write or paste a definition',
          'Its issues appear at their lines while you type. Nothing is deployed before you have seen the plan.',
          button('Start from the samples', () => keepSamples()),
          about.applications.length > 0 && button('Edit what is deployed', () => void openSource('Deployed')),
        ),
    ],
    side: findingsSide(answer),
  }
}

function keepSamples(): void {
  keep(JSON.stringify(sampleCommands, null, 2))
}
