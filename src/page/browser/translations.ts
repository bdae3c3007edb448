/** What is missing in a language, and what its readers see instead. */
import type { Shown, TextRow, TranslationsAnswer } from '../questions/translations.ts'
import { h, type Child, type Described } from './dom.ts'
import { draft, keep, openSource } from './draft.ts'
import { badges, type Drawn } from './shell.ts'
import { button, copyButton, download, empty, failure, json, select, text } from './parts.ts'
import { about, draw, go, languageName, messages, place, Source } from './state.ts'

const table = new Source<TranslationsAnswer>()
const state = {
  left: '',
  server: '',
  isAll: false,
  pasted: null as string | null,
  areAllLanguages: false,
}

/** The language on the right is the reader's, unless that is the one on the left. */
const right = (): string =>
  place.lang === (state.left || 'en-US')
    ? (table.value?.coverage.find(({ locale, percent }) => locale !== (state.left || 'en-US') && percent > 0)
        ?.locale ?? 'de')
    : place.lang

badges.translations = () => {
  const chosen =
    place.view === 'translations' && table.value?.coverage.find(({ locale }) => locale === right())
  return chosen ? chosen.missing : 0
}

const isMissing = ({ right: shown }: TextRow): boolean => shown.from !== right()

/** The missing texts as a nested object with empty strings: commands by name, then texts by their place. */
function missing(answer: TranslationsAnswer): Record<string, Record<string, string>> {
  return Object.fromEntries(
    answer.commands.flatMap(({ name, rows }) => {
      const holes = rows.filter(isMissing).map(({ label }) => [label, ''] as const)
      return holes.length === 0 ? [] : [[name, Object.fromEntries(holes)]]
    }),
  )
}

/** Opens the Editor with the texts of a filled object put in. */
async function merge(answer: TranslationsAnswer, pasted: string): Promise<void> {
  let filled: Record<string, Record<string, string>>
  try {
    filled = JSON.parse(pasted) as typeof filled
  } catch (error) {
    messages.notice = `This is not JSON: ${(error as Error).message}`
    return draw()
  }
  const locale = right()
  await openSource('Deployed', state.server)
  const bodies = JSON.parse(draft.original) as object[]
  for (const { name, rows } of answer.commands) {
    for (const { label, path } of rows) {
      const value = filled[name]?.[label]
      if (typeof value === 'string' && value !== '') put(bodies, path, locale, value)
    }
  }
  keep(json(bodies))
  state.pasted = null
  go({ view: 'editor' })
}

function put(bodies: object[], path: TextRow['path'], locale: string, value: string): void {
  let holder = bodies as any
  for (const step of path.slice(0, -1)) holder = holder[step]
  const key = `${String(path[path.length - 1])}_localizations`
  holder[key] = { ...holder[key], [locale]: value }
}

function toolbar(answer: TranslationsAnswer, holes: number): Described {
  const languages = about.locales.map(([key, native]) => [key, native] as const)
  return h(
    'div.toolbar',
    select(
      'Compare',
      state.left,
      [['', 'Default texts'], ...languages],
      (key) => ((state.left = key), draw()),
    ),
    select('with', right(), languages, (lang) => go({ lang })),
    h(
      'label.check',
      h('input', {
        type: 'checkbox',
        checked: !state.isAll,
        onchange: () => ((state.isAll = !state.isAll), draw()),
      }),
      h('span', `only missing (${holes})`),
    ),
    copyButton('Copy as JSON', () => json(missing(answer))),
    button('Download', () => download(`${right()}.json`, json(missing(answer))), { class: 'quiet' }),
    button('Paste translations', () => ((state.pasted = json(missing(answer))), draw())),
  )
}

function strip({ coverage }: TranslationsAnswer): Described {
  const shown = state.areAllLanguages
    ? coverage
    : coverage.filter(({ percent, locale }) => percent > 0 || locale === right())
  return h(
    'div.row',
    { role: 'group', 'aria-label': 'Languages' },
    shown.map(({ locale, percent }) =>
      button([locale, ' ', h('b', `${percent}%`)], () => go({ lang: locale }), {
        class: 'quiet',
        key: locale,
        'aria-pressed': String(locale === right()),
        title: languageName(locale),
      }),
    ),
    !state.areAllLanguages &&
      button('34 languages', () => ((state.areAllLanguages = true), draw()), { class: 'quiet dashed' }),
  )
}

function cell({ text: value, from }: Shown, locale: string): Described {
  if (from === locale || locale === '') return h('td', text(value, locale === '' ? 'en' : locale))
  const instead = from === null ? 'missing: shows the default ' : `missing: shows ${from} `
  return h(
    'td',
    { class: from === null ? 'hole' : 'hole fallback' },
    h('span.hint', instead),
    text(value, from ?? 'en'),
  )
}

function rowsOf(answer: TranslationsAnswer): Described {
  const commands = answer.commands
    .map(({ name, rows }) => ({ name, rows: state.isAll ? rows : rows.filter(isMissing) }))
    .filter(({ rows }) => rows.length > 0)
  return h(
    'div.scroll',
    { tabindex: 0, role: 'region', 'aria-label': 'Texts', key: 'texts' },
    h(
      'table.texts',
      h(
        'thead',
        h(
          'tr',
          h('th', { scope: 'col' }, 'Text'),
          h('th', { scope: 'col' }, state.left === '' ? 'Default texts' : languageName(state.left)),
          h('th', { scope: 'col' }, languageName(right())),
        ),
      ),
      commands.map(({ name, rows }) =>
        h(
          'tbody',
          { key: name },
          h('tr', h('th.group', { colspan: 3, scope: 'rowgroup' }, name)),
          rows.map(({ label, left, right: other }) =>
            h(
              'tr',
              { key: label },
              h('th', { scope: 'row' }, label),
              cell(left, state.left),
              cell(other, right()),
            ),
          ),
        ),
      ),
    ),
  )
}

export function translationsView(): Drawn {
  const question = { app: place.app, server: state.server, left: state.left, right: right() }
  const answer = table.ask('translations', question)
  if (answer === undefined) return { main: failure(table) }
  const holes = answer.commands.flatMap(({ rows }) => rows).filter(isMissing).length
  return {
    main: [
      toolbar(answer, holes),
      strip(answer),
      failure(table),
      state.pasted !== null && pasting(answer, state.pasted),
      holes === 0 && !state.isAll
        ? empty(
            `Everything is translated into ${languageName(right())}`,
            'Choose another language, or show all texts.',
            button('Show all texts', () => ((state.isAll = true), draw())),
          )
        : rowsOf(answer),
    ],
  }
}

function pasting(answer: TranslationsAnswer, value: string): Child {
  return h(
    'section.list',
    { 'aria-label': 'Paste translations' },
    h(
      'label',
      { for: 'translations' },
      `Fill in the texts in ${languageName(right())}; the Editor then checks them.`,
    ),
    h('textarea.code', {
      id: 'translations',
      rows: 10,
      spellcheck: 'false',
      value,
      oninput: (event: Event) => (state.pasted = (event.target as HTMLTextAreaElement).value),
    }),
    h(
      'div.row',
      button('Open in the Editor', () => void merge(answer, state.pasted ?? ''), { class: 'main' }),
      button('Cancel', () => ((state.pasted = null), draw())),
    ),
  )
}
