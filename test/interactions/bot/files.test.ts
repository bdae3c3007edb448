import { expect, it } from 'vitest'
import { fileGroupsDocument } from '../../model/documents.ts'
import { contentTypeOf, Files } from '../../../src/interactions/bot/files.ts'

const pathOf = (files: Files, url: string) => files.at(new URL(url).pathname)

it('count their names and types, so that files without content do not fill the memory', () => {
  const files = new Files()
  const filename = '語'.repeat(255)
  const content_type = `image/${'x'.repeat(249)}`
  const urls = Array.from({ length: 50_000 }, (_, index) =>
    files.add(String(index), { filename, content_type, bytes: new Uint8Array() }),
  )
  expect(urls.findIndex((url) => pathOf(files, url) !== undefined)).toBe(50_000 - 43_804)
})

it('are copies, so that one of them does not keep the whole form', () => {
  const files = new Files()
  const form = Buffer.from('a form with a file')
  const url = files.add('1', { filename: 'a.txt', content_type: 'text/plain', bytes: form.subarray(14) })
  const kept = pathOf(files, url)!
  expect(new TextDecoder().decode(kept.bytes)).toBe('file')
  expect(kept.bytes.buffer.byteLength).toBe(4)
})

it('are at their own path only', () => {
  const files = new Files()
  files.add('7', { filename: 'a.png', content_type: 'image/png', bytes: new Uint8Array(1) })
  expect(
    ['/attachments/7/a.png', '/attachments/7/b.png', '/emojis/7.png', '/attachments/8/a.png'].map(
      (path) => files.at(path) !== undefined,
    ),
  ).toEqual([true, false, false, false])
})

it('[2.4-14] have a content type of the group of their extension', () => {
  for (const [group, extensions] of Object.entries(fileGroupsDocument.table))
    for (const extension of extensions.split(' ')) expect(contentTypeOf(`a${extension}`)).toMatch(`${group}/`)
})
