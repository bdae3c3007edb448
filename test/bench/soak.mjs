/**
 * Keeps `commandry serve --gateway` of the built package busy, and prints the heap by minute after a garbage collection:
 * `node test/bench/soak.mjs [--minutes 20]`. Bots are dropped and resume, or log in anew and leave their sessions; they
 * get large messages; they send files and fetch them, and start threads, write in them, and archive or delete them;
 * people use commands that are answered, deferred, followed up, or never answered. The heap and the bytes of files
 * beside it must end on a plateau: sessions live for 5 minutes after their bots, tokens for 15, and what is kept of
 * them is bounded.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'

const minutes = Number(process.argv[process.argv.indexOf('--minutes') + 1] ?? 20) || 20
const BOTS = 12
/** Milliseconds between two actions. */
const PAUSE = 40
const FILE_BYTES = 256 * 1024

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const reporter =
  'process.on("message", () => { gc(); gc(); const { heapUsed, arrayBuffers } = process.memoryUsage(); process.send([heapUsed, arrayBuffers]) }); process.channel.unref()'
const server = fork(path('../../dist/node/cli.js'), ['serve', '--gateway', '--port', '0'], {
  execArgv: ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(reporter)}`],
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
})
process.on('exit', () => server.kill())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(String((await once(server.stdout, 'data'))[0]))
server.stdout.resume()

const counts = {}
const count = (name) => (counts[name] = (counts[name] ?? 0) + 1)
const text = (length) => 'x'.repeat(length)

async function send(bot, method, route, body) {
  const isForm = body instanceof FormData
  const headers = {
    ...(!isForm && { 'content-type': 'application/json' }),
    ...(bot && { authorization: `Bot ${bot.token}` }),
  }
  const response = await fetch(`${origin}${route}`, {
    method,
    headers,
    body: isForm ? body : JSON.stringify(body),
  })
  const json = await response.json().catch(() => undefined)
  count(`${method} ${response.status}`)
  return { status: response.status, json }
}

class Bot {
  constructor(id) {
    this.id = id
    this.token = `${btoa(id).replaceAll('=', '')}.a.b`
  }

  connect(isResume) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/?v=10&encoding=json`)
    this.socket = socket
    socket.on('error', () => {})
    return new Promise((resolve) => {
      socket.on('close', resolve)
      socket.on('message', (data) => {
        const { op, s, t, d } = JSON.parse(String(data))
        if (s !== null && s !== undefined) this.seq = s
        if (op === 10) {
          const { token, session: session_id, seq } = this
          const d = isResume ? { token, session_id, seq } : { token, intents: 33_281, properties: {} }
          socket.send(JSON.stringify({ op: isResume ? 6 : 2, d }))
        }
        if (op === 9) {
          count('invalid session')
          resolve(this.connect(false))
        }
        if (t === 'READY') this.session = d.session_id
        if (t === 'READY' || t === 'RESUMED') resolve(count(t))
        if (t === 'INTERACTION_CREATE') void this.answer(d).catch(() => count('lost answer'))
      })
    })
  }

  async answer({ id, token }) {
    const kind = Math.random()
    // The person waits in vain, or the token expires unused.
    if (kind < 0.05) return
    const data = { content: text(2_000), embeds: [{ description: text(3_000) }] }
    const isDeferred = kind < 0.4
    const first = isDeferred ? { type: 5 } : { type: 4, data }
    await send(null, 'POST', `/api/v10/interactions/${id}/${token}/callback`, first)
    if (isDeferred && kind < 0.3)
      await send(null, 'PATCH', `/api/v10/webhooks/${this.id}/${token}/messages/@original`, data)
    if (kind > 0.7) await send(null, 'POST', `/api/v10/webhooks/${this.id}/${token}`, data)
  }

  async sendFile(channelId) {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ content: 'a file' }))
    form.set('files[0]', new Blob([new Uint8Array(FILE_BYTES)]), 'data.bin')
    const { json } = await send(this, 'POST', `/api/v10/channels/${channelId}/messages`, form)
    const bytes = await (await fetch(json.attachments[0].url)).arrayBuffer()
    count(bytes.byteLength === FILE_BYTES ? 'file read' : 'file lost')
  }

  /** Starts a thread with messages, one of them with a file, then archives it; one in ten is deleted. */
  async useThread(round) {
    const { json: thread } = await send(this, 'POST', '/api/v10/channels/4001/threads', {
      name: `thread ${round}`,
      type: 11,
    })
    const route = `/api/v10/channels/${thread.id}`
    await send(this, 'POST', `${route}/messages`, { content: text(2_000) })
    if (round % 20 === 4) await this.sendFile(thread.id)
    if (round % 100 === 4) await send(this, 'DELETE', route)
    else await send(this, 'PATCH', route, { archived: true })
  }

  async act(round) {
    const kind = round % 10
    if (kind === 0) {
      this.socket.terminate()
      // One bot in four leaves its session behind.
      if (round % 40 !== 0)
        await send(this, 'POST', '/api/v10/channels/4001/messages', { content: text(2_000) })
      await this.connect(round % 40 !== 0)
    } else if (kind === 3) {
      await this.sendFile('4001')
    } else if (kind === 4) {
      await this.useThread(round)
    } else if (kind < 3) {
      const embeds = [{ description: text(4_000) }]
      await send(this, 'POST', '/api/v10/channels/4001/messages', { content: text(2_000), embeds })
    } else {
      const values = { what: text(6_000) }
      await send(null, 'POST', '/people/use', { as: 'ada', line: '/ping', values, application: this.id })
    }
  }
}

const bots = Array.from({ length: BOTS }, (_, index) => new Bot(String(1001 + index)))
const options = [{ type: 3, name: 'what', description: 'x' }]
for (const bot of bots) {
  await bot.connect(false)
  await send(bot, 'PUT', `/api/v10/applications/${bot.id}/commands`, [
    { name: 'ping', description: 'x', options },
  ])
}

const heaps = []
const buffers = []
const start = performance.now()
const failed = (error) => count(`failed: ${error.cause?.code ?? error.message}`)
for (let round = 1; performance.now() - start < minutes * 60_000; round++) {
  // Unanswered uses wait for three seconds.
  void bots[round % BOTS].act(Math.ceil(round / BOTS)).catch(failed)
  await new Promise((resolve) => setTimeout(resolve, PAUSE))
  if (performance.now() - start < heaps.length * 60_000) continue
  server.send('heap')
  const [bytes] = await once(server, 'message')
  const [heap, beside] = bytes.map((one) => Math.round(one / 1024 / 1024))
  heaps.push(heap)
  buffers.push(beside)
  console.log(`minute ${heaps.length - 1}: ${heap} MiB, files ${beside} MiB ${JSON.stringify(counts)}`)
}
console.log(`heap by minute in MiB: ${heaps.join(', ')}`)
console.log(`bytes of files by minute in MiB: ${buffers.join(', ')}`)
process.exit(0)
