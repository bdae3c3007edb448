// The same for Jest, which takes CommonJS by default.
const { sampleCommands, slashCommand } = require('commandry/testing')

const { test, expect } = process.env.WITHOUT_GLOBALS ? require('@jest/globals') : globalThis

test('accepts a valid command', () => {
  expect(slashCommand()).toBeValidCommand()
  expect(sampleCommands).toBeValidCommands()
  expect(slashCommand({ name: 'Ping' })).not.toBeValidCommand()
})

test('rejects an invalid one', () => {
  expect(slashCommand({ name: 'Ping' })).toBeValidCommand()
})
