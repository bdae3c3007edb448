import { describe, expect, it } from 'vitest'
import { cleanFileName, TooManyPartsError } from '../../../src/interactions/answer/form.ts'
import { cpuMilliseconds } from '../../support/cpu-time.ts'
import { mostBytes, parseAnswer } from '../../../src/interactions/answer/answer-body.ts'

const read = async (body: BodyInit) => {
  const response = new Response(body)
  return parseAnswer(new Uint8Array(await response.arrayBuffer()), response.headers.get('content-type'))
}

it('reads the JSON of a form, and the name, size and type of each numbered file', async () => {
  const form = new FormData()
  form.set('payload_json', '{"type":4,"id":1029384756102938475}')
  form.set('files[0]', new Blob(['abc'], { type: 'text/plain' }), 'a.txt')
  form.set('files[12]', new Blob(['d']), 'b')
  form.set('files[1]', 'a text')
  form.set('other', new Blob(['e']), 'c')
  const files = [
    { key: '0', filename: 'a.txt', size: 3, content_type: 'text/plain', bytes: Uint8Array.of(97, 98, 99) },
    { key: '12', filename: 'b', size: 1, content_type: expect.any(String), bytes: Uint8Array.of(100) },
  ]
  expect(await read(form)).toEqual({ value: { type: 4, id: '1029384756102938475' }, files })
  expect(await read(new URLSearchParams({ payload_json: '{}' }))).toEqual({ value: {}, files: [] })
  await expect(read(new FormData())).rejects.toThrow(SyntaxError)
})

it('takes 8 MiB of JSON, and ten files of 10 MiB beside it', () => {
  const types = [null, 'application/json', 'multipart/form-data; boundary=x', 'Multipart/Form-Data']
  expect(types.map((type) => mostBytes(type) / 1024 / 1024)).toEqual([8, 8, 108, 108])
})

describe('a form', () => {
  const files = (count: number) => {
    const form = new FormData()
    form.set('payload_json', '{}')
    for (let file = 0; file < count; file++) form.append('files[0]', new Blob(['x']), 'a.txt')
    return form
  }

  it('has at most 100 parts, which are counted before any is parsed', async () => {
    expect((await read(files(99))).files).toHaveLength(99)
    await expect(read(files(100))).rejects.toThrow('form: expected at most 100 parts, got more')
    const fields = (count: number) => new URLSearchParams(Array(count).fill(['payload_json', '{}']))
    expect((await read(fields(100))).value).toEqual({})
    await expect(read(fields(101))).rejects.toThrow(TooManyPartsError)
    const part = '--b\r\nContent-Disposition: form-data; name="files[0]"; filename="a.txt"\r\n\r\nx\r\n'
    const many = new TextEncoder().encode(`${part.repeat(40_000)}--b--\r\n`)
    const type = 'multipart/form-data; boundary="b"'
    let refusal: Promise<unknown> | undefined
    expect(cpuMilliseconds(() => (refusal = parseAnswer(many, type)))).toBeLessThan(100)
    await expect(refusal).rejects.toThrow(TooManyPartsError)
  })

  it.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\a b.txt', 'a_b.txt'],
    ['a\0b:c*.png', 'a_b_c_.png'],
    ['schön-1_2.tar.gz', 'schön-1_2.tar.gz'],
    ['..', 'unknown'],
    ['', 'unknown'],
    [`${'x'.repeat(8_000_000)}.png`, `${'x'.repeat(251)}.png`],
    [`x.${'y'.repeat(8_000_000)}`, `x.${'y'.repeat(253)}`],
  ])('has a file name without folders and special characters: %.30s', (name, cleaned) =>
    expect(cleanFileName(name)).toBe(cleaned),
  )

  it('has no content type of a file that is longer than 255 characters', async () => {
    const form = new FormData()
    form.set('payload_json', '{}')
    form.set('files[0]', new Blob(['x'], { type: 'x'.repeat(256) }), 'a/b c.txt')
    expect((await read(form)).files).toEqual([
      { key: '0', filename: 'b_c.txt', size: 1, bytes: Uint8Array.of(120) },
    ])
  })
})
