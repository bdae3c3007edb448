/** The servers that tests may use: whether a test without its server is skipped or fails. */
import { expect, onTestFinished, test } from 'vitest'
import { grounds as allGrounds, missing, ownName, type Ground } from './grounds.ts'
import type { Place } from './place.ts'
import { storePromises, type StoreContractOptions } from '../../src/testing/store-contract/store-contract.ts'

export { missing, ownName }

export const serversRequired = process.env['REQUIRE_SERVERS'] !== undefined

/** Declares a test of the contract. */
export const contractTest: StoreContractOptions['test'] = (title, body) => test(title, body)

/** The promises that take nine tenths of the time of a contract. Each driver runs them once. */
const slowPromises: readonly string[] = [
  'reads a document whole, with its own revision, while it is being replaced',
  'keeps a document of several megabytes',
  'reads and lists eleven thousand documents, whatever the size of a page',
]
for (const title of slowPromises)
  if (!storePromises().includes(title)) throw new Error(`there is no promise "${title}"`)

/** Declares a test of the contract unless it is slow: for further configurations of a driver. */
export const fastContractTest: StoreContractOptions['test'] = (title, body) =>
  slowPromises.includes(title) ? undefined : contractTest(title, body)

/** A kind of store that several processes can share, for tests. */
interface TestGround extends Omit<Ground, 'place'> {
  /** Creates a place that no other test uses, for as long as the test runs. */
  place(): Place
}

/** Without the examples of the docs. */
export const grounds: readonly TestGround[] = allGrounds
  .filter(({ isExample }) => !isExample)
  .map((ground) => ({
    ...ground,
    place() {
      const { place, remove } = ground.place()
      onTestFinished(remove)
      return place
    },
  }))

/** The title of a group of tests with a requirement, and whether it is skipped. */
export function needing(name: string, missing: string | undefined): { title: string; skip: boolean } {
  if (missing === undefined || serversRequired) return { title: name, skip: false }
  return { title: `${name} (skipped: ${missing})`, skip: true }
}

/** Declares a test with a requirement: without it, the test is skipped, or fails where servers are required. */
export function testWith(missing: string | undefined, name: string, body: () => Promise<void>): void {
  const { title, skip } = needing(name, missing)
  test.skipIf(skip)(title, () => (missing === undefined ? body() : expect.fail(missing)))
}
