/** The Editor: a definition as text, with its issues at their lines. */
import { applyEdits } from '../../../authoring/edits.ts'
import type { FixOffer } from '../../../authoring/findings.ts'
import { parsedJson } from '../../../../core/json.ts'
import { counted } from '../../../../core/text.ts'
import type { Answer } from '../../questions/questions.ts'
import { ask, Source } from '../parts/ask.ts'
import { announce, draw, h, notify, type Child } from '../parts/dom.ts'
import { droppingText } from '../parts/dropped.ts'
import { button, copyButton, debounce, empty, failure, asJson, namedChoices } from '../parts/parts.ts'
import { optionTags, pretty } from '../parts/parts.ts'
import { ruleDetails, select, sizeBar, inLanguage } from '../parts/parts.ts'
import { about, go, languageName, personName, place, who } from '../parts/place.ts'
import { badges, openInspector, type ViewParts } from '../parts/frame.ts'
import { area, definitions, deployed, draftText, files, isReadOnly, keepEdited } from './edited-text.ts'
import { openInEditor, openSource, replaceText, sourceName, sources } from './edited-text.ts'

type Check = Answer<'check'>
type Finding = Check['findings'][number]

const checked = new Source('check', false)
/** The text that is checked: the one in the editor, some milliseconds after the last key. */
let settled = ''
const settle = debounce(() => (settled = draftText()), 60)

const errorsIn = (findings: readonly Finding[]) => findings.filter(({ level }) => level === 'error')

badges.editor = () => errorsIn(checked.value?.findings ?? []).length

/** Where the caret is; the preview follows it. */
let caret = 0

document.addEventListener('selectionchange', () => {
  if (document.activeElement?.id !== 'source' || area().selectionStart === caret) return
  caret = area().selectionStart
  draw()
})

function type(): void {
  keepEdited(area().value)
  settle()
}

function repair(fixes: readonly FixOffer[]): void {
  const edits = fixes.flatMap((fix) => fix.edits)
  if (parsedJson(draftText()) === undefined) return notify('The text is not JSON, so it cannot be fixed.')
  replaceText(applyEdits(draftText(), edits))
  announce(`${fixes.length} fixed`)
}

function caretTo({ line, column }: Pick<Finding, 'line' | 'column'>): void {
  const lines = draftText().split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  area().focus()
  area().setSelectionRange(start, start + 1)
  area().closest('.definition')!.scrollTop = (line - 8) * 20
}

/** The errors of the files of the command line, shown above every view. */
export function fileErrors(): Child {
  const all = (files.ask({}) ?? []).flatMap(({ name, errors }) => errors.map((one) => ({ name, ...one })))
  const [first] = all
  if (first === undefined) return null
  const { name, line, text } = first
  const openLine = () => {
    go({ view: 'editor', source: name })
    // The text is there once the page is drawn.
    requestAnimationFrame(() => caretTo({ line: line ?? 1, column: 1 }))
  }
  return h`<p class="notice bad" role="alert" key="files">
    <span>${counted(all.length, 'error')} in your files. ${name}${line !== null && `:${line}`} ${text}</span>
    ${button('Open the line', openLine, { class: 'quiet' })}
  </p>`
}

function toolbar(findings: readonly Finding[], content: string): Child {
  // Where there are several ways, only a person chooses.
  const only = findings.flatMap((finding) => (finding.fixes.length === 1 ? finding.fixes : []))
  const fixes = isReadOnly() ? [] : only
  const errors = errorsIn(findings)
  const counts = Object.entries({ error: errors.length, warning: findings.length - errors.length })
  const summary = counts.flatMap(([noun, count]) => (count > 0 ? counted(count, noun) : [])).join(', ')
  const isBlank = content.trim() === ''
  const from = openSource()
  const isEdited = from !== undefined && content !== from.text
  const showFirst = () => {
    caretTo(errors[0] ?? findings[0]!)
    openInspector()
  }
  const names = sources().map(({ name }) => name)
  const scopes = [{ id: '', name: 'global' }, ...about.servers]
  return h`<div class="toolbar">
    ${select('Source', sourceName(), namedChoices(names), (source) => go({ source }))}
    ${select('Scope', place.scope, scopes, (scope) => go({ scope }))}
    <output class=${errors.length > 0 ? 'no' : 'yes'}>${!isBlank && findings.length === 0 && '✓ valid'}${
      findings.length > 0 && button(summary, showFirst, { class: 'quiet' })
    }</output>
    ${button('Format', () => replaceText(pretty(content)), { disabled: isBlank || isReadOnly() })}
    ${fixes.length > 0 && button(`Fix all (${fixes.length})`, () => repair(fixes))}
    ${isEdited && button('Revert', () => replaceText(openSource()?.text ?? ''))}
    ${isEdited && copyButton('Copy', () => content)}
    ${button('Deploy…', () => go({ view: 'plan' }), { class: 'main', disabled: definitions() === null })}
  </div>`
}

function preview(lines: Check['preview']): Child {
  const around = ({ start, end }: { readonly start: number; readonly end: number }) =>
    start <= caret && caret <= end
  const line = lines.findLast(around) ?? lines[0]
  if (line === undefined) return null
  const options = line.options.map((option) => ({ ...option, isHere: around(option) }))
  return h`<p class="preview" tabindex="0" role="group" aria-label="Preview">
    <span class="hint">As ${personName()}, ${languageName(place.lang)}</span>
    <b class="name">${inLanguage(line.name)}</b>${optionTags(options)}
    <span class="about">${inLanguage(line.description)}</span>
    ${line.hidden !== '' && h`<span class="hint">hidden here: ${line.hidden}</span>`}
  </p>`
}

const TOKEN =
  /(?<field>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<value>-?\d[\d.eE+-]*|true|false|null)/g
// Above this many characters the text has no colours.
const MAX_COLOURED_LENGTH = 200_000

function coloured(line: string): Child {
  const parts: Child[] = []
  let end = 0
  for (const { 0: token, index, groups } of line.matchAll(TOKEN)) {
    const kind = Object.keys(groups!).find((name) => groups![name] !== undefined)
    parts.push(line.slice(end, index), h`<span class=${kind}>${token}</span>`)
    end = index + token.length
  }
  return [parts, line.slice(end), '\n']
}

function source(findings: readonly Finding[], content: string): Child {
  const lines = content.split('\n')
  const levels = new Map(findings.toReversed().map(({ line, level }) => [line, level]))
  const spans = (content: (line: string, index: number) => Child) =>
    lines.map((line, index) => h`<span class=${levels.get(index + 1)}>${content(line, index)}</span>`)
  return h`<div class="definition" key="source">
    <pre class="gutter" aria-hidden="true">${spans((_, index) => `${index + 1}\n`)}</pre>
    <div class="text">
      <pre aria-hidden="true">${content.length < MAX_COLOURED_LENGTH ? spans(coloured) : content}</pre>
      <textarea id="source" aria-label="Definition" aria-describedby="findings" spellcheck="false" wrap="off"
        placeholder="Paste a command or a list of commands here, as JSON"
        value=${content} oninput=${type} readonly=${isReadOnly()}></textarea>
    </div>
  </div>`
}

function findingItem(finding: Finding): Child {
  const { level, line, column, place: where, message, code } = finding
  const fixes = isReadOnly() ? [] : finding.fixes
  const rewritten = isReadOnly() ? null : finding.rewritten
  return h`<li class=${level} key="${code} ${line}:${column} ${message}">
    <button type="button" class="finding" onclick=${() => caretTo(finding)}>
      ${level === 'error' ? '✗ ' : '! '}${line}:${column} ${where !== '' && h`<b>${where} </b>`}${message}
    </button>
    <div class="row">
      ${ruleDetails(finding)}${fixes.map((fix) => button(fix.label, () => repair([fix]), { class: 'quiet' }))}
      ${rewritten !== null && button('Write it as JSON', () => replaceText(rewritten), { class: 'quiet' })}
    </div>
  </li>`
}

function findingsSide({ findings, size, count }: Check): Child {
  if (draftText().trim() === '') {
    return h`<h2>Issues</h2>
      <p class="dim">What is wrong with a definition appears here while you type, at its line.</p>`
  }
  const all = count === 1 ? 'The command is' : `All ${count} commands are`
  return h`<h2>Issues</h2>
    ${failure(checked)}
    ${findings.length === 0 && h`<p class="yes">✓ ${all} valid</p>`}
    <ul class="findings" id="findings">${findings.map(findingItem)}</ul>
    ${size.used > 0 && sizeBar('Largest command', size)}`
}

const nothing: Check = { findings: [], count: 0, preview: [], size: { used: 0, most: 0 } }

function emptyText(): Child {
  if (openSource() === undefined) return h`<p class="dim" role="status">Loading the files…</p>`
  return empty(
    'Write or paste a definition',
    'Issues appear at their lines while you type. Nothing is deployed without a plan.',
    button('Start from the samples', async () => replaceText(asJson(await ask('samples')))),
    about.applications.length > 0 && button('Edit what is deployed', () => go({ source: 'Deployed' })),
  )
}

/** A dropped file becomes the draft, as if it were typed. */
async function dropped(content: string): Promise<void> {
  if (isReadOnly()) await openInEditor('Draft', place.scope, content)
  else replaceText(content)
}

export function editorView(): ViewParts {
  const content = draftText()
  if (settled !== content) settle()
  const answer = checked.ask({ ...who(), text: settled, scope: place.scope }) ?? nothing
  const { findings } = answer
  const isUnknown = openSource() !== undefined && place.source !== '' && place.source !== sourceName()
  return {
    content: { class: 'content', ...droppingText(dropped) },
    main: [
      toolbar(findings, content),
      isUnknown &&
        h`<p class="hint" role="status">There is no source ${place.source}; you see ${sourceName()}.</p>`,
      sourceName() === 'Deployed' && failure(deployed),
      preview(answer.preview),
      source(findings, content),
      content === '' && emptyText(),
    ],
    side: findingsSide(answer),
  }
}
