import { describe, expect, it } from 'vitest'
import { recordedTest } from '../../../src/testing/recording/recorded-test.ts'
import { AttachedContent, Variable } from '../../../src/testing/test-code/language.ts'

type FrameworkName = Parameters<typeof recordedTest>[1]
type RecordedStep = Parameters<typeof recordedTest>[0][number]
type Seen = RecordedStep['seen'][number]

const step = (verb: string, parts: Partial<RecordedStep> = {}): RecordedStep => ({
  ...{ by: null, verb, values: [], interaction: '', key: '', text: null, failure: '', seen: [] },
  ...parts,
})
const seen = (kind: Seen['kind'], key: string, text: string, parts: Partial<Seen> = {}): Seen => ({
  ...{ kind, key, text, of: '', by: null, nth: 1, times: 1, isOlder: false },
  ...parts,
})
const ada = { name: 'ada', place: {} }
const grace = { name: 'grace', place: { channel: 'ticket-7', locale: 'de' } }
const log = new AttachedContent('log.txt', 'line')

/** One of each that the writer treats differently. */
const steps = [
  step('', { seen: [seen('sees', '1', 'Open a ticket', { by: ada, isOlder: true })] }),
  step('press', {
    ...{ by: ada, values: [new Variable('1'), 'Open'], interaction: '20', key: '20' },
    text: '(modal)\nTicket\n[]',
  }),
  step('submit', {
    ...{ by: ada, values: [new Variable('20'), { Why: 'It broke' }], interaction: '21', key: '2' },
    text: '(ephemeral, thinking)',
    seen: [
      seen('edited', '2', '(ephemeral)\nOpened'),
      seen('followedUp', '3', 'Wait here', { of: '21' }),
      seen('sees', '4', 'New ticket', { by: grace }),
    ],
  }),
  step('press', {
    ...{ by: grace, values: [new Variable('4'), 'Claim'], interaction: '22', key: '4', text: 'Claimed' },
    seen: [seen('edited', '2', '(ephemeral)\nDone', { times: 3 })],
  }),
  step('say', { by: ada, values: ['Thanks', { files: [log] }], key: '5' }),
  step('react', { by: grace, values: [new Variable('5'), '👍'] }),
  step('say', { by: ada, values: ['Bye', {}], key: '6' }),
  step('advance', { values: ['1h'], seen: [seen('sees', '7', 'Closed', { by: ada, nth: 2 })] }),
  step('addPerson', {
    ...{ server: { index: 0, name: 'Ours' }, values: ['bob'] },
    post: { action: 'join', fields: ['name', 'roles'] },
  }),
  step('use', { by: ada, values: ['/late'], failure: 'no_answer' }),
]

const written = (framework: FrameworkName, more: object = {}) =>
  recordedTest(steps, framework, { header: 'Recorded.', deployed: 'late', ...more })

describe('a recording as a test', () => {
  it('has people, steps and an assertion on each answer, for Vitest', () => {
    expect(written('vitest')).toMatchInlineSnapshot(`
      "// Recorded.
      import 'commandry/clock'
      import { afterAll, beforeAll, expect, test } from 'vitest'
      import { testbed } from 'commandry/testbed'

      let bed
      beforeAll(async () => {
        bed = await testbed()
        // Log your bot in here: client.login(bed.token), with bed.rest as the address. See node_modules/commandry/docs/testbed.md
        await bed.deployed('late')
      })
      afterAll(async () => {
        // End your bot here: client.destroy()
        await bed.close()
      })

      test('press Open, submit, press Claim, say, react and 4 more steps', async () => {
        const ada = bed.as('ada')
        // The bot has to send this again: it was there before the recording.
        const message = await ada.sees('Open a ticket')

        const shown = await ada.press(message, 'Open')
        expect(shown.text()).toBe('(modal)\\nTicket\\n[]')

        const shown2 = await shown.submit({ Why: 'It broke' })
        await shown2.edited()
        expect(shown2.text()).toBe('(ephemeral)\\nOpened')
        const shown3 = await shown2.followedUp()
        expect(shown3.text()).toBe('Wait here')
        const graceInTicket7De = bed.as('grace', { channel: 'ticket-7', locale: 'de' })
        const message2 = await graceInTicket7De.sees('New ticket')

        const shown4 = await graceInTicket7De.press(message2, 'Claim')
        expect(shown4.text()).toBe('Claimed')
        while (shown2.text() !== '(ephemeral)\\nDone') await shown2.edited()

        const message3 = await ada.say('Thanks', { files: [{ filename: 'log.txt', content: 'line' }] })

        await graceInTicket7De.react(message3, '👍')

        await ada.say('Bye')

        await bed.advance('1h')
        await ada.sees('Closed', 2)

        bed.server.addPerson('bob')

        await expect(ada.use('/late')).rejects.toMatchObject({ code: 'no_answer' })
      })
      "
    `)
  })

  it('presses a button of an own answer by the answer, and that of another person by the person', () => {
    const use = step('use', { by: ada, values: ['/roll'], interaction: '1', key: '1', text: 'Rolled' })
    const press = (by: typeof ada) => step('press', { by, values: [new Variable('1'), 'Again'] })
    const text = recordedTest([step(''), use, press(ada), press({ name: 'bob', place: {} })], 'vitest', {
      header: '',
      deployed: 'late',
    })
    expect(text).toContain("await shown.press('Again')")
    expect(text).toContain("await bob.press(shown, 'Again')")
  })

  it('waits for reactions of the bot, and for messages to disappear', () => {
    const parts = { by: ada, of: '2' }
    const see = step('', {
      seen: [
        seen('sees', '2', 'Vote', { by: ada }),
        seen('seesReaction', '2 👀', '👀', parts),
        seen('noLongerSees', '2', 'Vote', { by: ada }),
      ],
    })
    const text = recordedTest([see], 'vitest', { header: '', deployed: 'late' })
    expect(text).toContain("  await ada.seesReaction(message, '👀')\n  await ada.noLongerSees('Vote')\n")
  })

  it('is CommonJS for Jest, with the same statements', () => {
    const body = (text: string) => text.slice(text.indexOf("test('"))
    expect(body(written('jest'))).toBe(body(written('vitest')))
    expect(written('jest').split('\n').slice(0, 5)).toMatchInlineSnapshot(`
      [
        "// Recorded.",
        "require('commandry/clock')",
        "const { testbed } = require('commandry/testbed')",
        "",
        "let bed",
      ]
    `)
  })

  it('asserts with node:assert for node:test', () => {
    expect(written('node:test').match(/^.*(?:import|assert|before|after).*$/gm)).toMatchInlineSnapshot(`
      [
        "import 'commandry/clock'",
        "import { after, before, test } from 'node:test'",
        "import assert from 'node:assert/strict'",
        "import { testbed } from 'commandry/testbed'",
        "before(async () => {",
        "after(async () => {",
        "  // The bot has to send this again: it was there before the recording.",
        "  assert.equal(shown.text(), '(modal)\\nTicket\\n[]')",
        "  assert.equal(shown2.text(), '(ephemeral)\\nOpened')",
        "  assert.equal(shown3.text(), 'Wait here')",
        "  assert.equal(shown4.text(), 'Claimed')",
        "  await assert.rejects(ada.use('/late'), { code: 'no_answer' })",
      ]
    `)
  })

  it('uses the fixtures of pytest', () => {
    expect(written('pytest')).toMatchInlineSnapshot(`
      "# Recorded. Run it with: npx commandry serve --gateway --port 0 --run "pytest -q"
      # Start your bot in conftest.py: run_bot(…, ready='/late').
      import pytest
      from commandry_pytest import Refused, attachment


      def test_press_open_submit_press_claim_say_react_and_4_more_step(people):
          """press Open, submit, press Claim, say, react and 4 more steps"""
          ada = people('ada')
          # The bot has to send this again: it was there before the recording.
          message = ada.sees('Open a ticket')

          shown = message.press('Open', who=ada)
          assert shown.text == '(modal)\\nTicket\\n[]'

          shown2 = shown.submit({'Why': 'It broke'})
          shown2 = shown2.edited()
          assert shown2.text == '(ephemeral)\\nOpened'
          shown3 = shown2.followed_up()
          assert shown3.text == 'Wait here'
          grace_in_ticket_7_de = people('grace', channel='ticket-7', locale='de')
          message2 = grace_in_ticket_7_de.sees('New ticket')

          shown4 = message2.press('Claim', who=grace_in_ticket_7_de)
          assert shown4.text == 'Claimed'
          while shown2.text != '(ephemeral)\\nDone':
              shown2 = shown2.edited()

          message3 = ada.say('Thanks', files=[attachment('log.txt', 'line')])

          grace_in_ticket_7_de.react(message3, '👍')

          ada.say('Bye')

          people.advance('1h')
          ada.sees('Closed', 2)

          people.post('join', name='bob')

          with pytest.raises(Refused, match='no_answer'):
              ada.use('/late')
      "
    `)
  })

  it('names the servers of a configuration, and an endpoint in place of a login', () => {
    const servers = [{ id: '2001', name: 'Ours' }]
    const text = written('vitest', { servers, endpoint: 'http://127.0.0.1:3000/' })
    expect(text).toContain(
      "bed = await testbed({ servers: [{ id: '2001', name: 'Ours' }], endpoint: 'http://127.0.0.1:3000/' })",
    )
    expect(text).toContain('// Deploy the commands to bed.rest, and give the bot bed.publicKey')
    expect(text).not.toContain('deployed(')
  })

  it('gives people names that a program can have, each its own', () => {
    const people = [
      ...[
        { name: 'ゲスト', place: {} },
        { name: '1up', place: {} },
        { name: 'del', place: {} },
      ],
      ...[
        { name: 'a.b', place: { channel: 'x-y' } },
        { name: 'a-b', place: { channel: 'x_y' } },
      ],
    ]
    const said = [
      step(''),
      ...people.map((by, index) => step('say', { by, values: ['Hi', {}], key: String(index) })),
    ]
    const text = recordedTest(said, 'vitest', { header: '' })
    expect(text.match(/(?<=const )\w+(?= = bed)/g)).toMatchInlineSnapshot(`
      [
        "person",
        "person1up",
        "del2",
        "aBInXY",
        "aBInXY2",
      ]
    `)
  })
})
