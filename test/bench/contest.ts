/**
 * Contenders against a floor. Each runs in a process of its own, so that the shapes of one do not slow another, or all
 * in one; they take turns in shuffled order, and a figure is the median of the ratios inside the rounds. Processor time
 * is counted, not the time that passes, so other work on the machine changes little.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { seeded, shuffled } from '../support/random.ts'

/** One operation. What it returns is kept, so that the compiler cannot leave the work out. */
export type Operation = (turn: number) => unknown

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
export type Contender = () => Operation | Served | Promise<Operation | Served>

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

/** Many and short: other work on the machine slows a processor by half, for milliseconds or for seconds. */
const ROUNDS = 61

/** What the process of contenders prepares: those of a row, after it has run those of other rows. */
export interface Preparation {
  readonly figure: string
  readonly names: readonly string[]
  readonly beside: readonly string[]
}

/** A contender measures an operation, or what it did between two messages. */
export interface Turn {
  readonly name: string
  readonly part: 'run' | 'begin' | 'end'
}

/**
 * The cost of the other contenders, times that of the first, on a version of Node.
 *
 * @param beside the figures of rows whose contenders run in the one process of all; undefined for a process each
 */
export async function hold(
  node: string,
  program: string,
  { figure, contest, flags = [] }: ContestRow,
  beside?: readonly string[],
): Promise<readonly number[]> {
  const random = seeded(1)
  const all = Object.keys(contest())
  const groups = beside === undefined ? all.map((name) => [name]) : [all]
  const children = groups.map((names) => {
    const execArgv = ['--no-warnings', '--expose-gc', '--max-old-space-size=8192', ...flags]
    const preparation: Preparation = { figure, names, beside: beside ?? [] }
    return { names, child: fork(program, [JSON.stringify(preparation)], { execPath: node, execArgv }) }
  })
  const started = children.map(async ({ names, child }) => {
    const served = JSON.parse(await answerOf(child)) as readonly (Served | null)[]
    return names.map((name, i) => ({ name, child, served: served[i]!, costs: [] as number[] }))
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  try {
    const players = (await Promise.all(started)).flat()
    for (let round = -1; round < ROUNDS; round++) {
      for (const { name, child, served, costs } of shuffled(players, random)) {
        const ask = (part: Turn['part']) => {
          child.send({ name, part } satisfies Turn)
          return answerOf(child)
        }
        if (served !== null) await ask('begin')
        const count = served === null ? 1 : await drive(agent, served)
        const cost = Number(await ask(served === null ? 'run' : 'end'))
        // The first round warms up what the preparation did not.
        if (round >= 0) costs.push(cost / count)
      }
    }
    const [floor, ...rest] = players.map(({ costs }) => costs)
    return rest.map((costs) => median(costs.map((cost, i) => cost / floor![i]!)))
  } finally {
    agent.destroy()
    for (const { child } of children) if (child.connected) child.disconnect()
  }
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
  const count = (served.requests[0]!.body?.length ?? 0) > 1_000_000 ? 1 : 300
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
