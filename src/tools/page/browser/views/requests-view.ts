/** The Requests view: requests to the service, interactions for the bot, and their results. */
import { isObject } from '../../../../core/json.ts'
import type { Answer } from '../../questions/questions.ts'
import { ask, service, Source } from '../parts/ask.ts'
import { h, type Child } from '../parts/dom.ts'
import { openInEditor } from './edited-text.ts'
import { button, copyButton, download, empty, failure, fileButton, filterField } from '../parts/parts.ts'
import { asJson, pretty, problemList, tabs, clockTime } from '../parts/parts.ts'
import { go, place } from '../parts/place.ts'
import { openInspector, type ViewParts } from '../parts/frame.ts'

type Row = Answer<'requests'>[number]
type Detail = Answer<'request'>

export const recorded = new Source('requests', false)
const detail = new Source('request', false)
const state = {
  filter: '',
  tab: 'Verdict' as keyof typeof panels,
  /** The rows that are shown while newer ones are held back. */
  paused: null as readonly Row[] | null,
  /** The exported file that is shown; null for the live requests. */
  opened: null as { readonly name: string; readonly rows: Answer<'exchanges'> } | null,
}

const liveRows = (): readonly Row[] => recorded.ask({}) ?? []

/** An endpoint that did not respond has the status 0. */
const isFailed = ({ status }: Pick<Row, 'status'>): boolean => status === 0 || status >= 400

export const failures = (rows = liveRows()): number => rows.filter(isFailed).length

/** `status:4xx`, `code:options.order`, `method:PUT`, `path:commands` or a word of the row, all of which have to fit. */
function fits(row: Row): boolean {
  return state.filter
    .toLowerCase()
    .split(' ')
    .every((word) => {
      const [key, value = ''] = word.split(':')
      if (key === 'status')
        return new RegExp(`^${value.replace(/[^0-9]/g, '.').slice(0, 3)}`).test(String(row.status))
      if (key === 'code') return row.codes.some((code) => code.includes(value))
      if (key === 'method' || key === 'path') return row[key].toLowerCase().includes(value)
      const words = [row.method, row.path, row.summary, row.credential, ...row.events]
      return words.join(' ').toLowerCase().includes(word)
    })
}

const texts = ['method', 'path', 'credential', 'summary', 'request', 'response']

function openLog(rows: unknown, name: string): void {
  const isRow = (row: unknown) =>
    isObject(row) &&
    texts.every((field) => typeof row[field] === 'string') &&
    [row.events, row.changes].every(Array.isArray)
  if (!Array.isArray(rows) || !rows.every(isRow)) throw new Error('expected a list of exported requests')
  show({ name, rows: rows.map((row) => ({ codes: [], ...row })) })
}

function show(opened: typeof state.opened): void {
  state.opened = opened
  go({ sel: '' }, true)
}

function toolbar(rows: readonly Row[]): Child {
  const { opened, filter, paused } = state
  const held = liveRows().filter((row) => row.id > (paused?.at(-1)?.id ?? 0)).length
  const pause = () => (state.paused = paused === null ? liveRows() : null)
  const clear = async () => {
    await ask('clear')
    state.paused &&= []
    recorded.retry()
  }
  const isLive = h`<span class="live">● live</span>`
  const liveButtons = [
    button(paused === null ? 'Pause' : 'Resume', pause),
    button('Clear', clear),
    button('Export', async () => download('requests.json', asJson(await ask('exchanges')))),
  ]
  return h`<div class="toolbar">
    ${opened === null ? (paused === null ? isLive : h`<span class="hint">paused, ${held} new</span>`) : h`<b>${opened.name}</b>`}
    ${filterField('Filter: status:4xx code:options.order', filter, (filter) => (state.filter = filter))}
    ${opened === null ? liveButtons : button('Back to live', () => show(null), { class: 'main' })}
    ${fileButton('Open…', openLog)}
    <output class="hint">${failures(rows)} failed of ${rows.length}</output>
  </div>`
}

const color = (row: Pick<Row, 'status'>): string => (isFailed(row) ? 'no' : 'yes')

function rowItem(row: Row): Child {
  const { id, method, path, status, milliseconds, credential, summary, events } = row
  const isIn = row.direction === 'in'
  const choose = () => {
    state.tab = isFailed(row) || !isIn ? 'Verdict' : 'Changes'
    openInspector()
    go({ sel: String(id) }, true)
  }
  const more = events.length > 8 && ` and ${events.length - 8} more`
  return h`<li key=${id} class="request">
    <button type="button" onclick=${choose} aria-pressed="${place.sel === String(id)}">
      <span class="at hint">${clockTime(row.time)}</span>
      <span title=${isIn ? 'came in' : 'went out'}>${isIn ? '→' : '←'}</span>
      <b>${method}</b><span class="path">${path}</span><b class=${color(row)}>${status}</b>
      <span class="hint">${milliseconds} ms</span><span class="hint">${credential}</span><span class="summary">${summary}</span>
    </button>
    ${events.length > 0 && h`<p class="events">${events.slice(0, 8).join(' · ')}${more}</p>`}
  </li>`
}

function emptyList(isFiltered: boolean): Child {
  if (isFiltered) {
    const clauses = 'Filters can be status:4xx, code:name.case, method:PUT, path:commands, or any word.'
    const showAll = button('Show all', () => (state.filter = ''))
    return empty('No request fits the filter', clauses, showAll)
  }
  const api = `${location.origin}/api`
  const copyAddress = copyButton('Copy the address', () => api)
  return empty('No requests yet', h`Requests to <code>${api}</code> appear here as they come.`, copyAddress)
}

function curl({ method, path, request, credential }: Detail): string {
  const quoted = request.replaceAll("'", "'\\''")
  const body = request === '' ? '' : ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${quoted}'`
  return `curl -X ${method} '${location.origin}${path}' \\\n  -H "Authorization: ${credential || 'Bot'} $TOKEN"${body}`
}

function restCode({ method, path, request }: Detail): string {
  const route = path.replace(/^\/api\/v\d+/, '')
  const body = request === '' ? '' : `, { body: ${pretty(request)} }`
  return `const rest = new REST({ api: '${location.origin}/api' }).setToken(token)\nawait rest.${method.toLowerCase()}('${route}'${body})`
}

const COMMANDS = /\/applications\/\d+(?:\/guilds\/(\d+))?\/commands(?:\/\d+)?$/

const panels = {
  Verdict({ issues, summary, ...row }: Detail): Child {
    if (issues.length > 0) return problemList(issues)
    if (isFailed(row)) return h`<p class="verdict no">${summary}</p>`
    return h`<p class="verdict yes">Accepted${summary !== '' && `: ${summary}`}</p>`
  },
  Request: ({ request, faults }: Detail): Child => bodyOf(request, 'The request has no body.', faults),
  Response: ({ response }: Detail): Child => bodyOf(response, 'The response has no body.', []),
  Changes({ changes }: Detail): Child {
    if (changes.length === 0) return h`<p class="dim">This request changed no command.</p>`
    const kinds: Readonly<Record<string, string>> = { '+': 'yes', '-': 'no' }
    return h`<ul class="changes">${changes.map((line) => h`<li class=${kinds[line[0]!]}>${line}</li>`)}</ul>`
  },
}

function bodyOf(body: string, nothing: string, faults: readonly number[]): Child {
  if (body === '') return h`<p class="dim">${nothing}</p>`
  const scroll = (element: Element) => element.scrollIntoView({ block: 'center' })
  const lines = pretty(body).split('\n')
  return h`<pre tabindex="0" aria-label="Body">${lines.map((line, index) => {
    const mounted = index + 1 === faults[0] ? scroll : undefined
    return h`<span class=${faults.includes(index + 1) && 'fault'} mounted=${mounted}>${`${line}\n`}</span>`
  })}</pre>`
}

function detailSide(): Child {
  if (place.sel === '') return h`<p class="dim">Choose a request to see its verdict, bodies and changes.</p>`
  const saved = state.opened?.rows.find(({ id }) => String(id) === place.sel)
  const found = detail.ask(saved === undefined ? { id: Number(place.sel) } : { saved })
  if (found === undefined || detail.error !== '') return failure(detail)
  const { status, method, path, request, direction } = found
  const commands = request === '' ? null : COMMANDS.exec(path)
  const openBody = () => openInEditor('Draft', commands?.[1] ?? '', pretty(request))
  const copyRequest = [
    copyButton('Copy as curl', () => curl(found)),
    copyButton('Copy as discord.js', () => restCode(found)),
  ]
  const names = Object.keys(panels) as (keyof typeof panels)[]
  return h`
    <h2><span class=${color(found)}>${status}</span> ${method}</h2>
    <p class="path dim">${path}</p>
    ${tabs('Request', names, state.tab, (tab) => (state.tab = tab), panels[state.tab](found))}
    <div class="row">
      ${commands && button('Open in Editor', openBody, { class: 'main' })}
      ${direction === 'in' ? !service.isInPage && copyRequest : copyButton('Copy the interaction', () => pretty(request))}
    </div>`
}

export function requestsView(): ViewParts {
  const all = state.opened?.rows ?? state.paused ?? liveRows()
  const rows = all.filter(fits).reverse()
  const list = h`<ol class="requests" aria-label="Requests, newest first">${rows.map(rowItem)}</ol>`
  return { main: [toolbar(all), rows.length > 0 ? list : emptyList(all.length > 0)], side: detailSide() }
}
