import { expect, it, onTestFinished } from 'vitest'
import { testbed } from 'commandry/testbed'

const report = {
  name: 'report',
  description: 'Reads a file',
  options: [{ type: 11, name: 'file', description: 'What is read', required: true }],
} as const

it.each([
  ['cat.png', [0x89, 0x50, 0x4e, 0x47], 'image/png'],
  ['🐈.jpg', [0xff, 0xd8, 0xff], 'image/jpeg'],
  ['clip.mp4', [0, 0, 0, 20, 0x66, 0x74, 0x79, 0x70], 'video/mp4'],
  ['song.mp3', [0xff, 0xfb], 'audio/mpeg'],
  ['paper.pdf', [0x25, 0x50, 0x44, 0x46], 'application/pdf'],
  ['no ending', [0x41], 'application/octet-stream'],
])('a bot can fetch %s, which a person attaches by its name alone', async (filename, start, type) => {
  let seen: any
  const bed = await testbed({
    commands: [report],
    async endpoint(request) {
      const { data } = (await request.json()) as any
      const [attachment] = Object.values(data.resolved.attachments) as any[]
      const response = await fetch(attachment.url)
      seen = { ...attachment, status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
      return Response.json({ type: 4, data: { content: 'read' } })
    },
  })
  onTestFinished(() => bed.close())
  await bed.as('ada').use('/report', { file: { filename } })
  expect(new URL(seen.url).hostname).toBe('127.0.0.1')
  expect([seen.status, seen.size, seen.content_type]).toEqual([200, seen.bytes.length, type])
  expect([...seen.bytes.slice(0, start.length)]).toEqual(start)
})
