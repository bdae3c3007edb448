/** Moves the clocks of bots in other processes, together with the one of this process. */
import { once } from 'node:events'
import net from 'node:net'
import { systemClock } from '../../core/clock.ts'
import { equalsSecret, newSecret } from '../../core/secrets.ts'
import { realTimers, type MovingClock } from '../../core/timers.ts'
import { eachMessage, FOLLOW_VARIABLE, followedText, type Greeting, type Move, type Moved } from './follow.ts'

/** Milliseconds of real time in which a process must have moved one step. */
const LIMIT = 30_000

/** How often in turn a step may leave the time as it is: programs that wake each other would never end. */
const MAX_STILL_STEPS = 10_000

type Call = (call: Exclude<Move['call'], 'rest'>, to?: number) => Promise<number>

/** Another process. */
interface Follower {
  readonly call: Call
  /** Waits until what it has under way is done. @returns what is not, in words */
  readonly rest: (milliseconds: number) => Promise<readonly string[]>
}

export interface ProcessClock extends MovingClock {
  /** The processes whose clocks it moves. */
  readonly size: number
  /** The variables with which a program that is started now follows it. */
  environment(): Readonly<Record<string, string>>
  close(): void
}

/** The clock of `commandry/clock` in this process, which a clock of processes moves as well. */
export interface OwnClock extends MovingClock {
  begin(): Promise<void>
  step(to: number): Promise<void>
  nextDue(): number
  offset(): number
  end(): Promise<void>
}

/**
 * A clock that flows, and that processes with `commandry/clock` follow.
 *
 * @param start.ahead milliseconds by which it begins ahead of real time
 * @param start.own a clock of this process that follows it too
 */
export async function openProcessClock({
  ahead = 0,
  own,
}: { readonly ahead?: number; readonly own?: OwnClock | undefined } = {}): Promise<ProcessClock> {
  const followers = new Set<Follower>()
  const word = newSecret(16)
  const server = net.createServer((socket) => awaitWord(socket.unref(), word, followers))
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  const moveOwn: readonly Call[] =
    own === undefined
      ? []
      : [
          async (call, to = 0) => {
            await own[call](to)
            return Math.max(0, own.nextDue())
          },
        ]
  let offset = ahead
  let stopped: number | undefined
  const flowing = () => own?.now() ?? systemClock.now() + offset
  const moveBy = async (milliseconds: number, onStep: () => void) => {
    const all = [...moveOwn, ...[...followers].map(({ call }) => call)]
    const each: Call = async (call, to = 0) =>
      Math.min(Infinity, ...(await Promise.all(all.map((one) => one(call, to)))))
    const from = (stopped = flowing())
    const goTo = (time: number) => {
      stopped = Math.max(stopped!, from + time)
      onStep()
    }
    try {
      let due = await each('begin')
      for (let still = 0; due <= milliseconds;) {
        still = from + due > stopped ? 0 : still + 1
        if (still > MAX_STILL_STEPS)
          throw new Error(`advance: timers stay due after ${MAX_STILL_STEPS} steps; stop them first`)
        goTo(due)
        due = await each('step', due)
      }
      goTo(milliseconds)
      await each('step', milliseconds)
    } finally {
      offset = stopped - systemClock.now()
      stopped = undefined
      await each('end')
    }
  }
  let queue: Promise<unknown> = Promise.resolve()
  return {
    get size() {
      return followers.size + moveOwn.length
    },
    get movesBots() {
      return followers.size + moveOwn.length > 0
    },
    now: () => stopped ?? flowing(),
    environment: () => ({
      [FOLLOW_VARIABLE]: followedText({ port, word, offset: Math.max(0, own?.offset() ?? offset) }),
    }),
    advance(milliseconds, onStep = () => {}) {
      const moved = queue.then(() => moveBy(milliseconds, onStep))
      queue = moved.catch(() => {})
      return moved
    },
    async rest(milliseconds) {
      return (await Promise.all([...followers].map(({ rest }) => rest(milliseconds)))).flat()
    },
    close: () => void server.close(),
  }
}

/** Adds the process at the other end of a connection to the followers once it has given the word. */
function awaitWord(socket: net.Socket, word: string, followers: Set<Follower>): void {
  let follower: ReturnType<typeof followerOf> | undefined
  socket.setTimeout(LIMIT, () => socket.destroy())
  eachMessage<Moved | Greeting>(socket, (message) => {
    if (follower !== undefined) return follower.receive(message as Moved)
    if (socket.destroyed || !('word' in message) || !equalsSecret(String(message.word), word))
      return void socket.destroy()
    socket.setTimeout(0)
    follower = followerOf(socket)
    followers.add(follower)
  })
  socket.on('close', () => follower && followers.delete(follower))
}

/** The process at the other end of a connection. One that ends or hangs is left behind. */
function followerOf(socket: net.Socket) {
  const waiting = new Map<number, (moved: Omit<Moved, 'id'>) => void>()
  let count = 0
  socket.on('close', () => {
    for (const resolve of waiting.values()) resolve({ due: null })
  })
  const ask = (call: Move['call'], to: number) =>
    new Promise<Omit<Moved, 'id'>>((resolve, reject) => {
      const id = ++count
      const late = realTimers.start(() => socket.destroy(), LIMIT)
      waiting.set(id, (moved) => {
        realTimers.stop(late)
        waiting.delete(id)
        if (moved.error === undefined) resolve(moved)
        else reject(new Error(moved.error))
      })
      if (socket.destroyed) socket.emit('close')
      else socket.write(`${JSON.stringify({ id, call, to } satisfies Move)}\n`)
    })
  return {
    call: async (call: Parameters<Call>[0], to = 0) => (await ask(call, to)).due ?? Infinity,
    rest: async (milliseconds: number) => (await ask('rest', milliseconds)).underWay ?? [],
    receive: (moved: Moved) => waiting.get(moved.id)?.(moved),
  }
}
