/** What axe finds in the views of a large server, with recorded tests, their dialog and the list of mentions. Access of 131 rows takes axe minutes. */
import { expect, it } from 'vitest'
import type { RecordedTest, TestsOfPage } from '../../../../src/tools/page/questions/query.ts'
import { findings } from '../axe.ts'
import { describePageWith, type Page } from '../open.ts'
import { openRealistic, realistic } from '../realistic.ts'

const test = (
  name: string,
  phase: RecordedTest['phase'],
  failure: RecordedTest['failure'] = null,
): RecordedTest => ({
  ...{ name, phase, failure, file: `scenes/${name}.test.mjs` },
})
const tests: TestsOfPage = {
  state: [
    test('Greets new members', 'passes'),
    test('Ban twice', 'fails', {
      ...{
        line: 2,
        step: "await ada.use('/ban user:@alan reason:spam')",
        text: 'got “Alan is gone”, expected “Banned Alan for spam”',
      },
      ...{ expected: 'Banned Alan for spam\n[Undo]', actual: 'Alan is gone\n[Undo]' },
      output: 'warning: no table',
    }),
    test('Opens a ticket', 'fails', {
      ...{ line: 0, step: '', text: 'the bot is not ready: node bot.js ended with code 1' },
      ...{ expected: null, actual: null, output: '' },
    }),
    test('Waits', 'waiting'),
  ],
  add: async () => {},
  check: async () => null,
  run: () => {},
  subscribe: () => () => {},
}

const states: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  member: (page) => page.counts('.test', 4),
  async mentions(page) {
    await page.focus('#composer')
    await page.keys("'@person4'")
    await page.counts('.offer', 8)
  },
  async test(page) {
    await page.click('.rail li:nth-child(2) .test')
    await page.counts('.test-shown pre', 4)
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
  () => ({ ...realistic(), tests }),
  'axe finds nothing in a large server',
  (page) => {
    it.each(Object.entries(states))('in the state %s', async (_name, open) => {
      await openRealistic(page)
      await open(page)
      expect(await findings(page, true)).toEqual([])
    })
  },
)
