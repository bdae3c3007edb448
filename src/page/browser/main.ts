/** The page: draws the view that the address names, and listens to what happens. */
import { accessView } from './access.ts'
import { draw, messages, onDraw, patch } from './dom.ts'
import { editorView, fileErrors } from './editor.ts'
import { inspectorSide } from './inspector.ts'
import { listen } from './live.ts'
import { focusComposer, memberView } from './member.ts'
import { isSlashOn, openPalette } from './palette.ts'
import { place, readAddress, refreshAbout, views, type View } from './place.ts'
import { planView } from './plan.ts'
import { failures, requestsView } from './requests.ts'
import { shell, type ViewParts } from './shell.ts'
import { translationsView } from './translations.ts'

const drawings: Readonly<Record<View, () => ViewParts>> = {
  member: () => memberView(inspectorSide()),
  editor: editorView,
  access: accessView,
  translations: translationsView,
  requests: requestsView,
  plan: planView,
}

onDraw(() => {
  patch(document.body, shell(drawings[place.view], fileErrors()))
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
    listen()
    document.documentElement.dataset['ready'] = ''
  } catch {
    messages.connected = false
    setTimeout(() => void start(), 1_000)
  }
}
