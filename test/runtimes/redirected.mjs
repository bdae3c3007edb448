// Connects as bots of Bun and Deno do, which is redirected to the service that started this program.
const at = 'https://discord.com/api/v10'
const authorization = `Bot ${process.env.DISCORD_TOKEN}`
const gateway = await fetch(new URL(`${at}/gateway`))
const { id } = await (await fetch(new Request(`${at}/users/@me`, { headers: { authorization } }))).json()
const firstFrame = (WebSocket) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket('wss://gateway.discord.gg/?v=10&encoding=json')
    socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)).op)
    socket.onerror = ({ message }) => reject(new Error(message))
  })
const seen = [gateway.status, id, await firstFrame(WebSocket)]
if (process.versions.bun !== undefined) {
  // Bun has versions of these packages of its own.
  const [undici, { default: nodeFetch }, { default: ws }] = await Promise.all(
    ['undici', 'node-fetch', 'ws'].map((name) => import(name)),
  )
  seen.push((await undici.request(`${at}/gateway`)).statusCode, (await nodeFetch(`${at}/gateway`)).status)
  seen.push(await firstFrame(ws))
}
// Threads of both kinds, and a thread of a thread.
const code = `fetch('${at}/gateway').then(({ status }) => status, String).then((seen) => postMessage(seen))`
const moduleOf = (text) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)
const nested = `const thread = new Worker(${JSON.stringify(moduleOf(code).href)}, { type: 'module' })
  thread.onmessage = ({ data }) => postMessage(data)`
const { Worker: NodeWorker } = await import('node:worker_threads')
const toParent = `const { parentPort } = require('worker_threads'); const postMessage = (seen) => parentPort.postMessage(seen);`
const inNodeWorker = (thread) =>
  new Promise((resolve, reject) => thread.on('message', resolve).on('error', reject))
const inWorker = (thread) =>
  new Promise((resolve, reject) => {
    thread.onmessage = ({ data }) => resolve(data)
    thread.onerror = ({ message }) => reject(new Error(message))
  })
for (const options of [{}, { env: {} }])
  seen.push(await inNodeWorker(new NodeWorker(toParent + code, { eval: true, ...options })))
for (const text of [code, nested]) seen.push(await inWorker(new Worker(moduleOf(text), { type: 'module' })))
console.log('redirected', ...seen)
process.exit()
