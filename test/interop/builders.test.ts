import { assertValidCommand } from 'commandry/testing'
import { SlashCommandBuilder } from 'discord.js'
import { expect, it } from 'vitest'

it('the matchers accept a builder of discord.js', () => {
  const builder = new SlashCommandBuilder().setName('ping').setDescription('Says pong')
  assertValidCommand(builder)
  expect(() => assertValidCommand({ ...builder.toJSON(), name: 'Ping' })).toThrow('"Ping" has upper case')
})
