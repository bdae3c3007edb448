/**
 * Writers that are killed or stopped by a failure, round after round on one place, and the comparison of what they
 * were answered with what is stored.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type Clock, CommandRegistry, RegistryError, snowflakes } from 'commandry'
import { DAY } from '../support/clock.ts'
import { app, guild, here as scope } from '../support/fixtures.ts'
import { seeded } from '../support/random.ts'
import { briefOf, perform, scopeModel, setsOf, sortedById } from '../support/scope-model.ts'
import type { Item, ScopeInput, ScopeOutput, ScopeState } from '../support/scope-model.ts'
import { ownName } from './grounds.ts'
import { openPlace, type Place } from './place.ts'
import { begin, bench, history, type Line, type Program, type Started } from './processes.ts'
import { passed, until } from '../support/waiting.ts'

/** The minimum number of answered calls before a writer is killed, on any machine. */
export const ANSWERED = 2

const noon = Date.UTC(2026, 0, 1, 12)

const empty: ScopeState = { commands: [], creates: 0, latest: '0', permissions: [] }
const text = (state: ScopeState) => JSON.stringify({ ...state, permissions: sortedById(state.permissions) })

/** The state that a new process reads, with the creates of the day of `now`. */
async function found(place: Place, now: number): Promise<ScopeState> {
  const { store, close } = await openPlace(place)
  try {
    const registry = new CommandRegistry({ store, clock: { now: () => now } })
    const permissions = await setsOf(registry, app, guild)
    const [stored] = (await registry.snapshot(app)).scopes
    // Without commands for a day: a snapshot leaves it out.
    if (stored === undefined) return { ...empty, permissions }
    return {
      commands: stored.commands.map(briefOf),
      creates: stored.creates.day === new Date(now).toISOString().slice(0, 10) ? stored.creates.count : 0,
      latest: stored.latest,
      permissions,
    }
  } finally {
    await close()
  }
}

/** The outcome of a call that led to a state. */
function derived(input: ScopeInput, before: ScopeState, after: ScopeState): ScopeOutput {
  const of = (wanted: Pick<Item, 'type' | 'name'>) =>
    after.commands.filter(([, , type, name]) => type === wanted.type && name === wanted.name)
  switch (input.kind) {
    case 'upsert': {
      const { type, name } = input.item
      const existed = before.commands.some((command) => command[2] === type && command[3] === name)
      return { commands: of(input.item), created: !existed }
    }
    case 'edit':
      return { commands: after.commands.filter(([id]) => id === input.id) }
    case 'overwrite':
      return { commands: after.commands }
    default:
      return {}
  }
}

interface Judged {
  readonly acknowledged: number
  /** Whether the interrupted call took effect; undefined when there was none. */
  readonly tookEffect: boolean | undefined
  readonly underWay: ScopeInput | undefined
}

/**
 * Compares the stored state with the log of one process: every acknowledged call applied, and then
 * the interrupted call either completely or not at all.
 */
function judge(before: ScopeState, lines: readonly Line[], after: ScopeState): Judged {
  const model = scopeModel(app, before)
  const calls = history<ScopeInput, ScopeOutput>(lines)
  const ended = calls.filter(({ output }) => output !== undefined)
  const expected = ended.reduce<ScopeState>((state, { input, output }) => {
    const next = model.step(state, input, output)
    if (next === undefined)
      assert.fail(`${JSON.stringify(input)} was answered ${JSON.stringify(output)} in ${text(state)}`)
    return next
  }, before)
  const underWay = calls.find(({ output }) => output === undefined)?.input
  const result = { acknowledged: ended.length, underWay }
  if (text(after) === text(expected)) return { ...result, tookEffect: underWay && false }
  if (underWay === undefined || underWay.kind === 'list' || underWay.kind === 'permissions') {
    assert.equal(text(after), text(expected))
  }
  const whole = model.step(expected, underWay!, derived(underWay!, expected, after))
  assert.equal(
    whole && text(whole),
    text(after),
    `half of ${JSON.stringify(underWay)}, after ${text(expected)}`,
  )
  const failure = lines.find((line) => 'failed' in line)
  if (failure !== undefined && 'failed' in failure)
    assert.ok(failure.failed.mayHaveHappened, failure.failed.message)
  return { ...result, tookEffect: true }
}

/** Repeats the call from another process: it must end as any such call in this state. */
async function repeat(place: Place, input: ScopeInput, state: ScopeState, now: number): Promise<void> {
  const { store, close } = await openPlace(place)
  const clock: Clock = { now: () => now }
  const registry = new CommandRegistry({ store, clock, ids: snowflakes({ clock }) })
  const output = await perform(registry, scope, input).catch((error: unknown): ScopeOutput => {
    if (error instanceof RegistryError && error.code !== 'storage') return { error: error.code }
    throw error
  })
  await close()
  if (input.kind === 'list' || input.kind === 'permissions') return
  const next = scopeModel(app, state).step(state, input, output)
  assert.ok(next, `again ${JSON.stringify(input)}: ${JSON.stringify(output)} in ${text(state)}`)
  assert.equal(text(await found(place, now)), text(next))
}

/** How many calls were interrupted, and how many of them took effect. */
export interface Tally {
  acknowledged: number
  done: number
  undone: number
}

/** Runs a writing process until it is ended, round after round in one place, and checks each round. */
export async function rounds(
  program: Program,
  place: Place,
  seed: number,
  count: number,
  end: (writer: Started, chance: number) => Promise<void>,
): Promise<Tally> {
  const processes = bench(program)
  const random = seeded(seed)
  const tally: Tally = { acknowledged: 0, done: 0, undone: 0 }
  const session = ownName()
  try {
    for (let round = 0; round < count; round++) {
      // Each round is another day, with its own creates.
      const now = noon + round * DAY
      const before = await found(place, now)
      const started = processes.start({
        place: place.kind === 'postgres' ? { ...place, session } : place,
        work: 'scope',
        seed: seed * 10_000 + round,
        app,
        guild,
        now,
        origin: String(process.hrtime.bigint()),
        keys: [],
      })
      await begin([started])
      await answered(started)
      await end(started, random.next())
      assert.match((await started.ended) ?? 'ended by itself', /^(SIGKILL|exit 3)/)
      await goneFrom(place, session)
      const after = await found(place, now)
      const { acknowledged, tookEffect, underWay } = judge(before, started.lines(), after)
      tally.acknowledged += acknowledged
      if (tookEffect === true) tally.done++
      if (tookEffect === false) tally.undone++
      if (underWay !== undefined && round % 5 === 0) await repeat(place, underWay, after, now)
    }
    return tally
  } finally {
    await processes.close()
  }
}

/** Waits until a writer has begun to write, or has ended. */
async function answered(writer: Started): Promise<void> {
  let over = false
  void writer.ended.then(() => (over = true))
  const answers = () => writer.lines().filter((line) => 'end' in line).length
  await until(() => over || answers() >= ANSWERED, { otherwise: 'the writer is answered' })
}

/** Kills the writer at a random moment, within the time of some dozens of writes. */
export async function killed({ child }: Started, chance: number): Promise<void> {
  await passed(chance * 30)
  child.kill('SIGKILL')
}

/** A killed client's last statement may still run; polls until the server has closed the client's session. */
async function goneFrom(place: Place, session: string): Promise<void> {
  if (place.kind !== 'postgres') return
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  const asked = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1'
  try {
    await until(async () => (await client.query(asked, [session])).rows.length === 0, {
      otherwise: 'the server has closed the session of a client that is gone',
    })
  } finally {
    await client.end()
  }
}
