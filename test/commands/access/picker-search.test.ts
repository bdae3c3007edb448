import { beforeEach, expect, it } from 'vitest'
import { CommandRegistry, CommandType, locales } from 'commandry'
import { global, viewer, slash, sub } from './viewers.ts'

let registry: CommandRegistry

const search = async (text: string, locale = 'de') =>
  (await registry.commandsFor(viewer({ locale }))).search(text).map(({ name }) => name)

beforeEach(async () => {
  registry = new CommandRegistry()
  await registry.overwrite(global, [
    slash('ban', { name_localizations: { de: 'bannen' } }),
    slash('unban', { name_localizations: { de: 'entbannen' } }),
    slash('delete', { name_localizations: { de: 'löschen' } }),
    slash('permissions', {
      name_localizations: { de: 'rechte' },
      options: [sub('ban', { name_localizations: { de: 'sperre' } })],
    }),
    { type: CommandType.USER, name: 'Bannen' },
  ])
})

it('[2.9-07] [2.10-02] typing finds names that begin with the text first, then names that contain it', async () => {
  expect(await search('bann')).toEqual(['bannen', 'Bannen', 'entbannen'])
  expect(await search('')).toEqual(await search('/'.slice(1)))
  expect(await search('nothing like it')).toEqual([])
})

it('[2.10-07] typing finds commands by their default names too', async () => {
  expect(await search('del')).toEqual(['löschen'])
  expect(await search('permissions b')).toEqual(['rechte sperre'])
  expect(await search('rechte s')).toEqual(['rechte sperre'])
})

it('typing ignores case and accents where the language does', async () => {
  for (const text of ['LÖSCH', 'losch', 'lösch', 'lo\u0308sch'])
    expect(await search(text)).toEqual(['löschen'])
  expect(await search('losch', 'sv-SE')).toEqual([])
})

it('typing ignores letter case, also of a capital I in any language', async () => {
  await registry.overwrite(global, [
    slash('invite'),
    slash('list', { options: [sub('light', { name_localizations: { tr: 'ışık' } })] }),
  ])
  for (const locale of locales)
    for (const text of ['INVITE', 'Invite', 'invite', 'INV'])
      expect(await search(text, locale)).toEqual(['invite'])
  for (const text of ['LIST IŞIK', 'list ışık', 'IŞIK', 'LIST LIGHT', 'lİst'])
    expect(await search(text, 'tr')).toEqual(['list ışık'])
  expect(await search('İNVİTE', 'tr')).toEqual(['invite'])
})

it('typing ignores surplus spaces', async () => {
  await registry.overwrite(global, [
    slash('mix', { options: [sub('set'), sub('get')] }),
    slash('invite'),
    { type: CommandType.USER, name: 'Show  all' },
  ])
  for (const text of ['/invite ', '/ invite', ' invite', 'invite  '])
    expect(await search(text)).toEqual(['invite'])
  for (const text of ['mix s', 'mix s ', 'mix  s', ' mix   set  ', '/mix\u00a0s'])
    expect(await search(text)).toEqual(['mix set'])
  expect(await search('mix ')).toEqual(['mix get', 'mix set'])
  for (const text of ['show all', 'Show  all', 'show   a']) expect(await search(text)).toEqual(['Show  all'])
  expect(await search('  ')).toHaveLength(4)
})

it('typing finds only slash commands after a slash', async () => {
  expect(await search('/bann')).toEqual(['bannen', 'entbannen'])
  expect(await search('/')).toHaveLength(4)
  expect(await search('')).toHaveLength(5)
})

it('typing accepts any text', async () => {
  for (const text of ['\ud800', '('.repeat(100_000), '__proto__', '\u0000', '  /'])
    expect(await search(text)).toEqual([])
})
