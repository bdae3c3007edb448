import { describe, expect, it } from 'vitest'
import { pendingAnswers } from 'commandry/interactions'
import { handClock } from '../../support/clock.ts'
import { interaction } from './endpoint.ts'

describe('an answer by callback request', () => {
  it('is forgotten after 32 MiB of later ones of its application, even when the clock stands still', () => {
    const answers = pendingAnswers({ clock: handClock() })
    const long = 'x'.repeat(500_000)
    const answered = (n: number, application = interaction.application_id) =>
      answers
        .expect({ ...interaction, id: String(n), application_id: application, token: `${long}${n}` })
        .acknowledge()
    const state = (n: number) => answers.stateOf(String(n), `${long}${n}`)
    answered(0, '9')
    for (let n = 1; n <= 34; n++) answered(n)
    expect([state(0), state(1), state(4), state(34)]).toEqual([
      'already_answered',
      'unknown_interaction',
      'already_answered',
      'already_answered',
    ])
    // Those of all applications have 96 MiB together.
    for (let n = 35; n <= 134; n++) answered(n, String(n))
    expect([state(0), state(134)]).toEqual(['unknown_interaction', 'already_answered'])
  })
})
