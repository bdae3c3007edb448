import { expect, it } from 'vitest'
import { WaitingUses } from '../../../../src/tools/cli/bots/waiting-uses.ts'

it('gives an error to the use that waited alone when it was written', () => {
  const output = new WaitingUses()
  output.add('Error: before\n')
  const first = output.begin()
  output.add('Error: of the first\n')
  const second = output.begin()
  output.add('Error: of one of them\n')
  expect(first.error()).toContain('of the first')
  first.end()
  expect(second.error()).toContain('of one of them')
  output.add('Error: of the second\n')
  expect(second.error()).toContain('of the second')
})

it('gives an error to both uses where it could be of either', () => {
  const output = new WaitingUses()
  const uses = [output.begin(), output.begin()]
  output.add('Error: of one of them\n')
  expect(uses.map((use) => use.error())).toEqual(['Error: of one of them', 'Error: of one of them'])
})

it('has no error for a use whose program only logged, or wrote an error before', () => {
  const output = new WaitingUses()
  output.add('Error: before\n')
  const use = output.begin()
  output.add('\u001b[31mhandled /ping\u001b[0m\n')
  expect([use.error(), use.written()]).toEqual(['', 'handled /ping\n'])
})

it('keeps the last lines, none of them without its beginning', () => {
  const output = new WaitingUses()
  for (let line = 0; line < 3_000; line++) output.add(`line ${line} of the program\n`)
  expect(output.text).toMatch(/^line \d+ of the program\n/)
  expect(output.text).toMatch(/line 2999 of the program\n$/)
})
