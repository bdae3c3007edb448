/** Histories of four processes on one place that are paused, killed, cut off or slowed down: all must be linearizable. */
import assert from 'node:assert/strict'
import { app } from '../support/fixtures.ts'
import { linearizable, register } from '../support/linearizability.ts'
import type { Operation, RegisterInput, RegisterOutput } from '../support/linearizability.ts'
import { seeded, type Random } from '../support/random.ts'
import { scopeModel, type ScopeInput, type ScopeOutput } from '../support/scope-model.ts'
import { grounds, type Ground } from '../storage/grounds.ts'
import { hammer, useCreates } from '../storage/hammer.ts'
import type { Place } from '../storage/place.ts'
import type { Program, Recorded, Started } from '../storage/processes.ts'
import { openProxy, type Proxy } from '../storage/tcp-proxy.ts'
import type { Trial } from './trial.ts'
import { passed } from '../support/waiting.ts'

interface Fault {
  readonly name: string
  /** Whether the fault is one of a network. */
  readonly network?: boolean
  /** Whether calls may end without an outcome, which only the model of a register covers. */
  readonly uncertain?: boolean
  readonly kills?: boolean
  readonly jumps?: boolean
  /** Interferes until the work is over. Returns how often. */
  disturb(work: Work): Promise<number>
}

interface Work {
  readonly processes: readonly Started[]
  readonly random: Random
  readonly proxy: Proxy | undefined
  isOver(): boolean
}

/** Does something at random moments until the work is over. */
async function repeatedly(
  { isOver, random }: Work,
  most: number,
  act: () => Promise<unknown>,
): Promise<number> {
  let count = 0
  for (;;) {
    await passed(10 + random.next() * 60)
    if (isOver() || count === most) return count
    await act()
    count++
  }
}

async function pause({ processes, random }: Work): Promise<void> {
  const { child } = random.pick(processes)
  child.kill('SIGSTOP')
  await passed(20 + random.next() * 200)
  child.kill('SIGCONT')
}

const faults: readonly Fault[] = [
  { name: 'undisturbed', disturb: async () => 0 },
  { name: 'paused', disturb: (work) => repeatedly(work, Infinity, () => pause(work)) },
  {
    name: 'paused, with jumping clocks',
    jumps: true,
    disturb: (work) => repeatedly(work, Infinity, () => pause(work)),
  },
  {
    name: 'killed',
    uncertain: true,
    kills: true,
    async disturb(work) {
      const left = [...work.processes]
      return repeatedly(work, 3, async () =>
        left.splice(work.random.below(left.length), 1)[0]!.child.kill('SIGKILL'),
      )
    },
  },
  {
    name: 'with cut connections',
    network: true,
    uncertain: true,
    disturb: (work) =>
      repeatedly(work, 12, async () =>
        work.random.next() < 0.5 ? work.proxy!.cutNextRequest() : work.proxy!.cutNextReply(),
      ),
  },
  {
    name: 'with slow connections',
    network: true,
    async disturb({ proxy, random, isOver }) {
      let delays = 0
      proxy!.slowDown(() => (random.next() < 0.1 ? (delays++, random.next() * 60) : 0))
      while (!isOver()) await passed(20)
      return delays
    },
  },
]

const KEYS = ['a', 'b']

type RegisterOperation = Recorded<RegisterInput, RegisterOutput>

/** The operations about the value, the revision, or the time of an operation that has no place. */
function describe(all: readonly RegisterOperation[], stuck: Operation | undefined): string {
  const words = JSON.stringify([stuck?.input, stuck?.output]).match(/[\w-]{8,}/g) ?? []
  const near = (one: RegisterOperation) =>
    stuck !== undefined && one.start < stuck.end && one.end > stuck.start
  const related = all
    .filter((one) => near(one) || words.some((word) => JSON.stringify(one).includes(word)))
    .sort((a, b) => a.start - b.start)
  return related.map((one) => JSON.stringify(one)).join('\n')
}

function checkRegisters(all: readonly RegisterOperation[]): void {
  for (const key of KEYS) {
    const one = all.filter((operation) => operation.key === key)
    const verdict = linearizable(register, one)
    if (!verdict.linearizable) assert.fail(`not linearizable: ${describe(one, verdict.stuck[0])}`)
    const given = one.flatMap(({ input, output }) =>
      output?.kind === 'written' && input.kind === 'write' && input.value !== null ? [output.revision] : [],
    )
    assert.equal(new Set(given).size, given.length, 'a revision was given twice')
  }
}

/** The place through a proxy; for every other round of Redis with the other driver. */
function through(place: Place, proxy: Proxy | undefined, seed: number): Place {
  if (!('url' in place)) return place
  const led = proxy === undefined ? place : { ...place, url: proxy.url }
  return led.kind === 'redis' && seed % 2 === 0 ? { ...led, driver: 'redis' } : led
}

function trialOf(program: Program, ground: Ground, fault: Fault, work: 'register' | 'scope'): Trial {
  const subject = work === 'scope' ? 'commands' : 'documents'
  return {
    what: `histories of ${subject}, ${fault.name}`,
    store: ground.name,
    missing: ground.missing,
    async run(seed) {
      const { place, remove } = ground.place()
      const proxy = fault.network && 'url' in place ? await openProxy(place.url) : undefined
      const shared = through(place, proxy, seed)
      let faults = 0
      const disturb = async (processes: readonly Started[]) => {
        let isOver = false
        void Promise.all(processes.map(({ ended }) => ended)).then(() => (isOver = true))
        faults = await fault.disturb({ processes, random: seeded(seed), proxy, isOver: () => isOver })
      }
      const disturbance = { disturb, ...(fault.kills && { kills: true }) }
      try {
        let all: readonly Recorded<unknown, unknown>[]
        if (work === 'register') {
          const task = { work, moves: 250, keys: KEYS, goesOn: true } as const
          const found = await hammer<RegisterInput, RegisterOutput>(program, shared, task, seed, disturbance)
          checkRegisters(found)
          all = found
        } else {
          const latest = await useCreates(place, 120)
          const task = { work, moves: 120, keys: [], jumps: fault.jumps ?? false } as const
          const found = await hammer<ScopeInput, ScopeOutput>(program, shared, task, seed, disturbance)
          const model = scopeModel(app, { commands: [], creates: 120, latest, permissions: [] })
          assert.deepEqual(linearizable(model, found), { linearizable: true })
          all = found
        }
        return { calls: all.length, faults }
      } finally {
        await proxy?.close()
        await remove()
      }
    },
  }
}

/** Stores without a network. */
const inFiles = ['SQLite', 'D1']

export const histories = (program: Program): readonly Trial[] =>
  grounds.flatMap((ground) =>
    faults
      .filter(({ network }) => !network || !inFiles.includes(ground.name))
      .flatMap((fault) => [
        ...(fault.jumps ? [] : [trialOf(program, ground, fault, 'register')]),
        ...(fault.uncertain ? [] : [trialOf(program, ground, fault, 'scope')]),
      ]),
  )
