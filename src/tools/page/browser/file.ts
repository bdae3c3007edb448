/** The page as one file, whose service runs in it. */
import type { OpenEngine } from './engine.ts'
import { ask, service } from './parts/ask.ts'
import { notify } from './parts/dom.ts'
import { hear, start } from './main.ts'
import { asJson } from './parts/parts.ts'
import { about, go, linkedSet, members, place, SAMPLE_APPLICATION, who } from './parts/place.ts'

/** Opens the page as the person who sees most commands, so that who gets the file sees what is in it. */
async function openAsMostAble(): Promise<void> {
  if (about.applications.length === 0) return
  let most = { as: place.as, count: 0 }
  for (const { user } of members()) {
    const { entries } = await ask('picker', { ...who(), as: user.id })
    if (entries.length > most.count) most = { as: user.id, count: entries.length }
  }
  go({ as: most.as }, true)
}

export async function openFile(openEngine: OpenEngine): Promise<void> {
  let notice = ''
  const linked = await linkedSet().catch(() => {
    notice = 'The link cannot be read; you see the commands of this file instead.'
    return undefined
  })
  // A link brings its definitions, the file may have some, and else there are the samples.
  const own = document.getElementById('set')!.textContent
  const set = linked ?? (own && asJson(JSON.parse(own)))
  const engine = await openEngine(set, SAMPLE_APPLICATION)
  const { send, startAgain, memory = service.memory, isDamaged, isNew } = engine
  Object.assign(service, { isInPage: true, send, startAgain, memory })
  if (isDamaged) notice = 'The state that this browser kept is damaged; the page starts again without it.'
  // A set with errors opens in the Editor, which shows them.
  if (isNew) await startAgain().catch(() => history.replaceState(null, '', '#view=editor'))
  const isPlaced = new URLSearchParams(location.hash.slice(1)).has('as')
  await start(isPlaced ? undefined : openAsMostAble)
  engine.subscribe(hear)
  if (notice !== '') notify(notice)
}
