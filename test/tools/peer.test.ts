import { describe, expect, it } from 'vitest'
import { rules } from 'commandry/reference'
import { violating } from 'commandry/testing'
import { libraries } from '../bench/peer-libraries.ts'
import { peerOf } from '../bench/peer.ts'
import * as payloads from '../bench/payloads.ts'

const violations = rules
  .filter(({ level }) => level === 'error')
  .map(({ code }) => violating(code))
  // A context is what the app and the scope add; the peer is asked about bodies alone.
  .filter(({ context }) => Object.keys(context).length === 0)
const alone = violations.flatMap((each) => (each.on === 'command' ? [each] : []))
const together = violations.flatMap((each) => (each.on === 'commands' ? [each] : []))

const one = alone.map(({ code, body }) => [code, body] as const)
const lists = together.map(({ code, body }) => [code, body] as const)

describe.each(libraries)('the peer %s of the benchmark', (library) => {
  it.each(one)('refuses what %s refuses', async (_, body) => {
    expect((await peerOf(library, false))(body)).toBe(false)
  })

  it.each(lists)('refuses lists that %s refuses', async (_, body) => {
    expect((await peerOf(library, true))(body)).toBe(false)
  })

  it('accepts every payload that is measured', async () => {
    const isValid = await peerOf(library, false)
    const { small, middle, large, nested, clashing, widest } = payloads
    for (const body of [small, middle, large, nested, clashing, widest, payloads.full(1)])
      expect(isValid(body)).toBe(true)
    expect((await peerOf(library, true))(payloads.app())).toBe(true)
  })
})
