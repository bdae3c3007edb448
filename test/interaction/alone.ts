/** A program that has nothing to wait for but its deliveries; what came of them goes to stdout. */
import { createPing } from '../../src/interaction/create.ts'
import { checkEndpoint, createEndpointKeys, deliver } from '../../src/answer/deliver.ts'

const { privateKey } = await createEndpointKeys()
const url = 'https://app.example/interactions'
const silent = (() => new Promise(() => {})) as unknown as typeof fetch
const prompt = (async () => Response.json({ type: 1 })) as unknown as typeof fetch

const ping = createPing('1001')
const unanswered = await deliver(ping, { url, privateKey, fetch: silent, timeout: 20 })
const problems = await checkEndpoint('1001', { url, privateKey, fetch: silent, timeout: 20 })
// What is left of an hour does not keep the program from ending.
const pong = await deliver(ping, { url, privateKey, fetch: prompt, timeout: 3_600_000 })
const forged = await checkEndpoint('1001', { url, privateKey, fetch: prompt, timeout: 3_600_000 })

console.log(JSON.stringify([unanswered.ok ? null : unanswered.code, problems, pong.ok, forged]))
