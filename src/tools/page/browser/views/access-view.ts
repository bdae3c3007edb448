/** The Access view: permissions as a matrix, and the reason for each cell. */
import { PermissionTargetType, type CommandPermission } from '../../../../model/permission-entry.ts'
import { sameJson } from '../../../../core/json.ts'
import type { Answer } from '../../questions/questions.ts'
import { ask, Source, tokenField, write } from '../parts/ask.ts'
import { announce, drawAndFocus, h, type Child } from '../parts/dom.ts'
import { Drafts, mergeFields, type DraftFields } from '../parts/drafts.ts'
import { button, copyButton, empty, failure, filterField, asJson } from '../parts/parts.ts'
import { namedChoices, select, traceList } from '../parts/parts.ts'
import { channelName, go, nameById, place, who, type Where } from '../parts/place.ts'
import { badges, openInspector, type ViewParts } from '../parts/frame.ts'

type Matrix = Answer<'access'>
type Row = Matrix['rows'][number]
type Column = Matrix['columns'][number]
type Cell = Row['cells'][number]

const matrix = new Source('access')
/** Overrides that are not written yet, by command or application; they replace those of the same target. */
type Staged = ReadonlyMap<string, readonly CommandPermission[]>

interface Staging {
  readonly now: Staged
  /** What was staged before each step, the last one at the end. They are undone one by one. */
  readonly before: readonly Staged[]
}

const staging = new Drafts<Staging>('access', {
  empty: () => ({ now: new Map(), before: [] }),
  isEmpty: ({ now }) => now.size === 0,
  kept: {
    title: 'Access',
    write: ({ now }) => overridesOf(now),
    read: (fields, { now, before }) => ({
      now: stagedIn(fields),
      // A step back leaves what another tab has staged.
      before: before.map((step) => stagedIn(mergeFields(overridesOf(now), overridesOf(step), fields).fields)),
    }),
  },
})

/** Each override by its command and its target. */
function overridesOf(staged: Staged): DraftFields {
  const all = [...staged].flatMap(([command, list]) => list.map((one) => ({ command, ...one })))
  return new Map(all.map(({ command, type, id, permission }) => [`${command}\n${type}\n${id}`, permission]))
}

function stagedIn(fields: DraftFields): Staged {
  const staged = new Map<string, CommandPermission[]>()
  for (const [key, permission] of fields) {
    const [command = '', type, id] = key.split('\n')
    if (id === undefined) continue
    const entry = { id, type: Number(type) as PermissionTargetType, permission: permission === true }
    staged.set(command, [...(staged.get(command) ?? []), entry])
  }
  return staged
}

/** The permissions of a command before the last Apply, and as that wrote them. */
interface Written {
  readonly id: string
  readonly before: readonly CommandPermission[]
  readonly after: readonly CommandPermission[]
}

/** What the last Apply wrote, until it is taken back. */
const applied = new Drafts<readonly Written[]>('applied', {
  empty: () => [],
  isEmpty: ({ length }) => length === 0,
  kept: {
    write: (all) => new Map(all.map((one) => [one.id, one])),
    read: (fields) => [...fields.values()] as readonly Written[],
  },
})

const state = { by: 'roles', only: 'all', filter: '', row: 0, column: 0, isApplying: false }

/** The application and server that overrides belong to. */
const here = (): string => `${place.app} ${place.server}`
const staged = (): Staged => staging.at(here()).now

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
  const next = new Map(staged())
  if (entries.length === 0) next.delete(row.id)
  else next.set(row.id, entries)
  put(next)
  announce(isRemoved ? 'Staged change removed' : `Staged: ${name} ${permission ? 'allowed' : 'denied'}`)
}

const MAX_STEPS = 100

function put(next: Staged): void {
  const { now, before } = staging.at(here())
  staging.put(here(), { now: next, before: [...before, now].slice(-MAX_STEPS) })
}

function undo(): void {
  const { before } = staging.at(here())
  const last = before.at(-1)
  if (last === undefined) return announce('Nothing to undo')
  staging.put(here(), { now: last, before: before.slice(0, -1) })
  announce('Last staged change undone')
}

/** What the matrix answers. */
function question(): object {
  const sets = Array.from(staged(), ([id, permissions]) => ({ id, permissions }))
  return { ...who(), by: state.by, sel: place.sel, staged: sets }
}

const focusCell = (): void => drawAndFocus(`cell-${state.row}-${state.column}`)

const writeEntries = (app: string, server: string, id: string, permissions: readonly CommandPermission[]) =>
  write('PUT', `/applications/${app}/guilds/${server}/commands/${id}/permissions`, { permissions }, 'Bearer')

async function apply(): Promise<void> {
  const [{ app, server }, key] = [place, here()]
  const sent = await staging.send(key, async ({ now }) => {
    // The matrix that is drawn may be older than the last override that was staged or taken back.
    const { rows } = await ask('access', question())
    const left = new Map(now)
    applied.drop(key)
    for (const { id, stored: before, entries: after } of rows.filter((row) => now.has(row.id))) {
      await writeEntries(app, server, id, after)
      applied.put(key, [...applied.at(key), { id, before, after }])
      left.delete(id)
      staging.put(key, { now: new Map(left), before: [] })
    }
    return true
  })
  if (sent === undefined) return
  state.isApplying = false
  announce('Permissions applied')
  focusCell()
}

/** Writes the permissions from before the last Apply, where they have not changed since. */
async function takeBack(): Promise<void> {
  const [{ app, server }, key] = [place, here()]
  const done = await applied.send(key, async (all) => {
    const { rows } = await ask('access', question())
    const isAsWritten = ({ id, after }: Written) =>
      sameJson(rows.find((row) => row.id === id)?.stored ?? [], after)
    const other = all.find((one) => !isAsWritten(one))
    if (other !== undefined) {
      applied.drop(key)
      const { name = 'A command' } = rows.find(({ id }) => id === other.id) ?? {}
      throw new Error(`${name || 'The whole app'} has other permissions by now: nothing was taken back.`)
    }
    for (const { id, before } of all) await writeEntries(app, server, id, before)
    return true
  })
  if (done === undefined) return
  announce('Permissions are as before')
  focusCell()
}

function toolbar(): Child {
  const filters = namedChoices(['all', 'differences'])
  return h`<div class="toolbar">
    ${select('Show by', state.by, namedChoices(['roles', 'people', 'channels']), (by) => (state.by = by))}
    ${select('Show', state.only, filters, (only) => (state.only = only))}
    ${filterField('Filter commands', state.filter, (filter) => (state.filter = filter))}
    ${
      staged().size > 0 && [
        h`<output class="hint">${stagedCount()} staged</output>`,
        button('Discard', () => put(new Map())),
        button('Apply…', () => (state.isApplying = true), { class: 'main' }),
      ]
    }
    ${!applied.isEmpty(here()) && button('Take back the last Apply', takeBack, { class: 'quiet' })}
  </div>`
}

function applying({ rows, columns }: Matrix): Child {
  const changed = rows.filter(({ id }) => staged().has(id))
  const entryText = ({ id, permission }: CommandPermission) =>
    `${nameById(columns, id) ?? id} ${permission ? 'allowed' : 'denied'}`
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
  const rowOf = (row: Row, index: number) => {
    const unsynced = row.entries.length > 0 && h`<span class="unsynced">Not synced</span>`
    return h`<tr role="row" key=${row.id}>
      <th scope="row">${row.name || 'App-wide'}<span class="hint note" title=${row.note}>${unsynced}${row.note !== '' && unsynced && ' · '}${row.note}</span></th>
      ${columns.map((column, at) => cellOf(row, index, column, at))}
    </tr>`
  }
  return h`<div class="scroll" key="grid">
    <table role="grid" aria-label="Permissions in ${channelName()}">
      <thead><tr role="row">
        <th scope="col">Command</th>
        ${columns.map(({ id, name }) => h`<th scope="col" key=${id} title=${id}>${name}</th>`)}
      </tr></thead>
      <tbody>${rows.map(rowOf)}</tbody>
    </table>
  </div>`
}

const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] } as const

function cellOf(row: Row, index: number, column: Column, at: number): Child {
  const cell = row.cells[at]!
  const isTurned = isStaged(row, column)
  const isHere = index === state.row && at === state.column
  const sel = `${row.id}.${column.id}`
  const [symbol, words] = symbols[cell]
  const come = () => Object.assign(state, { row: index, column: at })
  const onkeydown = (event: KeyboardEvent) => {
    const step = steps[event.key as keyof typeof steps]
    if (step !== undefined) document.getElementById(`cell-${index + step[0]}-${at + step[1]}`)?.focus()
    else if (event.key === ' ') stage(row, column, cell)
    else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) undo()
    else return
    event.preventDefault()
  }
  const choose = () => {
    come()
    openInspector()
    go({ sel }, true)
  }
  return h`<td role="gridcell" key=${column.id} class="cell ${cell} ${isTurned && 'staged'}" aria-selected="${place.sel === sel}">
    <button type="button" id="cell-${index}-${at}" tabindex=${isHere ? 0 : -1} title=${words}
      onclick=${choose} onfocus=${come} onkeydown=${onkeydown}>
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
      <p class="dim">Choose a cell to see which step decides. Space stages an override, Ctrl Z undoes that: the matrix shows what
        it would change, and nothing is written.</p>
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
      ${copyButton('Copy the PUT body', () => asJson({ permissions: row.entries }))}
      ${button('Open as member', () => go({ view: 'member', sel: rowId!, ...viewers[column.type](column.id) }), { class: 'quiet' })}
    </div>
    ${row.subcommands.length > 0 && h`<p class="hint">Its subcommands have the same permissions: ${row.subcommands.join(', ')}.</p>`}`
}

const viewers: Readonly<Record<PermissionTargetType, (id: string) => Partial<Where>>> = {
  [PermissionTargetType.ROLE]: (id) => ({ roles: id === place.server ? 'none' : id }),
  [PermissionTargetType.USER]: (id) => ({ as: id, roles: '' }),
  [PermissionTargetType.CHANNEL]: (channel) => ({ channel }),
}

export function accessView(): ViewParts {
  if (place.channel === 'bot' || place.channel === 'group') {
    const sentence = 'Choose a channel above to see who may use which command in it.'
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
