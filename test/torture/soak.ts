/**
 * Keeps a service busy and records its memory by minute. Bots are dropped and resume, or log in anew and leave their
 * sessions; they get large messages; they send files and fetch them, forms of 20 MiB among them, and start threads, write in them, and archive or
 * delete them; people use commands that are answered, deferred, followed up, or never answered. The heap and the bytes
 * of files beside it must end on a plateau: sessions live for 5 minutes after their bots, tokens for 15, and what is
 * kept of them is bounded.
 */
import assert from 'node:assert/strict'
import { WebSocket } from 'ws'
import { startService } from './service.ts'
import type { Outcome } from './trial.ts'
import { passed } from '../support/waiting.ts'

const BOTS = 12
/** Milliseconds between two actions. */
const PAUSE = 40
const FILE_BYTES = 256 * 1024
/** Two files in a form of 20 MiB, and how many actions come between two times at which forms are sent. */
const LARGE_FILE_BYTES = 10 * 1024 * 1024
const LARGE_EVERY = 100
const LARGE_AT_ONCE = 2
/** Minutes until every bound is reached, and everything that expires has expired once. */
const WARM = 20
/** The sum of the bounds of docs/SECURITY.md that this use can reach, in MiB. */
const MOST = 400
/** With what V8 and the allocator keep for later. */
const MOST_RESIDENT = 1_200

const CHANNEL = '/api/v10/channels/4001'
const text = (length: number) => 'x'.repeat(length)

class Traffic {
  requests = 0
  /** Requests that were sent again after a 503. */
  refused = 0
  readonly failures: string[] = []
  readonly origin: string
  readonly #underWay = new Set<Promise<unknown>>()
  constructor(origin: string) {
    this.origin = origin
  }

  /** Follows work of several requests until it ends. */
  follow(work: Promise<unknown>): void {
    const followed: Promise<void> = work
      .catch((error) => this.failures.push(String(error)))
      .then(() => void this.#underWay.delete(followed))
    this.#underWay.add(followed)
  }

  /** Resolves when all work has ended, also that which begins meanwhile. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** The JSON of the response; undefined for a failure. */
  async send(bot: Bot | undefined, method: string, route: string, body?: unknown): Promise<any> {
    const isForm = body instanceof FormData
    const headers = {
      ...(!isForm && { 'content-type': 'application/json' }),
      ...(bot && { authorization: `Bot ${bot.token}` }),
      // A connection of its own: an idle one may be closed by the service while it is reused.
      connection: 'close',
    }
    try {
      const init = { method, headers, body: isForm ? body : JSON.stringify(body) }
      const response = await fetch(`${this.origin}${route}`, init)
      const text = await response.text()
      this.requests++
      // Too many bytes are under way.
      const wait = response.status === 503 ? Number(response.headers.get('retry-after')) : 0
      if (wait > 0) {
        this.refused++
        await passed(wait * 1_000)
        return await this.send(bot, method, route, body)
      }
      // 504 is the answer to a use that no bot answers.
      if (response.status >= 500 && response.status !== 504)
        this.failures.push(`${method} ${route.split('?')[0]} ${response.status}`)
      return response.ok && text !== '' ? JSON.parse(text) : undefined
    } catch (error) {
      this.failures.push(`${method} ${error instanceof Error ? String(error.cause ?? error) : error}`)
      return undefined
    }
  }

  /** Fetches a file, which must still be whole. */
  async read(url: string, length = FILE_BYTES): Promise<void> {
    const bytes = await (await fetch(url)).arrayBuffer()
    this.requests++
    if (bytes.byteLength !== length) this.failures.push(`a file has ${bytes.byteLength} bytes`)
  }
}

class Bot {
  readonly id: string
  readonly token: string
  readonly traffic: Traffic
  #socket: WebSocket | undefined
  #session: string | undefined
  #seq: number | undefined
  constructor(id: string, traffic: Traffic) {
    this.id = id
    this.traffic = traffic
    this.token = `${btoa(id).replaceAll('=', '')}.a.b`
  }

  connect(isResume: boolean): Promise<unknown> {
    const socket = new WebSocket(`${this.traffic.origin.replace('http', 'ws')}/?v=10&encoding=json`)
    this.#socket = socket
    socket.on('error', () => {})
    return new Promise<unknown>((resolve) => {
      socket.on('close', resolve)
      socket.on('message', (data: Buffer) => {
        const { op, s, t, d } = JSON.parse(String(data)) as {
          op: number
          s?: number | null
          t?: string
          d: any
        }
        if (s !== null && s !== undefined) this.#seq = s
        if (op === 10) {
          const { token } = this
          const resumed = { token, session_id: this.#session, seq: this.#seq }
          const identified = { token, intents: 33_281, properties: {} }
          socket.send(JSON.stringify(isResume ? { op: 6, d: resumed } : { op: 2, d: identified }))
        }
        if (op === 9) resolve(this.connect(false))
        if (t === 'READY') this.#session = d.session_id
        if (t === 'READY' || t === 'RESUMED') resolve(undefined)
        if (t === 'INTERACTION_CREATE') this.traffic.follow(this.#answer(d))
      })
    })
  }

  async #answer({ id, token }: { id: string; token: string }): Promise<void> {
    const kind = Math.random()
    // The person waits in vain, or the token expires unused.
    if (kind < 0.05) return
    const data = { content: text(2_000), embeds: [{ description: text(3_000) }] }
    const isDeferred = kind < 0.4
    const first = isDeferred ? { type: 5 } : { type: 4, data }
    const { traffic } = this
    await traffic.send(undefined, 'POST', `/api/v10/interactions/${id}/${token}/callback`, first)
    const hook = `/api/v10/webhooks/${this.id}/${token}`
    if (isDeferred && kind < 0.3) await traffic.send(undefined, 'PATCH', `${hook}/messages/@original`, data)
    if (kind > 0.7) await traffic.send(undefined, 'POST', hook, data)
  }

  async #sendFile(channel: string): Promise<void> {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ content: 'a file' }))
    form.set('files[0]', new Blob([new Uint8Array(FILE_BYTES)]), 'data.bin')
    const message = await this.traffic.send(this, 'POST', `${channel}/messages`, form)
    if (message !== undefined) await this.traffic.read(message.attachments[0].url)
  }

  /** Sends a form of 20 MiB, again after a 503, and fetches its last file. */
  async sendLarge(): Promise<void> {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ content: 'two files' }))
    for (const index of [0, 1])
      form.set(`files[${index}]`, new Blob([new Uint8Array(LARGE_FILE_BYTES)]), `data${index}.bin`)
    const message = await this.traffic.send(this, 'POST', `${CHANNEL}/messages`, form)
    if (message !== undefined) await this.traffic.read(message.attachments[1].url, LARGE_FILE_BYTES)
  }

  /** Starts a thread with messages, one of them with a file, then archives it; one in ten is deleted. */
  async #useThread(round: number): Promise<void> {
    const { traffic } = this
    const start = { name: `thread ${round}`, type: 11 }
    const thread = await traffic.send(this, 'POST', `${CHANNEL}/threads`, start)
    if (thread === undefined) return
    const route = `/api/v10/channels/${thread.id}`
    await traffic.send(this, 'POST', `${route}/messages`, { content: text(2_000) })
    if (round % 20 === 4) await this.#sendFile(route)
    if (round % 100 === 4) await traffic.send(this, 'DELETE', route)
    else await traffic.send(this, 'PATCH', route, { archived: true })
  }

  async act(round: number): Promise<void> {
    const kind = round % 10
    const messages = `${CHANNEL}/messages`
    if (kind === 0) {
      this.#socket?.terminate()
      // One bot in four leaves its session behind.
      const isResume = round % 40 !== 0
      if (isResume) await this.traffic.send(this, 'POST', messages, { content: text(2_000) })
      await this.connect(isResume)
    } else if (kind === 3) {
      await this.#sendFile(CHANNEL)
    } else if (kind === 4) {
      await this.#useThread(round)
    } else if (kind < 3) {
      const embeds = [{ description: text(4_000) }]
      await this.traffic.send(this, 'POST', messages, { content: text(2_000), embeds })
    } else {
      const values = { what: text(6_000) }
      const use = { as: 'ada', line: '/ping', values, application: this.id }
      await this.traffic.send(undefined, 'POST', '/people/use', use)
    }
  }
}

/** Starts the use; `stop` ends it and returns what happened. */
export async function startSoak(): Promise<{ stop(): Promise<Outcome> }> {
  const service = await startService('memory')
  const traffic = new Traffic(service.origin)
  const bots = Array.from({ length: BOTS }, (_, index) => new Bot(String(1001 + index), traffic))
  const options = [{ type: 3, name: 'what', description: 'x' }]
  for (const bot of bots) {
    await bot.connect(false)
    const commands = [{ name: 'ping', description: 'x', options }]
    await traffic.send(bot, 'PUT', `/api/v10/applications/${bot.id}/commands`, commands)
  }
  const heaps: number[] = []
  const buffers: number[] = []
  const resident: number[] = []
  async function measure(): Promise<void> {
    const memory = await service.memory()
    heaps.push(memory.heap)
    buffers.push(memory.buffers)
    resident.push(memory.rss)
  }
  let isOver = false
  const start = performance.now()
  const worked = (async () => {
    for (let round = 1; !isOver && service.isRunning(); round++) {
      // Unanswered uses wait for three seconds.
      traffic.follow(bots[round % BOTS]!.act(Math.ceil(round / BOTS)))
      if (round % LARGE_EVERY === 0)
        for (let form = 0; form < LARGE_AT_ONCE; form++) traffic.follow(bots[form]!.sendLarge())
      await passed(PAUSE)
      if (performance.now() - start >= heaps.length * 60_000) await measure()
    }
  })()
  return {
    async stop() {
      isOver = true
      await worked
      // The last uses wait for their answers, and their bots send more after that.
      await traffic.ended()
      assert.ok(service.isRunning(), `the service has ended: ${service.errors()}`)
      await measure()
      await service.stop()
      const note = `MiB by minute: heap ${heaps.join(', ')}; buffers ${buffers.join(', ')}; resident ${resident.join(', ')}; ${traffic.refused} sent again`
      const failures = [...new Set(traffic.failures)].join(', ')
      assert.equal(
        failures,
        '',
        `${traffic.failures.length} of ${traffic.requests} requests failed: ${failures}; ${note}`,
      )
      checkPlateau('the heap', heaps)
      checkPlateau('the buffers', buffers)
      checkPlateau('the process', resident, MOST_RESIDENT)
      return { calls: traffic.requests, faults: 0, note }
    },
  }
}

/** Expects a bounded size, and in a long run one that no longer grows. */
function checkPlateau(what: string, sizes: readonly number[], limit = MOST): void {
  const most = Math.max(...sizes)
  assert.ok(most < limit, `${what} grew to ${most} MiB: ${sizes.join(', ')}`)
  if (sizes.length <= WARM + 10) return
  const warm = Math.max(...sizes.slice(WARM, WARM + 5))
  const last = Math.max(...sizes.slice(-5))
  assert.ok(last <= warm * 1.25 + 1, `${what} grew from ${warm} to ${last} MiB: ${sizes.join(', ')}`)
}
