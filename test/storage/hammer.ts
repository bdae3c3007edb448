/** Several processes at work on one place, undisturbed or disturbed, and the history of their calls. */
import assert from 'node:assert/strict'
import { type Clock, CommandRegistry, snowflakes } from 'commandry'
import { app, guild, here as scope } from '../support/fixtures.ts'
import { openPlace, type Place } from './place.ts'
import { begin, bench, history, type Program, type Recorded, type Started, type Task } from './processes.ts'

export const PROCESSES = 4
// Midday, so that no day ends while the processes run.
const now = Date.UTC(2026, 0, 1, 12)

export interface Disturbance {
  /** Interferes with the processes while they work. */
  disturb(processes: readonly Started[]): Promise<unknown>
  /** Whether a process may be killed. */
  readonly kills?: boolean
}

/** Runs several processes on one place and returns all their operations. */
export async function hammer<Input, Output>(
  program: Program,
  place: Place,
  task: Pick<Task, 'work' | 'moves' | 'keys' | 'goesOn' | 'jumps'>,
  round: number,
  { disturb, kills = false }: Disturbance = { disturb: async () => {} },
): Promise<Recorded<Input, Output>[]> {
  const processes = bench(program)
  try {
    const origin = String(process.hrtime.bigint())
    const started = Array.from({ length: PROCESSES }, (_, i) =>
      processes.start({ ...task, place, seed: round * PROCESSES + i + 1, app, guild, now, origin }),
    )
    await begin(started)
    const disturbed = disturb(started)
    const ends = await Promise.all(started.map(({ ended }) => ended))
    await disturbed
    for (const end of ends) assert.ok(end === null || (kills && end.startsWith('SIGKILL')), end ?? '')
    return started.flatMap(({ lines }) => history<Input, Output>(lines()))
  } finally {
    await processes.close()
  }
}

/** How many operations began during another one. */
export function met(all: readonly Recorded<unknown, unknown>[]): number {
  const sorted = [...all].sort((a, b) => a.start - b.start)
  let until = -Infinity
  return sorted.filter(({ start, end }) => {
    const overlaps = start < until
    until = Math.max(until, end)
    return overlaps
  }).length
}

/** Uses up some of the day's creates. */
export async function useCreates(place: Place, count: number): Promise<string> {
  const clock: Clock = { now: () => now }
  const { store, close } = await openPlace(place)
  const registry = new CommandRegistry({ store, clock, ids: snowflakes({ clock }) })
  let latest = '0'
  for (let left = count; left > 0; left -= 60) {
    const bodies = Array.from({ length: Math.min(60, left) }, (_, i) => ({ name: `x${i}`, description: 'b' }))
    latest = (await registry.overwrite(scope, bodies)).at(-1)!.version
    await registry.overwrite(scope, [])
  }
  await close()
  return latest
}
