/** What the tests of the registry share. */
import { it as test } from 'vitest'
import { applicationDirectory, CommandRegistry } from 'commandry'
import type { ApplicationCommand, ApplicationSettings, RegistryOptions } from 'commandry'
import { app, everywhere, ping } from '../../support/fixtures.ts'
import { several } from '../../support/bodies.ts'

/** Tests that get a new registry, and the global command `ping` of it. */
export const it = test.extend<{ registry: CommandRegistry; command: ApplicationCommand }>({
  registry: ({}, use) => use(new CommandRegistry()),
  command: async ({ registry }, use) => use((await registry.upsert(everywhere, ping)).command),
})

/** A registry that knows the application with these settings, and no other. */
export const registryOf = (settings: ApplicationSettings, options: RegistryOptions = {}) =>
  new CommandRegistry({ applications: applicationDirectory([{ id: app, ...settings }]), ...options })

export const allow = [{ id: '3001', type: 1, permission: true }]

export const slashes = (count: number, from = 0) =>
  several(count, (i) => ({ name: `s${from + i}`, description: 'b' }))

export const menus = (type: number, count: number) => several(count, (i) => ({ type, name: `Menu ${i}` }))
