/** The page: draws the view that the address names, and loads it again after notifications. */
import type { Notification } from '../questions/recorder.ts'
import { accessView } from './views/access-view.ts'
import { everything } from './everything.ts'
import { draw, messages, onDraw, patchChildren } from './parts/dom.ts'
import { refuseOtherFiles } from './parts/dropped.ts'
import { editorView, fileErrors } from './views/editor-view.ts'
import { focusComposer, memberView, refreshPlace } from './views/member/member-view.ts'
import { isSlashOn, openPalette } from './parts/palette.ts'
import { debounce } from './parts/parts.ts'
import { refreshProgram } from './parts/program-view.ts'
import { about, early, place, readAddress, refreshAbout, views } from './parts/place.ts'
import { firstRun, planView } from './views/plan-view.ts'
import { failures, recorded, requestsView } from './views/requests-view.ts'
import { refreshRecording } from './parts/record-menu.ts'
import { refreshTests } from './parts/test-list.ts'
import { shell } from './shell.ts'
import { replacedNotice, translationsView } from './views/translations-view.ts'

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
  patchChildren(document.body, shell(isEmpty ? 'empty' : place.view, parts, [fileErrors(), replacedNotice()]))
  document.documentElement.dir = /^(ar|fa|he|ur)\b/.test(place.lang) ? 'rtl' : 'ltr'
  const failed = failures()
  document.title = `${failed > 0 ? `(${failed}) ` : ''}${views[place.view]} – commandry`
})

document.addEventListener('keydown', (event) => {
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    openPalette(everything)
  }
  const isTyping = (event.target as Element).matches('input, textarea, select')
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && isSlashOn()
  if (isSlash && place.view === 'member' && focusComposer()) event.preventDefault()
})

refuseOtherFiles()

addEventListener('popstate', () => {
  readAddress()
  draw()
})

/** Loads what the page shows, and repeats that until there is a service. @param choose the place, once that is loaded */
export async function start(choose = async (): Promise<void> => {}): Promise<void> {
  try {
    await refreshAbout()
    await choose()
    document.documentElement.dataset['ready'] = ''
  } catch {
    messages.connected = false
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await start(choose)
  }
}

const loads = {
  // A deploy of many commands publishes many notifications; one load is enough.
  commands: debounce(() => refreshAbout().catch(() => {}), 20),
  request: () => recorded.retry(),
  message: debounce(refreshPlace, 10),
  program: refreshProgram,
  tests: refreshTests,
}

/** Loads again after a notification. Errors need no report: without a server the stream fails too. */
export const hear = (type: Notification): void => {
  loads[type]()
  refreshRecording()
}
