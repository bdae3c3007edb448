import { describe, expect, onTestFinished, vi } from 'vitest'
import { globalScope, RegistryError, type ApplicationCommand } from 'commandry'
import { attempt, codeOf, issuesOf } from '../../support/attempt.ts'
import { it, menus, slashes } from './bodies.ts'
import { app, everywhere, here, ping } from '../../support/fixtures.ts'

describe('an overwrite', () => {
  it('[4.1-06] [4.1-07] [4.2-06] replaces all types, and keeps the ids of matches', async ({ registry }) => {
    for (const scope of [everywhere, here]) {
      const before = await registry.overwrite(scope, [...slashes(3), ...menus(2, 2), ...menus(3, 1)])
      const after = await registry.overwrite(scope, [
        { name: 's1', description: 'Changed' },
        { type: 2, name: 'Menu 1' },
        { name: 'new', description: 'b' },
      ])
      expect(after.map(({ name, type }) => `${type} ${name}`)).toEqual(['1 s1', '2 Menu 1', '1 new'])
      expect(after[0]!.id).toBe(before[1]!.id)
      expect(after[0]!.version).not.toBe(before[1]!.version)
      expect(after[1]).toBe(before[4])
      expect(before.map(({ id }) => id)).not.toContain(after[2]!.id)
      expect(await registry.list(scope)).toBe(after)
    }
  })

  it('[4.1-07] is all or nothing', async ({ registry }) => {
    const before = await registry.overwrite(everywhere, slashes(3))
    const lists = [
      [...slashes(2), { name: 'Bad', description: 'b' }],
      slashes(101),
      [...slashes(1), ...slashes(1)],
      [...slashes(1), null],
    ]
    for (const list of lists) {
      expect(await attempt(() => registry.overwrite(everywhere, list))).toBeInstanceOf(RegistryError)
      expect(await registry.list(everywhere)).toBe(before)
    }
  })

  it('[4.1-07] matches by id first, so that commands can be renamed and swap names', async ({ registry }) => {
    const [a, b] = (await registry.overwrite(everywhere, [
      { name: 'a', description: 'first' },
      { name: 'b', description: 'second' },
    ])) as [ApplicationCommand, ApplicationCommand]
    const swapped = await registry.overwrite(everywhere, [
      { id: a.id, name: 'b', description: 'first' },
      { id: b.id, name: 'a', description: 'second' },
      { name: 'c', description: 'new' },
    ])
    expect(swapped.map(({ name }) => name)).toEqual(['b', 'a', 'c'])
    expect(swapped.slice(0, 2).map(({ id }) => id)).toEqual([a.id, b.id])
    // A command that another item matches by id is not matched by name.
    const shifted = await registry.overwrite(everywhere, [
      { id: a.id, name: 'd', description: 'first' },
      { name: 'b', description: 'a new b' },
    ])
    expect(shifted[0]!.id).toBe(a.id)
    expect([a.id, b.id]).not.toContain(shifted[1]!.id)
  })

  it('[4.1-07] accepts fetched commands, and creates commands for unknown ids', async ({ registry }) => {
    const before = await registry.overwrite(everywhere, slashes(3))
    expect(await registry.overwrite(everywhere, before)).toBe(before)
    const copied = await registry.overwrite(globalScope('1002'), before)
    expect(copied.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    for (const { id } of copied) expect(before.map((command) => command.id)).not.toContain(id)
  })

  it('[4.1-07] refuses items of the same type and name, or id, at the later one', async ({ registry }) => {
    const list = [ping, { type: 2, name: 'ping' }, ping]
    const twice = [
      { id: '5', ...ping },
      { id: '5', ...ping, name: 'pong' },
    ]
    expect(await codeOf(() => registry.overwrite(everywhere, list))).toBe('invalid')
    expect(await issuesOf(() => registry.overwrite(everywhere, list))).toEqual(['commands.unique 2'])
    expect(await issuesOf(() => registry.overwrite(everywhere, twice))).toEqual(['commands.id 1.id'])
  })

  it('[4.1-07] requires the existing entry point', async ({ registry }) => {
    const launch = await registry.enableActivities(app)
    expect(await codeOf(() => registry.overwrite(everywhere, [ping]))).toBe('entry_point_required')
    expect(await codeOf(() => registry.overwrite(everywhere, []))).toBe('entry_point_required')
    const after = await registry.overwrite(everywhere, [ping, { type: 4, name: 'Launch', handler: 2 }])
    expect(after[1]).toEqual(launch)
    await registry.delete(everywhere, launch.id)
    expect(await registry.overwrite(everywhere, [])).toEqual([])
  })

  it('[1-05] refuses a list with a hole, without a change', async ({ registry }) => {
    const before = await registry.overwrite(everywhere, slashes(1))
    const holed: unknown[] = slashes(3)
    delete holed[1]
    const error = await attempt(() => registry.overwrite(everywhere, holed))
    expect(error).toMatchObject({ code: 'invalid', issues: [{ code: 'shape.object', path: [1] }] })
    expect(error?.message).toContain('command 2: is null; expected an object')
    expect(await codeOf(() => registry.plan(everywhere, holed))).toBe('invalid')
    const fields = { ...ping, contexts: [0, , 1], options: [,] }
    expect(await issuesOf(() => registry.overwrite(everywhere, [fields]))).toEqual([
      'contexts.known 0.contexts.1',
      'shape.object 0.options.0',
    ])
    expect(await registry.list(everywhere)).toEqual(before)
    expect((await registry.upsert(everywhere, ping)).created).toBe(true)
  })

  it('[4.1-07] deletes all commands for an empty list', async ({ registry }) => {
    await registry.overwrite(everywhere, slashes(3))
    expect(await registry.overwrite(everywhere, [])).toEqual([])
    expect(await registry.list(everywhere)).toEqual([])
  })

  it('keeps ids on a runtime without WeakRef', async ({ registry }) => {
    vi.stubGlobal('WeakRef', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    const before = await registry.overwrite(everywhere, slashes(2))
    expect(await registry.overwrite(everywhere, slashes(1, 1))).toEqual([before[1]])
  })

  it('[2.1-22] rejects null without a change', async ({ registry }) => {
    await registry.overwrite(everywhere, slashes(3))
    expect(await codeOf(() => registry.overwrite(everywhere, null))).toBe('invalid')
    expect(await issuesOf(() => registry.overwrite(everywhere, null))).toEqual(['shape.list '])
    expect(await registry.list(everywhere)).toHaveLength(3)
  })
})
