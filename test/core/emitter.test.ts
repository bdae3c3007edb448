import { expect, it } from 'vitest'
import { Emitter, subscription } from '../../src/core/emitter.ts'

it('publishes events that one listener cannot change for the next', () => {
  const errors: unknown[] = []
  const emitter = new Emitter<{ name: string }>((error) => errors.push(error))
  const heard: string[] = []
  emitter.add((event) => (event.name = 'changed'))
  emitter.add(({ name }) => heard.push(name))
  emitter.publish([{ name: 'first' }])
  expect([heard, errors]).toEqual([['first'], [expect.any(TypeError)]])
})

it('ends a subscription once, by a call or by its signal', () => {
  const aborting = new AbortController()
  let ends = 0
  const end = subscription(() => ends++, aborting.signal)
  expect(ends).toBe(0)
  end()
  end[Symbol.dispose]()
  aborting.abort()
  expect(ends).toBe(1)
  subscription(() => ends++, aborting.signal)
  expect(ends).toBe(2)
})
