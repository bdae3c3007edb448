import { expect, test } from 'vitest'
import { configured, defaults, wrongDecisions } from './decision-table.ts'

test.each(defaults.map((each, turn) => [each[0], turn] as const))(
  '[2.9-03] [2.9-04] [2.9-08] the decision table covers every combination of entries of the command and the app, default %s',
  (_, turn) => {
    // Each combination once among the defaults: the checks of a request take time.
    const isTried = (app: number, own: number) => (app + own) % defaults.length === turn
    expect(configured).toHaveLength(405)
    expect(wrongDecisions(defaults[turn]!, isTried)).toEqual([])
  },
)
