/** One stream of changes, held only by a tab that is looked at. */
import type { Change } from '../recorder.ts'
import { loadRequests } from './requests.ts'
import { draw, messages, refreshAbout } from './state.ts'

let stream: EventSource | undefined
let isScheduled = false

/** Opens the stream while the tab is visible; what happened meanwhile is loaded then. */
export function listen(): void {
  document.addEventListener('visibilitychange', connect)
  connect()
}

function connect(): void {
  stream?.close()
  if (document.hidden) return
  stream = new EventSource('/ui/changes')
  stream.onopen = () => {
    messages.connected = true
    void refreshAbout()
    void loadRequests()
  }
  stream.onerror = () => {
    messages.connected = false
    draw()
  }
  stream.onmessage = ({ data }) => {
    const change = JSON.parse(data) as Change
    if (change.type === 'request') void loadRequests()
    else refreshSoon()
  }
}

/** A deploy of many commands publishes many changes, and is looked at once. */
function refreshSoon(): void {
  if (isScheduled) return
  isScheduled = true
  setTimeout(() => {
    isScheduled = false
    void refreshAbout()
  }, 20)
}
