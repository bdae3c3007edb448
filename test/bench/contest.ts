/**
 * Contenders against a floor. Each runs in a process of its own, so that the shapes of one do not slow another; they
 * take turns in shuffled order, and a figure is the median of the ratios inside the rounds. Processor time is counted,
 * not the time that passes, so other work on the machine changes little.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { seeded, type Random } from '../support/random.ts'

/** One operation. What it returns is kept, so that the compiler cannot leave the work out. */
export type Operation = (turn: number) => unknown

/** A server, whose operation is to answer one of these requests. */
export interface Served {
  readonly url: string
  readonly requests: readonly {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }[]
}

/** Prepares a contender, in its process. */
export type Contender = () => Operation | Served | Promise<Operation | Served>

/** Contenders by name; the first is the floor. */
export type Contest = Readonly<Record<string, Contender>>

export interface Ratios {
  /** Microseconds of one operation of the floor. */
  readonly floor: number
  /** The other contenders by name, times the floor. */
  readonly times: ReadonlyMap<string, number>
}

/** Many and short: other work on the machine slows a processor by half, for milliseconds or for seconds. */
const ROUNDS = 61

/** Runs a contest of `contests.ts` once, on a version of Node. */
export async function hold(node: string, program: string, contest: string): Promise<Ratios> {
  const random = seeded(1)
  const names = JSON.parse(await answerOf(start(node, program, contest, ''))) as string[]
  const players = await Promise.all(
    names.map(async (name) => {
      const child = start(node, program, contest, name)
      return {
        name,
        child,
        served: JSON.parse(await answerOf(child)) as Served | null,
        costs: [] as number[],
      }
    }),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  try {
    for (let round = -1; round < ROUNDS; round++) {
      for (const player of shuffled(players, random)) {
        const { child, served } = player
        if (served !== null) await send(child, 'begin')
        if (served !== null) await drive(agent, served)
        const cost = Number(await send(child, served === null ? 'run' : 'end'))
        // The first round warms up what the preparation did not.
        if (round >= 0) player.costs.push(cost / (served === null ? 1 : requestsOf(served)))
      }
    }
  } finally {
    agent.destroy()
    for (const { child } of players) child.disconnect()
  }
  const [floor, ...rest] = players
  return {
    floor: median(floor!.costs),
    times: new Map(
      rest.map(({ name, costs }) => [name, median(costs.map((cost, i) => cost / floor!.costs[i]!))]),
    ),
  }
}

function start(node: string, program: string, ...rest: string[]): ChildProcess {
  return fork(program, rest, {
    execPath: node,
    execArgv: ['--no-warnings', '--expose-gc', '--max-old-space-size=8192'],
  })
}

async function send(child: ChildProcess, message: string): Promise<string> {
  child.send(message)
  return answerOf(child)
}

/** The next message of a child; rejects if it ends instead. */
export async function answerOf(child: ChildProcess): Promise<string> {
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.slice(-2).join(' ')} ended with ${code}`)
  })
  exit.catch(() => undefined)
  try {
    return (await Promise.race([
      once(child, 'message').then(([message]) => message as string),
      exit,
    ])) as string
  } finally {
    ended.abort()
  }
}

/** Large bodies are sent once a round, small ones until the clock of the processor has something to count. */
function requestsOf({ requests }: Served): number {
  return (requests[0]!.body?.length ?? 0) > 1_000_000 ? 1 : 300
}

async function drive(agent: Agent, served: Served): Promise<void> {
  let next = 0
  const count = requestsOf(served)
  async function keepAsking(): Promise<void> {
    while (next < count) await ask(agent, served, next++)
  }
  await Promise.all(Array.from({ length: 8 }, keepAsking))
}

function ask(agent: Agent, { url, requests }: Served, turn: number): Promise<void> {
  const { method, path, headers, body } = requests[turn % requests.length]!
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response.on('error', reject).on('end', resolve).resume()
      if (response.statusCode! >= 500) reject(new Error(`${method} ${path}: ${response.statusCode}`))
    })
    sent.on('error', reject).end(body)
  })
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const drawn = items.map((item) => ({ item, at: random.next() }))
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
