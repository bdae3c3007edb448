import { expect, test } from 'vitest'
import { mayHaveHappened, StoreError, storeError } from '../../src/storage/store-error.ts'

test('what failed may have happened, unless the error says otherwise', () => {
  expect(mayHaveHappened(new StoreError('no', { cause: 1, mayHaveHappened: false }))).toBe(false)
  expect(mayHaveHappened(new StoreError('no', { cause: 1, mayHaveHappened: true }))).toBe(true)
  // From another copy of the package, or another's adapter.
  expect(mayHaveHappened(Object.assign(new Error('no'), { mayHaveHappened: false }))).toBe(false)
  for (const other of [new Error('no'), undefined, null, 'no', { mayHaveHappened: false }])
    expect(mayHaveHappened(other)).toBe(true)
})

test('a store error tells what was being done, why it failed, and keeps the cause', () => {
  const cause = new Error('connection lost')
  const error = storeError('writing key', cause, true)
  expect(error).toMatchObject({
    name: 'StoreError',
    message: 'writing key failed: connection lost',
    mayHaveHappened: true,
    cause,
  })
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
