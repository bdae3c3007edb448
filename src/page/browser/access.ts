/** Who may use which command, where, and why not. */
import type { AccessAnswer, AccessRow, CellState, Column } from '../questions/access.ts'
import type { CommandPermission } from '../../permission/entry.ts'
import { tokenField, write } from './deploy.ts'
import { h, type Child, type Described } from './dom.ts'
import { badges, type Drawn } from './shell.ts'
import { button, copyButton, empty, failure, json, select, traceList } from './parts.ts'
import { announce, channelName, draw, go, messages, place, Source, who } from './state.ts'

const matrix = new Source<AccessAnswer>()
/** Overrides that are not written yet, by command or application. */
const staged = new Map<string, readonly CommandPermission[]>()
const state = { by: 'roles', only: 'all', filter: '', row: 0, column: 0, isApplying: false }

badges.access = () => staged.size

const symbols: Readonly<Record<CellState, readonly [symbol: string, text: string]>> = {
  allowed: ['✓', 'allowed'],
  override: ['✓', 'allowed by an override'],
  denied: ['✗', 'denied by an override'],
  lacks: ['–', 'lacks the permission'],
  unavailable: ['⊘', 'not available here'],
}

/** Turns a cell over: an override that allows or denies, or none where one was staged. */
function stage({ id, entries }: AccessRow, column: Column, cell: CellState): void {
  const isStaged = staged.get(id)?.some((one) => one.id === column.id && one.type === column.type)
  const others = entries.filter((one) => one.id !== column.id || one.type !== column.type)
  const permission = cell !== 'allowed' && cell !== 'override'
  if (isStaged) staged.delete(id)
  else staged.set(id, [...others, { id: column.id, type: column.type, permission }])
  announce(isStaged ? 'Staged change removed' : `Staged: ${column.name} ${permission ? 'allowed' : 'denied'}`)
}

async function apply(): Promise<void> {
  for (const [id, permissions] of staged) {
    const path = `/applications/${place.app}/guilds/${place.server}/commands/${id}/permissions`
    const written = await write('PUT', path, { permissions }, 'Bearer')
    if (!written.ok) {
      messages.notice = written.message
      return draw()
    }
    staged.delete(id)
  }
  state.isApplying = false
  announce('Permissions applied')
}

function choice(label: string, name: 'by' | 'only', options: readonly string[]): Described {
  const named = options.map((one) => [one, one] as const)
  return select(label, state[name], named, (value) => ((state[name] = value), draw()))
}

function toolbar(): Described {
  return h(
    'div.toolbar',
    choice('Columns', 'by', ['roles', 'people', 'channels']),
    choice('Show', 'only', ['all', 'differences']),
    h('input', {
      ...{ type: 'search', 'aria-label': 'Filter', placeholder: 'Filter commands', value: state.filter },
      oninput: (event: Event) => ((state.filter = (event.target as HTMLInputElement).value), draw()),
    }),
    staged.size > 0 && [
      h('output.hint', `${staged.size} staged`),
      button('Discard', () => (staged.clear(), draw())),
      button('Apply…', () => ((state.isApplying = true), draw()), { class: 'main' }),
    ],
  )
}

/** What is about to be written, and the button that writes it. */
function applying(rows: readonly AccessRow[], columns: readonly Column[]): Described {
  const name = (id: string) => rows.find((row) => row.id === id)?.name || 'the whole app'
  const target = ({ id }: CommandPermission) => columns.find((column) => column.id === id)?.name ?? id
  return h(
    'section.list',
    { 'aria-label': 'Staged changes' },
    h('h2', 'These overrides will be written'),
    h(
      'ul.plain',
      Array.from(staged, ([id, entries]) =>
        h(
          'li',
          { key: id },
          h('b', name(id)),
          ': ',
          entries.map((entry) => `${target(entry)} ${entry.permission ? 'allowed' : 'denied'}`).join(', ') ||
            'none',
        ),
      ),
    ),
    h(
      'div.row',
      tokenField(),
      button('Apply', () => void apply(), { class: 'main' }),
      button('Cancel', () => ((state.isApplying = false), draw())),
    ),
  )
}

function grid(rows: readonly AccessRow[], columns: readonly Column[]): Described {
  const onkeydown = (event: KeyboardEvent) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key]
    const [row, column] = [rows[state.row], columns[state.column]]
    if (step !== undefined) {
      state.row = Math.max(0, Math.min(rows.length - 1, state.row + step[0]!))
      state.column = Math.max(0, Math.min(columns.length - 1, state.column + step[1]!))
      queueMicrotask(() => document.getElementById(`cell-${state.row}-${state.column}`)?.focus())
    } else if (event.key === ' ' && row && column) stage(row, column, row.cells[state.column]!)
    else return
    event.preventDefault()
    draw()
  }
  return h(
    'div.scroll',
    { key: 'grid' },
    h(
      'table',
      { role: 'grid', 'aria-label': `Permissions in ${channelName()}`, onkeydown },
      h(
        'thead',
        h(
          'tr',
          { role: 'row' },
          h('th', { scope: 'col' }, 'Command'),
          columns.map(({ id, name }) => h('th', { scope: 'col', key: id, title: id }, name)),
          h('th', { scope: 'col' }, 'Requires'),
        ),
      ),
      h(
        'tbody',
        rows.map((row, index) => rowOf(row, index, columns)),
      ),
    ),
  )
}

function rowOf(row: AccessRow, index: number, columns: readonly Column[]): Described {
  const sync = row.entries.length > 0 ? 'Not synced' : 'Synced'
  return h(
    'tr',
    { role: 'row', key: row.id },
    h('th', { scope: 'row' }, row.name === '' ? 'App-wide' : row.name),
    columns.map((column, at) => {
      const cell = row.cells[at]!
      const isHere = index === state.row && at === state.column
      const isStaged = staged.get(row.id)?.some((one) => one.id === column.id && one.type === column.type)
      const [symbol, words] = symbols[cell]
      return h(
        'td',
        {
          ...{ role: 'gridcell', key: column.id, class: isStaged ? `cell ${cell} staged` : `cell ${cell}` },
          'aria-selected': String(place.sel === `${row.id}.${column.id}`),
        },
        button(
          [
            h('span', { 'aria-hidden': 'true' }, symbol),
            h('span.hidden', isStaged ? `${words}, staged` : words),
          ],
          () => {
            Object.assign(state, { row: index, column: at })
            go({ sel: `${row.id}.${column.id}` }, true)
          },
          { id: `cell-${index}-${at}`, tabindex: isHere ? 0 : -1, title: words },
        ),
      )
    }),
    h(
      'td.note',
      row.note !== '' && `${row.note} · `,
      h('span', { class: row.entries.length > 0 ? 'unsynced' : 'hint' }, sync),
    ),
  )
}

function cellSide(answer: AccessAnswer): Child {
  const [rowId, columnId] = place.sel.split('.')
  const row = answer.rows.find(({ id }) => id === rowId)
  const at = answer.columns.findIndex(({ id }) => id === columnId)
  const column = answer.columns[at]
  if (row === undefined || column === undefined || answer.selected === null) {
    return [
      h('h2', 'Why'),
      h(
        'p.dim',
        'Choose a cell to see which step decides. Space stages an override: the matrix shows what it would change, and nothing is written.',
      ),
      legend(),
    ]
  }
  const cell = row.cells[at]!
  const { why, trace } = answer.selected
  const may = cell === 'allowed' || cell === 'override'
  const subject = row.name === '' ? 'the whole app' : row.name
  return [
    h('h2', `${subject} for ${column.name}`),
    h('p', { class: may ? 'verdict yes' : 'verdict no' }, `${symbols[cell][0]} ${symbols[cell][1]}`),
    why.map((sentence) => h('p', sentence)),
    traceList(trace),
    h(
      'div.row',
      button(may ? `Deny it for ${column.name}` : `Allow it for ${column.name}`, () =>
        stage(row, column, cell),
      ),
      copyButton('Copy the PUT body', () => json({ permissions: row.entries })),
      button(
        'Open as member',
        () =>
          go({
            view: 'member',
            sel: rowId!,
            ...(column.type === 1
              ? { roles: column.id === place.server ? 'none' : column.id }
              : column.type === 2
                ? { as: column.id, roles: '' }
                : { channel: column.id }),
          }),
        { class: 'quiet' },
      ),
    ),
  ]
}

function legend(): Described {
  return h(
    'ul.plain.legend',
    Object.entries(symbols).map(([name, [symbol, words]]) =>
      h('li', h('span', { class: `cell ${name}` }, symbol), ' ', words),
    ),
  )
}

export function accessView(): Drawn {
  if (place.channel === 'bot' || place.channel === 'group') {
    return {
      main: empty(
        'Direct messages have no permissions',
        'Choose a channel of a server above to see who may use which command in it.',
      ),
    }
  }
  const stagedSets = Array.from(staged, ([id, permissions]) => ({ id, permissions }))
  const answer = matrix.ask('access', { ...who(), by: state.by, sel: place.sel, staged: stagedSets }, true)
  if (answer === undefined) return { main: failure(matrix) }
  const isShown = ({ name, cells }: AccessRow) =>
    name.toLowerCase().includes(state.filter.toLowerCase()) &&
    (state.only === 'all' || new Set(cells).size > 1)
  const rows = answer.rows.filter(isShown)
  state.row = Math.min(state.row, Math.max(0, rows.length - 1))
  state.column = Math.min(state.column, answer.columns.length - 1)
  return {
    main: [
      toolbar(),
      failure(matrix),
      state.isApplying && staged.size > 0 && applying(answer.rows, answer.columns),
      rows.length === 0
        ? empty(
            'No command fits',
            'Change the filter, or show all commands.',
            button('Show all', () => (Object.assign(state, { filter: '', only: 'all' }), draw())),
          )
        : grid(rows, answer.columns),
    ],
    side: cellSide(answer),
  }
}
