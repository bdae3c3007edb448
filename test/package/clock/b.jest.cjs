const { useFakeTimers, useRealTimers } = jest
const equal = (one, other) => expect(one).toBe(other)
require('./cases.cjs')({ test, before: beforeAll, after: afterAll, equal, useFakeTimers, useRealTimers })
