import { chmod, link, mkdtemp, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeNew, writeWhole } from '../../../../src/tools/cli/base/whole-file.ts'

const folder = () => mkdtemp(join(tmpdir(), 'commandry-whole-'))

async function* halfway(): AsyncGenerator<string> {
  yield 'new'
  throw new Error('no space left')
}

describe('writeWhole', () => {
  it('leaves a file as it was when the text ends half-way, and nothing beside it', async () => {
    const cwd = await folder()
    const file = join(cwd, 'a.json')
    await writeFile(file, 'old')
    await expect(writeWhole(file, halfway())).rejects.toThrow('no space left')
    expect([await readFile(file, 'utf8'), await readdir(cwd)]).toEqual(['old', ['a.json']])
    await expect(writeWhole(join(cwd, 'b.json'), halfway())).rejects.toThrow('no space left')
    expect(await readdir(cwd)).toEqual(['a.json'])
  })

  it('replaces a file at once: whoever has it open reads the old text', async () => {
    const file = join(await folder(), 'a.json')
    await writeFile(file, 'old')
    await link(file, `${file}.open`)
    await writeWhole(file, 'new')
    expect([await readFile(file, 'utf8'), await readFile(`${file}.open`, 'utf8')]).toEqual(['new', 'old'])
  })

  it('keeps the mode, and writes through a link', async () => {
    const cwd = await folder()
    const [file, linked] = [join(cwd, 'a.json'), join(cwd, 'b.json')]
    await writeFile(file, 'old')
    await chmod(file, 0o640)
    await symlink('a.json', linked)
    await writeWhole(linked, 'new')
    expect([await readlink(linked), await readFile(file, 'utf8')]).toEqual(['a.json', 'new'])
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o640)
  })

  it('names the file of the user in an error', async () => {
    const file = join(await folder(), 'no/a.json')
    await expect(writeWhole(file, 'x')).rejects.toThrow(`ENOENT: no such file or directory, open '${file}'`)
  })

  it.skipIf(process.platform === 'win32')('writes to what is no file, and refuses a folder', async () => {
    await writeWhole('/dev/null', 'x')
    await expect(writeWhole(await folder(), 'x')).rejects.toThrow('EISDIR')
  })
})

describe('writeNew', () => {
  it('replaces no file, and removes what it has written of one', async () => {
    const cwd = await folder()
    const file = join(cwd, 'a.json')
    await expect(writeNew(file, halfway())).rejects.toThrow('no space left')
    expect(await readdir(cwd)).toEqual([])
    await writeNew(file, 'old')
    await expect(writeNew(file, 'new')).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await readFile(file, 'utf8')).toBe('old')
  })
})
