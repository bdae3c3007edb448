/**
 * Contenders against a floor. Each runs in a process of its own, so that the shapes of one do not slow another; they take
 * turns in shuffled order, and a figure is the median of the ratios inside the rounds. Processor time is counted, not the
 * time that passes, so other work on the machine changes little.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { seeded, shuffled } from '../support/random.ts'

/** One operation. What it returns is kept, so that the compiler cannot leave the work out. */
export type Operation = (turn: number) => unknown

/** An operation on a value that is made anew for each turn, which does not count. */
export interface Reading {
  readonly make: () => unknown
  readonly read: (value: unknown) => unknown
}

/** A server, whose operation is to answer one of these requests. */
export interface Served {
  readonly url: string
  readonly requests: readonly Sent[]
}

/** A request. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Prepares a contender, in its process. */
export type Prepared = Operation | Reading | Served
export type Contender = () => Prepared | Promise<Prepared>

/** The floor of what reads a body as JSON. */
export const parsing = (body: unknown) => (): Operation => {
  const text = JSON.stringify(body)
  return () => JSON.parse(text)
}

/** Contenders by name: the floor, `commandry`, and a peer if there is one. */
export type Contest = Readonly<Record<string, Contender>>

/** A row of the table. */
export interface ContestRow {
  readonly figure: string
  readonly goal?: number
  /** Options of Node. Default: none */
  readonly flags?: readonly string[]
  /** Called in each process, so that it holds nothing of other contests. */
  readonly contest: () => Contest
}

/** Runs every row of a bench as briefly as possible, to see that it can. */
export const isQuick = process.env['BENCH_QUICK'] !== undefined

/** Many and short: other work on the machine slows a processor by half, for milliseconds or for seconds. */
const ROUNDS = isQuick ? 3 : 21
/** A row of slow operations has fewer, once this has passed. */
const FEWER_ROUNDS = isQuick ? 3 : 11
const MILLISECONDS = 5_000

/** What a process prepares: a contender of a row. */
export interface Preparation {
  readonly figure: string
  readonly name: string
}

/** A contender measures an operation, or what it did between two messages. */
export type Turn = 'run' | 'begin' | 'end'

/** Processor time of each contender, by name: one number a round. */
export type Costs = Readonly<Record<string, readonly number[]>>

interface Player {
  readonly name: string
  readonly child: ChildProcess
  readonly served: Served | null
  readonly costs: number[]
}

/** The costs of the contenders of a row, on a version of Node. */
export async function hold(node: string, program: string, row: ContestRow): Promise<Costs> {
  const flags = ['--no-warnings', '--expose-gc', '--max-old-space-size=8192', ...(row.flags ?? [])]
  const children = Object.keys(row.contest()).map((name) => {
    const preparation: Preparation = { figure: row.figure, name }
    const child = fork(program, [JSON.stringify(preparation)], { execPath: node, execArgv: flags })
    return { name, child }
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  try {
    const started = children.map(async ({ name, child }): Promise<Player> => {
      return { name, child, served: JSON.parse(await answerOf(child)) as Served | null, costs: [] }
    })
    return await takeTurns(await Promise.all(started), agent)
  } finally {
    agent.destroy()
    for (const { child } of children) if (child.connected) child.disconnect()
  }
}

async function takeTurns(players: readonly Player[], agent: Agent): Promise<Costs> {
  const random = seeded(1)
  const end = performance.now() + MILLISECONDS
  for (let round = -1; round < ROUNDS; round++) {
    if (round >= FEWER_ROUNDS && performance.now() > end) break
    for (const { child, served, costs } of shuffled(players, random)) {
      const ask = (turn: Turn) => {
        child.send(turn)
        return answerOf(child)
      }
      if (served !== null) await ask('begin')
      const count = served === null ? 1 : await drive(agent, served)
      const cost = Number(await ask(served === null ? 'run' : 'end'))
      // The first round warms up what the preparation did not.
      if (round >= 0) costs.push(cost / count)
    }
  }
  return Object.fromEntries(players.map(({ name, costs }) => [name, costs]))
}

/** The median of the ratios inside the rounds. */
export function quotient(costs: readonly number[], floor: readonly number[]): number {
  return median(costs.map((cost, round) => cost / floor[round]!))
}

/** The next message of a child; rejects if it ends instead. */
async function answerOf(child: ChildProcess): Promise<string> {
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code}`)
  })
  exit.catch(() => undefined)
  try {
    const [message] = (await Promise.race([once(child, 'message'), exit])) as [string]
    return message
  } finally {
    ended.abort()
  }
}

/** Sends large bodies once, small ones until the clock of the processor has something to count. Returns how often. */
async function drive(agent: Agent, served: Served): Promise<number> {
  const count = isQuick || (served.requests[0]!.body?.length ?? 0) > 1_000_000 ? 1 : 300
  let next = 0
  async function keepAsking(): Promise<void> {
    while (next < count) await send(agent, served.url, served.requests[next++ % served.requests.length]!)
  }
  await Promise.all(Array.from({ length: 8 }, keepAsking))
  return count
}

/** Sends a request, and resolves with the status once the response is read. */
export function send(agent: Agent, url: string, { method, path, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      const status = response.statusCode!
      response
        .on('error', reject)
        .on('end', () => resolve(status))
        .resume()
      if (status >= 500) reject(new Error(`${method} ${path}: ${status}`))
    })
    sent.on('error', reject).end(body)
  })
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

/** Microseconds of the processor that this process has used, garbage collection and compilation included. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
