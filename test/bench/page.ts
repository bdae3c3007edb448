/**
 * The page of `commandry serve` with 100 commands: the bytes of it, and the time until it answers and has drawn them, each
 * beside a server of the same bytes and a page of the same elements without a script. Prints the figures as JSON.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright-core'
import { findChromium } from '../support/chromium.ts'
import { isQuick, median, quotient } from './contest.ts'

const [cli, folder] = process.argv.slice(2) as [string, string]
const ANSWERS = isQuick ? 3 : 200
const PAINTS = isQuick ? 2 : 15

async function startService(): Promise<readonly [url: string, stop: () => void]> {
  const child = spawn(process.execPath, ['--no-warnings', cli, 'serve', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for (;;) {
    const [part] = (await once(child.stdout, 'data')) as [Buffer]
    printed += String(part)
    const url = /http:\/\/[\w.]+:\d+/.exec(printed)?.[0]
    if (url !== undefined) return [url, () => child.kill()]
  }
}

async function startBare(html: string) {
  const server = createServer((_, response) => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': Buffer.byteLength(html) }
    response.writeHead(200, headers).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => server.close()] as const
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
async function paint(browser: Browser, url: string): Promise<number> {
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
async function elementsOf(browser: Browser, url: string): Promise<string> {
  const tab = await browser.newPage()
  await tab.goto(url)
  await tab.waitForFunction(`document.querySelectorAll('.entry').length >= 100`)
  const html = await tab.evaluate<string>(`
    document.querySelectorAll('script, meta[http-equiv]').forEach((one) => one.remove())
    '<!doctype html>' + document.documentElement.outerHTML`)
  await tab.close()
  return html
}

const [url, stop] = await startService()
const html = await (await fetch(url)).text()
const [same, closeSame] = await startBare(html)
const read = (address: string) => () => timeOf(async () => (await fetch(address)).text())
const answer = await inTurns(ANSWERS, read(url), read(same))
const browser = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] })
const [still, closeStill] = await startBare(await elementsOf(browser, url))
const painted = await inTurns(
  PAINTS,
  () => paint(browser, url),
  () => paint(browser, still),
)
await browser.close()
console.log(
  JSON.stringify({
    kilobytes: gzipSync(html, { level: 9 }).length / 1000,
    answer: answer.ratio,
    paint: painted.ratio,
  }),
)
stop()
closeSame()
closeStill()
process.exit()
