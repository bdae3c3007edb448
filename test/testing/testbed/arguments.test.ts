import { expect, it } from 'vitest'
import { testbed } from 'commandry/testbed'
import { bed, open, useTestbeds } from './demo-bot.ts'

useTestbeds()

/** What a program in JavaScript passes by mistake, in place of a text. */
const noTexts: readonly unknown[] = [
  undefined,
  null,
  NaN,
  5n,
  true,
  Symbol('ada'),
  new Date(0),
  ['ada'],
  {},
  () => 'ada',
]

type Case = [string, string, (...given: any[]) => unknown, (readonly unknown[])?]

const cases: Case[] = [
  ['as', 'name', (name) => bed.as(name)],
  ['person', 'name', (name) => bed.person(name)],
  ['directMessages', 'name', (name) => bed.directMessages(name)],
  ['channel', 'channel', (name) => bed.channel(name), noTexts.slice(1)],
  ['run', 'command', (command) => bed.run(command)],
  ['deployed', 'command', (command) => bed.deployed(command)],
  ['advance', 'duration', (duration) => bed.advance(duration)],
  [
    'settled',
    'settled',
    (options) => bed.settled(options),
    [null, 5, 'x', new Map(), new Date(0), Promise.resolve({})],
  ],
  ['server.leave', 'name', (name) => bed.server.leave(name)],
  ['server.mute', 'name', (name) => bed.server.mute(name)],
  ['server.mute', 'isMuted', (isMuted) => bed.server.mute('ada', isMuted), [null, 0, 'yes']],
  ['server.timeout', 'name', (name) => bed.server.timeout(name, '1m')],
  [
    'server.timeout',
    'duration',
    (duration) => bed.server.timeout('ada', duration),
    [undefined, NaN, -1, 5n, true, {}],
  ],
  [
    'server.setAvailable',
    'isAvailable',
    (isAvailable) => bed.server.setAvailable(isAvailable),
    [undefined, null, 0, 'no'],
  ],
  ['server.setRoles', 'name', (name) => bed.server.setRoles(name, [])],
  [
    'server.setRoles',
    'roles',
    (roles) => bed.server.setRoles('ada', roles),
    [undefined, null, 'Moderators', new Set()],
  ],
  ['server.setRoles', 'roles[0]', (role) => bed.server.setRoles('ada', [role]), noTexts],
  ['server.addPerson', 'username', (username) => bed.server.addPerson(username), [...noTexts, '', ' ']],
  [
    'server.addPerson',
    'roles',
    (roles) => bed.server.addPerson('new', roles),
    [null, 'Moderators', new Set()],
  ],
  ['server.setPermissions', 'channel', (channel) => bed.server.setPermissions(channel, 'ada', {})],
  ['server.setPermissions', 'name', (name) => bed.server.setPermissions('general', name, {})],
  [
    'server.setPermissions',
    'permissions',
    (permissions) => bed.server.setPermissions('general', 'ada', permissions),
    [undefined, null, 5, ['SEND_MESSAGES'], new Map([['SEND_MESSAGES', true]]), { SEND_MESSAGES: 'no' }],
  ],
]

it.each<Case>(cases)(
  '%s refuses an invalid %s, and changes nothing',
  async (_, argument, call, values = noTexts) => {
    await open({})
    const before = JSON.stringify(bed.servers)
    for (const value of values) {
      const error = await (async () => call(value))().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toMatch(`${argument}: expected `)
    }
    expect(JSON.stringify(bed.servers)).toBe(before)
  },
)

it.each(['localhost:3000', 'ftp://127.0.0.1/', 'http://me:secret@127.0.0.1/', '', 5])(
  'testbed refuses %j as the endpoint of a bot',
  async (endpoint) => {
    const refused = 'endpoint: expected an address of http:// or https://, or a handler'
    await expect(testbed({ endpoint } as never)).rejects.toThrow(refused)
  },
)
