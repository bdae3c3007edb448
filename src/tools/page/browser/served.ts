/** The page of a server, whose notifications it hears while the tab is visible. */
import type { Notification } from '../questions/recorder.ts'
import { draw, messages } from './parts/dom.ts'
import { hear, start } from './main.ts'

let stream: EventSource | undefined

/** Opens the stream while the tab is visible, and then loads everything that was missed. */
function connect(): void {
  stream?.close()
  if (document.hidden) return
  const opened = new EventSource('/ui/changes')
  stream = opened
  opened.onopen = () => {
    messages.connected = true
    for (const type of ['commands', 'request', 'message', 'program', 'tests'] as const) hear(type)
  }
  opened.onmessage = ({ data }) => hear(data as Notification)
  opened.onerror = () => {
    messages.connected = false
    draw()
    // The browser connects again by itself, except after a refusal.
    if (opened.readyState === EventSource.CLOSED) setTimeout(() => stream === opened && connect(), 1_000)
  }
}

export async function openServed(): Promise<void> {
  await start()
  document.addEventListener('visibilitychange', connect)
  connect()
}
