import { expect, it } from 'vitest'
import { CommandRegistry } from 'commandry'
import { codeOf } from '../../support/attempt.ts'
import { handClock } from '../../support/clock.ts'
import { allow, slashes } from './bodies.ts'
import { app, everywhere, guild } from '../../support/fixtures.ts'

it('CommandRegistry.plan returns the effect of an overwrite without a change', async () => {
  const clock = handClock()
  const registry = new CommandRegistry({ clock })
  const before = await registry.overwrite(everywhere, slashes(4))
  await registry.setPermissions(app, guild, before[0]!.id, allow)
  await registry.setPermissions(app, '2002', before[1]!.id, allow)
  await registry.setPermissions(app, guild, before[2]!.id, allow)
  const plan = await registry.plan(everywhere, [
    { id: before[1]!.id, name: 'renamed', description: 'b' },
    { name: 's2', description: 'c', nsfw: true },
    { name: 's3', description: 'b' },
    { name: 'new', description: 'b' },
  ])
  expect(plan.creates.map(({ name }) => name)).toEqual(['new'])
  expect(plan.updates.map(({ before: { name }, fields }) => [name, fields])).toEqual([
    ['s1', ['name']],
    ['s2', ['description', 'nsfw']],
  ])
  expect(plan.deletes).toEqual([before[0]])
  expect(plan.unchanged).toEqual([before[3]])
  expect(plan.createsLeft).toBe(195)
  expect(plan.permissionsLost.map(({ id, guild_id }) => [id, guild_id])).toEqual([
    [before[0]!.id, guild],
    [before[1]!.id, '2002'],
  ])
  expect(await registry.list(everywhere)).toBe(before)
  expect(await codeOf(() => registry.plan(everywhere, [null]))).toBe('invalid')
})
