/** A report as text and as a file of tests. */
import { expect, it } from 'vitest'
import type { FuzzReport } from 'commandry/fuzz'
import { fuzzTests, fuzzText } from '../../../src/testing/fuzz/fuzz-report.ts'

const failure = {
  ...{ code: 'no_answer' as const, command: '/ban', line: '/ban user:@ada', step: 'use' },
  ...{ as: 'ada', channel: 'general', locale: 'de', message: 'no answer\n  after 3 s\n', issues: [] },
  ...{ repeated: true, fresh: true, test: 'test("ban", async () => {\n  await 1\n})' },
}
const command = { command: '/ban', available: true, uses: 12, failures: 2, median_ms: 5, slowest_ms: 1_200 }
const ended = { reason: 'the run ended before it' }
const never = { reason: 'never given' }
const unused = { uses: 0, failures: 0, median_ms: null, slowest_ms: null }
const report: FuzzReport = {
  ...{ version: 1, ok: false, seed: 7, uses: 12 },
  commands: [
    command,
    ...['/late', '/later'].map((name) => ({ ...unused, command: name, available: true })),
    { ...unused, command: '/a-hidden-one', available: false },
  ],
  failures: [
    failure,
    {
      ...{ ...failure, repeated: false, channel: 'dm', step: `press ${'y'.repeat(200)}` },
      ...{ line: `/ban reason:"${'ab'.repeat(200)}"`, message: 'z'.repeat(250) },
    },
  ],
  warnings: [
    {
      ...{ code: 'no_answer', command: '/ban', line: '/ban user:@ada', step: 'press Yes' },
      ...{ as: 'ada', channel: 'general', locale: 'de', message: 'no answer\n  after 3 s\n' },
      ...{ failed: 1, of: 4 },
    },
  ],
  schedules: 48,
  missing_intents: ['MESSAGE_CONTENT'],
  in_two_scopes: ['/ping', '/ban'],
  endpoint: {
    ...{ url: 'http://127.0.0.1:3000/', problems: ['signature'], forged: ['the use of a command'] },
    error: 'SyntaxError: no signature',
  },
  not_seen: [
    { kind: 'command', name: '/a-hidden-one', reason: 'nobody in the testbed can use it' },
    ...['/late', '/later'].map((name) => ({ ...ended, kind: 'command' as const, name })),
    ...Array.from({ length: 12 }, (_, index) => ({
      ...never,
      kind: 'option' as const,
      name: `/ban o${index}`,
    })),
    { kind: 'route', name: 'GET /users (3 times)', reason: 'the service has no such route' },
  ],
}

it('prints failures, a table, an address that Discord refuses, and what was not seen', () => {
  expect(fuzzText(report)).toMatchInlineSnapshot(`
    "✗ no_answer  /ban user:@ada
      ada in #general, de
      no answer
        after 3 s


        test("ban", async () => {
          await 1
        })

    ✗ no_answer  /ban reason:"ababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababab…, press yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
      ada in the DM with the bot, de
      It did not happen again with the same steps.
      zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…

        test("ban", async () => {
          await 1
        })

    ! no_answer  /ban user:@ada, press Yes
      ada in #general: it failed 1 of 4 times, and not when it was tried more slowly.
      no answer

    command        uses  failures  median  slowest
    /ban             12         2    5 ms  1200 ms
    /late             0         0       -        -
    /later            0         0       -        -
    /a-hidden-one     0         0       -        -

    ✗ Discord will not take the address http://127.0.0.1:3000/:
      A request with a wrong signature is not refused with 401: verify signatures. verifyKey of discord-interactions returns a promise, which is true in an "if": await it.
      SyntaxError: no signature

    ✗ Everyone who knows the address http://127.0.0.1:3000/ can forge the use of a command:
      A request with a wrong signature is not refused with 401: verify signatures. verifyKey of discord-interactions returns a promise, which is true in an "if": await it.

    The bot has no MESSAGE_CONTENT: messages arrived with empty content.
    Global and in the server too, so that people see two: /ping, /ban. Uses reach that of the server.
    Not seen:
      1 command, nobody in the testbed can use it: /a-hidden-one
      2 commands, the run ended before it: /late, /later
      12 options, never given: /ban o0, /ban o1, /ban o2, /ban o3, /ban o4, /ban o5, /ban o6, /ban o7, /ban o8, /ban o9 and 2 more
      1 route, the service has no such route: GET /users (3 times)
    ✗ 12 uses of 4 commands, 48 schedules of two people, seed 7: 2 failures, and Discord will not take the address, and everyone can forge interactions, and not all was seen"
  `)
  const good = {
    ...report,
    ok: true,
    failures: [],
    commands: [command],
    warnings: [],
    schedules: 0,
    missing_intents: [],
    in_two_scopes: [],
    endpoint: null,
    not_seen: [],
    uses: 1,
  }
  expect(fuzzText(good)).toMatchInlineSnapshot(`
    "command  uses  failures  median  slowest
    /ban       12         2    5 ms  1200 ms

    ✓ 1 use of 1 command, seed 7: no failures"
  `)
})

it('writes the failures as a file of tests, and nothing without one', () => {
  expect(fuzzTests({ ...report, failures: [failure] }, {}, new Map([[failure.test, 'It passes.']])))
    .toMatchInlineSnapshot(`
    "// Written by "commandry fuzz --seed 7".
    import { afterAll, beforeAll, expect, test } from 'vitest'
    import { testbed } from 'commandry/testbed'

    let bed
    beforeAll(async () => {
      bed = await testbed()
      // Log your bot in here: client.login(bed.token), with bed.rest as the address. See node_modules/commandry/docs/testbed.md
    })
    afterAll(async () => {
      // End your bot here: client.destroy()
      await bed.close()
    })

    // no_answer. It passes.
    test("ban", async () => {
      await 1
    })
    "
  `)
  expect(fuzzTests({ ...report, failures: [] }, {}, new Map())).toBe('')
})

it('prints an error that several failures have once', () => {
  const message = 'it crashed\nTypeError: no table\n    at run (ban.js:1:2)'
  const failures = ['/ban', '/kick'].map((line) => ({ ...failure, line, message }))
  const text = fuzzText({ ...report, failures })
  expect(text.match(/TypeError/g)).toHaveLength(1)
  expect(text).toContain('  it crashed\n  the error of /ban\n')
})
