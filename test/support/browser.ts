import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** The path of Chromium: `CHROMIUM`, else one of its names on the path; `undefined` when it is missing. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  if (CHROMIUM !== undefined) return CHROMIUM
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return PATH.split(delimiter)
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find((file) => existsSync(file))
}

interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: any
  readonly result?: any
  readonly error?: { readonly message: string }
}

/** A Chromium, controlled over its debugging pipe. */
export class Browser {
  readonly #child: ChildProcess
  readonly #profile: string
  readonly #waiting = new Map<number, { resolve(value: any): void; reject(error: Error): void }>()
  readonly #listeners = new Set<(message: Message) => void>()
  #last = 0

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child
    this.#profile = profile
    let rest = ''
    const output = child.stdio[4] as Readable
    output.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\0')
      rest = parts.pop()!
      for (const part of parts) this.#receive(JSON.parse(part) as Message)
    })
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'))
    })
  }

  static async launch(file: string): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'commandry-browser-'))
    const flags = [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...['--disable-dev-shm-usage', '--hide-scrollbars', '--remote-debugging-pipe'],
      `--user-data-dir=${profile}`,
    ]
    const child = spawn(file, [...flags, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    })
    const browser = new Browser(child, profile)
    await browser.send('Browser.getVersion')
    return browser
  }

  send(method: string, params: object = {}, sessionId?: string): Promise<any> {
    const id = ++this.#last
    const message = JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      ;(this.#child.stdio[3] as Writable).write(`${message}\0`)
    })
  }

  listen(listener: (message: Message) => void): void {
    this.#listeners.add(listener)
  }

  #receive(message: Message): void {
    if (message.id === undefined) {
      for (const listener of this.#listeners) listener(message)
      return
    }
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.error === undefined) waiting?.resolve(message.result)
    else waiting?.reject(new Error(message.error.message))
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    await this.send('Browser.close').catch(() => undefined)
    await ended
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 3 })
  }
}

const arrows = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }

/** A tab, and the errors it has reported. */
export class Tab {
  readonly #browser: Browser
  readonly #session: string
  readonly #target: string
  /** Errors on the console, uncaught exceptions, and failed requests. */
  readonly complaints: string[] = []
  /** Every requested URL. */
  readonly requests: string[] = []

  private constructor(browser: Browser, session: string, target: string) {
    this.#browser = browser
    this.#session = session
    this.#target = target
    browser.listen(({ sessionId, method, params }) => {
      if (sessionId !== session) return
      if (method === 'Runtime.exceptionThrown') {
        this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text)
      }
      if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) {
        this.complaints.push(params.args.map((one: any) => one.value ?? one.description).join(' '))
      }
      if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level)) {
        this.complaints.push(params.entry.text)
      }
      if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url)
    })
  }

  static async open(browser: Browser, width = 1280, height = 900): Promise<Tab> {
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
    const tab = new Tab(browser, sessionId, targetId)
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tab.send(`${domain}.enable`)
    await tab.resize(width, height)
    return tab
  }

  send(method: string, params: object = {}): Promise<any> {
    return this.#browser.send(method, params, this.#session)
  }

  /** Closes the tab, and with it its connections. */
  async close(): Promise<void> {
    await this.#browser.send('Target.closeTarget', { targetId: this.#target })
  }

  async resize(width: number, height: number): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false }
    await this.send('Emulation.setDeviceMetricsOverride', metrics)
  }

  async goto(url: string): Promise<void> {
    const { errorText } = await this.send('Page.navigate', { url })
    if (errorText !== undefined) throw new Error(errorText)
  }

  /** The value of an expression in the page, awaited if it is a promise. */
  async evaluate<T = any>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    }
    return result.value as T
  }

  /** Waits until an expression is true; checks it again whenever the document changes. */
  until(expression: string): Promise<void> {
    return this.#untilDone(`return ${expression}`, expression)
  }

  /** Waits until an expression finds an element, and calls its method before the page can render again. */
  act(find: string, method: 'click' | 'focus'): Promise<void> {
    return this.#untilDone(`const found = ${find}; found.${method}(); return true`, find)
  }

  async #untilDone(statements: string, name: string): Promise<void> {
    await this.evaluate(`new Promise((resolve, reject) => {
      const isDone = () => { try { ${statements} } catch { return false } }
      if (isDone()) return resolve()
      const observer = new MutationObserver(() => {
        if (!isDone()) return
        clearTimeout(timer)
        observer.disconnect()
        resolve()
      })
      const timer = setTimeout(() => {
        reject(new Error('never came true: ' + ${JSON.stringify(name)} + '\\n' + document.body.innerText.slice(0, 2000)))
      }, 30_000)
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    })`)
  }

  /** Presses a key. @param modifiers 2 for Ctrl, 8 for Shift */
  async press(key: string, code = key, modifiers = 0): Promise<void> {
    const isText = key.length === 1 && modifiers !== 2
    const text = isText ? { text: key } : key === 'Enter' ? { text: '\r' } : {}
    const codes: Record<string, number> = { Tab: 9, Enter: 13, Escape: 27, F10: 121, ...arrows }
    const windowsVirtualKeyCode = codes[key] ?? key.toUpperCase().charCodeAt(0)
    const shared = { key, code, windowsVirtualKeyCode, modifiers }
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...shared, ...text })
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...shared })
  }

  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text })
  }

  async prefer(scheme: 'light' | 'dark'): Promise<void> {
    const features = [{ name: 'prefers-color-scheme', value: scheme }]
    await this.send('Emulation.setEmulatedMedia', { features })
  }

  /** A screenshot of the whole page, as PNG. */
  async screenshot(file: string): Promise<void> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true })
    await writeFile(file, Buffer.from(data as string, 'base64'))
  }
}
