/** What it costs to read answers that are large. */
import { expect, it } from 'vitest'
import { validateCallback } from 'commandry/interactions'
import { parseAnswer } from '../../../src/interactions/answer/answer-body.ts'
import { TooManyPartsError } from '../../../src/interactions/answer/form.ts'
import { several } from '../../support/bodies.ts'
import { BELOW_SQUARE, growth, LINEAR, timeOf } from '../../support/cpu-time.ts'
import { button, interaction, row } from './answers.ts'

it('[2.11-12] refuses thousands of components in little time', async () => {
  const buttons = several(5, (i) => ({ ...button, custom_id: `b${i}` }))
  const cost = timeOf(
    (count) => several(count, () => row(...buttons)),
    (components) => {
      for (const flags of [0, 1 << 15])
        expect(validateCallback(interaction, { type: 4, data: { flags, components } }).ok).toBe(false)
    },
  )
  expect(await growth(2_500, cost)).toBeLessThanOrEqual(LINEAR)
})

it('counts the parts of a form before it parses any', async () => {
  const part = '--b\r\nContent-Disposition: form-data; name="files[0]"; filename="a.txt"\r\n\r\nx\r\n'
  const cost = timeOf(
    (count) => new TextEncoder().encode(`${part.repeat(count)}--b--\r\n`),
    (many) =>
      expect(parseAnswer(many, 'multipart/form-data; boundary="b"')).rejects.toThrow(TooManyPartsError),
  )
  // It reads 100 parts of any number of them.
  expect(await growth(5_000, cost, FLAT)).toBeLessThanOrEqual(FLAT)
})

/** Far below the 2 of work that grows with its input. */
const FLAT = 1.4

const boundary = `${'-'.repeat(69)}x`

it.each(['a', '-', '\r\n--', `\r\n--${boundary.slice(0, -1)}`, '\0'])(
  'searches a form in time that grows with its bytes: %j',
  async (text) => {
    const cost = timeOf(
      (size) => new Uint8Array(Buffer.alloc(size * 1024 * 1024, text)),
      (body) => parseAnswer(body, `multipart/form-data; boundary=${boundary}`).catch(() => {}),
    )
    expect(await growth(4, cost, BELOW_SQUARE)).toBeLessThanOrEqual(BELOW_SQUARE)
  },
)
