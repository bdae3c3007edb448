import { expect, it } from 'vitest'
import { demoServer } from '../../support/worlds.ts'
import { entryText, commandLabel, targetName } from '../../../src/tools/authoring/words.ts'

const server = demoServer()

it('commands have their name, with a slash or their type, or else their place', () => {
  const bodies = [{ name: 'ping' }, { name: 'a b' }, { name: 'Pin', type: 2 }, { name: 'x', type: 9 }, {}, 5]
  expect(bodies.map((body) => commandLabel(body, 2))).toEqual([
    '/ping',
    'slash command "a b"',
    'user command "Pin"',
    'command "x"',
    'command 3',
    'command 3',
  ])
})

it('permission targets have the names of roles, users and channels of the server; unknown ids stay', () => {
  expect(targetName({ id: '100000000000005001', type: 1 }, server)).toBe('role Moderators')
  expect(targetName({ id: server.id, type: 1 }, server)).toBe('@everyone')
  expect(targetName({ id: '100000000000003002', type: 2 }, server)).toBe('user Grace')
  expect(targetName({ id: '100000000000004001', type: 3 }, server)).toBe('channel #general')
  expect(targetName({ id: '100000000000002000', type: 3 }, server)).toBe('all channels')
  expect(targetName({ id: '77', type: 3 }, server)).toBe('channel 77')
  const texts = [true, false].map((permission) =>
    entryText({ id: '100000000000005001', type: 1, permission }, server),
  )
  expect(texts).toEqual(['role Moderators allowed', 'role Moderators denied'])
})
