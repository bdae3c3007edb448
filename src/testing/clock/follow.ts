/** The clock of a bot in another process, moved over a connection to the process of the service. */
import net from 'node:net'
import type { InstalledClock } from './moved-clock.ts'

/** The environment variable that names the process which moves the clock: its port, a word that opens it, and how far it is ahead. */
export const FOLLOW_VARIABLE = 'COMMANDRY_CLOCK'

/** The first message to the port: only a program that got the variable has the word. */
export interface Greeting {
  readonly word: string
}

/** A request to a process, one JSON object a line; `to` is in milliseconds since `begin`, of `rest` the longest wait. */
export interface Move {
  readonly id: number
  readonly call: 'begin' | 'step' | 'end' | 'rest'
  readonly to: number
}

/**
 * The response to a `Move`: when the next timer is due, in milliseconds since `begin`; null without one. That to `rest`
 * names what is under way.
 */
export interface Moved {
  readonly id: number
  readonly due: number | null
  readonly error?: string
  readonly underWay?: readonly string[]
}

/** The process that moves the clock. */
interface Followed extends Greeting {
  readonly port: number
  /** Milliseconds by which it is ahead. */
  readonly offset: number
}

/** The value of the variable. */
export function followedText({ port, word, offset }: Followed): string {
  return `${port} ${word} ${Math.round(offset)}`
}

/**
 * Whether this process is of a test runner, whose time limits must stay in real time. The command line loads the clock
 * in every program below the one that it starts.
 */
export function isTestRunner(program: string | undefined): boolean {
  return /[\\/]node_modules[\\/](?:\.bin[\\/])?(?:vitest|jest|mocha|ava|tap|playwright|@playwright)\b/.test(
    program ?? '',
  )
}

export function readFollowed(text: string | undefined): Followed | undefined {
  const [, port, word = '', offset] = /^(\d+) ([0-9a-f]+) (\d+)$/.exec(text ?? '') ?? []
  return port === undefined ? undefined : { port: Number(port), word, offset: Number(offset) }
}

/** Messages have less than 100 characters, and the text of an error. */
const MAX_MESSAGE_CHARACTERS = 64 * 1024

/**
 * Calls a function with each message that a socket receives, a JSON object a line. Ends the connection at anything else:
 * any program of the machine can connect to the port.
 */
export function eachMessage<T extends object>(socket: net.Socket, read: (message: T) => void): void {
  let rest = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    const messages = lines.map(objectIn)
    if (rest.length > MAX_MESSAGE_CHARACTERS || messages.includes(undefined)) socket.destroy()
    else for (const message of messages) read(message as T)
  })
  // It ends with the process at its other end.
  socket.on('error', () => {})
}

function objectIn(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return value !== null && typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

/** Lets the process of the service move this clock. */
export function followClock(clock: InstalledClock, { port, word }: Followed): void {
  const socket = new net.Socket()
  const calls = {
    begin: () => clock.begin(),
    step: (to: number) => clock.step(to),
    rest: (milliseconds: number) => clock.rest(milliseconds),
    async end() {
      await clock.end()
      // For the processes that this one starts from now on.
      process.env[FOLLOW_VARIABLE] = followedText({ port, word, offset: clock.offset() })
    },
  }
  const answer = async ({ id, call, to }: Move) => {
    const result = await calls[call](to).then(
      (underWay) => underWay && { underWay },
      (cause: Error) => ({ error: cause.message }),
    )
    const due = clock.nextDue()
    const moved: Moved = { id, due: due === Infinity ? null : due, ...result }
    socket.write(`${JSON.stringify(moved)}\n`)
  }
  eachMessage<Move>(socket, (move) => void answer(move))
  // Its bytes are none of the bot.
  Reflect.apply(clock.real.connect, socket, [port, '127.0.0.1'])
  socket.write(`${JSON.stringify({ word } satisfies Greeting)}\n`)
  socket.unref()
}
