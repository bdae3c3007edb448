import { describe, expect, it } from 'vitest'
import { cleanFileName, TooManyPartsError } from '../../../src/interactions/answer/form.ts'
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
  const json = '--b\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n'
  const fileHead = '--b\r\nContent-Disposition: form-data; name="files[0]"; filename="a.txt"'
  const files = (count: number) => {
    const form = new FormData()
    form.set('payload_json', '{}')
    for (let file = 0; file < count; file++) form.append('files[0]', new Blob(['x']), 'a.txt')
    return form
  }

  it('has at most 100 parts', async () => {
    expect((await read(files(99))).files).toHaveLength(99)
    await expect(read(files(100))).rejects.toThrow('form: expected at most 100 parts, got more')
    const fields = (count: number) => new URLSearchParams(Array(count).fill(['payload_json', '{}']))
    expect((await read(fields(100))).value).toEqual({})
    await expect(read(fields(101))).rejects.toThrow(TooManyPartsError)
  })

  it.each([
    [
      'without its closing boundary',
      '--b\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n{}\r\n',
    ],
    ['without any boundary', '{}'],
    ['with an endless head of a part', `--b\r\nX: ${'x'.repeat(20_000)}\r\n\r\n{}\r\n--b--`],
    [
      'with an endless head of a file',
      `${json}{}\r\n${fileHead}\r\nX: ${'x'.repeat(20_000)}\r\n\r\nx\r\n--b--`,
    ],
  ])('is refused %s', async (_, text) => {
    const parsed = parseAnswer(new TextEncoder().encode(text), 'multipart/form-data; boundary=b')
    await expect(parsed).rejects.toThrow(SyntaxError)
  })

  it('is read the same wherever its parts begin', async () => {
    const line = '\r\n--b--'
    // The bytes are searched in windows of 64 KiB.
    for (let last = 65_536 - line.length; last <= 65_536; last++) {
      const content = `"${'x'.repeat(last - json.length - 2)}"`
      const text = `${json}${content}${line}`
      const parsed = parseAnswer(new TextEncoder().encode(text), 'multipart/form-data; boundary=b')
      await expect(parsed, `the last line at ${last}`).resolves.toMatchObject({ value: JSON.parse(content) })
    }
  })

  it('may have short boundaries, text before it, and names as any client writes them', async () => {
    const part = (disposition: string, content: string) =>
      `--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
    const text = [
      'Some text.\r\n',
      part('name=payload_json', '{"content":"--b\\n--b--"}'),
      part('name="files[0]"; filename="a%22b.txt"', 'x--b\r\n--bc\r\n'),
      part('name="files[1]"; filename*=UTF-8\'\'gr%C3%BC%C3%9Fe.txt', ''),
      // A part that ends with its head.
      '--b\r\ncontent-disposition: form-data; name="files[2]"; filename=end.txt\r\n',
      '--b--\r\n',
    ]
    const { value, files } = await parseAnswer(
      new TextEncoder().encode(text.join('')),
      'multipart/form-data; boundary=b',
    )
    expect(value).toEqual({ content: '--b\n--b--' })
    expect(files.map(({ filename, bytes }) => [filename, new TextDecoder().decode(bytes)])).toEqual([
      ['a_b.txt', 'x--b\r\n--bc\r\n'],
      ['grüße.txt', ''],
      ['end.txt', ''],
    ])
  })

  it.each([
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['text/plain; name=日本', undefined],
    ['text/plain\u0000', undefined],
    ['no type', undefined],
  ])('has a content type only where a header can have it: %s', async (type, kept) => {
    const head = `Content-Disposition: form-data; name="files[0]"; filename="a"\r\nContent-Type: ${type}`
    const json = 'Content-Disposition: form-data; name="payload_json"\r\n\r\n{}'
    const text = `--b\r\n${json}\r\n--b\r\n${head}\r\n\r\nx\r\n--b--`
    const { files } = await parseAnswer(new TextEncoder().encode(text), 'multipart/form-data; boundary=b')
    expect(files[0]!.content_type).toBe(kept)
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
    form.set('files[0]', new Blob(['x'], { type: `text/${'x'.repeat(251)}` }), 'a/b c.txt')
    expect((await read(form)).files).toEqual([
      { key: '0', filename: 'b_c.txt', size: 1, bytes: Uint8Array.of(120) },
    ])
  })
})
