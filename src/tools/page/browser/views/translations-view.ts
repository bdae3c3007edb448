/** The Translations view: the texts of the commands in several languages, as fields beside what readers see now. */
import type { Answer } from '../../questions/questions.ts'
import { counted, lengthOf } from '../../../../core/text.ts'
import { ask, Source } from '../parts/ask.ts'
import { announce, draw, h, notify, typed, type Child } from '../parts/dom.ts'
import { Drafts, textForm } from '../parts/drafts.ts'
import { droppingText } from '../parts/dropped.ts'
import { button, check, copyButton, download, empty, failure, asJson } from '../parts/parts.ts'
import { isPhone, select, inLanguage } from '../parts/parts.ts'
import { about, go, languageName, place } from '../parts/place.ts'
import { badges, type ViewParts } from '../parts/frame.ts'
import { editedCommands, saveTranslated, sendToEditor, translating, TRANSLATIONS } from './edited-text.ts'
import { addTexts, bringBack, discardTexts, forgetSent, replacedTexts, textAt } from './translated-texts.ts'
import { typedAll, typedAt, typeText, type TextPlace } from './translated-texts.ts'

type Table = Answer<'translations'>
type Row = Table['commands'][number]['rows'][number]
type Cell = Row['cells'][number]

const table = new Source('translations')

const state = {
  left: '',
  /** The application and the language that the columns were chosen for. What is typed later changes no column. */
  of: '',
  /** The first column for a reader whose language is the one that is compared. */
  first: 'de',
  isFirstChosen: false,
  /** The languages beside the first one. */
  more: [] as readonly string[],
  isAll: false,
  areAllLanguages: false,
  /** The column of the field that had the focus last, and the text that was in it then. */
  column: 0,
  before: '',
}

/** The pasted JSON by application and language; null while its box is closed. */
const pasted = new Drafts<string | null>('pasted', textForm('Paste translations'))
const box = (): string => `${place.app} ${first()}`

/** The language of the first column is the reader's, unless that is the one it is compared with. */
function first(): string {
  return place.lang === (state.left || 'en-US') ? state.first : place.lang
}

const columns = (): readonly string[] => [...new Set([first(), ...state.more])]

/** Adds columns for languages. */
function show(locales: readonly string[]): void {
  state.more = [...new Set([...state.more, ...locales])]
}

const showTyped = (): void => show(typedAll().map(([locale]) => locale))

/** Begins with the languages of the texts that are not sent back, for each application. */
function begin(): void {
  const of = `${place.app} ${state.left}`
  if (state.of === of) return
  if (!state.of.startsWith(`${place.app} `)) {
    state.more = []
    showTyped()
  }
  Object.assign(state, { of, first: 'de', isFirstChosen: false })
}

/** Chooses the most complete language, once the answer is there. */
function chooseFirst({ coverage }: Table): void {
  if (state.isFirstChosen || !table.isSettled) return
  const left = state.left || 'en-US'
  state.isFirstChosen = true
  state.first = coverage.find(({ locale, percent }) => locale !== left && percent > 0)?.locale ?? 'de'
  draw()
}

/** The missing texts of the language; a language without any text is not one that the commands are translated into. */
badges.translations = () => {
  const found = table.value?.coverage.find(({ locale }) => locale === first())
  return place.view === 'translations' && found !== undefined && found.percent > 0 ? found.missing : 0
}

// --- Cells ------------------------------------------------------------------------------------------------------

/** A field of the table. */
interface Field {
  readonly at: TextPlace
  readonly cell: Cell
  readonly id: string
}

interface ShownRow extends Row {
  readonly command: string
  readonly fields: readonly Field[]
}

/** Whether a text is invalid, or was missing before something was typed: the row stays while one types. */
const isOpen = (row: ShownRow): boolean =>
  row.fields.some(({ at, cell }) => at.own === null || cell.problem !== '')

function rowsIn({ commands }: Table): readonly ShownRow[] {
  const all = commands.flatMap(({ name: command, rows }) => rows.map((row) => ({ command, row })))
  return all.map(({ command, row }, index) => ({
    ...row,
    command,
    fields: row.cells.map((cell, column) => ({
      at: { command, label: row.label, locale: cell.locale, own: cell.own },
      cell,
      id: `text-${column}-${index}`,
    })),
  }))
}

const holesIn = (rows: readonly ShownRow[]): readonly Field[] =>
  rows.flatMap(({ fields }) => fields.filter(({ at }) => textAt(at) === ''))

/** Goes to the next missing text of the language, and after its last one to the next language. */
function goToNext({ id }: Field, rows: readonly ShownRow[]): void {
  const inOrder = columns().flatMap((_, column) => rows.flatMap(({ fields }) => fields[column] ?? []))
  const here = inOrder.findIndex((one) => one.id === id)
  const next = [...inOrder.slice(here + 1), ...inOrder.slice(0, here)].find(({ at }) => textAt(at) === '')
  if (next === undefined) return announce('No text is missing')
  document.getElementById(next.id)?.focus()
}

function drawCell(field: Field, column: number, { most }: Row, rows: readonly ShownRow[]): Child {
  const { at, cell, id } = field
  const value = textAt(at)
  const isTyped = typedAt(at) !== undefined
  const isMissing = value === ''
  const onkeydown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') goToNext(field, rows)
    else if (event.key === 'Escape') typeText(at, state.before)
    else return
    event.preventDefault()
  }
  const onfocus = () => Object.assign(state, { column, before: textAt(at) })
  // The texts of commands have one line.
  const oninput = typed((given) => typeText(at, given.replace(/[\r\n]+/g, ' ')))
  const { problem, sameNameAs } = cell
  const seen =
    cell.from === null ? 'the default' : [languageName(cell.from), ' ', inLanguage(cell.text, cell.from)]
  return h`<td key=${cell.locale} class="${isMissing && 'hole'} ${isMissing && cell.from !== null && 'fallback'} ${isTyped && 'typed'}">
    <textarea id=${id} rows="1" dir="auto" lang=${cell.locale} spellcheck="true" autocomplete="off"
      aria-label="${at.command}, ${at.label}, ${languageName(cell.locale)}" aria-describedby="${id}-note"
      aria-invalid=${problem !== '' && 'true'} value=${value}
      onfocus=${onfocus} onkeydown=${onkeydown} oninput=${oninput}></textarea>
    <p class="hint" id="${id}-note">
      ${isMissing && h`missing: readers see ${seen}`}
      ${isTyped && !isMissing && h`<span class=${lengthOf(value) > most && 'no'}>${lengthOf(value)}/${most}</span>${problem === '' && sameNameAs === '' && h`<span class="yes"> ✓</span>`}`}
      ${problem !== '' && h`<span class="no"> ${problem}</span>`}${sameNameAs !== '' && !isMissing && ` ! also the name of ${sameNameAs} in ${languageName(cell.locale)}`}
    </p>
  </td>`
}

function leftCell({ text: value, from }: Row['left']): Child {
  if (state.left === '' || from === state.left) return h`<td>${inLanguage(value, state.left || 'en')}</td>`
  return h`<td class="hole ${from !== null && 'fallback'}">
    <span class="hidden">missing: </span>${from !== null && h`<span class="hint">${from} </span>`}${inLanguage(value, from ?? 'en')}
  </td>`
}

function drawTable(shown: readonly ShownRow[]): Child {
  const names = [...new Set(shown.map(({ command }) => command))]
  const close = (locale: string) => () => (state.more = state.more.filter((one) => one !== locale))
  const head = (locale: string, column: number) => {
    const name = languageName(locale)
    const more = { class: 'quiet', 'aria-label': `Close ${name}` }
    return h`<th scope="col" key=${locale}>${name}${column > 0 && button('×', close(locale), more)}</th>`
  }
  const drawRow = (row: ShownRow) =>
    h`<tr key=${row.label}><th scope="row">${row.label}<span class="source">${inLanguage(row.left.text, row.left.from ?? 'en')}</span></th>${leftCell(row.left)}
      ${row.fields.map((field, column) => drawCell(field, column, row, shown))}</tr>`
  return h`<div class="scroll" tabindex="0" role="region" aria-label="Texts" key="texts">
    <table class="texts">
      <thead><tr>
        <th scope="col">Text</th>
        <th scope="col">${state.left === '' ? 'Default texts' : languageName(state.left)}</th>
        ${columns().map(head)}
      </tr></thead>
      ${names.map(
        (name) => h`<tbody key=${name}>
          <tr><th class="group" colspan=${2 + columns().length} scope="rowgroup">${name}</th></tr>
          ${shown.filter(({ command }) => command === name).map(drawRow)}
        </tbody>`,
      )}
    </table>
  </div>`
}

// --- Around the table -------------------------------------------------------------------------------------------

/** The missing texts with empty strings, for a translator: by command and place, and by language where there are several. */
function missing(rows: readonly ShownRow[]): string {
  const texts: Record<string, Record<string, Record<string, string>>> = {}
  for (const { at } of holesIn(rows)) ((texts[at.locale] ??= {})[at.command] ??= {})[at.label] = ''
  return asJson(columns().length === 1 ? (texts[first()] ?? {}) : texts)
}

/** On a phone it is folded. */
function toolbar(rows: readonly ShownRow[], answer: Table): Child {
  const defaults = { id: '', name: 'Default texts' }
  const others = about.locales.filter(({ id }) => !columns().includes(id) && id !== state.left)
  const file = `${columns().join('-')}.json`
  const tools = h`<div class="toolbar">
    ${select('Compare', state.left, [defaults, ...about.locales], (left) => (state.left = left))}
    ${select('with', first(), about.locales, (lang) => go({ lang }))}
    ${select('and', '', [{ id: '', name: 'one more…' }, ...others], (locale) => show([locale]))}
    ${check(`only missing (${holesIn(rows).length})`, !state.isAll, () => (state.isAll = !state.isAll))}
    ${copyButton('Copy as JSON', () => missing(rows))}
    ${button('Download', () => download(file, missing(rows)), { class: 'quiet' })}
    ${button('Paste translations', () => pasted.put(box(), missing(rows)))}
  </div>`
  if (!isPhone()) return [tools, strip(answer)]
  return h`<details key="tools"><summary>${languageName(first())}: ${holesIn(rows).length} missing. Languages and tools</summary>
    <div class="folded">${tools}${strip(answer)}</div></details>`
}

function strip({ coverage }: Table): Child {
  const shown = coverage.filter(
    ({ percent, locale }) => state.areAllLanguages || percent > 0 || locale === first(),
  )
  const languages = shown.map(({ locale, percent }) => {
    const more = { class: 'quiet', key: locale, title: languageName(locale) }
    const label = [locale, ' ', h`<b>${percent}%</b>`]
    return button(label, () => go({ lang: locale }), { ...more, 'aria-pressed': String(locale === first()) })
  })
  return h`<div class="row" role="group" aria-label="Languages">
    ${languages}
    <span class="hint"><span class="tint">tinted</span> texts are missing. Enter goes to the next one, Escape gives back what was there.</span>
    ${!state.areAllLanguages && button(`${coverage.length} languages`, () => (state.areAllLanguages = true), { class: 'quiet dashed' })}
  </div>`
}

function pasting(value: string): Child {
  const locale = first()
  const fill = () => pasted.send(box(), () => fillFrom(value, locale))
  return h`<section class="list" aria-label="Paste translations" key=${box()}>
    <label for="translations">Texts in ${languageName(locale)} as JSON, or definitions with the texts of all languages. A file can be dropped here too.</label>
    <textarea class="code" id="translations" rows="10" spellcheck="false" value=${value}
      oninput=${typed((given) => pasted.put(box(), given))}></textarea>
    <div class="row">
      ${button('Fill in the texts', fill, { class: 'main' })}
      ${button('Cancel', () => pasted.drop(box()))}
    </div>
  </section>`
}

/** Fills the cells from a JSON, and names what was not used. @param locale that of texts without a language */
async function fillFrom(text: string, locale: string): Promise<void> {
  try {
    const given: unknown = JSON.parse(text)
    const { texts, unused } = await ask('texts', translating({ given, locale }))
    addTexts(texts)
    announce(`${counted(texts.length, 'text')} filled in`)
    if (unused.length > 0)
      notify(`${unused.length} texts were not used, no command or language has them: ${unused.join('; ')}`)
    show(texts.map(([locale]) => locale))
  } catch (error) {
    throw new Error(`The translations cannot be used: ${(error as Error).message}`)
  }
}

/** A dropped file that is named after a language has the texts of that one. */
async function dropped(content: string, name: string): Promise<void> {
  const [stem] = name.split('.')
  await fillFrom(content, about.locales.find(({ id }) => id === stem)?.id ?? first())
}

/** Until the texts are deployed, here or in the Editor. */
function sending(): Child {
  const all = typedAll()
  const restore = bringBack()
  const isTyped = all.length > 0
  const bring = () => {
    restore?.()
    showTyped()
  }
  if (!isTyped && editedCommands() === '')
    return restore && h`<div class="toolbar">${button('Bring the discarded texts back', bring)}</div>`
  const languages = new Set(all.map(([locale]) => locale)).size
  const source = isTyped ? TRANSLATIONS : 'Deployed'
  const openEditor = () => (isTyped ? sendToEditor() : go({ view: 'editor', source, scope: '' }))
  return h`<div class="toolbar" role="group" aria-label="Send back">
    <output>${isTyped ? `${counted(all.length, 'text')} in ${counted(languages, 'language')}, not sent back` : 'The Editor has texts that are not deployed'}</output>
    ${isTyped && button('Discard', discardTexts)}
    ${button('Save as a file', saveTranslated)}
    ${button('Deploy…', () => go({ view: 'plan', source, scope: '' }))}
    ${button('Open in the Editor', openEditor, { class: 'main' })}
  </div>`
}

/** Above every view: the texts that something, such as a bot that has started, has overwritten after they were deployed. */
export function replacedNotice(): Child {
  const texts = editedCommands() === '' ? replacedTexts() : []
  if (texts.length === 0) return null
  const bring = () => {
    addTexts(texts)
    showTyped()
    go({ view: 'translations' })
  }
  return h`<p class="notice" role="status" key="replaced">
    <span>The bot or another deploy has overwritten ${counted(texts.length, 'text')} of yours.</span>
    ${button('Bring them back', bring)}${button('Forget them', forgetSent)}</p>`
}

/** The commands as readers of the language see them that is being written. */
function readersList(rows: readonly ShownRow[]): Child {
  const column = Math.min(state.column, columns().length - 1)
  const locale = columns()[column]!
  const shown = ({ fields }: ShownRow): Child => {
    const { cell } = fields[column]!
    return inLanguage(cell.text, cell.from ?? 'en', cell.from === locale ? '' : 'tint')
  }
  const item = (name: string) => {
    const own = rows.filter(({ command }) => command === name)
    const options = own.filter(({ label }) => label.endsWith(', name'))
    return h`<li key=${name}><b class="name">${name.startsWith('/') && '/'}${own.filter(({ label }) => label === 'name').map(shown)}</b>
      ${options.map((row) => h`<span class="option">${shown(row)}</span>`)}
      <span class="dim">${own.filter(({ label }) => label === 'description').map(shown)}</span></li>`
  }
  const names = [...new Set(rows.map(({ command }) => command))]
  return h`<h2>As readers see it: ${languageName(locale)}</h2><ul class="plain readers" tabindex="0" aria-label="The commands as readers see them">${names.map(item)}</ul>`
}

export function translationsView(): ViewParts {
  const content = { class: 'content', ...droppingText(dropped) }
  begin()
  const answer = table.ask(translating({ left: state.left, locales: columns(), texts: typedAll() }))
  if (answer === undefined) return { main: failure(table), content }
  chooseFirst(answer)
  const rows = rowsIn(answer)
  const shown = state.isAll ? rows : rows.filter(isOpen)
  const given = pasted.at(box())
  return {
    content,
    main: [
      toolbar(rows, answer),
      failure(table),
      given !== null && pasting(given),
      shown.length === 0 && !state.isAll
        ? empty(
            `Everything is translated into ${languageName(first())}`,
            'Choose another language, or show all texts.',
            button('Show all texts', () => (state.isAll = true)),
          )
        : drawTable(shown),
    ],
    side: readersList(rows),
    foot: sending() || undefined,
  }
}
