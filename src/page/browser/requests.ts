/** What came in, what went out, and what came of it. */
import type { RequestAnswer } from '../questions/requests.ts'
import type { Row } from '../recorder.ts'
import { h, type Child, type Described } from './dom.ts'
import { button, copyButton, download, empty, failure, json, problemList, tabs, time } from './parts.ts'
import { openInspector, type Drawn } from './shell.ts'
import { ask, draw, go, place, Source } from './state.ts'

const state = { rows: [] as Row[], filter: '', isPaused: false, held: 0 }
let tab: 'Verdict' | 'Request' | 'Response' | 'Changes' = 'Verdict'
const detail = new Source<RequestAnswer>(false)
let isLoading = false

/** Loads the rows that are new. */
export async function loadRequests(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    const after = state.rows[state.rows.length - 1]?.id ?? 0
    const rows = await ask<readonly Row[]>('requests', { after })
    state.rows = [...state.rows, ...rows].slice(-500)
    if (state.isPaused) state.held += rows.length
    draw()
  } finally {
    isLoading = false
  }
}

/** How many requests failed, for the title and the badge. */
export const failures = (): number => state.rows.filter(({ status }) => status >= 400).length

/** `status:4xx`, `path:commands`, `method:PUT` or a word of the row, all of which have to fit. */
function fits(row: Row, filter: string): boolean {
  return filter.split(' ').every((word) => {
    const [key, value = ''] = word.toLowerCase().split(':')
    if (key === 'status')
      return new RegExp(`^${value.replace(/[^0-9]/g, '.').slice(0, 3)}`).test(String(row.status))
    if (key === 'method' || key === 'path') return row[key].toLowerCase().includes(value)
    return `${row.method} ${row.path} ${row.summary} ${row.credential} ${row.events.join(' ')}`
      .toLowerCase()
      .includes(word.toLowerCase())
  })
}

function toolbar(count: number): Described {
  return h(
    'div.toolbar',
    h(
      'span',
      { class: state.isPaused ? 'hint' : 'live' },
      state.isPaused ? `paused, ${state.held} new` : '● live',
    ),
    h('input', {
      ...{
        type: 'search',
        'aria-label': 'Filter',
        placeholder: 'Filter: status:4xx path:commands',
        value: state.filter,
      },
      oninput: (event: Event) => {
        state.filter = (event.target as HTMLInputElement).value
        draw()
      },
    }),
    button(
      state.isPaused ? 'Resume' : 'Pause',
      () => (Object.assign(state, { isPaused: !state.isPaused, held: 0 }), draw()),
    ),
    button('Clear', () => {
      void ask('clear', {}, true)
      state.rows = []
      draw()
    }),
    button('Export', () => download('requests.json', json(state.rows))),
    h('output.hint', `${failures()} failed of ${count}`),
  )
}

function rowItem(row: Row): Described {
  const { id, direction, method, path, status, milliseconds, credential, summary, events } = row
  const isChosen = place.sel === String(id)
  return h(
    'li',
    { key: id, class: 'request' },
    button(
      [
        h('span.hint', time(row.time)),
        h(
          'span.arrow',
          { title: direction === 'in' ? 'came in' : 'went out' },
          direction === 'in' ? '→' : '←',
        ),
        h('b', method),
        h('span.path', path),
        h('b', { class: status >= 400 ? 'no' : 'yes' }, status),
        h('span.hint', `${milliseconds} ms`),
        h('span.hint', credential),
        h('span.summary', summary),
      ],
      () => {
        tab = status >= 400 ? 'Verdict' : 'Changes'
        openInspector()
        go({ sel: String(id) }, true)
      },
      { 'aria-pressed': String(isChosen) },
    ),
    events.length > 0 &&
      h('p.events', events.slice(0, 8).join(' · '), events.length > 8 && ` and ${events.length - 8} more`),
  )
}

function curl({ method, path, request }: RequestAnswer): string {
  const body =
    request === ''
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${request.replaceAll("'", "'\\''")}'`
  return `curl -X ${method} '${location.origin}${path}' \\\n  -H "Authorization: Bot $TOKEN"${body}`
}

function restCode({ method, path, request }: RequestAnswer): string {
  const route = path.replace(/^\/api\/v\d+/, '')
  const body = request === '' ? '' : `, { body: ${pretty(request)} }`
  return `const rest = new REST({ api: '${location.origin}/api' }).setToken(token)\nawait rest.${method.toLowerCase()}('${route}'${body})`
}

function pretty(body: string): string {
  try {
    return json(JSON.parse(body))
  } catch {
    return body
  }
}

function detailSide(): Child {
  if (place.sel === '') return h('p.dim', 'Choose a request to see its verdict, bodies and changes.')
  const found = detail.ask('request', { id: Number(place.sel) })
  if (found === undefined) return failure(detail)
  return [
    failure(detail),
    h('h2', h('span', { class: found.status >= 400 ? 'no' : 'yes' }, found.status), ` ${found.method}`),
    h('p.path.dim', found.path),
    tabs(
      'Request',
      ['Verdict', 'Request', 'Response', 'Changes'] as const,
      tab,
      (name) => ((tab = name), draw()),
    ),
    h(
      'div',
      { id: 'inspector-panel', role: 'tabpanel', 'aria-labelledby': `tab-${tab}`, tabindex: 0, key: tab },
      panel(found),
    ),
    h(
      'div.row',
      copyButton('Copy as curl', () => curl(found)),
      copyButton('Copy as discord.js', () => restCode(found)),
    ),
  ]
}

function panel(found: RequestAnswer): Child {
  switch (tab) {
    case 'Verdict':
      return verdict(found)
    case 'Request':
      return bodyOf(found.request, 'The request has no body.', found)
    case 'Response':
      return bodyOf(found.response, 'The response has no body.')
    case 'Changes':
      return found.changes.length === 0
        ? h('p.dim', 'This request changed no command.')
        : h(
            'ul.changes',
            found.changes.map((line) => h('li', { class: { '+': 'yes', '-': 'no' }[line[0]!] ?? '' }, line)),
          )
  }
}

function verdict(found: RequestAnswer): Child {
  if (found.issues.length > 0) return problemList(found.issues)
  if (found.status < 400)
    return h('p.verdict.yes', found.summary === '' ? 'Accepted.' : `Accepted: ${found.summary}`)
  return h('p.verdict.no', found.summary)
}

function bodyOf(body: string, nothing: string, found?: RequestAnswer): Child {
  if (body === '') return h('p.dim', nothing)
  const faults = new Set(found?.faults ?? [])
  return h(
    'pre',
    { tabindex: 0, 'aria-label': 'Body' },
    pretty(body)
      .split('\n')
      .map((line, index) =>
        h(
          'span',
          {
            class: faults.has(index + 1) && 'fault',
            mounted: (element: Element) =>
              index + 1 === found?.faults[0] && element.scrollIntoView({ block: 'center' }),
          },
          `${line}\n`,
        ),
      ),
  )
}

export function requestsView(): Drawn {
  const known = state.isPaused ? state.rows.slice(0, state.rows.length - state.held) : state.rows
  const rows = known.filter((row) => fits(row, state.filter)).reverse()
  return {
    main: [
      toolbar(known.length),
      known.length === 0
        ? empty(
            'No requests yet',
            ['Requests to ', h('code', `${location.origin}/api`), ' appear here as they come.'],
            copyButton('Copy the address', () => `${location.origin}/api`),
          )
        : rows.length === 0
          ? empty(
              'No request fits the filter',
              'Filters can be status:4xx, method:PUT, path:commands, or any word.',
              button('Show all', () => ((state.filter = ''), draw())),
            )
          : h('ol.requests', { 'aria-label': 'Requests, newest first' }, rows.map(rowItem)),
    ],
    side: detailSide(),
  }
}
