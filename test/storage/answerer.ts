/** One of several processes that share the answers of a store, each with the default ids. Its parent begins each phase. */
import { once } from 'node:events'
import {
  createInteraction,
  sharedAnswers,
  type AnyInteraction,
  type AppMessage,
} from 'commandry/interactions'
import { openPlace, type Place } from './place.ts'

export interface AnswererTask {
  readonly place: Place
  /** Its number, from 0. */
  readonly number: number
  /** How many interactions it sends. */
  readonly uses: number
}

/** What a phase did: its calls, those that were wrong, and the ids of the messages that it saw created. */
export interface Phase {
  readonly calls: number
  readonly wrong: readonly string[]
  readonly ids: readonly string[]
  /** Of the first phase. */
  readonly interactions?: readonly AnyInteraction[]
}

/** All interactions, by the process that sent them. */
export type Shared = readonly (readonly AnyInteraction[])[]

const AT_ONCE = 16
const { place, number, uses } = JSON.parse(process.argv[2]!) as AnswererTask
const { store, close } = await openPlace(place)
// For every process a second is a millisecond: no answer is late, however many there are.
const clock = { now: () => Date.UTC(2026, 0, 1) + Math.floor(Date.now() / 1_000) }
const answers = sharedAnswers(store, { clock })

interface Result {
  readonly message?: AppMessage | null
}

let calls = 0
let wrong: string[] = []
let ids: string[] = []

/** Calls a function for each item, some at once. */
async function each<T>(
  items: readonly T[],
  call: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      calls++
      await call(next[1], next[0]).catch((error: Error) => wrong.push(String(error)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

function expectContent(result: Result, content: string): void {
  const found = result.message?.content ?? JSON.stringify(result)
  if (found !== content) wrong.push(`expected "${content}", got "${found}"`)
}

const pathOf = ({ application_id: applicationId, token }: AnyInteraction) => ({ applicationId, token })
const secretOf = ({ token }: AnyInteraction) => `secret of ${token}`
const moreOf = ({ token }: AnyInteraction) => `more of ${token} from ${number}`

/** Tells the parent what was done, and waits until all have done it. */
async function report(more: Partial<Phase> = {}): Promise<Shared> {
  const phase: Phase = { calls, wrong, ids, ...more }
  ;[calls, wrong, ids] = [0, [], []]
  process.send!(phase)
  const [shared] = (await once(process, 'message')) as [Shared]
  return shared
}

await report()
const own = Array.from({ length: uses }, (_, i): AnyInteraction => {
  const made = createInteraction({ name: 'ping', description: 'x' }, { user: { id: `${3000 + i}` } })
  if (!made.ok) throw new Error('no interaction')
  return made.value
})
const expected: ReturnType<typeof answers.expect>[] = []
await each(own, async (interaction, i) => {
  expected[i] = answers.expect(interaction)
  await expected[i].ready
})
const all = await report({ interactions: own })
const of = (shift: number) => all[(number + shift) % all.length]!
const everything = all.flat()

await each(of(1), (one) =>
  answers.at(pathOf(one), async (table) => {
    const data = { flags: 64 }
    const received = table.receive(one.id, one.token, { type: 5, data })
    if (!received.ok) wrong.push(`receive: ${received.code}`)
  }),
)
for (const { answer } of expected) await answer
await report()

await each(of(2), async (one) => {
  const body = { content: secretOf(one) }
  const result = await answers.at(pathOf(one), ({ conversations }) =>
    conversations.edit(pathOf(one), { body }),
  )
  expectContent(result as Result, secretOf(one))
  if ('message' in result) ids.push(result.message.id)
})
await report()

const followUps: string[] = []
await each(everything, async (one, i) => {
  const body = { content: moreOf(one) }
  const send = () =>
    answers.at(pathOf(one), ({ conversations }) => conversations.followUp(pathOf(one), { body }))
  const result = await send()
  expectContent(result as Result, moreOf(one))
  if ('message' in result) ids.push((followUps[i] = result.message.id))
})
await report()

await each(everything, async (one) => {
  const read = await answers.at(pathOf(one), ({ conversations }) => conversations.read(pathOf(one)))
  expectContent(read as Result, secretOf(one))
})
await each(everything, async (one, i) => {
  const path = { ...pathOf(one), messageId: followUps[i]! }
  const read = await answers.at(path, ({ conversations }) => conversations.read(path))
  expectContent(read as Result, moreOf(one))
})
process.send!({ calls, wrong, ids } satisfies Phase)
await close()
process.disconnect()
