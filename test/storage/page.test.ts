import { expect, it } from 'vitest'
import { storePromises } from '../../src/testing/store-contract.ts'
import { read } from '../support/markdown.ts'

it('docs/storage.md lists every promise of the contract', () => {
  const [, section = ''] = read('docs/storage.md').split('\n## The promises\n')
  const items = section.split('\n## ')[0]!.matchAll(/^- (.+)$/gm)
  expect(Array.from(items, ([, title]) => title)).toEqual(storePromises())
})
