import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { call } from '../program.ts'
import { discord } from './discord.ts'
import { opposites, rowsOf } from './opposites.ts'

const rows = rowsOf(JSON.parse((await call(['vectors'])).out))
const seenIn = (cwd: string) => JSON.parse(readFileSync(`${cwd}/verified.json`, 'utf8')).seen as any[]

it('commandry vectors --run discord finds all decisions in this service', async () => {
  const { run, cwd } = await discord()
  const { code, out } = await run()
  expect(out).toContain(`${rows.length} as decided, 0 otherwise, 0 not observed`)
  expect(
    seenIn(cwd)
      .map(({ holds }) => holds.replace(/, another way$/, ''))
      .sort(),
  ).toEqual(rows.map(({ holds }) => holds).sort())
  expect(code).toBe(0)
})

// Each two rows are in different halves of one of these, so what is found is found for each row by itself.
const bits = Array.from({ length: Math.ceil(Math.log2(rows.length + 1)) }, (_, bit) => bit)

it.each(bits)(
  'commandry vectors --run discord finds each opposite decision, and no other, by bit %i',
  async (bit) => {
    const planted = new Set([...rows.keys()].filter((index) => (((index + 1) >> bit) & 1) === 1))
    const { run, cwd } = await discord(undefined, opposites(rows, planted))
    const { code } = await run()
    expect(code).toBe(1)
    const nameOf = ({ holds }: { holds: string }) => holds.replace(/, another way$/, '')
    const otherwise = seenIn(cwd)
      .filter(({ outcome }) => outcome === 'otherwise')
      .map(nameOf)
    expect(otherwise.sort()).toEqual([...planted].map((index) => nameOf(rows[index]!)).sort())
    expect(seenIn(cwd)).toHaveLength(rows.length)
  },
)
