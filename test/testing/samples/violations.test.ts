import { expect, expectTypeOf, it } from 'vitest'
import type { Issue } from 'commandry'
import { rules, type RuleCode } from 'commandry/reference'
import type { AnyInteraction } from 'commandry/interactions'
import { violating } from 'commandry/testing'
import { judge } from '../../reference/judge.ts'
import { rulesPage } from '../../support/rules-page.ts'

const codes = rules.map(({ code }) => code)

const places = (issues: readonly Issue[]) => issues.map(({ code, path }) => ({ code, path }))

it.each(codes)('violating breaks only the named rule, at its path: %s', async (code) => {
  const { on, body, context, path, level } = violating(code)
  expect(Object.values(context)).not.toContain(undefined)
  const found = await judge(on, body, context)
  const expected = { code, path }
  if (level === 'error') {
    expect(places(found.issues)).toEqual([expected])
    expect(places(found.warnings)).toEqual([])
  } else {
    expect(places(found.issues)).toEqual([])
    expect(places(found.warnings)).toContainEqual(expected)
  }
})

/** Runs what throws where a value is frozen. */
function attempted(change: () => unknown): void {
  try {
    change()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
  }
}

/** Changes an object and all that is in it, where it is not frozen. */
function changeWithin(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(changeWithin)
  attempted(() => (Array.isArray(value) ? value.push('changed') : Object.assign(value, { changed: true })))
}

it('an issue that is changed does not change the next one', async () => {
  for (const code of codes) {
    const { on, body, context } = violating(code)
    const found = async () => {
      const { issues, warnings } = await judge(on, body, context)
      return [...issues, ...warnings]
    }
    const before = structuredClone(await found())
    for (const issue of await found()) {
      changeWithin(issue.params)
      changeWithin(issue.path)
    }
    expect(await found()).toEqual(before)
  }
})

it('the page of rules shows each rule with the body that breaks it, and the nearest valid one', async () => {
  await expect(rulesPage()).toMatchFileSnapshot('../../../docs/rules.md')
})

it('violating returns the same frozen violation each time', () => {
  for (const code of codes) {
    expect(violating(code)).toEqual(violating(code))
    expect(Object.isFrozen(violating(code).body)).toBe(true)
  }
})

it('violating returns a minimal body', () => {
  const patch = { code: 'patch.type', level: 'error', on: 'patch', context: {} }
  expect(violating('patch.type')).toEqual({ ...patch, body: { type: 2 }, path: ['type'] })
  const entryPoint = { body: { type: 4, name: 'Launch' }, context: { scope: 'guild' } }
  expect(violating('entry_point.guild')).toMatchObject(entryPoint)
})

it('violating returns the subject of its type', () => {
  for (const { code, on } of rules) expect([code, violating(code).on]).toEqual([code, on])

  expectTypeOf(violating('choices.count').on).toEqualTypeOf<'command'>()
  expectTypeOf(violating('shape.snowflake').on).toEqualTypeOf<'permissions'>()
  expectTypeOf(violating('callback.fits').body.interaction).toEqualTypeOf<AnyInteraction>()
  expectTypeOf(violating('scope.name_taken').code).toEqualTypeOf<'scope.name_taken'>()
  expectTypeOf(violating).parameter(0).toEqualTypeOf<RuleCode>()
})

it('violating rejects an unknown code', () => {
  // @ts-expect-error There is no such rule.
  expect(() => violating('roll.colour')).toThrow(
    new TypeError(`code: expected the code of a rule, such as "choices.count", got the string "roll.colour"`),
  )
})
