/** Requests to the service: questions, whose answers the page shows, and writes through the public routes. */
import { DEFAULT_BASE_PATH } from '../../http/base-path.ts'
import type { Answer, QuestionName } from '../questions.ts'
import { draw, h, typed, type Child } from './dom.ts'

/** How the page reaches its service: a server, until the page brings a service of its own. */
export const service = {
  send: (path: string, init?: RequestInit): Promise<Response> => fetch(path, init),
  /** Whether the service runs in the page, which then has no server and reaches no bot. */
  isInPage: false,
  /** Deploys the commands that the page came with. */
  startAgain: async (): Promise<void> => {},
}

/** @throws Error with the server's message */
export async function ask<Name extends QuestionName>(name: Name, query: object = {}): Promise<Answer<Name>> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(query)
  const response = await service.send(`/ui/${name}`, { method: 'POST', headers, body })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}

/** The token of the tab, kept in memory. An open service takes any. */
const access = { token: 'workbench', isRefused: false }

/** Writes as any client does. @param body a value, or its JSON @returns why nothing was written; empty when it was */
export async function write(method: string, path: string, body: unknown, type = 'Bot'): Promise<string> {
  try {
    const response = await service.send(`${DEFAULT_BASE_PATH}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `${type} ${access.token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    access.isRefused = response.status === 401
    if (access.isRefused) return 'This server asks for a token.'
    return response.ok ? '' : (await response.json()).message
  } catch {
    return 'Not connected: nothing was written.'
  }
}

/** Asks for a token once the server has refused the one of the tab. */
export function tokenField(): Child {
  const oninput = typed((value) => (access.token = value))
  return (
    access.isRefused &&
    h`<input type="password" aria-label="Token" placeholder="Token for this server" autocomplete="off" oninput=${oninput} />`
  )
}

let changeCount = 0

/** Makes the sources ask again for every answer about commands. */
export function outdate(): void {
  changeCount++
}

/** An answer that is asked for again whenever its question, or what the server holds, has changed. */
export class Source<Name extends QuestionName> {
  value: Answer<Name> | undefined
  error = ''
  isSettled = false
  #asked = ''
  #turn = 0
  readonly #name: Name
  readonly #isLive: boolean

  /** @param isLive whether a change of the commands changes the answer */
  constructor(name: Name, isLive = true) {
    this.#name = name
    this.#isLive = isLive
  }

  /** Asks a new question, and returns the last answer. The page is drawn when the new one arrives. */
  ask(query: object): Answer<Name> | undefined {
    const asked = JSON.stringify([query, this.#isLive && changeCount])
    if (asked !== this.#asked) void this.#reload(query, asked)
    return this.value
  }

  async #reload(query: object, asked: string): Promise<void> {
    const turn = ++this.#turn
    this.#asked = asked
    this.isSettled = false
    const answer = await ask(this.#name, query).then(
      (value) => ({ value, error: '' }),
      (error: Error) => ({ error: error.message }),
    )
    if (turn !== this.#turn) return
    Object.assign(this, answer, { isSettled: true })
    draw()
  }

  retry(): void {
    this.#asked = ''
    draw()
  }
}
