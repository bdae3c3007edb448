import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import cases from './cases.cjs'

const { useFakeTimers, useRealTimers } = vi
const equal = (one, other) => expect(one).toBe(other)
cases({ test, before: beforeAll, after: afterAll, equal, useFakeTimers, useRealTimers })
