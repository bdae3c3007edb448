/** A run with some opposite decisions, and the rows that it finds. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { call } from '../program.ts'
import { discord, withoutVersions } from './discord.ts'
import { opposites, rowsOf } from './opposites.ts'

export const rows = rowsOf(JSON.parse((await call(['vectors'])).out))

export const seenIn = (cwd: string, file = 'verified.json') =>
  JSON.parse(readFileSync(`${cwd}/${file}`, 'utf8')).seen as any[]

/** A second case of a rule has the rule's name as well. */
const nameOf = ({ holds }: { readonly holds: string }) => holds.replace(/, another way$/, '')

/** Expects a run to find the opposite decisions of some rows, and no other. */
export async function expectFound(isPlanted: (index: number) => boolean): Promise<void> {
  const planted = [...rows.keys()].filter(isPlanted)
  const { run, cwd, state } = await discord(undefined, opposites(rows, new Set(planted)))
  const before = withoutVersions(await state())
  expect((await run()).code).toBe(planted.length > 0 ? 1 : 0)
  const seen = seenIn(cwd)
  expect(seen.map(nameOf).sort()).toEqual(rows.map(nameOf).sort())
  const otherwise = seen.filter(({ outcome }) => outcome === 'otherwise').map(nameOf)
  expect(otherwise.sort()).toEqual(planted.map((index) => nameOf(rows[index]!)).sort())
  expect(withoutVersions(await state())).toEqual(before)
  const again = await call(['vectors', '--seen', 'verified.json'], { cwd })
  expect(again.out).toContain(`, ${planted.length} otherwise, 0 not observed`)
}
