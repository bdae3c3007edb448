/**
 * The service of a page as one file, which keeps its state in the browser. Nothing is sent anywhere. It is a script of its
 * own, before that of the page.
 */
import { BotSession } from '../../../interactions/bot/bot-session.ts'
import { createExchange } from '../../../service/http/exchange.ts'
import type { Incoming } from '../../../core/http-message.ts'
import { openAccess } from '../../../service/http/principal.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { globalScope } from '../../../commands/registry/scope.ts'
import { memoryStore } from '../../../storage/memory.ts'
import type { Store } from '../../../storage/store.ts'
import { parsedJson } from '../../../core/json.ts'
import { bodiesIn } from '../../authoring/definitions-in-body.ts'
import type { Notification } from '../questions/recorder.ts'
import { sampleCommands } from '../questions/samples.ts'
import { createWorkbench } from '../workbench.ts'
import { browserStore } from './browser-store.ts'

/** The service of a file, as its page sees it. */
export interface Engine {
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
  /** Deploys the definitions of the file. @throws RegistryError when they have errors */
  readonly startAgain: () => Promise<void>
  readonly subscribe: (hear: (type: Notification) => void) => void
  /** The beginning of the keys of what the browser keeps for these definitions; undefined where it keeps nothing. */
  readonly memory: string | undefined
  readonly isDamaged: boolean
  /** Whether nothing is deployed, as when a file is opened for the first time. */
  readonly isNew: boolean
}

/** @param set definitions as JSON; empty for the samples */
export type OpenEngine = (set: string, application: string) => Promise<Engine>

/** Another set has another id, so that it starts anew. */
async function idOf(set: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(set)))
  return hash.slice(0, 8).join('.')
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

const openEngine: OpenEngine = async (given, application) => {
  const set = given === '' ? JSON.stringify(sampleCommands, null, 2) : given
  let isDamaged = false
  let memory: string | undefined
  let store: Store
  try {
    const id = await idOf(set)
    store = browserStore(localStorage, `commandry ${id} `, () => (isDamaged = true))
    memory = `commandry text ${id}`
  } catch {
    store = memoryStore()
  }
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
  const scope = globalScope(application)
  // It reads all documents.
  await registry.snapshot(application).catch(() => (isDamaged = true))
  return {
    async send(path, init = {}) {
      const { status, headers, body } = await exchange(incomingOf(path, init))
      return new Response(body as BodyInit | null, { status, headers })
    },
    async startAgain() {
      for await (const key of store.keys('')) {
        const [entry] = await store.read([key])
        await store.write(key, entry?.revision ?? null, undefined)
      }
      await registry.overwrite(scope, bodiesIn(parsedJson(set)))
    },
    subscribe: workbench.subscribe,
    memory,
    isDamaged,
    isNew: isDamaged || (await registry.list(scope)).length === 0,
  }
}

Object.assign(globalThis, { openEngine })
