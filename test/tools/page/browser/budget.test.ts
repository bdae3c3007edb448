import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { service } from '../open.ts'
import { root } from '../../../support/markdown.ts'

const folder = new URL('src/tools/page/', root)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /^browser\/.*\.ts$/.test(file))
  .map((file) => new URL(file, folder))

/** Lines of code: every line that is neither blank nor a comment. */
function linesOf(file: URL): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length
}

// 4,000 until the page got the fields of Translations, the drawing of media, embeds, polls and forwards (500), the state of
// the bot's program, its error under a use, and the parts of large servers (200), the
// drafts of the composer (100), scenes (100), the list of mentions (150) and the bound of drafts (50),
// drafts that tabs share (175), and columns that stay, folded tools and threads (75).
it('the page has less than 5,350 lines of code in the browser, and 63 KB compressed in all', async () => {
  expect(files.map(linesOf).reduce((sum, count) => sum + count)).toBeLessThan(5_350)
  expect(gzipSync(await (await service().ask('/')).text()).length).toBeLessThan(63_000)
})

it('the page has no file over 400 lines', () => {
  const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 400)
  expect(long).toEqual([])
})
