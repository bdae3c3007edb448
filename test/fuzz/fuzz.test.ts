import { describe, expect, it } from 'vitest'
import { fuzz, type FuzzOptions, type FuzzReport } from 'commandry/fuzz'
import { testbed } from 'commandry/testbed'
import { botWith, commands, type Planted } from './bot.ts'

async function fuzzBot(planted?: Planted, options: FuzzOptions = {}): Promise<FuzzReport> {
  let rest = ''
  const bed = await testbed({ commands, endpoint: botWith(planted, () => rest), patience: 200 })
  rest = bed.rest
  try {
    return await fuzz(bed, { patience: 300, ...options })
  } finally {
    await bed.close()
  }
}

/** Each fault with its command, the shortest line, and what else the report must have. */
const planted: readonly (readonly [Planted, string, object])[] = [
  ['option', '/ban user:@ada', { code: 'no_answer', command: '/ban' }],
  ['bound', '/roll sides:91', { code: 'no_answer', command: '/roll' }],
  ['button', '/ban user:@ada', { code: 'no_answer', step: 'press Undo' }],
  ['modal', '/form', { code: 'no_answer', step: 'submit Form' }],
  ['pattern', '/find page:(', { code: 'no_answer', step: 'suggestions of page' }],
  ['many', '/find page:', { code: 'bad_suggestion' }],
  ['refused', '/find page:', { code: 'bad_suggestion' }],
  ['long', `/echo text:${'a'.repeat(1_991)}`, { code: 'refused_answer' }],
  ['deferred', '/report kind:long', { code: 'never_edited' }],
  ['language', '/hello', { code: 'no_answer', locale: expect.not.stringMatching(/^(en-US|de)$/) }],
  ['direct', '/place', { code: 'no_answer', channel: 'dm' }],
  ['after', 'Greet', { code: 'crashed', message: expect.stringContaining('no such table') }],
  ['mentions', '/echo text:@everyone', { code: 'mentions_everyone' }],
  ['menu', '/pick', { code: 'no_answer', step: 'choose size' }],
  ['emoji', '/echo text:👧', { code: 'no_answer' }],
  ['late', '/pick', { code: 'no_answer', step: 'use' }],
]

describe('fuzz', () => {
  it.each(planted)('finds the fault "%s" at its command and shrinks it to %s', async (fault, line, more) => {
    const report = await fuzzBot(fault, { only: [(more as any).command ?? line.split(' ')[0]] })
    expect(report.failures).toContainEqual(
      expect.objectContaining({ as: expect.any(String), repeated: true, line, ...more }),
    )
  })

  it('finds nothing in a bot without a fault', async () => {
    for (let seed = 0; seed < 10; seed++) {
      const report = await fuzzBot(undefined, { seed, runs: 30 })
      expect(report).toMatchObject({ ok: true, seed, failures: [], missing_routes: [] })
    }
  })
})
