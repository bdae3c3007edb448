import { expect, it } from 'vitest'
import { CommandRegistry } from 'commandry'
import { definitionsText } from '../../../src/tools/authoring/definitions-text.ts'
import { everywhere, ping } from '../../support/fixtures.ts'

it('deployed commands as definitions have neither assigned fields nor null, at any depth', async () => {
  const options = [{ type: 3, name: 'o', description: 'b', required: true }]
  const { command } = await new CommandRegistry().upsert(everywhere, { ...ping, options })
  expect(JSON.parse(definitionsText([command]))).toEqual([
    { type: 1, ...ping, integration_types: [0, 1], options },
  ])
})

it('deployed commands as definitions have each value that differs from its default', async () => {
  const given = { ...ping, dm_permission: false, default_permission: false, nsfw: true }
  const { command } = await new CommandRegistry().upsert(everywhere, given)
  expect(JSON.parse(definitionsText([command]))).toEqual([{ type: 1, ...given, integration_types: [0, 1] }])
})
