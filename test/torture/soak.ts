/**
 * Keeps a service busy and records its heap by minute. Bots are dropped and resume, or log in anew and leave their
 * sessions; they get large messages; people use commands that are answered, deferred, followed up, or never answered.
 * The heap must end on a plateau: sessions live for 5 minutes after their bots, tokens for 15, and what is kept of them
 * is bounded.
 */
import assert from 'node:assert/strict'
import { WebSocket } from 'ws'
import { startService } from './service.ts'
import { passed, type Outcome } from './trial.ts'

const BOTS = 12
/** Milliseconds between two actions. */
const PAUSE = 40
/** Minutes until every bound is reached, and everything that expires has expired once. */
const WARM = 20
/** The sum of the bounds of docs/SECURITY.md that this use can reach, in MiB. */
const MOST = 400

const text = (length: number) => 'x'.repeat(length)

class Traffic {
  requests = 0
  readonly failures: string[] = []
  readonly origin: string
  constructor(origin: string) {
    this.origin = origin
  }

  async send(bot: Bot | undefined, method: string, route: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json', ...(bot && { authorization: `Bot ${bot.token}` }) }
    try {
      const response = await fetch(`${this.origin}${route}`, { method, headers, body: JSON.stringify(body) })
      await response.arrayBuffer()
      this.requests++
      // 504 is the answer to a use that no bot answers.
      if (response.status >= 500 && response.status !== 504)
        this.failures.push(`${method} ${route.split('?')[0]} ${response.status}`)
    } catch (error) {
      this.failures.push(`${method} ${error instanceof Error ? String(error.cause ?? error) : error}`)
    }
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
        if (t === 'INTERACTION_CREATE') void this.#answer(d)
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

  async act(round: number): Promise<void> {
    const kind = round % 10
    const messages = '/api/v10/channels/4001/messages'
    if (kind === 0) {
      this.#socket?.terminate()
      // One bot in four leaves its session behind.
      const isResume = round % 40 !== 0
      if (isResume) await this.traffic.send(this, 'POST', messages, { content: text(2_000) })
      await this.connect(isResume)
    } else if (kind < 5) {
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
  let isOver = false
  const start = performance.now()
  const worked = (async () => {
    for (let round = 1; !isOver && service.isRunning(); round++) {
      // Unanswered uses wait for three seconds.
      void bots[round % BOTS]!.act(Math.ceil(round / BOTS))
      await passed(PAUSE)
      if (performance.now() - start >= heaps.length * 60_000) heaps.push(await service.heap())
    }
  })()
  return {
    async stop() {
      isOver = true
      await worked
      // The last uses wait for their answers.
      await passed(4_000)
      assert.ok(service.isRunning(), `the service has ended: ${service.errors()}`)
      heaps.push(await service.heap())
      await service.stop()
      assert.deepEqual([...new Set(traffic.failures)], [], 'requests failed')
      const most = Math.max(...heaps)
      assert.ok(most < MOST, `the heap grew to ${most} MiB: ${heaps.join(', ')}`)
      const warm = Math.max(...heaps.slice(WARM, WARM + 5))
      const last = Math.max(...heaps.slice(-5))
      if (heaps.length > WARM + 10)
        assert.ok(last <= warm * 1.25, `the heap grows from ${warm} to ${last} MiB: ${heaps.join(', ')}`)
      return { calls: traffic.requests, faults: 0, note: `heap by minute in MiB: ${heaps.join(', ')}` }
    },
  }
}
