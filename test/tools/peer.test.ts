import { expect, it } from 'vitest'
import { rules } from 'commandry/reference'
import { violating } from 'commandry/testing'
import { areValid, isValid } from '../bench/peer.ts'
import * as payloads from '../bench/payloads.ts'

const violations = rules
  .filter(({ level }) => level === 'error')
  .map(({ code }) => violating(code))
  // A context is what the app and the scope add; the peer is asked about bodies alone.
  .filter(({ context }) => Object.keys(context).length === 0)
const alone = violations.flatMap((each) => (each.on === 'command' ? [each] : []))
const together = violations.flatMap((each) => (each.on === 'commands' ? [each] : []))

it.each(alone.map(({ code, body }) => [code, body] as const))(
  'the peer of the benchmark refuses what %s refuses',
  (_, body) => {
    expect(isValid(body)).toBe(false)
  },
)

const refusedLists = together.map(({ code, body }) => [code, body] as const)
it.each(refusedLists)('the peer of the benchmark refuses lists that %s refuses', (_, body) => {
  expect(areValid(body)).toBe(false)
})

it('the peer of the benchmark accepts every payload that is measured', () => {
  const { small, middle, large, nested, widest } = payloads
  for (const body of [small, middle, large, nested, widest, payloads.full(1)])
    expect(isValid(body)).toBe(true)
  expect(areValid(payloads.app())).toBe(true)
})
