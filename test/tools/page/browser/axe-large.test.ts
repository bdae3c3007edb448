/** What axe finds in the views of a large server, with scenes, their dialog and the list of mentions. Access of 131 rows takes axe minutes. */
import { expect, it } from 'vitest'
import type { Scene, ScenesOfPage } from '../../../../src/tools/page/questions/query.ts'
import { findings } from '../axe.ts'
import { describePageWith, type Page } from '../open.ts'
import { openRealistic, realistic } from '../realistic.ts'

const scene = (name: string, phase: Scene['phase'], more: Partial<Scene> = {}): Scene => ({
  ...{ name, phase, file: `scenes/${name}.test.mjs` },
  ...{ difference: '', step: '', line: 0, expected: null, seen: null, output: '' },
  ...more,
})
const scenes: ScenesOfPage = {
  state: {
    scenes: [
      scene('Greets new members', 'holds'),
      scene('Ban twice', 'differs', {
        difference: '/ban user:@alan reason:spam: “Alan is gone” in place of “Banned Alan for spam”',
        ...{ step: '/ban user:@alan reason:spam', line: 21 },
        ...{
          expected: 'Banned Alan for spam\n[Undo]',
          seen: 'Alan is gone\n[Undo]',
          output: 'warning: no table',
        },
      }),
      scene('Opens a ticket', 'failed', {
        difference: 'The bot is not ready: node bot.js ended with code 1',
      }),
      scene('Plays', 'playing'),
      scene('Waits', 'waiting'),
    ],
    leftOut: 2,
  },
  add: async () => {},
  play: () => {},
  subscribe: () => () => {},
}

const states: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  member: (page) => page.counts('.scene', 5),
  async mentions(page) {
    await page.focus('#composer')
    await page.keys("'@person4'")
    await page.counts('.offer', 8)
  },
  async scene(page) {
    await page.click('.rail li:nth-child(2) .scene')
    await page.counts('.scene-shown pre', 3)
  },
  async editor(page) {
    await page.load('?view=editor&source=Deployed')
    await page.has('textarea')
  },
  async translations(page) {
    await page.load('?view=translations')
    await page.has('.texts textarea')
  },
  async requests(page) {
    await page.request('PUT', '/applications/1001/commands', [{ name: 'Bad', description: 'x' }])
    await page.load('?view=requests')
    await page.has('.request')
    page.complains(/^$/)
  },
  async plan(page) {
    await page.draft('[{ "name": "new", "description": "A new command" }]')
    await page.load('?view=plan')
    await page.has('.plan, details')
  },
}

describePageWith(
  () => ({ ...realistic(), scenes }),
  'axe finds nothing in a large server',
  (page) => {
    it.each(Object.entries(states))('in the state %s', async (_name, open) => {
      await openRealistic(page)
      await open(page)
      expect(await findings(page, true)).toEqual([])
    })
  },
)
