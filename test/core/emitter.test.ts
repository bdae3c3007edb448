import { expect, it } from 'vitest'
import { Emitter } from '../../src/core/emitter.ts'

it('publishes events that one listener cannot change for the next', () => {
  const errors: unknown[] = []
  const emitter = new Emitter<{ name: string }>((error) => errors.push(error))
  const heard: string[] = []
  emitter.add((event) => (event.name = 'changed'))
  emitter.add(({ name }) => heard.push(name))
  emitter.publish([{ name: 'first' }])
  expect([heard, errors]).toEqual([['first'], [expect.any(TypeError)]])
})
