/** Questions to the server, and the answers that the page shows. */
import { draw } from './dom.ts'

/** How the page reaches its service. */
interface Service {
  send(path: string, init?: RequestInit): Promise<Response>
  /** Whether the service runs in the page, which then has no server and reaches no bot. */
  readonly isInPage: boolean
  /** Deploys the commands that the page came with. */
  startAgain?(): Promise<void>
}

/** The service: a server, until the page brings one of its own. */
export const service: Service = { send: (path, init) => fetch(path, init), isInPage: false }

export function useService(own: Service): void {
  Object.assign(service, own)
}

/** @throws Error with the server's message */
export async function ask<Answer>(name: string, query: object, post = false): Promise<Answer> {
  const body = JSON.stringify(query)
  const headers = { 'Content-Type': 'application/json' }
  const response = post
    ? await service.send(`/ui/${name}`, { method: 'POST', headers, body })
    : await service.send(`/ui/${name}?q=${encodeURIComponent(body)}`)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer as Answer
}

let changeCount = 0

/** Makes the sources ask again for every answer about commands. */
export function outdate(): void {
  changeCount++
}

/** An answer that is asked for again whenever its question, or what the server holds, has changed. */
export class Source<Answer> {
  value: Answer | undefined
  error = ''
  /** True once an answer has taken 200 ms. */
  isSlow = false
  /** Whether the last question is answered. */
  isSettled = false
  #asked = ''
  #turn = 0
  readonly #isLive: boolean

  /** @param isLive whether a change of the commands changes the answer */
  constructor(isLive = true) {
    this.#isLive = isLive
  }

  /** Asks a new question, and returns the last answer. The page is drawn when the new one arrives. */
  ask(name: string, query: object, post = false): Answer | undefined {
    const asked = JSON.stringify([name, query, this.#isLive && changeCount])
    if (asked !== this.#asked) void this.#load(name, query, post, asked)
    return this.value
  }

  async #load(name: string, query: object, post: boolean, asked: string): Promise<void> {
    const turn = ++this.#turn
    this.#asked = asked
    this.isSettled = false
    const timer = setTimeout(() => {
      this.isSlow = true
      draw()
    }, 200)
    const answer = await ask<Answer>(name, query, post).then(
      (value) => ({ value, error: '' }),
      (error: Error) => ({ error: error.message }),
    )
    clearTimeout(timer)
    if (turn !== this.#turn) return
    Object.assign(this, answer, { isSlow: false, isSettled: true })
    draw()
  }

  /** Asks again. */
  retry(): void {
    this.#asked = ''
    draw()
  }
}
