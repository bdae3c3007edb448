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
console.log('redirected', ...seen)
process.exit()
