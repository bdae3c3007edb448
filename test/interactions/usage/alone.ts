/** A program that waits only for its deliveries and prints their results. */
import { checkEndpoint, createEndpointKeys, createPing, deliver } from 'commandry/interactions'

const { privateKey } = await createEndpointKeys()
const url = 'https://app.example/interactions'
const silent = (() => new Promise(() => {})) as unknown as typeof fetch
const prompt = (async () => Response.json({ type: 1 })) as unknown as typeof fetch

const ping = createPing('1001')
const unanswered = await deliver(ping, { url, privateKey, fetch: silent, timeout: 20 })
const problems = await checkEndpoint('1001', { url, privateKey, fetch: silent, timeout: 20 })
// The rest of an hour's timeout must not keep the program running.
const pong = await deliver(ping, { url, privateKey, fetch: prompt, timeout: 3_600_000 })
const forged = await checkEndpoint('1001', { url, privateKey, fetch: prompt, timeout: 3_600_000 })

console.log(JSON.stringify([unanswered.ok ? null : unanswered.code, problems, pong.ok, forged]))
