/** What tests have used of a bot. */
import { expect, it } from 'vitest'
import { coverageText, mergeCoverage } from 'commandry/coverage'
import { testbed, type Testbed } from 'commandry/testbed'

const text = (name: string, more: object = {}) => ({ type: 3, name, description: 'x', ...more })
const commands = [
  { name: 'ban', description: 'x', default_member_permissions: '4', options: [text('user'), text('reason')] },
  {
    name: 'note',
    description: 'x',
    options: ['add', 'list'].map((name) => ({ type: 1, name, description: 'x', options: [text('about')] })),
  },
  { name: 'Report', type: 2 },
  { name: 'broken', description: 'x' },
]
const button = (label: string) => ({ type: 2, style: 1, label, custom_id: label })
const row = {
  type: 1,
  components: [
    button('Undo'),
    button('Page 2 of 3'),
    { type: 2, style: 5, label: 'Docs', url: 'https://a.test' },
  ],
}
const input = { type: 18, label: 'Why', component: { type: 4, custom_id: 'why', style: 1 } }

async function answer(request: Request): Promise<Response> {
  const { type, data } = (await request.json()) as any
  if (data.name === 'broken') return Response.json({ type: 4, data: { content: '' } })
  if (type === 3)
    return Response.json({ type: 9, data: { title: 'Undo 1 ban', custom_id: 'm', components: [input] } })
  return Response.json({ type: 4, data: { content: 'done', components: [row] } })
}

async function withBed<T>(use: (bed: Testbed) => Promise<T>): Promise<T> {
  const bed = await testbed({ commands: commands as never[], endpoint: answer })
  try {
    return await use(bed)
  } finally {
    await bed.close()
  }
}

async function session(bed: Testbed) {
  await bed.as('moderator').use('/ban user:a reason:b')
  const shown = await bed.as('moderator').use('/ban user:a')
  const modal = await shown.press('Undo')
  await modal.submit({ Why: 'a mistake' })
  await expect(bed.as('member').use('/ban user:a')).rejects.toThrow()
  await bed.as('member', { channel: 'dm' }).use('/note add')
  await bed.as('member').useOn('Report', 'grace')
  await expect(bed.as('member').use('/broken')).rejects.toThrow()
}

it('counts uses by outcome, options, people and places, and the components that were shown and used', async () => {
  const coverage = await withBed(async (bed) => {
    await session(bed)
    return bed.coverage()
  })
  expect(coverage).toEqual({
    version: 1,
    commands: [
      {
        command: '/ban',
        outcomes: { answered: 2, refused: 1, failed: 0 },
        options: { user: 2, reason: 1 },
        people: { moderator: 2 },
        places: { server: 2 },
      },
      {
        command: '/note add',
        outcomes: { answered: 1, refused: 0, failed: 0 },
        options: { about: 0 },
        people: { user: 1 },
        places: { dm: 1 },
      },
      {
        command: '/note list',
        outcomes: { answered: 0, refused: 0, failed: 0 },
        options: { about: 0 },
        people: {},
        places: {},
      },
      {
        command: 'Report',
        outcomes: { answered: 1, refused: 0, failed: 0 },
        options: {},
        people: { member: 1 },
        places: { server: 1 },
      },
      {
        command: '/broken',
        outcomes: { answered: 0, refused: 0, failed: 1 },
        options: {},
        people: { member: 1 },
        places: { server: 1 },
      },
    ],
    components: { Undo: 1, 'Page # of #': 0, 'Undo # ban': 1 },
    refusals: { permission_denied: 1 },
  })
})

it('adds up several testbeds, and prints what was used and what was not', async () => {
  const first = await withBed(async (bed) => {
    await session(bed)
    return bed.coverage()
  })
  const second = await withBed(async (bed) => {
    await bed.as('administrator').use('/note list about:a')
    return bed.coverage()
  })
  const both = mergeCoverage([first, second])
  expect(both.commands.map(({ outcomes }) => outcomes.answered)).toEqual([2, 1, 1, 1, 0])
  expect(coverageText(both, 80)).toMatchInlineSnapshot(`
    "command     answered  refused  failed  options  by             in
    /ban        2         1        0       2 of 2   moderator      server
    /note add   1         0        0       0 of 1   user           dm
    /note list  1         0        0       1 of 1   administrator  server
    Report      1         0        0       -        member         server
    /broken     0         0        1       -        member         server

    4 of 5 commands used, 3 of 4 options given, 2 of 3 buttons, menus and modals
    used.
    Refused for lack of permission: 1 use.
    Commands used and never answered: /broken
    Options never given: /note add about
    Buttons, menus and modals never used: Page # of #"
  `)
  const none = coverageText(mergeCoverage([]))
  expect(none).toContain('0 of 0 commands used')
  expect(coverageText(second)).toContain('No use was refused for lack of permission.')
})
