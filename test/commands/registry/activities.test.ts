import { describe, expect } from 'vitest'
import { ApplicationFlag, applicationDirectory, CommandRegistry, CommandType, HandlerType } from 'commandry'
import type { Store } from 'commandry'
import { attempt, codeOf, issuesOf } from '../../support/attempt.ts'
import { handClock } from '../../support/clock.ts'
import { it, slashes } from './bodies.ts'
import { app, everywhere } from '../../support/fixtures.ts'
import { failingOnce, storeWith } from '../../support/stores.ts'

/** The flags of all privileged intents, which an application without flags has. */
const EVERY_INTENT = (1 << 13) | (1 << 15) | (1 << 19)

describe('Activities', () => {
  it('[2.3-02] create the command Launch with handler 2, once', async ({ registry }) => {
    const launch = await registry.enableActivities(app)
    expect(launch).toMatchObject({
      type: CommandType.PRIMARY_ENTRY_POINT,
      name: 'Launch',
      handler: HandlerType.SERVICE_LAUNCH_ACTIVITY,
    })
    expect(await registry.list(everywhere)).toEqual([launch])
    expect(await registry.enableActivities(app)).toBe(launch)
    await registry.edit(everywhere, launch.id, { name: 'Play', handler: HandlerType.APP_HANDLER })
    expect(await registry.enableActivities(app)).toMatchObject({ id: launch.id, name: 'Play', handler: 1 })
  })

  it('[2.3-02] [2.1-19] set the flag of the app that handlers need', async () => {
    const applications = applicationDirectory([{ id: app, flags: 1 << 18 }])
    const registry = new CommandRegistry({ applications })
    const body = { type: 4, name: 'Play', handler: 1 }
    expect(await issuesOf(() => registry.upsert(everywhere, body))).toEqual(['handler.embedded handler'])
    const launch = await registry.enableActivities(app)
    expect((await applications.get(app))?.flags).toBe((1 << 18) | ApplicationFlag.EMBEDDED)
    expect((await registry.edit(everywhere, launch.id, { handler: 1 })).handler).toBe(1)
  })

  it('[2.3-02] fail with a reason when the directory cannot store the flag', async () => {
    const registry = new CommandRegistry({ applications: { get: () => ({ flags: 0 }) } })
    expect(await codeOf(() => registry.enableActivities(app))).toBe('activities_unavailable')
  })

  const launchCommand = { type: 4, name: 'Launch', handler: 2 }

  it('[2.3-02] leave neither flag nor command when the directory fails', async () => {
    const failure = new Error('directory down')
    const directory = { get: () => ({ flags: 0 }), put: () => Promise.reject(failure) }
    const registry = new CommandRegistry({ applications: directory })
    const error = await attempt(() => registry.enableActivities(app))
    expect(error).toMatchObject({ code: 'activities_unavailable', cause: failure })
    expect(error?.message).toContain('nothing was changed')
    expect(await registry.list(everywhere)).toEqual([])
  })

  it('[2.3-02] keep both flag and command when the directory fails after storing the flag', async () => {
    const applications = applicationDirectory([{ id: app }])
    const failing = {
      ...applications,
      put: async (...settings: Parameters<NonNullable<typeof applications.put>>) => {
        await applications.put!(...settings)
        throw new Error('the answer is lost')
      },
    }
    const registry = new CommandRegistry({ applications: failing })
    const command = await registry.enableActivities(app)
    expect(command).toMatchObject(launchCommand)
    expect(await registry.list(everywhere)).toEqual([command])
    expect((await applications.get(app))?.flags).toBe(ApplicationFlag.EMBEDDED | EVERY_INTENT)
  })

  it('[2.3-02] keep an existing entry point when the directory fails', async () => {
    let broken = true
    const settings = { flags: 0 }
    const applications = {
      get: () => settings,
      put: () => {
        if (broken) throw new Error('directory down')
      },
    }
    const registry = new CommandRegistry({ applications })
    const { command } = await registry.upsert(everywhere, { type: 4, name: 'Play' })
    expect(await codeOf(() => registry.enableActivities(app))).toBe('activities_unavailable')
    expect(await registry.list(everywhere)).toEqual([command])
    broken = false
    expect(await registry.enableActivities(app)).toBe(command)
  })

  const moments = ['before', 'after'] as const
  it.each(moments)(
    '[2.3-02] are complete after a second call when the store fails %s a write',
    async (moment) => {
      const store = failingOnce(moment, new Error('connection lost'))
      const applications = applicationDirectory([{ id: app }])
      const registry = new CommandRegistry({ store, applications })
      const error = await attempt(() => registry.enableActivities(app))
      expect(error).toMatchObject({ code: 'storage', mayHaveHappened: true })
      expect((await applications.get(app))?.flags).toBe(ApplicationFlag.EMBEDDED | EVERY_INTENT)
      const command = await registry.enableActivities(app)
      expect(command).toMatchObject(launchCommand)
      expect(await registry.list(everywhere)).toEqual([command])
    },
  )

  it('[2.3-02] report an uncertain result when the store keeps failing', async () => {
    const lost = () => Promise.reject(new Error('connection lost'))
    const registry = new CommandRegistry({ store: storeWith(lost) })
    expect(await codeOf(() => registry.enableActivities(app))).toBe('storage')
    let isDown = false
    const writing = storeWith(() => {
      isDown = true
      return lost()
    })
    const store: Store = { ...writing, read: (keys) => (isDown ? lost() : writing.read(keys)) }
    const doubtful = new CommandRegistry({ store })
    expect(await attempt(() => doubtful.enableActivities(app))).toMatchObject({ mayHaveHappened: true })
  })

  it('[2.3-02] say that the flag stays when a store that cannot be read leaves out the command', async () => {
    const applications = applicationDirectory([{ id: app }])
    const store = storeWith(() => Promise.reject(new Error('connection lost')))
    const read = () => Promise.reject(new Error('connection lost'))
    const registry = new CommandRegistry({ store: { ...store, read }, applications })
    const error = await attempt(() => registry.enableActivities(app))
    expect((await applications.get(app))?.flags).toBe(ApplicationFlag.EMBEDDED | EVERY_INTENT)
    const reason = 'the store failed; nothing was written'
    expect(error?.message).toBe(
      `the application has the EMBEDDED flag now; repeat the call for its entry point command: ${reason}`,
    )
    const again = await attempt(() => registry.enableActivities(app))
    expect(again?.message).toBe(reason)
  })

  it('[2.3-02] set no flag in a call that was aborted', async () => {
    const applications = applicationDirectory([{ id: app }])
    const registry = new CommandRegistry({ applications })
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(registry.enableActivities(app, { signal })).rejects.toThrow('stopped')
    expect((await applications.get(app))?.flags).toBeUndefined()
  })

  it('[2.3-02] cannot be enabled in a copy either where settings cannot be stored', async () => {
    const applications = { get: () => ({ flags: 0 }) }
    const registry = new CommandRegistry({ applications })
    for (const each of [registry, await registry.fork()])
      expect(await codeOf(() => each.enableActivities(app))).toBe('activities_unavailable')
  })

  it('[2.3-02] [8-02] do not count Launch as a create of the day', async () => {
    const registry = new CommandRegistry({ clock: handClock() })
    await registry.overwrite(everywhere, slashes(100))
    await registry.overwrite(everywhere, slashes(100, 100))
    expect((await registry.plan(everywhere, slashes(100, 100))).createsLeft).toBe(0)
    expect(await registry.enableActivities(app)).toMatchObject(launchCommand)
    const kept = [...slashes(100, 100), { type: 4, name: 'Launch' }]
    expect((await registry.plan(everywhere, kept)).createsLeft).toBe(0)
  })

  it('[2.1-19] use APP_HANDLER as the default handler', async ({ registry }) => {
    const { command } = await registry.upsert(everywhere, { type: 4, name: 'Play' })
    expect(command.handler).toBe(HandlerType.APP_HANDLER)
  })
})
