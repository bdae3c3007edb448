import { expect, it } from 'vitest'
import { versions } from '../support/versions.ts'

// By the real date: what users install today changes without a change here.
it('the versions that the tests start were looked at in the last three months', () => {
  const days = (Date.now() - Date.parse(versions.lookedAt)) / 86_400_000
  const remedy = 'look for newer ones (npm outdated, npm outdated --prefix test, node, bun, deno, workerd)'
  expect(days < 92, `test/support/versions.ts is ${Math.floor(days)} days old: ${remedy}`).toBe(true)
})
