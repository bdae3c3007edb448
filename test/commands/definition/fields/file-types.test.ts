import { describe, expect, it } from 'vitest'
import { OptionType, validateCommand } from 'commandry'
import { createInteraction, submit, validateCallback } from 'commandry/interactions'
import { testbed } from 'commandry/testbed'
import { isOfFileType } from '../../../../src/model/file-types.ts'
import { fileGroupsDocument } from '../../../model/documents.ts'
import { accepted, lines, messages, refusals } from '../../../support/found.ts'
import { used } from '../../../support/invoked.ts'

const upload = (file_types: unknown, type: number = OptionType.ATTACHMENT) => ({
  name: 'upload',
  description: 'Takes a file',
  options: [{ type, name: 'file', description: 'Which', file_types }],
})
const read = (file_types: unknown, type?: number) => validateCommand(upload(file_types, type))
const image = ['image', '.pdf']

describe('file_types of an option', () => {
  it('[2.4-14] is stored in lower case, without a warning', () => {
    const result = read(['Image', 'VIDEO', 'audio', '.PDF', '.tar.gz'])
    expect(accepted(result).options![0]!.file_types).toEqual(['image', 'video', 'audio', '.pdf', '.tar.gz'])
    expect(result.warnings).toEqual([])
    for (const none of [[], null, undefined])
      expect(accepted(read(none)).options![0]).not.toHaveProperty('file_types')
  })

  it('[2.4-14] has at most 10 types, each a kind or an extension with its dot', () => {
    const many = Array.from({ length: 11 }, (_, n) => `.x${n}`)
    expect(read(many.slice(1)).ok).toBe(true)
    expect(lines(refusals(read(many)))).toEqual(['file_types.count options[0].file_types 2.4-14'])
    for (const wrong of ['text', 'pdf', '.', 'image/png', '', 5, null, '*.pdf', '.p df'])
      expect(lines(refusals(read(['image', wrong])))).toEqual([
        'file_types.form options[0].file_types[1] 2.4-14',
      ])
    expect(messages(read(['pdf']))).toEqual([
      'is the string "pdf"; expected "image", "video", "audio" or an extension such as ".pdf"',
    ])
    expect(lines(refusals(read('image')))).toEqual(['shape.list options[0].file_types 2.1-24'])
  })

  it('[2.4-14] is for ATTACHMENT only; an empty list is tolerated on every type', () => {
    expect(read(image, OptionType.USER)).toMatchObject({ ok: false, issues: [{ code: 'option.file_types' }] })
    expect(read([], OptionType.USER).ok).toBe(true)
  })
})

describe('a file of a person', () => {
  const attached = (filename: string, content_type?: string) =>
    createInteraction(accepted(read(image)), {
      options: { file: '7' },
      resolved: { attachments: { '7': { id: '7', filename, ...(content_type && { content_type }) } } },
    })

  it('[2.4-14] is refused by the client if it has another type', () => {
    for (const name of ['cat.PNG', 'a.b.pdf', 'x.webp']) expect(attached(name).ok, name).toBe(true)
    for (const name of ['x.exe', 'pdf', '.pdf', 'png', 'x.pdf.exe']) {
      expect(lines(refusals(attached(name))), name).toEqual(['argument.file_type options.file 2.4-14'])
    }
    expect(messages(attached('x.exe'))).toEqual([
      'is the file "x.exe"; only files of type image or .pdf can be attached',
    ])
  })

  it('[2.4-14] has the type of its extension, whatever its content type', () => {
    expect(attached('cat.png', 'application/zip').ok).toBe(true)
    for (const name of ['photo', 'a.txt', 'drawing.svg'])
      expect(lines(refusals(attached(name, 'image/png')))).toEqual(['argument.file_type options.file 2.4-14'])
    for (const [group, extensions] of Object.entries(fileGroupsDocument.table))
      for (const extension of extensions.split(' ')) {
        const file = { filename: `a${extension.toUpperCase()}` }
        expect(isOfFileType(file, [group]), file.filename).toBe(true)
        expect(isOfFileType({ filename: extension }, [group])).toBe(false)
        const others = Object.keys(fileGroupsDocument.table).filter((one) => one !== group)
        expect(isOfFileType(file, others), file.filename).toBe(false)
      }
  })

  it('[2.4-14] is refused by the testbed, whatever way it is named', async () => {
    const bed = await testbed({ commands: [accepted(read(image))], endpoint: () => new Response() })
    const ada = bed.as('ada')
    await expect(ada.use('/upload', { file: { filename: 'x.exe' } })).rejects.toThrow(
      'only files of type image or .pdf can be attached',
    )
    await expect(ada.use('/upload file:x.exe')).rejects.toThrow('only files of type image or .pdf')
    await bed.close()
  })
})

describe('file_types of a File Upload', () => {
  const modalWith = (file_types: unknown) => ({
    custom_id: 'm',
    title: 'Files',
    components: [{ type: 18, label: 'File', component: { type: 19, custom_id: 'f', file_types } }],
  })
  const answer = (file_types: unknown) =>
    validateCallback(used({ name: 'a', description: 'b' }), { type: 9, data: modalWith(file_types) })

  it('[2.4-14] is checked as that of an option', () => {
    expect(answer(image).ok).toBe(true)
    const at = 'data.components[0].component.file_types'
    expect(lines(refusals(answer(['nonsense'])))).toEqual([`file_types.form ${at}[0] 2.4-14`])
    expect(lines(refusals(answer(Array<string>(11).fill('image'))))).toEqual([
      `file_types.count ${at} 2.4-14`,
    ])
  })

  it('[2.4-14] lets a person submit files of its types only', () => {
    const interaction = used({ name: 'a', description: 'b' })
    const send = (filename: string) => submit(modalWith(image), { f: [{ filename }] }, { interaction })
    expect(() => send('x.exe')).toThrow(
      'is the file "x.exe"; only files of type image or .pdf can be attached',
    )
    expect(Object.keys(send('cat.png').data.resolved!.attachments!)).toHaveLength(1)
  })
})
