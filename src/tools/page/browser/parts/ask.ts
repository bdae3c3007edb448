/** Requests to the service: questions, whose answers the page shows, and writes through the public routes. */
import { DEFAULT_BASE_PATH } from '../../../../service/http/base-path.ts'
import type { Answer, QuestionName } from '../../questions/questions.ts'
import { draw, h, typed, type Child } from './dom.ts'

/** How the page reaches its service: a server, until the page brings a service of its own. */
export const service = {
  send: (path: string, init?: RequestInit): Promise<Response> => fetch(path, init),
  /** Whether the service runs in the page, which then has no server and reaches no bot. */
  isInPage: false,
  /** The beginning of the keys of edited texts in the browser. Page files with other commands have another. */
  memory: 'commandry',
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

/** Writes as any client does. @param body a value, or its JSON @throws Error with the reason why nothing was written */
export async function write(method: string, path: string, body: unknown, type = 'Bot'): Promise<void> {
  const sent = service.send(`${DEFAULT_BASE_PATH}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `${type} ${access.token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const response = await sent.catch(() => {
    throw new Error('Not connected: nothing was written.')
  })
  access.isRefused = response.status === 401
  if (access.isRefused) throw new Error('This server asks for a token.')
  if (!response.ok) throw new Error((await response.json()).message)
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
  isSettled = true
  /** Resolves when the last question is answered. */
  settled = Promise.resolve()
  #query: object = {}
  /** The question that `value` answers. */
  #answered = ''
  #asked = ''
  readonly #name: Name
  readonly #isLive: boolean

  /** @param isLive whether a change of the commands changes the answer */
  constructor(name: Name, isLive = true) {
    this.#name = name
    this.#isLive = isLive
  }

  /** The last answer. A new question is asked once the last one is answered; the page is drawn when an answer arrives. */
  ask(query: object): Answer<Name> | undefined {
    this.#query = query
    const asked = JSON.stringify([query, this.#isLive && changeCount])
    if (this.isSettled && asked !== this.#asked) this.settled = this.#load(asked)
    return this.value
  }

  /** The answer to this very question, for what acts on it; undefined until it arrives. */
  exactly(query: object): Answer<Name> | undefined {
    const value = this.ask(query)
    return this.#answered === JSON.stringify(query) ? value : undefined
  }

  async #load(asked: string): Promise<void> {
    this.#asked = asked
    this.isSettled = false
    const query = JSON.stringify(this.#query)
    const answer = await ask(this.#name, this.#query).then(
      (value) => ({ value, error: '' }),
      (error: Error) => ({ error: error.message }),
    )
    if (answer.error === '') this.#answered = query
    Object.assign(this, answer, { isSettled: true })
    draw()
  }

  /** The next question is asked, also if it is the last one. */
  outdate(): void {
    this.#asked = ''
  }

  /** Asks the same question again. */
  retry(): void {
    this.outdate()
    this.ask(this.#query)
  }
}
