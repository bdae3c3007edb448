/** Answers to interactions that three processes share in a store, each with the default ids. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AnswererTask, Phase, Shared } from '../storage/answerer.ts'
import { grounds, type Ground } from '../storage/grounds.ts'
import { buildProgram } from '../storage/processes.ts'
import type { Outcome, Trial } from './trial.ts'

const PROCESSES = 3
/** The calls of a process for each interaction that it sends. */
const CALLS_OF_A_USE = 12

/** @param calls of each process, about */
export function answersOf(ground: Ground, calls: number): Trial {
  return {
    what: 'answers of three processes',
    store: ground.name,
    missing: ground.missing,
    async run(): Promise<Outcome> {
      const { place, remove } = ground.place()
      const program = await buildProgram('test/storage/answerer.ts')
      const uses = Math.ceil(calls / CALLS_OF_A_USE)
      const children = Array.from({ length: PROCESSES }, (_, number) => {
        const task: AnswererTask = { place, number, uses }
        return fork(program.file, [JSON.stringify(task)], { execArgv: ['--no-warnings'] })
      })
      const ended = children.map((child) =>
        once(child, 'exit').then(([code]) => {
          if (code !== 0) throw new Error(`a process ended with ${code}`)
        }),
      )
      for (const one of ended) one.catch(() => undefined)
      let total = 0
      const ids: string[] = []
      let shared: Shared = []
      try {
        for (let isOver = false; !isOver;) {
          const phases = await Promise.all(
            children.map(async (child, i) => {
              const [phase] = (await Promise.race([once(child, 'message'), ended[i]!])) ?? []
              return phase as Phase
            }),
          )
          for (const phase of phases) {
            total += phase.calls
            ids.push(...phase.ids)
            assert.deepEqual(
              phase.wrong.slice(0, 3),
              [],
              `${phase.wrong.length} wrong of ${phase.calls} calls`,
            )
          }
          if (phases[0]!.interactions !== undefined) shared = phases.map((one) => one.interactions!)
          isOver = total >= PROCESSES * uses * CALLS_OF_A_USE
          if (!isOver) for (const child of children) child.send(shared)
        }
        await Promise.all(ended)
      } finally {
        for (const child of children) child.kill('SIGKILL')
        program.remove()
        await remove()
      }
      ids.push(...shared.flat().map(({ id }) => id))
      assert.equal(new Set(ids).size, ids.length, 'an id was given twice')
      assert.equal(ids.length, PROCESSES * uses * (2 + PROCESSES))
      return { calls: total, faults: 0, note: `${ids.length} different ids in a round` }
    },
  }
}

export const answers = (calls: number): readonly Trial[] => grounds.map((ground) => answersOf(ground, calls))
