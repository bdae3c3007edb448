import type { ApplicationCommand } from 'commandry'
import { expect } from 'vitest'
import { CommandTexts } from '../../../src/service/http/command-texts.ts'
import { APP, base } from './ids.ts'
import { service, it } from './service.ts'
import { hello } from '../../support/fixtures.ts'

const command = (description: string): ApplicationCommand =>
  Object.freeze({ ...hello, id: '1', application_id: APP, version: '2', type: 1, description } as never)

it('serializes unfrozen commands on every call', async ({ registry }) => {
  const kept: { -readonly [Key in keyof ApplicationCommand]: ApplicationCommand[Key] } = {
    ...(await registry.upsert({ kind: 'global', applicationId: APP }, hello)).command,
  }
  const list = [kept]
  const { send } = service({
    registry: Object.assign(Object.create(registry), {
      list: () => Promise.resolve(list),
      get: () => Promise.resolve(kept),
    }),
  })
  const names = async () => {
    const listed = (await send('GET', base)).body as { name: string }[]
    return [...listed.map(({ name }) => name), (await send('GET', `${base}/${kept.id}`)).body.name]
  }
  expect(await names()).toEqual(['hello', 'hello'])
  kept.name = 'salute'
  expect(await names()).toEqual(['salute', 'salute'])
  list.push({ ...kept, name: 'other' })
  expect(await names()).toEqual(['salute', 'other', 'salute'])
})

it('keeps the JSON of frozen lists up to a limit, then drops all of it', () => {
  const texts = new CommandTexts()
  const first = Object.freeze([command('Says hello')])
  const written = texts.list(first, undefined)
  expect(texts.list(first, undefined)).toBe(written)
  // A list is kept as text and as bytes: together 5 times 32 MiB.
  const large = 'x'.repeat(16 * 1024 * 1024)
  for (let i = 0; i < 5; i++) texts.list(Object.freeze([command(large)]), undefined)
  const again = texts.list(first, undefined)
  expect(again).not.toBe(written)
  expect(again).toEqual(written)
})
