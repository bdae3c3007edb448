/** The workbench in a real browser, for the tests of its views. */
import { chromium, type Browser, type BrowserContext, type Page as Tab } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applicationDirectory, CommandRegistry, globalScope, memoryStore } from 'commandry'
import type { Store } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { serve, type Serving } from 'commandry/node'
import { exchangeOf, handlerOf } from '../../support/handlers.ts'
import { openSession } from './session.ts'
import { Recording, type RecordingSource } from '../../../src/testing/recording/recording.ts'
import { createWorkbench, type WorkbenchOptions } from '../../../src/tools/page/workbench.ts'
import { findChromium } from '../../support/chromium.ts'
import { app, demoGuild as guild } from '../../support/fixtures.ts'

/** Ada in #general of the demo server. */
export const who = {
  app,
  server: guild,
  channel: '100000000000004001',
  as: '100000000000003001',
  lang: 'en-US',
}

export type { WorkbenchOptions }

export type Service = ReturnType<typeof service>

/** A service with the page, as `commandry serve` puts it together. */
export function service(options: Partial<WorkbenchOptions> = {}, store: Store = memoryStore()) {
  const { applications = [] } = options
  const registry = new CommandRegistry({
    store,
    ...(applications.length > 0 && { applications: applicationDirectory(applications) }),
  })
  const { session = openSession() } = options
  const openRecording = (source: RecordingSource) => new Recording(source)
  const defaults = { servers: [], bot: '', files: async () => [], openRecording }
  const workbench = createWorkbench({ ...defaults, ...options, session, registry, store, applications })
  const api = createHandler({ registry, authenticate: openAccess(), answers: session.answers })
  const handler = handlerOf(workbench.wrap(exchangeOf(api)!))
  const ask = (path: string, init: RequestInit = {}) =>
    handler(
      new Request(`http://localhost${path}`, { ...init, headers: { host: 'localhost', ...init.headers } }),
    )
  /** Deploys global commands of the app. */
  const deploy = (commands: readonly object[]) => registry.overwrite(globalScope(app), commands)
  return { registry, session, workbench, handler, ask, deploy }
}

/** Tests of a service with default options: `it('…', async ({ made }) => …)`. */
export const it = test.extend('made', () => service())

/** The response to a question, as the page asks it. */
export async function postTo(
  { ask }: Service,
  name: string,
  body: object,
  more: Record<string, string> = {},
): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...more }
  return ask(`/ui/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** The answer to a question. */
export async function post(service: Service, name: string, body: object = {}): Promise<any> {
  return (await postTo(service, name, body)).json()
}

/** A page in a tab with a service of its own, for one test. Methods wait until what they name is so. */
export interface Page extends ReturnType<typeof actions> {
  /** Opens another tab of the same browser. */
  another(): Promise<Page>
}

const executablePath = findChromium()
const isMissing = executablePath === undefined && process.env['REQUIRE_SERVERS'] === undefined

let launched: Promise<Browser> | undefined

/** The browser of all files of a worker, which ends with it. Each describe has a context of its own, as a new browser has. */
function browserOfWorker(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('REQUIRE_SERVERS is set, but Chromium is not installed')
  return (launched ??= chromium.launch({ executablePath }))
}

/** Tests in a browser; skipped where there is none, unless servers are required. */
export const describePage = (title: string, tests: (page: Page) => void): void =>
  describePageWith({}, title, tests)

/** The same with options of the service, which a function makes for each test. */
export function describePageWith(
  options: Partial<WorkbenchOptions> | (() => Partial<WorkbenchOptions>),
  title: string,
  tests: (page: Page) => void,
): void {
  const name = `${title}${isMissing ? ' (skipped: no Chromium on the path, nor in CHROMIUM)' : ''}`
  describe.skipIf(isMissing)(name, () => {
    let context: BrowserContext
    const page = {} as Page
    beforeAll(async () => {
      const browser = await browserOfWorker()
      context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    })
    afterAll(() => context?.close())
    beforeEach(async () => {
      const made = service(typeof options === 'function' ? options() : options)
      const serving = await serve({ handler: made.handler })
      made.session.messages.files.origin = serving.url
      const tab = await context.newPage()
      Object.assign(page, pageOf(tab, serving, made))
      return async () => {
        const { complaints, requests, origins } = page
        expect(complaints).toEqual([])
        // Nothing is requested from another server.
        expect(requests.filter((one) => !origins.includes(originOf(one)))).toEqual([])
        made.workbench.close()
        await tab.close()
        await serving.close()
      }
    })
    tests(page)
  })
}

const originOf = (address: string) => (/^(data|blob|file):/.test(address) ? '' : new URL(address).origin)

const buttonWith = (label: string) =>
  `Array.from(document.querySelectorAll('button')).find((one) => one.textContent.includes(${JSON.stringify(label)}))`

/** What an expression has become: its value, or the message of its error. */
interface Seen {
  readonly text: string
  readonly value?: unknown
  readonly error?: string
}

/**
 * Evaluates an expression in the page until it differs from what was seen last, so that waiting sends no messages. Returns after
 * half a second in any case, so that the limit of the poll holds.
 */
const nextValue = (expression: string, last: string | undefined): string => `new Promise((resolve) => {
  let left = 50
  const look = () => {
    let seen
    try {
      const value = ${expression}
      seen = { value, text: JSON.stringify({ value }) }
    } catch ({ message }) {
      seen = { error: message, text: message }
    }
    if (left-- === 0 || seen.text !== ${JSON.stringify(last) ?? 'undefined'}) resolve(seen)
    else setTimeout(look, 10)
  }
  look()
})`

function pageOf(tab: Tab, serving: Serving, made: Service): Page {
  const another = async () => pageOf(await tab.context().newPage(), serving, made)
  return { ...actions(tab, serving, made), another }
}

function actions(tab: Tab, { url }: Serving, made: Service) {
  const { registry, deploy } = made
  /** Errors and warnings on the console, uncaught exceptions, and failed requests. */
  const complaints: string[] = []
  const requests: string[] = []
  /** Where the page may load from: its own service. */
  const origins = ['', url]
  tab.on('pageerror', ({ message }) => complaints.push(message))
  tab.on('console', (one) => {
    if (['error', 'warning', 'assert'].includes(one.type()))
      complaints.push(`${one.text()} ${one.location().url}`)
  })
  tab.on('request', (one) => requests.push(one.url()))
  const text = JSON.stringify
  const query = (selector: string) => `document.querySelector(${text(selector)})`
  /** Evaluates an expression until it has a value; fails with the difference. */
  const waitFor = (expression: string, value: unknown) => {
    let last: string | undefined
    const next = async () => {
      const seen = await tab.evaluate<Seen>(nextValue(expression, last))
      last = seen.text
      if (seen.error !== undefined) throw new Error(seen.error)
      return seen.value
    }
    return expect
      .poll(next, { interval: 1, message: expression })
      .toEqual(value instanceof RegExp ? expect.stringMatching(value) : value)
  }
  const until = (expression: string) => waitFor(`!!(${expression})`, true)
  /** Waits until an expression finds an element that is not disabled, and calls its method before the page can render again. */
  const act = (find: string, method: 'click' | 'focus') =>
    waitFor(`((found) => (found.disabled ? 'disabled' : found.${method}()))(${find})`, undefined)
  const textsOf = (selector: string) =>
    `Array.from(document.querySelectorAll(${text(selector)}), (one) => one.textContent)`
  /** Loads the page and waits until it is drawn. @param of the address of the service */
  const load = async (query = '', of = url) => {
    origins.push(of)
    await tab.goto(`${of}/${query}`)
    await until('document.documentElement.dataset.ready !== undefined')
  }
  type Text = string | RegExp
  return {
    tab,
    url,
    complaints,
    requests,
    origins,
    until,
    act,
    resize: (width: number, height: number) => tab.setViewportSize({ width, height }),
    registry,
    deploy,
    /** The answer of the service to a question. */
    answer: (name: string, body: object = {}) => post(made, name, body),
    load,
    /** Deploys global commands and loads the page. */
    async open(commands: readonly object[], query?: string) {
      const deployed = await deploy(commands)
      await load(query)
      return deployed
    },
    texts: (selector: string) => tab.evaluate<string[]>(textsOf(selector)),
    /** All elements that a selector finds have just these texts. */
    shows: (selector: string, ...texts: readonly Text[]) =>
      waitFor(
        textsOf(selector),
        texts.map((one) => (one instanceof RegExp ? expect.stringMatching(one) : one)),
      ),
    /** The first element that a selector finds has a text. */
    starts: (selector: string, first: Text) => waitFor(`${query(selector)}?.textContent`, first),
    has: (selector: string) => until(query(selector)),
    counts: (selector: string, count: number) =>
      waitFor(`document.querySelectorAll(${text(selector)}).length`, count),
    hasFocus: (id: string) => waitFor('document.activeElement.id', id),
    /** An expression of the page has a value. */
    becomes: waitFor,
    click: (selector: string) => act(query(selector), 'click'),
    focus: (selector: string) => act(query(selector), 'focus'),
    /** Clicks a button by its text. */
    button: (label: string) => act(buttonWith(label), 'click'),
    focusButton: (label: string) => act(buttonWith(label), 'focus'),
    /** Presses keys one after another: names such as `Shift+Tab`, or `'text'` in quotes to type. */
    async keys(...keys: readonly string[]) {
      for (const key of keys) {
        if (key.startsWith("'")) await tab.keyboard.insertText(key.slice(1, -1))
        else await tab.keyboard.press(key)
      }
    },
    /** Chooses in a select or fills a field, as soon as it is there and not disabled. */
    set: (selector: string, value: string) =>
      waitFor(
        `((field) => {
          if (field.disabled) return 'disabled'
          field.value = ${text(value)}
          field.dispatchEvent(new Event('input', { bubbles: true }))
          field.dispatchEvent(new Event('change', { bubbles: true }))
        })(${query(selector)})`,
        undefined,
      ),
    /** Keeps a text as the draft of the Editor, which shows it once it is loaded. */
    draft: (draft: string) => tab.evaluate(`localStorage.setItem('commandry   Draft', ${text(draft)})`),
    /** Opens a file in a field. */
    file: (selector: string, name: string, content: string) =>
      tab.setInputFiles(selector, { name, mimeType: 'application/json', buffer: Buffer.from(content) }),
    /** Drops a file on an element; true when the page takes it, and the browser does not open it. */
    drop: (selector: string, name: string, content: string) =>
      tab.evaluate<boolean>(`{
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([${text(content)}], ${text(name)}))
        const more = { dataTransfer, bubbles: true, cancelable: true }
        const [over, drop] = ['dragover', 'drop'].map((type) => new DragEvent(type, more))
        const element = ${query(selector)}
        element.dispatchEvent(over)
        element.dispatchEvent(drop)
        over.defaultPrevented && drop.defaultPrevented
      }`),
    /** Expects that the tab logged no other errors than these, and forgets them. */
    complains(text: RegExp) {
      expect(complaints.filter((one) => !text.test(one))).toEqual([])
      complaints.length = 0
    },
    /** Sends a request to the service, as a bot does. */
    request: (method: string, path: string, body?: unknown) =>
      fetch(`${url}/api/v10${path}`, {
        method,
        headers: { authorization: 'Bot x', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}
