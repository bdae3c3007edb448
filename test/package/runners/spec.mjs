// The runners of runners.test.ts run this with the matchers set up by one import, and their own globals.
import { sampleCommands, slashCommand } from 'commandry/testing'

const { test, expect } = globalThis

test('accepts a valid command', () => {
  expect(slashCommand()).toBeValidCommand()
  expect(sampleCommands).toBeValidCommands()
  expect(slashCommand({ name: 'Ping' })).not.toBeValidCommand()
})

test('rejects an invalid one', () => {
  expect(slashCommand({ name: 'Ping' })).toBeValidCommand()
})
