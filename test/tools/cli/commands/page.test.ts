import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, directoryOf } from '../program.ts'

const ping = { name: 'ping', description: 'Says </script> pong' }

/** The commands in a page, and its policy. */
async function contentOf(file: string): Promise<{ readonly set: string; readonly policy: string }> {
  const html = await readFile(file, 'utf8')
  const [, set = ''] = /<script type="application\/json" id="set">(.*?)<\/script>/s.exec(html) ?? []
  const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="(.*?)">/.exec(html) ?? []
  return { set, policy }
}

describe('commandry page', () => {
  it('writes the commands of files into one page that may connect to nothing', async () => {
    const cwd = await directoryOf({ 'a.json': ping, 'b.json': { type: 2, name: 'Report' } })
    const { code, out } = await call(['page', 'a.json', 'b.json', '--out', 'page.html'], { cwd })
    expect({ code, out }).toEqual({ code: 0, out: 'page.html: 2 commands\n' })
    const { set, policy } = await contentOf(join(cwd, 'page.html'))
    expect(JSON.parse(set)).toEqual([ping, { type: 2, name: 'Report' }])
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-/)
    expect(policy).not.toContain('connect-src')
  })

  it('says how many commands have errors, and fails when a file was not loaded', async () => {
    const cwd = await directoryOf({ 'c/a.json': ping, 'c/b.json': { ...ping, name: 'Not One' } })
    const written = () => call(['page', 'c', '--out', 'page.html'], { cwd })
    const out = 'page.html: 2 commands, 1 of them with errors, which open in the Editor\n'
    expect(await written()).toMatchObject({ code: 0, out })
    await writeFile(join(cwd, 'c/broken.json'), '{')
    expect(await written()).toMatchObject({
      code: 1,
      out,
      err: expect.stringContaining('not on the page: c/broken.json'),
    })
  })

  it('writes the text of a bigint that a module exports', async () => {
    const cwd = await directoryOf({ 'a.mjs': `export default { ...${JSON.stringify(ping)}, id: 5n }` })
    expect((await call(['page', 'a.mjs', '--out', 'page.html'], { cwd })).code).toBe(0)
    expect((await contentOf(join(cwd, 'page.html'))).set).toContain('"id": "5"')
  })

  it('writes a page with the samples without files', async () => {
    const cwd = await directoryOf({})
    expect((await call(['page', '--out', 'page.html'], { cwd })).out).toBe('page.html: samples\n')
    expect((await contentOf(join(cwd, 'page.html'))).set).toBe('')
  })

  it('refuses to write a page without commands, without --out, or to a folder that does not exist', async () => {
    const cwd = await directoryOf({ 'a.json': ping, 'broken.json': '{' })
    expect(await call(['page', 'a.json'], { cwd })).toMatchObject({ code: 2 })
    expect((await call(['page', 'broken.json', '--out', 'x.html'], { cwd })).code).toBe(1)
    const { code, err } = await call(['page', 'a.json', '--out', 'no/such/x.html'], { cwd })
    expect(code).toBe(1)
    expect(err.split('\n')).toHaveLength(2)
  })
})
