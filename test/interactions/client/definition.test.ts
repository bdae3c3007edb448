import { expect, test } from 'vitest'
import { defineCommand, type CommandBody } from 'commandry'
import { config, ping, report, roll } from '../../types/commands.ts'
import { serving } from './person.ts'

const it = test.extend('client', async () => (await serving(roll, ping, config, report)).client)

it('ChatClient.invoke with a definition sends what the path form sends', async ({ client }) => {
  const data = async (used: Promise<{ readonly data: unknown }>) => (await used).data
  expect(await data(client.invoke(roll, { options: { sides: 6 } }))).toEqual(
    await data(client.invoke('roll', { sides: 6 })),
  )
  expect(await data(client.invoke(ping))).toEqual(await data(client.invoke('ping')))
  const adding = { subcommand: 'role add', options: { role: '5001' } } as const
  const resolved = { roles: { '5001': { id: '5001', name: 'Helpers' } } }
  expect(await data(client.invoke(config, { ...adding, resolved }))).toEqual(
    await data(client.invoke('config role add', { role: '5001' }, { resolved })),
  )
})

it('ChatClient.invoke with a definition accepts builders and the results of their toJSON', async ({
  client,
}) => {
  const body: CommandBody = { name: 'roll', description: 'Rolls dice' }
  const sent = { name: 'roll', options: [{ type: 4, name: 'sides', value: 6 }] }
  for (const given of [{ toJSON: () => body }, body])
    expect((await client.invoke(given, { options: { sides: 6 } })).data).toMatchObject(sent)
})

it('ChatClient.invoke with a definition rejects values that the registered command does not accept', async ({
  client,
}) => {
  const older = defineCommand({ ...roll, options: [] })
  await expect(client.invoke(older)).rejects.toMatchObject({ code: 'invalid_options' })
  const gone = defineCommand({ ...roll, name: 'rol' })
  await expect(client.invoke(gone, { options: { sides: 6 } })).rejects.toThrow('did you mean /roll?')
})

it('ChatClient.invoke with a definition throws a TypeError for anything but a slash command', async ({
  client,
}) => {
  // @ts-expect-error a user command needs a user: invokeOnUser
  await expect(client.invoke(report)).rejects.toThrow(/^command: expected .* got .*"Report"/)
  // @ts-expect-error not a command
  await expect(client.invoke(null)).rejects.toThrow(/^command: expected .* got null$/)
})

it('ChatClient.invoke with a definition is checked at compile time', async ({ client }) => {
  const rejected = [
    // @ts-expect-error sides is missing
    () => client.invoke(roll),
    // @ts-expect-error side is misspelt
    () => client.invoke(roll, { options: { side: 6 } }),
    // @ts-expect-error sides is a number
    () => client.invoke(roll, { options: { sides: '6' } }),
    // @ts-expect-error there is no subcommand "remove"
    () => client.invoke(config, { subcommand: 'remove' }),
    // @ts-expect-error role belongs to another subcommand
    () => client.invoke(config, { subcommand: 'show', options: { role: '5001' } }),
  ]
  for (const use of rejected) await expect(use()).rejects.toMatchObject({ name: 'InvocationError' })
})
