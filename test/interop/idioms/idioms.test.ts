/** Bots with the idioms that guides show: no press, message or reaction is lost, and `fuzz` blames none of them. */
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { fuzz } from 'commandry/fuzz'
import { testbed, type Testbed } from 'commandry/testbed'
import { python, redirectInFolder, startBot } from '../bots/bot-program.ts'

const { redirect } = redirectInFolder()

type Flow = (bed: Testbed) => Promise<string>

/** Uses a command and presses buttons in a row, also on a deferred answer. */
const pressing =
  (command: string, ...buttons: readonly string[]): Flow =>
  async (bed) => {
    const shown = await bed.as('ada').use(`/${command}`)
    if (shown.kind === 'thinking') await shown.edited()
    for (const button of buttons) await bed.as('ada').press(shown, button)
    await bed.settled()
    return shown.text()
  }

const quiz: Flow = async (bed) => {
  await bed.as('ada').say('!quiz')
  await bed.as('ada').sees('2+2?')
  await bed.as('alan').say('4')
  return (await bed.as('ada').sees('alan wins')).content
}

const vote: Flow = async (bed) => {
  await bed.as('ada').say('!vote')
  await bed.as('alan').react(await bed.as('ada').sees(/^Vote/), '👍')
  return (await bed.as('ada').sees('Voted 👍')).content
}

type Bot = readonly [
  file: string,
  redirect: string | undefined,
  flows: Readonly<Record<string, readonly [Flow, unknown]>>,
]

const bots: readonly Bot[] = [
  [
    'discordjs.mjs',
    undefined,
    {
      fetched: [pressing('fetched', 'Yes'), 'Done'],
      resource: [pressing('resource', 'No'), 'Cancelled'],
      collector: [pressing('collector', 'More', 'More', 'More'), /^3/],
      menu: [
        async (bed) => {
          const shown = await bed.as('ada').use('/menu')
          await shown.choose('starter', 'water')
          await shown.edited()
          return shown.content
        },
        'You chose water',
      ],
      wizard: [pressing('wizard', 'Yes', 'Really', 'Finish'), 'Done'],
      pages: [pressing('pages', 'next', 'next', 'back'), /two/],
      form: [
        async (bed) => (await (await bed.as('ada').use('/form')).submit({ Name: 'Ada' })).content,
        'Hello, Ada',
      ],
      followed: [
        async (bed) => {
          const next = await (await bed.as('ada').use('/followed')).followedUp()
          await next.press('Yes')
          return next.content
        },
        'Done',
      ],
      both: [
        async (bed) => {
          const shown = await bed.as('ada').use('/both')
          await (await shown.press('Edit')).submit({ Text: 'New' })
          return shown.content
        },
        'New',
      ],
      quiz: [quiz, 'alan wins'],
      vote: [vote, 'Voted 👍'],
    },
  ],
  [
    'oceanic.mjs',
    undefined,
    {
      confirm: [pressing('confirm', 'Yes'), 'Done'],
      pages: [pressing('pages', 'Next', 'Next'), /^three/],
      quiz: [quiz, 'alan wins'],
    },
  ],
  [
    'eris.mjs',
    redirect,
    {
      confirm: [pressing('confirm', 'Yes'), 'Done'],
      pages: [pressing('pages', 'Next', 'Next'), /^three/],
      quiz: [quiz, 'alan wins'],
    },
  ],
  [
    'seyfert.mjs',
    redirect,
    {
      confirm: [pressing('confirm', 'Yes'), 'Done'],
      awaited: [pressing('awaited', 'No'), 'Done'],
      pages: [pressing('pages', 'Next', 'Next'), /^three/],
    },
  ],
  ...(python === undefined
    ? []
    : ([
        [
          'discordpy.py',
          undefined,
          {
            confirm: [pressing('confirm', 'Yes'), 'Done'],
            pages: [pressing('pages', 'Next', 'Next'), /^three/],
            waited: [pressing('waited', 'Yes'), 'Done'],
            quiz: [quiz, 'alan wins'],
            vote: [vote, 'Voted 👍'],
          },
        ],
      ] as const)),
]

let bed: Testbed
let program: ReturnType<typeof startBot>

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(program.output(), bed.transcript())
  const gone = once(program.child, 'close')
  program.child.kill()
  await gone
  await bed.close()
})

describe.each(bots)('%s', (file, redirect, flows) => {
  it('hears every act of people, and is not blamed by fuzz', async () => {
    const names = Object.keys(flows).filter((name) => name !== 'quiz' && name !== 'vote')
    bed = await testbed({
      ws: { WebSocketServer },
      commands: names.map((name) => ({ name, description: 'x' })),
    })
    program = startBot(bed, `../idioms/${file}`, redirect === undefined, redirect)
    await expect.poll(program.output).toContain('ready')
    await bed.online()
    for (const [name, [flow, expected]] of Object.entries(flows))
      expect(await flow(bed), name).toEqual(
        expected instanceof RegExp ? expect.stringMatching(expected) : expected,
      )
    const { failures, uses } = await fuzz(bed, { runs: 2, seed: 3 })
    expect(failures.map(({ code, line, step }) => `${code} ${line} ${step}`)).toEqual([])
    expect(uses).toBeGreaterThan(2 * names.length)
  })
})
