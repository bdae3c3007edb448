import { expect, it } from 'vitest'
import { read } from '../support/markdown.ts'
import { versions } from '../support/versions.ts'

// By the real date: what users install today changes without a change here.
it('the versions that the tests start were looked at in the last three months', () => {
  const days = (Date.now() - Date.parse(versions.lookedAt)) / 86_400_000
  const remedy = 'look for newer ones (npm outdated, npm outdated --prefix test, node, bun, deno, workerd)'
  expect(days < 92, `test/support/versions.ts is ${Math.floor(days)} days old: ${remedy}`).toBe(true)
})

it('the manifest, both places of the lock file and the newest heading of the changelog have one version', () => {
  interface Lock {
    readonly version: string
    readonly packages: { readonly '': { readonly version: string } }
  }
  const { version } = JSON.parse(read('package.json')) as { readonly version: string }
  const lock = JSON.parse(read('package-lock.json')) as Lock
  const released = /^## (\d+\.\d+\.\d+)$/m.exec(read('CHANGELOG.md'))?.[1]
  expect([lock.version, lock.packages[''].version, released]).toEqual([version, version, version])
})
