/** The Translations view: missing texts of a language, with the texts that readers see instead. */
import type { Answer } from '../../questions/questions.ts'
import { ask, Source } from '../parts/ask.ts'
import { h, typed, type Child } from '../parts/dom.ts'
import { openInEditor } from './editor-view.ts'
import { button, check, copyButton, download, empty, failure, json, select, text } from '../parts/parts.ts'
import { about, go, languageName, place } from '../parts/place.ts'
import { badges, type ViewParts } from '../parts/frame.ts'

type Table = Answer<'translations'>
type Row = Table['commands'][number]['rows'][number]

const table = new Source('translations')
const state = { left: '', isAll: false, pasted: null as string | null, areAllLanguages: false }

/** The language on the right is the reader's, unless that is the one on the left. */
function right(): string {
  const left = state.left || 'en-US'
  if (place.lang !== left) return place.lang
  return table.value?.coverage.find(({ locale, percent }) => locale !== left && percent > 0)?.locale ?? 'de'
}

/** The missing texts of the language; a language without any text is not one that the commands are translated into. */
badges.translations = () => {
  const found = table.value?.coverage.find(({ locale }) => locale === right())
  return place.view === 'translations' && found !== undefined && found.percent > 0 ? found.missing : 0
}

const isMissing = ({ right: shown }: Row): boolean => shown.from !== right()

/** The missing texts as a nested object with empty strings: commands by name, then texts by their place. */
function missing({ commands }: Table): string {
  const texts: Record<string, Record<string, string>> = {}
  for (const { name, rows } of commands) {
    for (const { label } of rows.filter(isMissing)) (texts[name] ??= {})[label] = ''
  }
  return json(texts)
}

async function merge(pasted: string): Promise<void> {
  try {
    const question = { app: place.app, locale: right(), texts: JSON.parse(pasted) }
    openInEditor('Deployed', '', await ask('translate', question))
    state.pasted = null
  } catch (error) {
    throw new Error(`The translations cannot be used: ${(error as Error).message}`)
  }
}

function toolbar(answer: Table, holes: number): Child {
  const defaults = { id: '', name: 'Default texts' }
  return h`<div class="toolbar">
    ${select('Compare', state.left, [defaults, ...about.locales], (left) => (state.left = left))}
    ${select('with', right(), about.locales, (lang) => go({ lang }))}
    ${check(`only missing (${holes})`, !state.isAll, () => (state.isAll = !state.isAll))}
    ${copyButton('Copy as JSON', () => missing(answer))}
    ${button('Download', () => download(`${right()}.json`, missing(answer)), { class: 'quiet' })}
    ${button('Paste translations', () => (state.pasted = missing(answer)))}
  </div>`
}

function strip({ coverage }: Table): Child {
  const shown = coverage.filter(
    ({ percent, locale }) => state.areAllLanguages || percent > 0 || locale === right(),
  )
  const languages = shown.map(({ locale, percent }) => {
    const more = { class: 'quiet', key: locale, title: languageName(locale) }
    const label = [locale, ' ', h`<b>${percent}%</b>`]
    return button(label, () => go({ lang: locale }), { ...more, 'aria-pressed': String(locale === right()) })
  })
  return h`<div class="row" role="group" aria-label="Languages">
    ${languages}
    <span class="hint"><span class="tint">tinted</span> texts are missing: readers see the default or the named language</span>
    ${!state.areAllLanguages && button(`${coverage.length} languages`, () => (state.areAllLanguages = true), { class: 'quiet dashed' })}
  </div>`
}

function cell({ text: value, from }: Row['left'], locale: string): Child {
  if (from === locale || locale === '') return h`<td>${text(value, locale === '' ? 'en' : locale)}</td>`
  return h`<td class="hole ${from !== null && 'fallback'}" title="missing: readers see ${from ?? 'the default'}">
    <span class="hidden">missing: </span>${from !== null && h`<span class="hint">${from} </span>`}${text(value, from ?? 'en')}
  </td>`
}

function rowsOf(answer: Table): Child {
  const commands = answer.commands
    .map(({ name, rows }) => ({ name, rows: state.isAll ? rows : rows.filter(isMissing) }))
    .filter(({ rows }) => rows.length > 0)
  return h`<div class="scroll" tabindex="0" role="region" aria-label="Texts" key="texts">
    <table class="texts">
      <thead><tr>
        <th scope="col">Text</th>
        <th scope="col">${state.left === '' ? 'Default texts' : languageName(state.left)}</th>
        <th scope="col">${languageName(right())}</th>
      </tr></thead>
      ${commands.map(
        ({ name, rows }) => h`<tbody key=${name}>
          <tr><th class="group" colspan="3" scope="rowgroup">${name}</th></tr>
          ${rows.map(
            ({ label, left, right: other }) =>
              h`<tr key=${label}><th scope="row">${label}</th>${cell(left, state.left)}${cell(other, right())}</tr>`,
          )}
        </tbody>`,
      )}
    </table>
  </div>`
}

function pasting(value: string): Child {
  return h`<section class="list" aria-label="Paste translations">
    <label for="translations">Fill in the texts in ${languageName(right())}; the Editor then checks them.</label>
    <textarea class="code" id="translations" rows="10" spellcheck="false" value=${value}
      oninput=${typed((pasted) => (state.pasted = pasted))}></textarea>
    <div class="row">
      ${button('Open in the Editor', () => merge(state.pasted ?? ''), { class: 'main' })}
      ${button('Cancel', () => (state.pasted = null))}
    </div>
  </section>`
}

export function translationsView(): ViewParts {
  const answer = table.ask({ app: place.app, server: '', left: state.left, right: right() })
  if (answer === undefined) return { main: failure(table) }
  const holes = answer.commands.flatMap(({ rows }) => rows).filter(isMissing).length
  return {
    main: [
      toolbar(answer, holes),
      strip(answer),
      failure(table),
      state.pasted !== null && pasting(state.pasted),
      holes === 0 && !state.isAll
        ? empty(
            `Everything is translated into ${languageName(right())}`,
            'Choose another language, or show all texts.',
            button('Show all texts', () => (state.isAll = true)),
          )
        : rowsOf(answer),
    ],
  }
}
