import { expect, test } from 'vitest'
import { StoreError } from 'commandry'
import { storeError, mayHaveHappened } from '../../src/storage/store-error.ts'

test('assumes that a failed write may have happened unless the error states otherwise', () => {
  expect(mayHaveHappened(new StoreError('no', { cause: 1, mayHaveHappened: false }))).toBe(false)
  expect(mayHaveHappened(new StoreError('no', { cause: 1, mayHaveHappened: true }))).toBe(true)
  // From another copy of the package, or from another adapter.
  expect(mayHaveHappened(Object.assign(new Error('no'), { mayHaveHappened: false }))).toBe(false)
  for (const other of [new Error('no'), undefined, null, 'no', { mayHaveHappened: false }])
    expect(mayHaveHappened(other)).toBe(true)
})

test('states the operation and the reason, and keeps the cause', () => {
  const cause = new Error('connection lost')
  const error = storeError('writing key', cause, true)
  const message = 'writing key failed: connection lost'
  expect(error).toMatchObject({ name: 'StoreError', message, mayHaveHappened: true, cause })
  expect(storeError('reading', error, false)).toBe(error)
  expect(storeError('reading', 'text', false).message).toBe('reading failed: text')
  const both = new AggregateError([new Error('no one at ::1'), new Error('no one at 127.0.0.1')])
  expect(storeError('reading', both, false).message).toBe(
    'reading failed: no one at ::1, no one at 127.0.0.1',
  )
  expect(storeError('reading', new TypeError(''), false).message).toBe('reading failed: TypeError')
  class SocketClosed extends Error {}
  expect(storeError('reading', new SocketClosed(), false).message).toBe('reading failed: SocketClosed')
})
