import { expect, it } from 'vitest'
import { CommandRegistry, defineCommand, globalScope, type CommandBody } from 'commandry'
import { ChatClient } from 'commandry/interactions'
import { people } from 'commandry/testing'
import { config, ping, report, roll } from '../types/commands.ts'

async function clientOf(): Promise<ChatClient> {
  const registry = new CommandRegistry()
  await registry.overwrite(globalScope('1001'), [roll, ping, config, report])
  const place = { applicationId: '1001', guildId: '2001', channel: { id: '4001' }, locale: 'en-US' } as const
  return new ChatClient(registry, { ...place, member: people.member })
}

it('ChatClient.invoke with a definition sends what the path form sends', async () => {
  const client = await clientOf()
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

it('ChatClient.invoke with a definition accepts builders and the results of their toJSON', async () => {
  const client = await clientOf()
  const body: CommandBody = { name: 'roll', description: 'Rolls dice' }
  const sent = { name: 'roll', options: [{ type: 4, name: 'sides', value: 6 }] }
  for (const given of [{ toJSON: () => body }, body])
    expect((await client.invoke(given, { options: { sides: 6 } })).data).toMatchObject(sent)
})

it('ChatClient.invoke with a definition rejects values that the registered command does not accept', async () => {
  const client = await clientOf()
  const older = defineCommand({ ...roll, options: [] })
  await expect(client.invoke(older)).rejects.toMatchObject({ code: 'invalid_options' })
  const gone = defineCommand({ ...roll, name: 'rol' })
  await expect(client.invoke(gone, { options: { sides: 6 } })).rejects.toThrow('did you mean /roll?')
})

it('ChatClient.invoke with a definition throws a TypeError for anything but a slash command', async () => {
  const client = await clientOf()
  // @ts-expect-error a user command needs a user: invokeOnUser
  await expect(client.invoke(report)).rejects.toThrow(/^command: expected .* got .*"Report"/)
  // @ts-expect-error not a command
  await expect(client.invoke(null)).rejects.toThrow(/^command: expected .* got null$/)
})

it('ChatClient.invoke with a definition is checked at compile time', async () => {
  const client = await clientOf()
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
