/** What the tests of the registry share. */
import { it as test } from 'vitest'
import { CommandRegistry } from 'commandry'

/** A test that gets a new registry. */
export const it = test.extend<{ registry: CommandRegistry }>({
  registry: ({}, use) => use(new CommandRegistry()),
})

export const allow = [{ id: '3001', type: 1, permission: true }]

export function several(count: number, body: (i: number) => object): object[] {
  return Array.from({ length: count }, (_, i) => body(i))
}

export const slashes = (count: number, from = 0) =>
  several(count, (i) => ({ name: `s${from + i}`, description: 'b' }))

export const menus = (type: number, count: number) => several(count, (i) => ({ type, name: `Menu ${i}` }))
