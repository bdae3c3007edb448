/** The page as one file: its service runs in it, and keeps its state in the browser. Nothing is sent anywhere. */
import { BotSession } from '../../../interactions/bot/bot-session.ts'
import { createExchange } from '../../../service/http/exchange.ts'
import type { Incoming } from '../../../core/http-message.ts'
import { openAccess } from '../../../service/http/principal.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { globalScope } from '../../../commands/registry/scope.ts'
import { memoryStore } from '../../../storage/memory.ts'
import type { Store } from '../../../storage/store.ts'
import { parsedJson } from '../../../core/json.ts'
import { bodiesIn } from '../../authoring/definitions.ts'
import { sampleCommands } from '../questions/samples.ts'
import { createWorkbench } from '../workbench.ts'
import { ask, service } from './parts/ask.ts'
import { notify } from './parts/dom.ts'
import { hear, start } from './main.ts'
import { json } from './parts/parts.ts'
import { about, go, linkedSet, members, place, SAMPLE_APPLICATION, who } from './parts/place.ts'
import { browserStore } from './browser-store.ts'

/** A store for a set of definitions, so that another set starts anew. */
async function storeFor(set: string, onDamage: () => void): Promise<Store> {
  try {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(set)))
    const id = hash.slice(0, 8).join('.')
    service.memory = `commandry text ${id}`
    return browserStore(localStorage, `commandry ${id} `, onDamage)
  } catch {
    return memoryStore()
  }
}

function incomingOf(path: string, { method = 'GET', headers, body }: RequestInit): Incoming {
  const [route = '', query = ''] = path.split(/\?(.*)/s)
  const sent = new Headers({ host: 'localhost', 'sec-fetch-site': 'same-origin', ...(headers as object) })
  return {
    method,
    path: route,
    query,
    header: (name) => sent.get(name),
    body: async () => new TextEncoder().encode((body ?? '') as string),
    isAborted: () => false,
    abandon() {},
    raw: null,
  }
}

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

async function open(): Promise<void> {
  let notice = ''
  const linked = await linkedSet().catch(() => {
    notice = 'The link cannot be read; you see the commands of this file instead.'
    return undefined
  })
  // A link brings its definitions, the file may have some, and else there are the samples.
  const own = document.getElementById('set')!.textContent || JSON.stringify(sampleCommands)
  const set = linked ?? json(JSON.parse(own))
  let isDamaged = false
  const store = await storeFor(set, () => (isDamaged = true))
  const registry = new CommandRegistry({ store })
  const session = new BotSession({})
  // Without a server, the addresses of files have the contents in themselves.
  session.messages.files.origin = null
  const files = async () => [{ name: 'This file', text: set, isReadOnly: false, errors: [] }]
  const workbench = createWorkbench({
    ...{ registry, store, session, files },
    ...{ applications: [], servers: [], bot: '' },
  })
  const api = createExchange({ registry, authenticate: openAccess(), answers: session.answers })
  const exchange = workbench.wrap(api)
  const scope = globalScope(SAMPLE_APPLICATION)
  const deploySet = async () => {
    for await (const key of store.keys('')) {
      const [entry] = await store.read([key])
      await store.write(key, entry?.revision ?? null, undefined)
    }
    await registry.overwrite(scope, bodiesIn(parsedJson(set)))
  }
  Object.assign(service, {
    isInPage: true,
    async send(path: string, init: RequestInit = {}) {
      const { status, headers, body } = await exchange(incomingOf(path, init))
      return new Response(body as BodyInit | null, { status, headers })
    },
    startAgain: deploySet,
  })
  // It reads all documents.
  await registry.snapshot(SAMPLE_APPLICATION).catch(() => (isDamaged = true))
  if (isDamaged) notice = 'The state that this browser kept is damaged; the page starts again without it.'
  const isNew = isDamaged || (await registry.list(scope)).length === 0
  // A set with errors opens in the Editor, which shows them.
  if (isNew) await deploySet().catch(() => history.replaceState(null, '', '#view=editor'))
  const isPlaced = new URLSearchParams(location.hash.slice(1)).has('as')
  await start(isPlaced ? undefined : openAsMostAble)
  workbench.subscribe(hear)
  if (notice !== '') notify(notice)
}

void open()
