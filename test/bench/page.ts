/**
 * The page of `commandry serve` with 100 commands: the bytes of it, and the time until it answers and has drawn them, each
 * beside a server of the same bytes and a page of the same elements without a script. Prints the figures as JSON.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { chromium, type BrowserContext } from 'playwright-core'
import { findChromium } from '../support/chromium.ts'
import { isQuick, median, quotient } from './contest.ts'

const [cli, folder] = process.argv.slice(2) as [string, string]
const ANSWERS = isQuick ? 3 : 100
const PAINTS = isQuick ? 1 : 9

async function startService(): Promise<string> {
  const child = spawn(process.execPath, ['--no-warnings', cli, 'serve', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  for (;;) {
    const [part] = (await once(child.stdout, 'data')) as [Buffer]
    printed += String(part)
    const url = /http:\/\/[\w.]+:\d+/.exec(printed)?.[0]
    if (url === undefined) continue
    process.once('exit', () => child.kill())
    return url
  }
}

async function startBare(html: string): Promise<string> {
  const server = createServer((_, response) => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': Buffer.byteLength(html) }
    response.writeHead(200, headers).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await call()
  return performance.now() - began
}

async function inTurns(turns: number, ours: () => Promise<number>, floor: () => Promise<number>) {
  const costs = { ours: [] as number[], floor: [] as number[] }
  for (let turn = -1; turn < turns; turn++) {
    const [one, other] = [await ours(), await floor()]
    if (turn < 0) continue
    costs.ours.push(one)
    costs.floor.push(other)
  }
  return { ratio: quotient(costs.ours, costs.floor), milliseconds: median(costs.ours) }
}

/** Milliseconds until a frame shows all commands. */
async function paint(browser: BrowserContext, url: string): Promise<number> {
  const tab = await browser.newPage()
  try {
    await tab.addInitScript(`new Promise((resolve) => {
      const look = () => document.querySelectorAll('.entry').length < 100
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => (window.drawn = performance.now()))
      requestAnimationFrame(look)
    })`)
    await tab.goto(url)
    await tab.waitForFunction('window.drawn !== undefined')
    return await tab.evaluate('window.drawn')
  } finally {
    await tab.close()
  }
}

/** The elements of the page as a browser has them once it has drawn them, without the script. */
async function elementsOf(browser: BrowserContext, url: string): Promise<string> {
  const tab = await browser.newPage()
  await tab.goto(url)
  await tab.waitForFunction(`document.querySelectorAll('.entry').length >= 100`)
  const html = await tab.evaluate<string>(`
    document.querySelectorAll('script, meta[http-equiv]').forEach((one) => one.remove())
    '<!doctype html>' + document.documentElement.outerHTML`)
  await tab.close()
  return html
}

const url = await startService()
const html = await (await fetch(url)).text()
const same = await startBare(html)
const read = (address: string) => () => timeOf(async () => (await fetch(address)).text())
const answer = await inTurns(ANSWERS, read(url), read(same))
const chrome = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] })
// The page refuses code in texts, with which Playwright asks.
const browser = await chrome.newContext({ bypassCSP: true })
const still = await startBare(await elementsOf(browser, url))
const painted = await inTurns(
  PAINTS,
  () => paint(browser, url),
  () => paint(browser, still),
)
await chrome.close()
console.log(
  JSON.stringify({
    kilobytes: gzipSync(html, { level: 9 }).length / 1000,
    answer: answer.ratio,
    paint: painted.ratio,
  }),
)
process.exit()
