import { describe, expect, it } from 'vitest'
import { examplesWith, expectShown, importsOf, isOwn } from '../../support/examples.ts'

/** The packages that readers of a recipe have installed; here they are in `test/`. */
const packages = /^(better-sqlite3|discord\.js|express|fast-check|hono|msw|msw\/node)$/

describe('the examples with other packages', () => {
  const examples = examplesWith((one) => packages.test(one)).filter(
    ({ code }) => !importsOf(code).every(isOwn),
  )

  it.each(examples)('$page, block $index, runs and prints what the page says', expectShown)

  it('exist', () => expect(examples.length).toBeGreaterThan(3))
})
