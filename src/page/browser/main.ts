/** The page: draws the view that the address names, and hears one stream of notifications while the tab is visible. */
import type { Notification } from '../recorder.ts'
import { accessView } from './access.ts'
import { service } from './ask.ts'
import { draw, messages, onDraw, patch } from './dom.ts'
import { editorView, fileErrors } from './editor.ts'
import { focusComposer, memberView } from './member.ts'
import { isSlashOn, openPalette } from './palette.ts'
import { debounce } from './parts.ts'
import { about, early, place, readAddress, refreshAbout, views } from './place.ts'
import { firstRun, planView } from './plan.ts'
import { failures, loadRequests, requestsView } from './requests.ts'
import { shell } from './shell.ts'
import { translationsView } from './translations.ts'
import { loadReplies } from './uses.ts'

const drawings = {
  member: memberView,
  editor: editorView,
  access: accessView,
  translations: translationsView,
  requests: requestsView,
  plan: planView,
}

onDraw(() => {
  const isEmpty = about.applications.length === 0 && !early.includes(place.view)
  const parts = isEmpty ? firstRun() : drawings[place.view]()
  patch(document.body, shell(isEmpty ? 'empty' : place.view, parts, fileErrors()))
  const failed = failures()
  document.title = `${failed > 0 ? `(${failed}) ` : ''}${views[place.view]} – commandry`
})

document.addEventListener('keydown', (event) => {
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    openPalette()
  }
  const isTyping = (event.target as Element).matches('input, textarea, select')
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && isSlashOn()
  if (isSlash && place.view === 'member' && focusComposer()) event.preventDefault()
})

addEventListener('popstate', () => {
  readAddress()
  draw()
})

/** Loads what the page shows, and repeats that until there is a service. */
export async function start(): Promise<void> {
  try {
    await refreshAbout()
    document.addEventListener('visibilitychange', connect)
    void connect()
    document.documentElement.dataset['ready'] = ''
  } catch {
    messages.connected = false
    setTimeout(start, 1_000)
  }
}

const loaders = { commands: refreshAbout, request: loadRequests, reply: loadReplies }

/** Loads again. Errors need no report: without a server the stream fails too, and everything is loaded later. */
const load = (type: Notification): void => void loaders[type]().catch(() => {})

// A deploy of many commands publishes many notifications; one load is enough.
const refreshSoon = debounce(() => load('commands'), 20)

let stream = new AbortController()

/** Opens the stream while the tab is visible, and then loads everything that was missed. */
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
  setTimeout(() => !signal.aborted && connect(), 1_000)
}

async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  signal.addEventListener('abort', () => reader.cancel().catch(() => {}))
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    for (const line of lines.filter((one) => one.startsWith('data: '))) {
      const type = line.slice(6) as Notification
      if (type === 'commands') refreshSoon()
      else load(type)
    }
  }
}
