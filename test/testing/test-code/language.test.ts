import { describe, expect, it } from 'vitest'
import {
  AttachedContent,
  javaScript,
  python,
  Variable,
  type CodeCall,
  type Value,
} from '../../../src/testing/test-code/language.ts'

const ada = new Variable('ada')
const shown = new Variable('shown')
const first = { index: 0, name: 'Ours' }
const log = new AttachedContent('log.txt', 'line\n')
const picture = new AttachedContent('a.png', Uint8Array.of(0xff, 0x00))

describe('a value as code', () => {
  it.each<[Value, string, string]>([
    ['plain', "'plain'", "'plain'"],
    ["it's", '"it\'s"', '"it\'s"'],
    ['"quoted"\n\\', `'"quoted"\\n\\\\'`, `'"quoted"\\n\\\\'`],
    ['', "''", "''"],
    [`a${'x'.repeat(2_000)}`, "'a' + 'x'.repeat(2000)", "'a' + 'x' * 2000"],
    ['👍'.repeat(60), "'👍'.repeat(60)", "'👍' * 60"],
    [true, 'true', 'True'],
    [null, 'null', 'None'],
    [[1, false], '[1, false]', '[1, False]'],
    [
      { 'What happened?': 'a', plain: 1, absent: undefined },
      "{ 'What happened?': 'a', plain: 1 }",
      "{'What happened?': 'a', 'plain': 1}",
    ],
    [shown, 'shown', 'shown'],
    [log, "{ filename: 'log.txt', content: 'line\\n' }", "attachment('log.txt', 'line\\n')"],
    [
      picture,
      "{ filename: 'a.png', content: Buffer.from('/wA=', 'base64') }",
      "attachment('a.png', b64decode('/wA='))",
    ],
    [new AttachedContent('b', undefined), "{ filename: 'b' }", "{'filename': 'b'}"],
  ])('%j', (value, js, py) => expect([javaScript.value(value), python.value(value)]).toEqual([js, py]))

  it('is the same text when JavaScript reads it', () => {
    for (const text of ['\u2028\u0000\ud800', `'"\`\${x}\\`, 'ا‏ب', 'a'.repeat(49) + '\n'.repeat(50)])
      expect(new Function(`return ${javaScript.value(text)}`)()).toBe(text)
  })
})

describe('a call as code', () => {
  const person = { name: 'grace', place: { channel: 'staff', locale: 'de' } }
  it.each<[CodeCall, string, string]>([
    [
      { by: person, verb: 'use', values: ['/ban'] },
      "bed.as('grace', { channel: 'staff', locale: 'de' }).use('/ban')",
      "people('grace', channel='staff', locale='de').use('/ban')",
    ],
    [
      { by: { name: 'ada', place: {} }, verb: 'use', values: ['/send', { file: log, 'other-file': log }] },
      "bed.as('ada').use('/send', { file: { filename: 'log.txt', content: 'line\\n' }, 'other-file': { filename: 'log.txt', content: 'line\\n' } })",
      "people('ada').use('/send', file=attachment('log.txt', 'line\\n'), **{'other-file': attachment('log.txt', 'line\\n')})",
    ],
    [{ by: shown, verb: 'press', values: ['Yes'] }, "shown.press('Yes')", "shown.press('Yes')"],
    [
      { by: ada, verb: 'press', values: [shown, 'Yes'] },
      "ada.press(shown, 'Yes')",
      "shown.press('Yes', who=ada)",
    ],
    [
      { by: ada, verb: 'choose', values: [shown, 'Pick', 'a', 'b'] },
      "ada.choose(shown, 'Pick', 'a', 'b')",
      "shown.choose('Pick', 'a', 'b', who=ada)",
    ],
    [
      { by: shown, verb: 'submit', values: [{ Why: 'x' }] },
      "shown.submit({ Why: 'x' })",
      "shown.submit({'Why': 'x'})",
    ],
    [{ by: shown, verb: 'submit', values: [{}] }, 'shown.submit({})', 'shown.submit({})'],
    [{ by: shown, verb: 'followedUp', values: [] }, 'shown.followedUp()', 'shown.followed_up()'],
    [
      { by: ada, verb: 'useOn', values: ['Report', 'alan'] },
      "ada.useOn('Report', 'alan')",
      "ada.use_on('Report', user='alan')",
    ],
    [
      { by: ada, verb: 'useOn', values: ['Translate', shown] },
      "ada.useOn('Translate', shown)",
      "ada.use_on('Translate', message=shown)",
    ],
    [{ by: ada, verb: 'say', values: ['Hi', {}] }, "ada.say('Hi')", "ada.say('Hi')"],
    [
      { by: ada, verb: 'say', values: ['Hi', { reply: shown, files: [log] }] },
      "ada.say('Hi', { reply: shown, files: [{ filename: 'log.txt', content: 'line\\n' }] })",
      "ada.say('Hi', reply=shown, files=[attachment('log.txt', 'line\\n')])",
    ],
    [
      { by: ada, verb: 'startThread', values: ['t', { message: shown, private: true }] },
      "ada.startThread('t', { message: shown, private: true })",
      "ada.start_thread('t', message=shown, private=True)",
    ],
    [{ by: ada, verb: 'sees', values: ['Hi', 2] }, "ada.sees('Hi', 2)", "ada.sees('Hi', 2)"],
    [
      { by: ada, verb: 'joinVoice', values: ['Lounge', { muted: true }] },
      "ada.joinVoice('Lounge', { muted: true })",
      "ada.join_voice('Lounge', muted=True)",
    ],
    [{ by: null, verb: 'advance', values: ['15m'] }, "bed.advance('15m')", "people.advance('15m')"],
    [
      {
        by: null,
        server: first,
        verb: 'addPerson',
        post: { action: 'join', fields: ['name', 'roles'] },
        values: ['bob', ['Mods']],
      },
      "bed.server.addPerson('bob', ['Mods'])",
      "people.post('join', name='bob', roles=['Mods'])",
    ],
    [
      {
        by: null,
        server: { index: 1, name: 'B' },
        verb: 'leave',
        post: { action: 'leave', fields: ['name'] },
        values: ['bob'],
      },
      "bed.servers[1].leave('bob')",
      "people.post('leave', name='bob', server='B')",
    ],
    [
      {
        by: null,
        server: first,
        verb: 'mute',
        post: { action: 'mute', fields: ['name', 'muted'] },
        values: ['bob', false],
      },
      "bed.server.mute('bob', false)",
      "people.post('mute', name='bob', muted=False)",
    ],
    [
      {
        by: null,
        server: first,
        verb: 'setPermissions',
        post: { action: 'set-permissions', fields: ['channel', 'name', 'permissions'] },
        values: ['staff', 'bob', { CONNECT: null }],
      },
      "bed.server.setPermissions('staff', 'bob', { CONNECT: null })",
      "people.post('set-permissions', channel='staff', name='bob', permissions={'CONNECT': None})",
    ],
  ])('%#', (call, js, py) => expect([javaScript.call(call), python.call(call)]).toEqual([js, py]))
})
