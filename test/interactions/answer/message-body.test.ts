import { describe, expect, it } from 'vitest'
import { toErrorBody } from 'commandry/http'
import { type AnyInteraction, validateCallback, validateFollowUp } from 'commandry/interactions'
import { validateMessage } from '../../../src/interactions/answer/callback.ts'
import { several } from '../../support/bodies.ts'
import { refusals, warnings } from '../../support/found.ts'
import type { Path } from 'commandry'
import { button, faults, faultsIn, interaction, outside, row } from './answers.ts'

const V2 = 1 << 15
const text = { type: 10, content: 'x' }
/** The codes and paths of the problems of a new message. */
const found = (data: object, part: Path = []) => faultsIn(part, { type: 4, data: { content: 'x', ...data } })

describe('messages', () => {
  it('checks the limits of content, embeds and flags', () => {
    const embeds = (count: number) => several(count, () => ({ title: 't' }))
    expect(found({ content: '𐐨'.repeat(2000), embeds: embeds(10) })).toBe('')
    expect(found({ content: 'x'.repeat(2001), embeds: embeds(11) })).toBe(
      'message.content content; message.embeds embeds',
    )
    expect(found({ content: [5], embeds: {}, flags: '0x40' })).toBe(
      'shape.string content; shape.list embeds; shape.integer flags',
    )
    expect(found({ content: null, embeds: null, flags: null, components: [row(button)] })).toBe('')
    expect(faults({ type: 4 })).toBe('shape.required data')
    expect(faults({ type: 4, data: 'x' })).toBe('shape.object data')
  })

  it.each([
    {},
    { content: '' },
    { content: null },
    { content: ' \n' },
    { tts: true },
    { embeds: [], components: [] },
  ])('[2.11-12] refuses a message that shows nothing: %j', (data) => {
    const empty = 'message.empty data'
    expect(faults({ type: 4, data })).toBe(empty)
    const before = { content: 'x', embeds: [], components: [], attachments: [] }
    const update = { type: 7, data: { ...data, content: data.content ?? null } }
    expect(faults(update, outside(3, { message: before }))).toBe(empty)
    for (const read of [validateFollowUp(interaction, data), validateMessage(data)])
      expect(refusals(read).map(([code]) => code)).toEqual(['message.empty'])
  })

  it('[2.11-12] accepts a message that shows something', () => {
    for (const field of [
      { content: 'x' },
      { components: [row(button)] },
      { embeds: [{ image: { url: 'attachment://a.png' } }] },
      { poll: { question: { text: 'q' }, answers: [{ poll_media: { emoji: { name: '🔥' } } }] } },
      { attachments: [{}] },
      { sticker_ids: ['1'] },
    ])
      expect(faults({ type: 4, data: field })).toBe('')
    const files = [{ key: '0' }]
    expect(faults({ type: 4, data: {} }, interaction, { files })).toBe('')
    expect(validateMessage({}, { files }).ok).toBe(true)
    const kept = { content: '', embeds: [{ title: 't' }], components: [row(button)] }
    expect(faults({ type: 7, data: { components: [] } }, outside(3, { message: kept }))).toBe('')
  })

  it('[2.11-12] warns about flags that an app cannot set', () => {
    const codes = (flags: number) =>
      warnings(validateCallback(interaction as AnyInteraction, { type: 4, data: { content: 'x', flags } }))
    expect(codes(4 | 64 | 4096 | 8192)).toEqual([])
    for (const flags of [1, 128, 2 ** 40])
      expect(codes(flags).map(([code]) => code)).toEqual(['message.flags'])
  })

  it('[2.11-12] refuses content beside IS_COMPONENTS_V2', () => {
    const poll = { question: { text: 'q' }, answers: [{ poll_media: { text: 'a' } }] }
    const legacy = { content: 'x', embeds: [{ title: 't' }], poll, sticker_ids: ['1'] }
    expect(found({ ...legacy, flags: V2, components: [text] })).toBe(
      'message.legacy content embeds poll sticker_ids',
    )
    expect(found({ content: '', embeds: [], poll: null, flags: V2, components: [text] })).toBe('')
    const before = { content: 'old', embeds: [] }
    const update = (data: object) =>
      faults({ type: 7, data: { flags: V2, components: [text], ...data } }, outside(3, { message: before }))
    expect(update({})).toBe('message.legacy data.content')
    expect(update({ content: null })).toBe('')
    const shown = { flags: V2, components: [text] }
    const to = outside(3, { message: { ...before, content: '', ...shown } })
    expect(faults({ type: 7, data: { components: [text, text] } }, to)).toBe('')
    expect(faults({ type: 7, data: { content: 'x', flags: 0 } }, to)).toBe('message.legacy data.content')
  })
})

describe('embeds', () => {
  const field = { name: 'n', value: 'v' }
  const image = { url: 'ftp://a.example' }
  const footer = { text: 'f', icon_url: 'attachment://a' }
  const embed = (fields: object) => found({ embeds: [fields] }, ['embeds', 0])

  it.each<[string, object, string]>([
    ['white space around a title', { title: ` ${'x'.repeat(256)} ` }, ''],
    ['a field without a value', { fields: [{ name: 'n' }] }, 'shape.required fields.0.value'],
    ['a blank field', { fields: [field, { name: '', value: ' ' }] }, ''],
    ['a field of one invisible character', { fields: [{ name: '\u200b', value: '\u200b' }] }, ''],
    [
      'a long field',
      { fields: [{ name: 'x'.repeat(257), value: 'x'.repeat(1025), inline: 'yes' }] },
      'embed.field_name fields.0.name; embed.field_value fields.0.value; shape.boolean fields.0.inline',
    ],
    ['addresses', { title: 't', url: 'nope', image, footer }, 'message.url url image.url'],
    ['a picture without an address', { image: {} }, 'shape.required image.url'],
    ['a time', { title: 't', timestamp: '2026-01-01T00:00:00.000Z' }, ''],
    ['a time of 0, which means no time', { title: 't', timestamp: 0 }, ''],
    ['a word as the time', { title: 't', timestamp: 'today' }, 'embed.timestamp timestamp'],
    ['only a color', { color: 1 }, 'embed.empty description'],
    ['a color and no fields', { color: 1, fields: [] }, 'embed.empty description'],
  ])('[2.11-12] reads %s', (_, fields, expected) => {
    expect(embed(fields)).toBe(expected)
  })

  it('[2.11-12] have at most 6000 characters together', () => {
    const short = { author: { name: 'a' }, footer, title: 't', fields: [field] }
    const long = { ...short, description: 'x'.repeat(2995) }
    expect(found({ embeds: [long, long] })).toBe('')
    expect(found({ embeds: [long, { ...long, title: 'tt' }] })).toBe('embeds.size embeds')
    expect(found({ embeds: ['x'] })).toBe('message.part embeds.0')
  })
})

describe('the other parts of a message', () => {
  const poll = { question: { text: 'q' }, answers: [{ poll_media: { text: 'a'.repeat(56) } }], duration: 769 }
  const textless = { question: {}, answers: [{}] }
  it.each<[object, string]>([
    [{ allowed_mentions: 5 }, 'message.part allowed_mentions'],
    [{ allowed_mentions: { parse: ['all'] } }, 'mentions.parse allowed_mentions.parse.0'],
    [{ allowed_mentions: { parse: [], users: several(100, String), roles: [3001] } }, ''],
    [{ allowed_mentions: { parse: ['users'], users: ['1'] } }, 'mentions.exclusive allowed_mentions.users'],
    [{ allowed_mentions: { parse: ['users'], users: [], roles: ['1'] } }, ''],
    [{ poll: {} }, 'shape.required poll.question poll.answers'],
    [{ poll: textless }, 'shape.required poll.question.text poll.answers.0.poll_media'],
    [{ poll }, 'poll.answer poll.answers.0.poll_media.text; poll.duration poll.duration'],
    [{ tts: 1 }, 'shape.boolean tts'],
  ])('[2.11-12] are checked: %j', (data, expected) => {
    expect(found(data)).toBe(expected)
  })

  it('[2.11-12] refuses attachments of no file', () => {
    const attached = (files: object[] | undefined) =>
      faults({ type: 4, data: { attachments: [{ id: 0 }, { id: '7' }] } }, interaction, { files })
    expect(attached(undefined)).toBe('')
    expect(attached([{ key: '0' }])).toBe('attachment.file data.attachments.1.id')
    expect(attached(several(11, (i) => ({ key: `${i}` })))).toBe('message.attachments data.files')
  })
})

describe('[2.11-16] what Discord takes otherwise than it was sent', () => {
  const note = (path: string) => ({ code: 'answer.converted', path: path.split('.').map(step) })
  const step = (one: string) => (/^\d+$/.test(one) ? Number(one) : one)

  it.each<readonly [what: string, sent: any, meant: any, path: string]>([
    ['a number as content', { content: 4 }, { content: '4' }, 'content'],
    ['a large number as content', { content: 1e21 }, { content: '1000000000000000000000' }, 'content'],
    ['digits as flags', { content: 'x', flags: '64' }, { content: 'x', flags: 64 }, 'flags'],
    [
      'a number as the value of a field',
      { embeds: [{ title: 't', fields: [{ name: 'Members', value: 4 }] }] },
      { embeds: [{ title: 't', fields: [{ name: 'Members', value: '4' }] }] },
      'embeds.0.fields.0.value',
    ],
    [
      'digits as a color',
      { embeds: [{ title: 't', color: '255' }] },
      { embeds: [{ title: 't', color: 255 }] },
      'embeds.0.color',
    ],
    [
      'a number as a label',
      { components: [row({ ...button, label: 4 })] },
      { components: [row({ ...button, label: '4' })] },
      'components.0.components.0.label',
    ],
  ])('is %s, with a note', (_, sent, meant, path) => {
    const read = validateMessage(sent)
    expect(read).toMatchObject({ ok: true, warnings: [note(path)] })
    expect(read.ok && JSON.parse(JSON.stringify(read.value))).toEqual(meant)
  })

  it('is the name of a suggestion too', () => {
    const focused = { name: 'q', type: 3, value: '', focused: true }
    const typing = { ...interaction, type: 4, data: { ...interaction.data, options: [focused] } } as never
    const read = validateCallback(typing, { type: 8, data: { choices: [{ name: 4, value: 'a' }] } })
    expect(read).toMatchObject({
      ok: true,
      value: { data: { choices: [{ name: '4', value: 'a' }] } },
      warnings: [note('data.choices.0.name')],
    })
  })

  it.each([[[]], [{}], [true], [4.5]])('is not %j in place of a text', (content) => {
    expect(found({ content })).toBe('shape.string content')
  })

  it('is an embed whose fields are empty, but not one whose fields are missing', () => {
    expect(found({ embeds: [{ fields: [{ name: '', value: '' }] }] })).toBe('')
    expect(found({ embeds: [{ fields: [{ name: '' }] }] })).toBe('shape.required embeds.0.fields.0.value')
  })
})

it('reports all problems of a message as the service does', () => {
  const read = validateMessage({
    embeds: [{ footer: { text: '' } }],
    components: [row({ ...button, style: 9 }, button), text],
    allowed_mentions: { parse: ['users'], users: ['1'] },
  })
  const style = { _errors: [{ code: 'BASE_TYPE_CHOICES' }] }
  const custom_id = { _errors: [{ code: 'COMPONENT_CUSTOM_ID_DUPLICATED' }] }
  const union = { code: 'UNION_TYPE_CHOICES', message: 'Value of field "type" must be one of (1,).' }
  expect(toErrorBody(read.ok ? [] : read.issues)).toMatchObject({
    code: 50035,
    errors: {
      embeds: { 0: { footer: { text: { _errors: [{ code: 'BASE_TYPE_REQUIRED' }] } } } },
      components: { 0: { components: { 0: { style }, 1: { custom_id } } }, 1: { _errors: [union] } },
      allowed_mentions: { users: { _errors: [{ code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' }] } },
    },
  })
})
