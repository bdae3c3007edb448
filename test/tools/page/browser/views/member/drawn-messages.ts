/** A message of each kind, and what is true of its drawing. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** What people see of a message; a row names what matters for it. */
export interface Drawn {
  /** All words, in order. */
  readonly text?: string | RegExp
  /** The name of each link, with its address. */
  readonly links?: readonly (readonly [name: string, address: string])[]
  /** The names of the pictures that are in sight. */
  readonly pictures?: readonly string[]
  /** The names of what is covered. */
  readonly covers?: readonly string[]
  readonly buttons?: readonly string[]
  /** The names of embeds, containers, galleries and polls. */
  readonly groups?: readonly string[]
  readonly items?: readonly string[]
  readonly code?: readonly string[]
}

export interface MessageRow {
  readonly title: string
  readonly body: object
  readonly files?: readonly string[]
  readonly drawn: Drawn
}

export const contentOf = (name: string): Blob =>
  new Blob([name.endsWith('.png') ? pixel : 'text'], {
    type: name.endsWith('.png') ? 'image/png' : 'text/plain',
  })

const V2 = 1 << 15
const layout = (...components: object[]) => ({ flags: V2, components })
const text = (content: string) => ({ type: 10, content })
const media = (name: string, more: object = {}) => ({ media: { url: `attachment://${name}` }, ...more })
const pngs = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}.png`)
const galleryOf = (count: number): MessageRow => ({
  title: `a gallery of ${count}`,
  body: layout({ type: 12, items: pngs(count).map((name) => media(name)) }),
  files: pngs(count),
  drawn: { pictures: pngs(count), groups: [`Gallery of ${count}`] },
})

export const messageRows: readonly MessageRow[] = [
  {
    title: 'an embed with all fields',
    body: {
      embeds: [
        {
          author: { name: 'Ada', url: 'https://a.example/', icon_url: 'attachment://icon.png' },
          title: 'The **title**',
          url: 'https://t.example/',
          description: '- one\n- two',
          color: 0xff0000,
          fields: [
            { name: 'Lives', value: '9', inline: true },
            { name: 'Naps', value: '7' },
          ],
          image: { url: 'attachment://image.png' },
          thumbnail: { url: 'attachment://small.png' },
          footer: { text: 'The end', icon_url: 'attachment://icon.png' },
          timestamp: '2026-01-02T03:04:05.000Z',
        },
      ],
    },
    files: ['icon.png', 'image.png', 'small.png'],
    drawn: {
      text: /^AdaThe title• one• twoLives9Naps7The end • /,
      links: [
        ['Ada', 'https://a.example/'],
        ['The title', 'https://t.example/'],
      ],
      // Icons have no name: the words beside them say it.
      pictures: ['', 'small.png', 'image.png', ''],
      groups: ['Embed'],
    },
  },
  {
    title: 'an embed that uses one of two files',
    body: { embeds: [{ title: 'T', image: { url: 'attachment://chart.png' } }] },
    files: ['chart.png', 'other.png'],
    drawn: { pictures: ['other.png', 'chart.png'] },
  },
  {
    title: 'an embed with a picture of another server',
    body: { embeds: [{ image: { url: 'https://x.example/cat.png' } }] },
    drawn: { text: 'Image cat.png', pictures: [], links: [['cat.png', 'https://x.example/cat.png']] },
  },
  { title: 'a picture', body: {}, files: ['dot.png'], drawn: { pictures: ['dot.png'], text: '' } },
  {
    title: 'a file that is no picture',
    body: { content: 'See' },
    files: ['notes.txt'],
    drawn: { text: 'SeeFile notes.txt · 4 bytes', pictures: [] },
  },
  {
    title: 'files that are spoilers',
    body: {},
    files: ['SPOILER_end.png', 'SPOILER_end.txt'],
    drawn: { covers: ['SPOILER_end.png', 'SPOILER_end.txt'], pictures: [] },
  },
  galleryOf(1),
  galleryOf(2),
  galleryOf(3),
  galleryOf(4),
  galleryOf(5),
  galleryOf(10),
  {
    title: 'a gallery with a spoiler and descriptions',
    body: layout({
      type: 12,
      items: [
        media('1.png', { spoiler: true, description: 'The end' }),
        media('2.png', { description: 'A cat' }),
      ],
    }),
    files: pngs(2),
    drawn: { covers: ['The end'], pictures: ['A cat'] },
  },
  {
    title: 'a layout that does not use one of its files',
    body: layout(text('Hello')),
    files: ['unused.png'],
    drawn: { text: 'Hello', pictures: [] },
  },
  {
    title: 'a section with a thumbnail, and one with a button',
    body: layout(
      { type: 9, components: [text('# Cats')], accessory: { type: 11, ...media('1.png') } },
      { type: 9, components: [text('Dogs')], accessory: { type: 2, style: 1, label: 'Buy', custom_id: 'b' } },
    ),
    files: pngs(1),
    drawn: { text: 'CatsDogsBuy', pictures: ['1.png'], buttons: ['Buy'] },
  },
  {
    title: 'a section with a covered thumbnail',
    body: layout({
      type: 9,
      components: [text('Cats')],
      accessory: { type: 11, ...media('1.png', { spoiler: true }) },
    }),
    files: pngs(1),
    drawn: { covers: ['1.png'], pictures: [] },
  },
  {
    title: 'a container with a separator and a file',
    body: layout({
      type: 17,
      accent_color: 0x00ff00,
      components: [
        text('Above'),
        { type: 14, divider: true, spacing: 2 },
        text('Below'),
        { type: 13, file: { url: 'attachment://notes.txt' } },
      ],
    }),
    files: ['notes.txt'],
    drawn: { text: 'AboveBelowFile notes.txt · 4 bytes', groups: ['Container'] },
  },
  {
    title: 'a container that is a spoiler',
    body: layout({ type: 17, spoiler: true, components: [text('The butler')] }),
    drawn: { covers: ['Container'] },
  },
  {
    title: 'a covered file of a layout',
    body: layout({ type: 13, spoiler: true, file: { url: 'attachment://notes.txt' } }),
    files: ['notes.txt'],
    drawn: { covers: ['notes.txt'] },
  },
  {
    title: 'buttons and a link button',
    body: {
      content: 'Choose',
      components: [
        {
          type: 1,
          components: [
            { type: 2, style: 1, label: 'Yes', custom_id: 'y' },
            { type: 2, style: 4, label: 'No', custom_id: 'n', disabled: true },
            { type: 2, style: 5, label: 'Docs', url: 'https://d.example/docs' },
            { type: 2, style: 5, label: 'Old', url: 'https://d.example/old', disabled: true },
          ],
        },
      ],
    },
    drawn: {
      buttons: ['Yes', 'No (disabled)', 'Old (disabled)'],
      links: [['Docs ↗', 'https://d.example/docs']],
    },
  },
  {
    title: 'links',
    body: { content: '[the **site**](https://s.example/x) and https://t.example/y and <https://u.example/>' },
    drawn: {
      links: [
        ['the site', 'https://s.example/x'],
        ['https://t.example/y', 'https://t.example/y'],
        ['https://u.example/', 'https://u.example/'],
      ],
    },
  },
  {
    title: 'an address outside of the web',
    body: { content: '[run](javascript:alert(1))' },
    drawn: { text: '[run](javascript:alert(1))', links: [] },
  },
  {
    title: 'a code block and code in a line',
    body: { content: 'Run `a **b**`:\n```js\nconst a = 1\n**b**\n```' },
    drawn: { code: ['a **b**', 'const a = 1\n**b**'] },
  },
  {
    title: 'lists',
    body: { content: '- one\n  - two\n1. first\n2. second' },
    drawn: { items: ['• one', '• two', '1. first', '2. second'] },
  },
  {
    title: 'headings, small text and quotes',
    body: { content: '# Big\n## Middle\n### Small\n-# tiny\n> quoted\nafter' },
    drawn: { text: 'BigMiddleSmalltinyquotedafter' },
  },
  {
    title: 'mentions and a time',
    body: {
      content:
        '<@100000000000003001> <#100000000000004001> <@&100000000000005001> @everyone <t:0:d> </ban:1>',
    },
    drawn: { text: '@Ada #general @Moderators @everyone 1/1/70 /ban', buttons: ['#general'] },
  },
  {
    title: 'a spoiler in a text',
    body: { content: 'It was ||the butler||' },
    drawn: { covers: ['spoiler'], text: 'It was spoilerthe butler' },
  },
  {
    title: 'styles',
    body: { content: '**b** *i* __u__ ~~s~~ ***bi*** \\*plain\\*' },
    drawn: { text: 'b i u s bi *plain*' },
  },
  {
    title: 'Arabic and Thai',
    body: { content: 'مرحبا بالعالم\nสวัสดีชาวโลก' },
    drawn: { text: 'مرحبا بالعالمสวัสดีชาวโลก' },
  },
]
