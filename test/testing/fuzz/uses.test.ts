/** What a person does with a command: its options, its places, and the components of its answers. */
import { expect, it } from 'vitest'
import { locales } from 'commandry'
import { fuzz } from 'commandry/fuzz'
import { fuzzEndpoint, long, option, row, runTest, short, withEndpoint } from './bot.ts'

/** The interactions in which a command is used. */
async function usesOf(command: object, runs: number): Promise<readonly any[]> {
  const uses: any[] = []
  const answer = (interaction: any) => {
    uses.push(interaction)
    return interaction.type === 4 ? { type: 8, data: { choices: [] } } : short
  }
  await fuzzEndpoint(answer, { runs }, { commands: [{ description: 'x', ...command }] as never[] })
  return uses
}

/** The values of a use by the names of the options, an attachment as its file name. */
function valuesOf({ data: { options = [], resolved } }: any): { readonly [name: string]: unknown } {
  const valueOf = ({ value }: any) => resolved?.attachments?.[value]?.filename ?? value
  return Object.fromEntries(options.map((one: any) => [one.name, valueOf(one)]))
}

const userOf = ({ member, user = member.user }: any): string => user.username
const placeOf = (use: any) => `${userOf(use)} ${use.channel.name ?? 'dm'}`

/** An id of the demo server. */
const id = (number: number) => `10000000000000${number}`

/** What a person types, the first nine characters of each. */
const TEXTS = [
  ...['a', 'xxxxxxxxx', '(', '👩‍👩‍👧', '@everyone', ' ', 'a\nb', '**a** _b_', '```', '"', "'", '[]{}'],
  ...['ا‏ب', '__proto__', '%s', '${x}', '\\', '0', '<@&100000'],
]

const choices = ['One', 'Two'].map((name) => ({ name, value: name.toLowerCase() }))
const options = [
  ...[option(3, 'text', { required: true }), option(3, 'short', { min_length: 3, max_length: 4 })],
  ...[option(3, 'kind', { choices }), option(4, 'count', { min_value: -5, max_value: -2 })],
  ...[option(10, 'size', { min_value: 1e-7 }), option(10, 'number'), option(5, 'flag')],
  ...[option(6, 'user'), option(8, 'role'), option(9, 'who'), option(7, 'in'), option(11, 'file')],
  ...[option(7, 'voice', { channel_types: [2] })],
]

it('begins with the required options, all options, and every choice and bound', async () => {
  const uses = await usesOf({ name: 'all', options }, 9)
  const text = 'a'
  const more = { count: -2, size: 1, number: 1, flag: true, user: id(3001), role: id(5001), who: id(3001) }
  const all = { text, kind: 'one', ...more, in: id(4001), file: 'cat.png' }
  const edges = [{ kind: 'one' }, { kind: 'two' }, { count: -5 }, { count: -2 }, { size: 1e-7 }]
  expect(uses.map(valuesOf)).toEqual([
    { text },
    { ...all, short: 'aaa' },
    ...edges.map((edge) => ({ text, ...edge })),
    { ...all, short: 'xxxx' },
    { ...all, text: 'x'.repeat(6_000), short: '(((' },
  ])
})

it('tries texts that break programs, in every place and in many languages, suggestions too', async () => {
  const search = [option(3, 'page', { autocomplete: true, max_length: 5 }), option(3, 'text')]
  const uses = await usesOf({ name: 'say', name_localizations: { it: 'dire' }, options: search }, 40)
  const sent = uses.filter(({ type }) => type === 2).slice(-19)
  const typed = uses.filter(({ type }) => type === 4)
  const inOrder = (list: readonly string[]) => Array.from({ length: 19 }, (_, at) => list[at % list.length])
  const places = ['general', 'staff', 'nsfw', 'dm'].flatMap((channel) =>
    ['ada', 'grace', 'alan'].map((name) => `${name} ${channel}`),
  )
  const languages = inOrder(['en-US', 'id', 'it', 'de', 'fr', 'es-ES', 'pt-BR', 'ja'])
  expect(sent.map(placeOf)).toEqual(inOrder(places))
  expect(sent.map(({ locale }) => locale)).toEqual(languages)
  expect(sent.map((use) => String(valuesOf(use).text).slice(0, 9))).toEqual([...TEXTS.slice(1), 'a'])
  const pages = TEXTS.map((text) => [...text].slice(0, 5).join(''))
  expect(sent.map((use) => valuesOf(use).page)).toEqual(pages)
  expect(typed.map((use) => valuesOf(use).page)).toEqual(['', ...pages.slice(0, 18)])
  expect(typed.map(({ locale }) => locale)).toEqual(languages)
})

it('reaches every value, place and language with generated uses', async () => {
  const uses = (await usesOf({ name: 'all', options }, 400)).slice(40)
  const seen = (of: (use: any) => unknown) => [...new Set(uses.map(of))].sort()
  const seenIn = (name: string) => seen((use) => valuesOf(use)[name])
  const absent = undefined
  expect(seenIn('text').length).toBeGreaterThan(30)
  expect(seenIn('kind')).toEqual(['one', 'two', absent])
  expect(seenIn('count')).toEqual([-2, -5, absent])
  expect(seenIn('flag')).toEqual([false, true, absent])
  expect(seenIn('user')).toEqual(['1000000000000000000', ...[3001, 3002, 3003].map(id), absent])
  expect(seenIn('in')).toEqual([...[4001, 4002, 4003].map(id), absent])
  const files = ['cat.png', 'clip.mp4', 'no extension', 'notes.txt', 'song.mp3', '🐈.jpg']
  expect(seenIn('file')).toEqual([...files, absent])
  expect(seenIn('voice')).toEqual([absent])
  expect(seenIn('size').some((size) => !Number.isInteger(size))).toBe(true)
  expect(seen(placeOf)).toHaveLength(12)
  expect(seen(({ locale }) => locale).length).toBeGreaterThan(locales.length / 2)
})

it('uses user commands on everyone, and message commands on every text', async () => {
  const greet = await usesOf({ type: 2, name: 'Greet', description: '' }, 60)
  const targets = greet.map(({ data }) => data.target_id)
  expect(targets.slice(0, 7)).toEqual([
    ...[3001, 3001, 3001, 3002, 3003].map(id),
    '1000000000000000000',
    id(3001),
  ])
  expect(new Set(targets.slice(25)).size).toBe(4)
  const quote = await usesOf({ type: 3, name: 'Quote', description: '' }, 60)
  const contents = quote.map(({ data }) => data.resolved.messages[6001].content.slice(0, 9))
  expect(contents.slice(2, 21)).toEqual(TEXTS)
  expect(new Set(contents).size).toBeGreaterThan(25)
})

const button = (custom_id: string, label: string) => ({ type: 2, style: 1, custom_id, label })
const link = { type: 2, style: 5, label: 'Site', url: 'https://example.com' }
const values = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ label: `L${at}`, value: `v${at}` }))
const same = ['one', 'two'].map((id) => button(id, 'Same'))
const buttons = [button('more', 'More'), { ...button('off', 'Off'), disabled: true }, link, ...same]
const sizes = { type: 3, custom_id: 'sizes', options: values(3), min_values: 2, max_values: 3 }
const menus = [
  ...[5, 6, 7].map((type) => ({ type, custom_id: `menu ${type}` })),
  { type: 8, custom_id: 'voice', channel_types: [2] },
  { type: 8, custom_id: 'text', channel_types: [0], min_values: 3, max_values: 4 },
]
const input = (custom_id: string, more = {}) => ({ type: 4, custom_id, label: 'x', style: 1, ...more })
const inputs = [
  ...[input('any'), input('least', { min_length: 3 }), input('most', { max_length: 2 })],
  ...[input('none', { required: false }), input('both', { required: false, min_length: 8, max_length: 9 })],
]
const labelled = (component: object) => ({ type: 18, label: 'Label', component })
const choosing = [
  { type: 21, custom_id: 'radio', options: values(2) },
  { type: 22, custom_id: 'group', options: values(3), min_values: 2 },
  { type: 23, custom_id: 'checkbox' },
  { type: 19, custom_id: 'upload', min_values: 5, max_values: 6 },
].map(labelled)
const modal = (id: string, components: readonly object[]) => ({
  ...{ type: 9, data: { custom_id: id, title: id, components } },
})
const rows = (components: readonly object[]) => components.flatMap((one) => row(one))

const message = (components: readonly object[]) => ({ type: 4, data: { components } })
const panels: { readonly [id: string]: object } = {
  buttons: message([...row(...buttons), ...row(sizes)]),
  menus: message(rows(menus)),
  more: modal('form', rows(inputs)),
  two: modal('choices', choosing),
}
const commands = ['buttons', 'menus'].map((name) => ({ name, description: 'x' }))

/** With the last digits of the ids of the demo server, and a word for the bot. */
const withoutIds = (text: string) => text.replace(/10{13}(\d{4})\b/g, '$1').replace(/\d{9,}/, 'bot')

it('presses, chooses and submits everything that answers offer, three in a row', async () => {
  const reactions: { [id: string]: Set<string> } = {}
  const answers: { readonly [id: string]: object } = {
    ...panels,
    form: message(row(button('third', 'Third'))),
    third: message(row(button('fourth', 'Fourth'))),
  }
  const answer = ({ data: { name, custom_id: id, values = [], components = [], resolved } }: any) => {
    const inputs = components.map(({ component, components: [one] = [component] }: any) => one)
    const entered = inputs.flatMap(({ value, values }: any) => values ?? [String(value)])
    const words = [...values, ...entered].map((word) => resolved?.attachments?.[word]?.filename ?? word)
    const line = words.map((word) => withoutIds(word.replace(/.{99,}/, 'long'))).join(' ')
    if (id !== undefined) (reactions[id] ??= new Set()).add(line)
    return answers[name ?? id] ?? short
  }
  await fuzzEndpoint(answer, { runs: 8 }, { commands })
  const lists = Object.entries(reactions).map(([id, lines]) => [id, [...lines].join('|')])
  expect(Object.fromEntries(lists)).toMatchInlineSnapshot(`
    {
      "choices": "v0 v0 v1 true cat.png notes.txt no extension 🐈.jpg clip.mp4|v1 v1 v2 false notes.txt no extension 🐈.jpg clip.mp4 song.mp3|v0 v2 v0 true no extension 🐈.jpg clip.mp4 song.mp3 cat.png|v1 v0 v1 false 🐈.jpg clip.mp4 song.mp3 cat.png notes.txt|v0 v1 v2 true clip.mp4 song.mp3 cat.png notes.txt no extension|v1 v2 v0 false song.mp3 cat.png notes.txt no extension 🐈.jpg",
      "form": "long aaa ( long aaaaaaaa|( long 👩‍ ( xxxxxxxxx|👩‍👩‍👧 ((( @e 👩‍👩‍👧 ((((((((|@everyone 👩‍👩‍👧   @everyone 👩‍👩‍👧👩‍👩‍|  @everyone a
       @everyone|a
    b     ** a
    b         ",
      "menu 5": "3001|3002|3003|bot",
      "menu 6": "2001|5001|5002|bot",
      "menu 7": "3001|3002|3003|bot|2001|5001",
      "more": "",
      "one": "",
      "sizes": "v0 v1|v1 v2|v2 v0",
      "text": "4001 4002 4003|4002 4003 4001|4003 4001 4002",
      "third": "",
      "two": "",
    }
  `)
})

it('shrinks what a person chooses and enters, in tests that fail with the same message', async () => {
  const answer = ({ data: { name, custom_id: id } }: any) => panels[name ?? id] ?? long
  await withEndpoint(answer, { commands }, async (bed) => {
    const { failures } = await fuzz(bed, { runs: 30 })
    for (const { test, message } of failures) await expect(runTest(bed, test)).rejects.toThrow(message)
    const calls = failures.map(({ test }) => test.match(/\.(\w+\(.+\))\n\}\)$/)![1])
    expect(withoutIds(calls.join('\n'))).toMatchInlineSnapshot(`
      "press('one')
      choose('menu 5', '@ada')
      choose('sizes', 'v0', 'v1')
      choose('menu 6', '@everyone')
      submit({ any: 'a', least: 'aaa', most: '(', none: 'a', both: 'aaaaaaaa' })
      choose('menu 7', '@ada')
      choose('text', '#staff', '#nsfw', '#general')
      submit({ radio: ['v0'], group: ['v2', 'v0'], checkbox: true, upload: [{ filename: 'no extension' }, { filename: '🐈.jpg' }, { filename: 'clip.mp4' }, { filename: 'song.mp3' }, { filename: 'cat.png' }] })"
    `)
  })
})

it('[2.8-07] a person takes the app along with `installed`, and the bot is in no server', async () => {
  const command = { name: 'x', description: 'd', integration_types: [0, 1], contexts: [0, 1, 2] } as const
  const uses: any[] = []
  const answer = (interaction: any) => (uses.push(interaction), short)
  const isIn = await withEndpoint(answer, { commands: [command] as never[] }, async (bed) => {
    expect((await fuzz(bed, { runs: 4, installed: 'user' })).failures).toEqual([])
    return bed.server.members.some(({ username }) => username === 'testbed')
  })
  expect(uses.length).toBeGreaterThan(3)
  const owners = uses.map((use) => Object.keys(use.authorizing_integration_owners))
  expect([isIn, ...owners]).toEqual([false, ...owners.map(() => ['1'])])
})
