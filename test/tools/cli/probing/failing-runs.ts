/** Runs in which something fails, and what they leave. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { guildScope } from 'commandry'
import { failing } from '../program.ts'
import { able, answer, cut, discord, SERVER, type Fate } from './discord.ts'
import { rows, seenIn } from './plant.ts'

const ping = { name: 'ping', description: 'Says pong', default_member_permissions: '8' }

/** An ordinary application with commands of its own, one of them with permissions. */
export async function furnished(fate?: Fate) {
  const made = await discord({ ...able, flags: 0, commands: [ping] }, fate)
  const { registry, applicationId } = made.bed
  const { command } = await registry.upsert(guildScope(applicationId, SERVER), ping)
  await registry.setPermissions(applicationId, SERVER, command.id, [
    { id: SERVER, type: 1, permission: true },
  ])
  return made
}

/** The rows that a run did not ask. */
export const unseen = (cwd: string, file?: string) =>
  seenIn(cwd, file)
    .filter(({ outcome }) => outcome === 'not observed')
    .map(({ holds, came }) => `${holds}: ${came}`)

const every =
  (fate: Fate): Fate =>
  (sent, pass, index) =>
    index % 7 === 5 ? fate(sent, pass, index) : pass()

/** What fails at each seventh request. */
export const passing = {
  'cut connections': every(async () => cut()),
  'lost responses': every(async (_, pass) => (await pass(), cut())),
  'responses of 500': every(async () => answer(500, { message: 'No', code: 0 })),
  'rate limits': every(async () => answer(429, { message: 'slow', retry_after: 0.001 })),
}

/** Expects a run to ask again what failed, and to observe everything. */
export async function expectRepeated(kind: keyof typeof passing): Promise<void> {
  const { run, state, cwd } = await furnished(passing[kind])
  const before = await state()
  expect(await run(['--replace'])).toMatchObject({ code: 0 })
  expect(await state()).toEqual(before)
  expect(unseen(cwd).filter((line) => !/Activity/.test(line))).toEqual([])
}

/** What fails from some request on, and the reason that is printed. */
export const lasting: Readonly<Record<string, readonly [() => Response, RegExp]>> = {
  'the creates of the day': [
    () => answer(429, { message: 'Max', code: 30034, retry_after: 9e4 }),
    /429 "Max"/,
  ],
  'a token that is revoked': [() => answer(401, { message: 'No', code: 0 }), /responds with 401 "No"/],
  'a long rate limit': [() => answer(429, { message: 'slow', retry_after: 3600 }), /429 "slow"/],
  'a connection that is gone': [cut, /cannot be reached: read ECONNRESET/],
  'a page of a proxy': [() => new Response('<p>', { status: 403 }), /responds with 403/],
  'lasting responses of 500': [() => answer(500, { message: 'No', code: 0 }), /responds with 500 "No"/],
  'lasting responses of 403': [() => answer(403, { message: 'No', code: 50001 }), /80 requests were refused/],
}

/** Expects a run to stop, and a second one to ask the rest and to restore everything. */
export async function expectResumed(kind: string): Promise<void> {
  const [respond, why] = lasting[kind]!
  let isBroken = true
  const { run, state, cwd, sent } = await furnished(async ({ method }, pass, index) => {
    const isHit = isBroken && index > 40 && (kind !== 'the creates of the day' || method === 'POST')
    return isHit ? respond() : pass()
  })
  const before = await state()
  expect(await run(['--replace'])).toMatchObject(failing(1, why))
  const first = sent.length
  expect(first).toBeLessThan(200)
  isBroken = false
  const { code, out, err } = await run(['--resume', 'verified.json', '--replace'])
  if (kind !== 'lasting responses of 403') expect([code, err]).toEqual([0, ''])
  expect(out).toContain(`${rows.length} of ${rows.length} probes`)
  expect(sent.length - first).toBeLessThan(140)
  expect(await state()).toEqual(before)
  expect(JSON.parse(readFileSync(`${cwd}/verified.json`, 'utf8'))).not.toHaveProperty('pending')
}
