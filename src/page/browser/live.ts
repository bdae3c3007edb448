/** One stream of notifications, open only in a visible tab. */
import type { Notification } from '../answers.ts'
import { draw, messages } from './dom.ts'
import { debounce } from './parts.ts'
import { refreshAbout } from './place.ts'
import { loadRequests } from './requests.ts'
import { loadReplies } from './uses.ts'

let stream: EventSource | undefined

/** Opens the stream while the tab is visible, and then loads everything that was missed. */
export function listen(): void {
  document.addEventListener('visibilitychange', connect)
  connect()
}

const loaders = { commands: refreshAbout, request: loadRequests, reply: loadReplies }

/** Loads again. Errors need no report: without a server the stream fails too, and everything is loaded later. */
const load = (type: keyof typeof loaders): void => void loaders[type]().catch(() => {})

// A deploy of many commands publishes many notifications; one load is enough.
const refreshSoon = debounce(() => load('commands'), 20)

function connect(): void {
  stream?.close()
  if (document.hidden) return
  stream = new EventSource('/ui/changes')
  stream.onopen = () => {
    messages.connected = true
    for (const type of ['commands', 'request', 'reply'] as const) load(type)
  }
  stream.onerror = () => {
    messages.connected = false
    draw()
  }
  stream.onmessage = ({ data }) => {
    const { type } = JSON.parse(data) as Notification
    if (type === 'commands') refreshSoon()
    else load(type)
  }
}
