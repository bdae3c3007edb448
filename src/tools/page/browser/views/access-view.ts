/** The Access view: permissions as a matrix, and the reason for each cell. */
import { PermissionTargetType, type CommandPermission } from '../../../../model/permission-entry.ts'
import type { Answer } from '../../questions/questions.ts'
import { ask, Source, tokenField, write } from '../parts/ask.ts'
import { announce, h, type Child } from '../parts/dom.ts'
import {
  button,
  copyButton,
  empty,
  failure,
  filterField,
  json,
  named,
  select,
  traceList,
} from '../parts/parts.ts'
import { channelName, go, nameOf, place, who, type Place } from '../parts/place.ts'
import { badges, openInspector, type ViewParts } from '../parts/frame.ts'

type Matrix = Answer<'access'>
type Row = Matrix['rows'][number]
type Column = Matrix['columns'][number]
type Cell = Row['cells'][number]

const matrix = new Source('access')
/** Overrides that are not written yet, by command or application; they replace those of the same target. */
type Staged = Map<string, readonly CommandPermission[]>
const stagedIn = new Map<string, Staged>()
const state = { by: 'roles', only: 'all', filter: '', row: 0, column: 0, isApplying: false }

/** Those of an application in a server. */
function staged(): Staged {
  const key = `${place.app} ${place.server}`
  const all: Staged = stagedIn.get(key) ?? new Map()
  stagedIn.set(key, all)
  return all
}

const stagedCount = (): number => [...staged().values()].flat().length

badges.access = stagedCount

const symbols: Readonly<Record<Cell, readonly [symbol: string, text: string]>> = {
  allowed: ['✓', 'allowed'],
  override: ['✓', 'allowed by an override'],
  denied: ['✗', 'denied by an override'],
  lacks: ['–', 'lacks the permission'],
  unavailable: ['⊘', 'not available here'],
}

/** Whether an entry has the same target as a column or another entry. */
const isSameTarget = (a: Pick<Column, 'id' | 'type'>, b: CommandPermission): boolean =>
  a.id === b.id && a.type === b.type
const isAllowed = (cell: Cell): boolean => cell === 'allowed' || cell === 'override'
const stagedFor = ({ id }: Row): readonly CommandPermission[] => staged().get(id) ?? []
const isStaged = (row: Row, column: Column): boolean =>
  stagedFor(row).some((entry) => isSameTarget(column, entry))

/** Stages the opposite of a cell; removes an override that is staged. */
function stage(row: Row, column: Column, cell: Cell): void {
  const { id, type, name } = column
  const permission = !isAllowed(cell)
  const others = stagedFor(row).filter((entry) => !isSameTarget(column, entry))
  const isRemoved = isStaged(row, column)
  const entries = isRemoved ? others : [...others, { id, type, permission }]
  if (entries.length === 0) staged().delete(row.id)
  else staged().set(row.id, entries)
  announce(isRemoved ? 'Staged change removed' : `Staged: ${name} ${permission ? 'allowed' : 'denied'}`)
}

/** What the matrix answers. */
function question(): object {
  const sets = Array.from(staged(), ([id, permissions]) => ({ id, permissions }))
  return { ...who(), by: state.by, sel: place.sel, staged: sets }
}

async function apply(): Promise<void> {
  const { app, server } = place
  const sets = staged()
  // The matrix that is drawn may be older than the last override that was staged or taken back.
  const { rows } = await ask('access', question())
  for (const { id, entries } of rows.filter((row) => sets.has(row.id))) {
    const path = `/applications/${app}/guilds/${server}/commands/${id}/permissions`
    await write('PUT', path, { permissions: entries }, 'Bearer')
    sets.delete(id)
  }
  state.isApplying = false
  announce('Permissions applied')
}

function toolbar(): Child {
  const filters = named(['all', 'differences'])
  return h`<div class="toolbar">
    ${select('Show by', state.by, named(['roles', 'people', 'channels']), (by) => (state.by = by))}
    ${select('Show', state.only, filters, (only) => (state.only = only))}
    ${filterField('Filter commands', state.filter, (filter) => (state.filter = filter))}
    ${
      staged().size > 0 && [
        h`<output class="hint">${stagedCount()} staged</output>`,
        button('Discard', () => staged().clear()),
        button('Apply…', () => (state.isApplying = true), { class: 'main' }),
      ]
    }
  </div>`
}

function applying({ rows, columns }: Matrix): Child {
  const changed = rows.filter(({ id }) => staged().has(id))
  const entryText = ({ id, permission }: CommandPermission) =>
    `${nameOf(columns, id) ?? id} ${permission ? 'allowed' : 'denied'}`
  const item = (row: Row) =>
    h`<li key=${row.id}><b>${row.name || 'the whole app'}</b>: ${stagedFor(row).map(entryText).join(', ')}</li>`
  return h`<section class="list" aria-label="Staged changes">
    <h2>These overrides will be written</h2>
    <ul class="plain">${changed.map(item)}</ul>
    <div class="row">
      ${tokenField()}${button('Apply', apply, { class: 'main' })}
      ${button('Cancel', () => (state.isApplying = false))}
    </div>
  </section>`
}

function grid(rows: readonly Row[], columns: readonly Column[]): Child {
  const onkeydown = (event: KeyboardEvent) => {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] } as const
    const step = steps[event.key as keyof typeof steps]
    const [row, column] = [rows[state.row], columns[state.column]]
    if (step !== undefined) {
      state.row = Math.max(0, Math.min(rows.length - 1, state.row + step[0]))
      state.column = Math.max(0, Math.min(columns.length - 1, state.column + step[1]))
      queueMicrotask(() => document.getElementById(`cell-${state.row}-${state.column}`)?.focus())
    } else if (event.key === ' ' && row && column) stage(row, column, row.cells[state.column]!)
    else return
    event.preventDefault()
  }
  const rowOf = (row: Row, index: number) => {
    const unsynced = row.entries.length > 0 && h`<span class="unsynced">Not synced</span>`
    return h`<tr role="row" key=${row.id}>
      <th scope="row">${row.name || 'App-wide'}</th>
      ${columns.map((column, at) => cellOf(row, index, column, at))}
      <td class="note">${row.note}${row.note !== '' && unsynced && ' · '}${unsynced}</td>
    </tr>`
  }
  return h`<div class="scroll" key="grid">
    <table role="grid" aria-label="Permissions in ${channelName()}" onkeydown=${onkeydown}>
      <thead><tr role="row">
        <th scope="col">Command</th>
        ${columns.map(({ id, name }) => h`<th scope="col" key=${id} title=${id}>${name}</th>`)}
        <th scope="col">Requires</th>
      </tr></thead>
      <tbody>${rows.map(rowOf)}</tbody>
    </table>
  </div>`
}

function cellOf(row: Row, index: number, column: Column, at: number): Child {
  const cell = row.cells[at]!
  const isTurned = isStaged(row, column)
  const isHere = index === state.row && at === state.column
  const sel = `${row.id}.${column.id}`
  const [symbol, words] = symbols[cell]
  const choose = () => {
    Object.assign(state, { row: index, column: at })
    openInspector()
    go({ sel }, true)
  }
  return h`<td role="gridcell" key=${column.id} class="cell ${cell} ${isTurned && 'staged'}" aria-selected="${place.sel === sel}">
    <button type="button" id="cell-${index}-${at}" tabindex=${isHere ? 0 : -1} title=${words} onclick=${choose}>
      <span aria-hidden="true">${symbol}</span><span class="hidden">${words}${isTurned && ', staged'}</span>
    </button>
  </td>`
}

function cellSide({ rows, columns, selected }: Matrix): Child {
  const [rowId, columnId] = place.sel.split('.')
  const row = rows.find(({ id }) => id === rowId)
  const at = columns.findIndex(({ id }) => id === columnId)
  const column = columns[at]
  if (row === undefined || column === undefined || selected === null) {
    return h`<h2>Why</h2>
      <p class="dim">Choose a cell to see which step decides. Space stages an override: the matrix shows what it would
        change, and nothing is written.</p>
      <ul class="plain legend">${Object.entries(symbols).map(
        ([name, [symbol, words]]) => h`<li><span class="cell ${name}">${symbol}</span> ${words}</li>`,
      )}</ul>`
  }
  const cell = row.cells[at]!
  const isYes = isAllowed(cell)
  const turn = `${isYes ? 'Deny' : 'Allow'} it for ${column.name}`
  return h`
    <h2>${row.name || 'the whole app'} for ${column.name}</h2>
    <p class="verdict ${isYes ? 'yes' : 'no'}">${symbols[cell].join(' ')}</p>
    ${selected.why.map((sentence) => h`<p>${sentence}</p>`)}
    ${traceList(selected.trace)}
    <div class="row">
      ${button(isStaged(row, column) ? 'Remove the staged override' : turn, () => stage(row, column, cell))}
      ${copyButton('Copy the PUT body', () => json({ permissions: row.entries }))}
      ${button('Open as member', () => go({ view: 'member', sel: rowId!, ...viewers[column.type](column.id) }), { class: 'quiet' })}
    </div>
    ${row.subcommands.length > 0 && h`<p class="hint">Its subcommands have the same permissions: ${row.subcommands.join(', ')}.</p>`}`
}

const viewers: Readonly<Record<PermissionTargetType, (id: string) => Partial<Place>>> = {
  [PermissionTargetType.ROLE]: (id) => ({ roles: id === place.server ? 'none' : id }),
  [PermissionTargetType.USER]: (id) => ({ as: id, roles: '' }),
  [PermissionTargetType.CHANNEL]: (channel) => ({ channel }),
}

export function accessView(): ViewParts {
  if (place.channel === 'bot' || place.channel === 'group') {
    const sentence = 'Choose a channel of a server above to see who may use which command in it.'
    return { main: empty('Direct messages have no permissions', sentence) }
  }
  const answer = matrix.ask(question())
  if (answer === undefined) return { main: failure(matrix) }
  const rows = answer.rows.filter(
    ({ name, cells }) =>
      name.toLowerCase().includes(state.filter.toLowerCase()) &&
      (state.only === 'all' || new Set(cells).size > 1),
  )
  state.row = Math.min(state.row, Math.max(0, rows.length - 1))
  state.column = Math.min(state.column, answer.columns.length - 1)
  const showAll = button('Show all', () => Object.assign(state, { filter: '', only: 'all' }))
  return {
    main: [
      toolbar(),
      failure(matrix),
      state.isApplying && staged().size > 0 && applying(answer),
      rows.length === 0
        ? empty('No command fits', 'Change the filter, or show all commands.', showAll)
        : grid(rows, answer.columns),
    ],
    side: cellSide(answer),
  }
}
