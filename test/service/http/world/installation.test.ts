/** What a bot gets of a server that only a person takes it to. */
import { expect } from 'vitest'
import { ALL, demo, it, open, SERVER } from './bed.ts'

const command = { name: 'x', description: 'd', integration_types: [0, 1], contexts: [0] } as const

it('[2.8-07] a bot that only a person installed gets the use of its command, and not the server', async () => {
  const { bed, nextEvent, call } = await open(ALL, {
    commands: [command],
    servers: [{ ...demo, bot: false }],
  })
  const shown = bed.as('alan').use('/x')
  const { id, token, guild_id: guild } = await nextEvent('INTERACTION_CREATE')
  expect(guild).toBe(SERVER)
  await call('POST', `/interactions/${id}/${token}/callback`, { type: 4, data: { content: 'ok' } })
  expect(await shown).toMatchObject({ content: 'ok' })
  expect(await call('GET', `/guilds/${SERVER}`)).toMatchObject({ status: 403, body: { code: 50001 } })
})

it('[2.8-07] a bot leaves the server of a person who alone installed it', async () => {
  const { bed, nextEvent, call } = await open(ALL, { commands: [command] })
  const shown = bed.as('alan', { installed: 'user' }).use('/x')
  expect(await nextEvent('GUILD_DELETE')).toEqual({ id: SERVER })
  const { id, token } = await nextEvent('INTERACTION_CREATE')
  await call('POST', `/interactions/${id}/${token}/callback`, { type: 4, data: { content: 'ok' } })
  expect(await shown).toMatchObject({ content: 'ok' })
})
