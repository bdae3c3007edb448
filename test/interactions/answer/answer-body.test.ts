import { expect, it } from 'vitest'
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
    { key: '0', filename: 'a.txt', size: 3, content_type: 'text/plain' },
    { key: '12', filename: 'b', size: 1, content_type: expect.any(String) },
  ]
  expect(await read(form)).toEqual({ value: { type: 4, id: '1029384756102938475' }, files })
  expect(await read(new URLSearchParams({ payload_json: '{}' }))).toEqual({ value: {}, files: [] })
  await expect(read(new FormData())).rejects.toThrow(SyntaxError)
})

it('takes 8 MiB of JSON, and ten files of 10 MiB beside it', () => {
  const types = [null, 'application/json', 'multipart/form-data; boundary=x', 'Multipart/Form-Data']
  expect(types.map((type) => mostBytes(type) / 1024 / 1024)).toEqual([8, 8, 108, 108])
})
