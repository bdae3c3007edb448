import { it } from 'vitest'
import { expectRepeated, expectResumed, lasting, passing } from './failing-runs.ts'

it.each(Object.keys(passing) as (keyof typeof passing)[])(
  'commandry vectors --against discord asks again after %s, of each kind',
  (kind) => expectRepeated(kind),
)

it.each(Object.keys(lasting))(
  'commandry vectors --against discord stops after %s, of each kind, and goes on later',
  (kind) => expectResumed(kind),
)
