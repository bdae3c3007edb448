/** One stream of notifications, open only in a visible tab. */
import type { Notification } from '../answers.ts'
import { service } from './ask.ts'
import { draw, messages } from './dom.ts'
import { debounce } from './parts.ts'
import { refreshAbout } from './place.ts'
import { loadRequests } from './requests.ts'
import { loadReplies } from './uses.ts'

let stream = new AbortController()

/** Opens the stream while the tab is visible, and then loads everything that was missed. */
export function listen(): void {
  document.addEventListener('visibilitychange', () => void connect())
  void connect()
}

const loaders = { commands: refreshAbout, request: loadRequests, reply: loadReplies }

/** Loads again. Errors need no report: without a server the stream fails too, and everything is loaded later. */
const load = (type: keyof typeof loaders): void => void loaders[type]().catch(() => {})

// A deploy of many commands publishes many notifications; one load is enough.
const refreshSoon = debounce(() => load('commands'), 20)

async function connect(): Promise<void> {
  stream.abort()
  if (document.hidden) return
  stream = new AbortController()
  const { signal } = stream
  try {
    const { body } = await service.send('/ui/changes', { signal })
    messages.connected = true
    for (const type of ['commands', 'request', 'reply'] as const) load(type)
    await read(body!, signal)
  } catch {
    // The connection failed or ended.
  }
  if (signal.aborted) return
  messages.connected = false
  draw()
  setTimeout(() => !signal.aborted && void connect(), 1_000)
}

/** Hears the notifications of a stream until it ends. */
async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    for (const line of lines) if (line.startsWith('data: ')) hear(JSON.parse(line.slice(6)) as Notification)
  }
}

function hear({ type }: Notification): void {
  if (type === 'commands') refreshSoon()
  else load(type)
}
