/** `shown.text()`: what people see of an answer, and what the bot gets of it, is in the text. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ComponentType } from 'commandry'
import { testbed, type Testbed } from 'commandry/testbed'
import { valueAt } from '../../../support/paths.ts'
import { Report } from '../../../../src/core/rules/report.ts'
import { readModal } from '../../../../src/interactions/answer/component-body.ts'
import { readMessageBody } from '../../../../src/interactions/answer/message-body.ts'
import { demo, GENERAL, open } from '../../../service/http/world/bed.ts'

type Body = { readonly [field: string]: any }

/** The answer of the bot. */
let answer: object
let bed: Testbed

function formOf(payload: object): FormData {
  const form = new FormData()
  form.set('payload_json', JSON.stringify(payload))
  for (const [index, name] of ['a.txt', 'b.txt'].entries()) form.set(`files[${index}]`, new Blob(['x']), name)
  return form
}

beforeAll(async () => {
  bed = await testbed({
    commands: [{ name: 'a', description: 'd' }],
    endpoint: () => ('files' in answer ? new Response(formOf(answer)) : Response.json(answer)),
  })
  return () => bed.close()
})

async function textOf(type: 4 | 9, data: Body): Promise<string> {
  answer = { type, data, ...(data['attachments'] && { files: true }) }
  return (await bed.as('ada').use('/a')).text()
}

const row = (...components: object[]) => ({ type: 1, components })
const picture = { url: 'https://a.test/1.png' }

// --- Bodies with every field ----------------------------------------------------------------------------------

const options = [
  { label: 'First', value: 'one', description: 'd', emoji: { name: '🔥' }, default: true },
  { label: 'Second', value: 'two' },
]
const bounds = { min_values: 1, max_values: 2 }
const menu = { placeholder: 'Pick', disabled: false, ...bounds }
const preset = (type: string, id: string) => ({ default_values: [{ id, type }] })

const message: Body = {
  content: 'x',
  tts: false,
  flags: 0,
  allowed_mentions: { parse: [], users: ['100000000000003001'], roles: [], replied_user: false },
  embeds: [
    {
      title: 't',
      description: 'd',
      url: 'https://a.test/',
      timestamp: '2026-01-02T03:04:05.000Z',
      color: 255,
      author: { name: 'a', url: 'https://a.test/', icon_url: 'https://a.test/i.png' },
      fields: [{ name: 'n', value: 'v', inline: false }],
      image: picture,
      thumbnail: picture,
      footer: { text: 'f', icon_url: 'https://a.test/i.png' },
    },
  ],
  components: [
    row(
      { type: 2, style: 1, label: 'B', custom_id: 'b', emoji: { id: null, name: '🔥' }, disabled: false },
      { type: 2, style: 5, label: 'L', url: 'https://a.test/' },
      { type: 2, style: 6, sku_id: '5' },
    ),
    row({ type: 3, custom_id: 'strings', ...menu, options }),
    row({ type: 7, custom_id: 'mentionables', ...menu, ...preset('role', '100000000000005001') }),
    row({
      type: 8,
      custom_id: 'channels',
      ...menu,
      channel_types: [0],
      ...preset('channel', '100000000000004001'),
    }),
    row({ type: 6, custom_id: 'roles', ...menu, ...preset('role', '100000000000005001') }),
  ],
}
const people: Body = {
  components: [row({ type: 5, custom_id: 'users', ...menu, ...preset('user', '100000000000003001') })],
}
const poll: Body = {
  content: 'x',
  poll: {
    question: { text: 'Tea?' },
    answers: [{ poll_media: { text: 'Yes', emoji: { name: '🍵' } } }, { poll_media: { text: 'No' } }],
    duration: 1,
    allow_multiselect: false,
  },
}
const described = { media: picture, description: 'A cat', spoiler: false }
const text = (content: string) => ({ type: 10, content })
const layout: Body = {
  flags: 32_768,
  components: [
    text('x'),
    { type: 9, components: [text('s')], accessory: { type: 11, ...described } },
    { type: 12, items: [described] },
    { type: 14, divider: true, spacing: 1 },
    { type: 17, accent_color: 255, spoiler: false, components: [text('c')] },
  ],
}
const files: Body = {
  flags: 32_768,
  attachments: [{ id: 0, filename: 'a.txt', description: 'A file' }],
  components: [{ type: 13, file: { url: 'attachment://a.txt' }, spoiler: false }],
}
const labelled = (component: object, label = 'Label') => ({
  ...{ type: 18, label, description: 'Hint' },
  component: { required: true, ...component },
})
const lengths = { min_length: 1, max_length: 9 }
const modals: readonly Body[] = [
  [
    row({ ...{ type: 4, custom_id: 'rowed', style: 1, label: 'I' }, required: true, value: 'v', ...lengths }),
    labelled({ type: 3, custom_id: 'strings', placeholder: 'Pick', ...bounds, options }),
    labelled({ type: 19, custom_id: 'files', ...bounds, file_types: ['.png'] }),
    labelled({ type: 22, custom_id: 'boxes', ...bounds, options }),
    text('x'),
  ],
  [
    labelled({ type: 4, custom_id: 'input', style: 1, placeholder: 'p', value: 'v', ...lengths }),
    labelled({ type: 21, custom_id: 'radios', options }),
    labelled({ type: 23, custom_id: 'box', default: false }),
    labelled({
      type: 5,
      custom_id: 'users',
      placeholder: 'Pick',
      ...bounds,
      ...preset('user', '100000000000003001'),
    }),
  ],
].map((components) => ({ custom_id: 'form', title: 'Title', components }))

// --- The fields that the service reads ------------------------------------------------------------------------

type Path = readonly (string | number)[]

interface Found {
  /** Of what: `BUTTON`, `embed.author`. */
  readonly of: string
  readonly field: string
  readonly path: Path
}

const typeNames = new Map(Object.entries(ComponentType).map(([name, type]) => [type as number, name]))

/** The fields that a reader looks for in a body and all that is in it: its tables read each as an own field. */
function fieldsRead(body: Body, root: string, read: (body: Body) => void): readonly Found[] {
  const found = new Map<string, Found>()
  const watched = (value: unknown, of: string, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((one, index) => watched(one, of, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    const name = typeNames.get((value as Body).type) ?? of
    const inner = (key: string) => (name === root ? key : `${name}.${key}`)
    return new Proxy(value as Body, {
      // Of an absent field something: only then it is looked up as an own one.
      get(target, key) {
        if (typeof key === 'symbol' || key === 'toJSON') return undefined
        return key in target ? watched(target[key], inner(key), [...path, key]) : ''
      },
      getOwnPropertyDescriptor(target, key) {
        const field = String(key)
        const id = `${name}.${field}`
        // Where it is given, if it is anywhere.
        if (
          !found.has(id) ||
          (field in target && valueAt(body, [...found.get(id)!.path, field]) === undefined)
        )
          found.set(id, { of: name, field, path })
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
    })
  }
  read(watched(body, root, []) as Body)
  return [...found.values()]
}

interface Case extends Found {
  readonly type: 4 | 9
  readonly data: Body
}

const ofMessage = (data: Body): Case[] =>
  fieldsRead(data, 'message', (body) => readMessageBody(new Report(), body, { before: null } as never)).map(
    (one) => ({ ...one, type: 4, data }),
  )
const ofModal = (data: Body): Case[] =>
  fieldsRead(data, 'modal', (body) => void readModal(new Report(), body)).map((one) => ({
    ...one,
    type: 9,
    data,
  }))

/** Each field once, in a body that has it. */
const cases = [
  ...[message, people, poll, layout, files].flatMap(ofMessage),
  ...modals.flatMap(ofModal),
].filter(({ of, field }, index, all) => {
  const same = all.filter((one) => of === one.of && field === one.field)
  const given = same.find((one) => valueAt(one.data, [...one.path, field]) !== undefined)
  return all[index] === (given ?? same[0])
})

// --- Changes of them ------------------------------------------------------------------------------------------

/** Fields of which a change is not in the text, by what they are of (or `*`), and why. */
const unshown: { readonly [field: string]: string } = {
  '*.id': 'a number that the service or the bot gives a component, which nobody sees',
  '*.emoji.id': 'the picture of an emoji has no words; its name is in the text',
  'BUTTON.type': 'another type is another component',
  'USER_SELECT.default_values.type': 'the type of the menu says it',
  'ROLE_SELECT.default_values.type': 'the type of the menu says it',
  'CHANNEL_SELECT.default_values.type': 'the type of the menu says it',
  'message.sticker_ids': 'answers have no stickers; those of messages are in another test',
  'TEXT_INPUT.disabled': 'modals refuse it',
  'FILE_UPLOAD.disabled': 'modals refuse it',
  'CHECKBOX_GROUP.disabled': 'modals refuse it',
  'RADIO_GROUP.disabled': 'modals refuse it',
  'CHECKBOX.disabled': 'modals refuse it',
}

const other = 'https://b.test/2.png'
const press = { type: 2, style: 1, label: 'B', custom_id: 'b' }

/** Other values, where those of `changed` are not valid. */
const values: { readonly [field: string]: unknown } = {
  '*.url': other,
  '*.icon_url': other,
  '*.media': { url: other },
  '*.max_values': 1,
  '*.min_values': 0,
  '*.max_length': 8,
  '*.required': false,
  '*.options': [...options].reverse(),
  'BUTTON.style': 3,
  'BUTTON.sku_id': '6',
  'CHANNEL_SELECT.channel_types': [2],
  'CHANNEL_SELECT.default_values.id': '100000000000004002',
  'CHECKBOX_GROUP.min_values': 2,
  'CONTAINER.components': [text('c'), text('d')],
  'FILE.file': { url: 'attachment://b.txt' },
  'FILE.file.url': 'attachment://b.txt',
  'FILE_UPLOAD.min_values': 2,
  'FILE_UPLOAD.file_types': ['.jpg'],
  'LABEL.component': { type: 23, custom_id: 'box' },
  'MEDIA_GALLERY.items': [described, { media: picture }],
  'MENTIONABLE_SELECT.default_values.id': '100000000000005002',
  'MENTIONABLE_SELECT.default_values.type': 'user',
  'ROLE_SELECT.default_values.id': '100000000000005002',
  'SECTION.accessory': press,
  'SECTION.components': [text('s'), text('t')],
  'USER_SELECT.default_values.id': '100000000000003002',
  'allowed_mentions.parse': ['everyone'],
  'allowed_mentions.roles': ['100000000000005001'],
  'allowed_mentions.users': [],
  'embeds.timestamp': null,
  'message.flags': 4_096,
  'poll.answers.poll_media': { text: 'Maybe' },
  'poll.question': { text: 'Coffee?' },
}

/** Another value; undefined for none. A list has less, an object is gone. */
function changed(value: unknown): unknown {
  if (typeof value === 'string') return `${value}x`
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return value.length > 1 ? value.slice(0, -1) : []
  return value === undefined ? expect.fail('the body has no such field: give it one') : null
}

/** A copy with another value at a path. */
function withValue(body: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  const copy = (Array.isArray(body) ? [...body] : { ...(body as Body) }) as Record<string | number, unknown>
  copy[step] = withValue(copy[step], rest, value)
  return copy
}

const lookUp = <T>(table: { readonly [field: string]: T }, { of, field }: Found): T | undefined => {
  const last = of.split('.').at(-1)
  return table[`${of}.${field}`] ?? table[`*.${last}.${field}`] ?? table[`*.${field}`]
}

describe('a change of a field that the service reads', () => {
  it.each(cases.map((one) => [`${one.of}.${one.field}`, one] as const))(
    'is in the text, or in the list of others: %s',
    async (name, one) => {
      const { type, data, path, field } = one
      if (lookUp(unshown, one) !== undefined) return
      const value = valueAt(data, [...path, field])
      const special = Object.keys(values).includes(name) ? values[name] : lookUp(values, one)
      const isSpecial = special !== undefined || name in values
      const after = withValue(data, [...path, field], isSpecial ? special : changed(value)) as Body
      expect(await textOf(type, after)).not.toBe(await textOf(type, data))
    },
  )

  it('has no reason for a field that is unknown', () => {
    const known = (pattern: string) => cases.some((one) => lookUp({ [pattern]: true }, one))
    expect([...Object.keys(unshown), ...Object.keys(values)].filter((pattern) => !known(pattern))).toEqual([])
  })
})

describe('the text of an answer', () => {
  const button = (more: object) => ({ type: 2, style: 1, ...more })
  const buttons = (...all: object[]) => ({ content: 'x', components: [row(...all)] })

  it.each<[string, Body, string]>([
    ['a text', { content: 'Hi' }, 'Hi'],
    [
      'an embed',
      {
        embeds: [
          {
            ...{ title: 't', description: 'd', author: { name: 'a' }, footer: { text: 'f' }, image: picture },
            fields: [{ name: 'n', value: 'v' }],
          },
        ],
      },
      '| a\n| t\n| d\n| n: v\n| f\n| image: https://a.test/1.png',
    ],
    [
      'buttons',
      buttons(
        button({ label: 'Yes', custom_id: 'yes' }),
        button({ label: 'Not now!', custom_id: 'not_now', disabled: true }),
      ),
      'x\n[Yes] [Not now!] (disabled)',
    ],
    [
      'a menu',
      buttons({ type: 3, custom_id: 'pick', placeholder: 'Pick', options: [{ label: 'One', value: 'one' }] }),
      'x\n[Pick | One ▾]',
    ],
    ['a menu of people', buttons({ type: 5, custom_id: 'whom', placeholder: 'Whom?' }), 'x\n[Whom? ▾]'],
  ])('has nothing beside %s that is as usual', async (_, data, text) => {
    expect(await textOf(4, data)).toBe(text)
  })

  it('has what is unusual in brackets after each part', async () => {
    expect((await textOf(4, message)).split('\n')).toEqual([
      '(pings @ada)',
      'x',
      '| a (https://a.test/, icon https://a.test/i.png)',
      '| t (https://a.test/)',
      '| d',
      '| n: v',
      '| f • <time> (icon https://a.test/i.png)',
      '| image: https://a.test/1.png',
      '| thumbnail: https://a.test/1.png',
      '| color: #0000ff',
      '[🔥 B] [L ↗] (https://a.test/) [Premium] (SKU 5)',
      '[Pick | (x) 🔥 First – d (#one) | Second (#two) ▾] (1-2, #strings)',
      '[Pick | (x) @Moderators ▾] (people and roles, 1-2, #mentionables)',
      '[Pick | (x) #general ▾] (channels GUILD_TEXT, 1-2, #channels)',
      '[Pick | (x) @Moderators ▾] (roles, 1-2, #roles)',
    ])
    expect((await textOf(4, layout)).split('\n')).toEqual([
      ...['x', 's', 'thumbnail: A cat (https://a.test/1.png)', 'media: A cat (https://a.test/1.png)'],
      ...['---', '(#0000ff)', 'c'],
    ])
    expect((await textOf(9, modals[0]!)).split('\n')).toEqual([
      ...['(modal)', 'Title (#form)', 'I: [v] (1-9 characters, #rowed)', 'Label', 'Hint'],
      ...['[Pick | (x) 🔥 First – d (#one) | Second (#two) ▾] (1-2, #strings)', 'Label', 'Hint'],
      ...['[Upload] (.png, 1-2, #files)', 'Label', 'Hint', '[x] 🔥 First – d (#one)', '[ ] Second (#two)'],
      ...['(#boxes)', 'x'],
    ])
    expect((await textOf(9, modals[1]!)).split('\n')).toEqual([
      ...['(modal)', 'Title (#form)', 'Label', 'Hint', '[v] (placeholder p, 1-9 characters, #input)'],
      ...['Label', 'Hint', '(x) 🔥 First – d (#one)', '( ) Second (#two)', '(#radios)'],
      ...['Label', 'Hint', '[ ] (#box)', 'Label', 'Hint', '[Pick | (x) @ada ▾] (1-2, #users)'],
    ])
  })

  it('has the flags that people notice, and no embeds that are hidden', async () => {
    const data = { content: 'x', embeds: [{ title: 't' }] }
    const texts = []
    for (const flags of [0, 4, 64, 4_096, 64 | 4_096]) texts.push(await textOf(4, { ...data, flags }))
    expect(texts).toEqual([
      'x\n| t',
      'x',
      '(ephemeral)\nx\n| t',
      '(silent)\nx\n| t',
      '(ephemeral, silent)\nx\n| t',
    ])
    expect(await textOf(4, { ...data, tts: true })).toBe('(tts)\nx\n| t')
  })

  it('has whom an answer pings where that is not everyone in it', async () => {
    const texts = []
    for (const allowed_mentions of [
      { parse: [] },
      { parse: ['users'] },
      { users: ['100000000000003002'], roles: ['100000000000005001'], replied_user: true },
      { parse: ['everyone', 'roles', 'users'] },
    ])
      texts.push((await textOf(4, { content: 'x', allowed_mentions })).split('\n')[0])
    expect(texts).toEqual([
      '(pings nobody)',
      '(pings users)',
      '(pings @grace @Moderators the author of the message)',
      'x',
    ])
  })

  it('has nothing of what a library draws by chance for each run', async () => {
    for (const id of [
      '0f8fad5b-d9cb-469f-a165-70867728950e',
      'a3f9c0de12345678a3f9c0de12345678',
      '1576528914298761520',
      '1700000000000',
      'V1StGXR8Z5jdHi6BmyT0',
    ]) {
      expect(await textOf(4, buttons(button({ label: 'Yes', custom_id: id })))).toBe('x\n[Yes]')
      expect(await textOf(4, buttons(button({ label: 'Yes', custom_id: `yes:${id}` })))).toBe('x\n[Yes]')
      const text = await textOf(4, buttons(button({ label: 'Yes', custom_id: `page-2_${id}` })))
      expect(text).toBe('x\n[Yes] (#page-2_…)')
    }
    const embeds = [{ title: 't', url: 'http://127.0.0.1:41234/a?b=1' }]
    expect(await textOf(4, { embeds })).toBe('| t (http://127.0.0.1/a?b=1)')
  })

  it('is the same after an edit that changes nothing', async () => {
    answer = { type: 4, data: { ...buttons(button({ label: 'Yes', custom_id: 'vote' })), tts: true } }
    const shown = await bed.as('ada').use('/a')
    const text = shown.text()
    const { token } = shown.interaction
    const response = await fetch(
      `${bed.rest}/v10/webhooks/${bed.applicationId}/${token}/messages/@original`,
      {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"content":"x"}',
      },
    )
    expect([response.status, shown.text()]).toEqual([200, text])
  })
})

describe('the text of a poll', () => {
  const asked = {
    question: { text: 'Pizza?' },
    answers: [{ poll_media: { text: 'Yes', emoji: { name: '🍕' } } }, { poll_media: { text: 'No' } }],
  }

  it('has the question, the answers with their votes, and what is unusual', async () => {
    answer = { type: 4, data: { poll: { ...asked, duration: 48, allow_multiselect: true } } }
    const shown = await bed.as('ada').use('/a')
    expect(shown.text()).toBe('poll: Pizza? (multiple answers, 48 h)\n( ) 🍕 Yes\n( ) No')
    expect(await textOf(4, { poll: asked })).toBe('poll: Pizza?\n( ) 🍕 Yes\n( ) No')
    await bed.as('ada').vote(shown, 'Yes')
    await bed.as('grace').vote(shown, 'Yes')
    await bed.as('ada').vote(shown, 'No')
    const votes = '( ) 🍕 Yes (2 votes)\n( ) No (1 vote)'
    expect(shown.text()).toBe(`poll: Pizza? (multiple answers, 48 h)\n${votes}`)
    await bed.advance('48h')
    expect(shown.text()).toBe(`poll: Pizza? (multiple answers, ended)\n${votes}`)
    expect(shown.message!.poll!.results.answer_counts).toEqual([
      { id: 1, count: 2, me_voted: false },
      { id: 2, count: 1, me_voted: false },
    ])
  })

  it('is what a person sees in the channel, and a message of the channel has the poll', async () => {
    const { call, bed: other } = await open(null)
    await call('POST', `/channels/${GENERAL}/messages`, { poll: asked })
    const seen = await other.as('ada').sees(/Pizza/)
    expect(seen.poll).toMatchObject({ question: { text: 'Pizza?' }, results: { is_finalized: false } })
    await other.as('ada').vote(seen, 'No')
    await other.as('ada').sees('poll: Pizza?\n( ) 🍕 Yes\n( ) No (1 vote)')
    const [view] = other.channel('general').messages
    expect(view?.poll?.results.answer_counts).toEqual([{ id: 2, count: 1, me_voted: false }])
    await call('POST', `/channels/${GENERAL}/messages`, { content: 'Hi' })
    expect(other.channel('general').messages.at(-1)?.poll).toBeNull()
  })
})

describe('the text of a message of a channel', () => {
  it('has stickers, forwarded messages, and what people see of a file', async () => {
    const stickers = [{ id: '100000000000006001', name: 'Wave' }]
    const { call, bed: other } = await open(null, { servers: [{ ...demo, stickers }] })
    const messages = `/channels/${GENERAL}/messages`
    await call('POST', messages, { sticker_ids: ['100000000000006001'] })
    await other.as('ada').sees('sticker: Wave')
    const { body: first } = await call('POST', messages, { content: 'Hi', embeds: [{ title: 't' }] })
    await call('POST', messages, {
      message_reference: { type: 1, message_id: first.id, channel_id: GENERAL },
    })
    await other.as('ada').sees('forwarded:\n> Hi\n> | t')
    const attachments = [{ id: 0, filename: 'a.txt', description: 'A file', is_spoiler: true }, { id: 1 }]
    await call('POST', messages, formOf({ attachments }))
    await other.as('ada').sees('file: a.txt (A file, spoiler)\nfile: b.txt')
  })
})
