import { describe, expect, it } from 'vitest'
import { canUse, CommandRegistry, explainAvailability, locales, LocalizationResolver } from 'commandry'
import type { ApplicationCommand, CommandPermission } from 'commandry'
import { commandSet, permissions as permissionEntries } from 'commandry/arbitraries'
import { viewerPlace, type GuildViewer } from '../../../src/commands/access/picker.ts'
import { ADMINISTRATOR, global, staff, moderator, roles, viewer, slash } from './viewers.ts'
import { app, guild, here } from '../../support/fixtures.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'

let registry: CommandRegistry

function hasOnlyEmptyGroups({ options }: ApplicationCommand): boolean {
  return options !== undefined && options.every(({ type, options: inner }) => type === 2 && !inner?.length)
}

describe('the picker, for any commands', () => {
  const bodies = fc.tuple(commandSet(), commandSet())
  const member = fc.record({
    user: fc.record({ id: fc.constantFrom('3001', '3002') }),
    roles: fc.subarray([moderator, '5002']),
  })
  const people: fc.Arbitrary<GuildViewer> = fc.record({
    applicationId: fc.constant(app),
    guildId: fc.constant(guild),
    channel: fc.record({ id: fc.constantFrom(staff, '4002'), nsfw: fc.boolean() }),
    member,
    roles: fc.constant(roles),
    locale: fc.constantFrom(...locales, 'xx'),
    adult: fc.boolean(),
    installed: fc.subarray([0, 1] as const),
  })
  const entryOf = (type: 1 | 2 | 3, ...ids: string[]): fc.Arbitrary<CommandPermission> =>
    fc.record({ id: fc.constantFrom(...ids), type: fc.constant(type), permission: fc.boolean() })
  const entry = fc.oneof(
    entryOf(1, guild, moderator, '5002'),
    entryOf(2, '3001', '3002'),
    entryOf(3, staff, '4002', '2000'),
  )
  const entries = fc.array(entry, { maxLength: 4 })

  async function build([ours, theirs]: readonly [readonly object[], readonly object[]]) {
    registry = new CommandRegistry()
    const own = await registry.overwrite(global, ours)
    const guilds = theirs.filter((body) => (body as { type?: number }).type !== 4)
    return [...own, ...(await registry.overwrite(here, guilds))]
  }

  it('[2.9-07] [2.11-08] contains exactly the available and allowed commands', async () => {
    await forAnyAsync([bodies, people, entries, entries], 60, async (sets, who, first, common) => {
      const all = await build(sets)
      if (all[0] !== undefined) await registry.setPermissions(app, guild, all[0].id, first)
      await registry.setPermissions(app, guild, app, common)
      const expected = all.filter(
        (command) =>
          canUse({ ...who, command, overwrites: command === all[0] ? first : null, appOverwrites: common }) &&
          explainAvailability({ command, place: viewerPlace(who, {}), user: who }).available &&
          !hasOnlyEmptyGroups(command),
      )
      const { commands, entries: lines, hidden } = await registry.commandsFor(who, { explain: true })
      const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort()
      expect(ids(commands)).toEqual(ids(expected))
      expect(ids([...commands, ...hidden.map(({ command }) => command)])).toEqual(ids(all))
      for (const { why } of hidden) expect(why.length).toBeGreaterThan(0)
      expect(new Set(lines.map(({ command }) => command))).toEqual(new Set(commands))
      const resolver = new LocalizationResolver()
      for (const { id, name } of commands) {
        const command = all.find((one) => one.id === id)!
        expect(name).toBe(resolver.localize(command, who.locale).name)
      }
    })
  })

  it('[2.9-06] contains everything available for administrators', async () => {
    await forAnyAsync([bodies, permissionEntries(), entries], 40, async (sets, any, common) => {
      const all = await build(sets)
      if (all[0] !== undefined) await registry.setPermissions(app, guild, all[0].id, any)
      await registry.setPermissions(app, guild, app, common)
      const who = viewer({
        channel: { id: staff, nsfw: true },
        member: { user: { id: '9' }, roles: [], permissions: String(ADMINISTRATOR) },
        roles: [],
      })
      const { hidden } = await registry.commandsFor(who, { explain: true })
      for (const { access } of hidden) expect(access!.allowed).toBe(true)
    })
  })

  it('[2.9-08] never loses a command by an allow for the user', async () => {
    await forAnyAsync([entries, entries, people], 100, async (own, common, person) => {
      const [command] = await build([[slash('ping')], []])
      const who = { ...person, installed: [0] as const }
      await registry.setPermissions(app, guild, app, common)
      await registry.setPermissions(app, guild, command!.id, own)
      const names = async () => (await registry.commandsFor(who)).entries.map(({ name }) => name)
      const before = await names()
      const allow: CommandPermission = { id: who.member.user.id, type: 2, permission: true }
      await registry.setPermissions(app, guild, command!.id, [...own, allow])
      expect(await names()).toEqual(expect.arrayContaining(before))
    })
  })

  it('finds a shown name by its beginning, and only shown names', async () => {
    await forAnyAsync([commandSet(), people, fc.nat(20)], 50, async (set, who, length) => {
      await build([set, []])
      const { entries: lines, search } = await registry.commandsFor(who)
      expect(search('')).toEqual(lines)
      for (const line of lines) {
        const typed = Array.from(line.name.normalize('NFC')).slice(0, length).join('')
        const capitals = typed.replace(/[a-z]/g, (letter) => letter.toUpperCase())
        for (const text of [typed, capitals, ` ${typed} `]) {
          const found = search(text)
          if (!text.startsWith('/')) expect(found).toContain(line)
          for (const one of found) expect(lines).toContain(one)
        }
      }
    })
  })
})
