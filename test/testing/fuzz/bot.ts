/** Bots over HTTP that answer as a test says. */
import { expect } from 'vitest'
import { fuzz, type FuzzOptions } from 'commandry/fuzz'
import { testbed, type Testbed, type TestbedOptions } from 'commandry/testbed'

export const option = (type: number, name: string, more = {}) => ({ type, name, description: 'x', ...more })
export const row = (...components: readonly object[]) => [{ type: 1, components }]
export const ping = { name: 'ping', description: 'x' }
export const long = { type: 4, data: { content: 'x'.repeat(2_001) } }
export const short = { type: 4, data: { content: 'x' } }

type Answer = (interaction: any, rest: string) => object | Promise<object>

/** Opens a testbed for a bot over HTTP that answers every interaction with one function. */
export async function withEndpoint<T>(
  answer: Answer,
  more: TestbedOptions,
  use: (bed: Testbed) => Promise<T>,
): Promise<T> {
  const endpoint = async (request: Request) => Response.json(await answer(await request.json(), bed.rest))
  const bed = await testbed({ commands: [ping] as never[], endpoint, ...more })
  try {
    return await use(bed)
  } finally {
    await bed.close()
  }
}

/** Fuzzes such a bot. */
export function fuzzEndpoint(answer: Answer, options: FuzzOptions = {}, more: TestbedOptions = {}) {
  return withEndpoint(answer, more, (bed) => fuzz(bed, { runs: 3, ...options }))
}

/** Runs the test of a failure. @param scope what else its file has */
export async function runTest(bed: Testbed, code: string, scope: object = {}): Promise<void> {
  const declared: (() => Promise<void>)[] = []
  const test = (_title: string, body: () => Promise<void>) => declared.push(body)
  const given = { bed, test, expect, ...scope }
  new Function(...Object.keys(given), code)(...Object.values(given))
  for (const body of declared) await body()
}
