import { describe, expect, it } from 'vitest'
import { validateCommand, validateCommands, validatePatch, type ApplicationCommand } from 'commandry'
import { inGuild, option, slash } from '../../support/bodies.ts'
import { accepted } from '../../support/found.ts'

/**
 * Bodies as real client libraries send them. Each differs slightly from the specification; a service that refuses
 * one of them makes a client unusable.
 */

const types = [3, 4, 5, 6, 7, 8, 9, 10, 11]

describe('accepted bodies of real clients', () => {
  it('[2.1-22] a command that a client synchronizes with null in every unset field', () => {
    const body = {
      name: 'sync',
      type: 1,
      description: 'b',
      options: [],
      nsfw: false,
      dm_permission: true,
      default_member_permissions: null,
      contexts: null,
      integration_types: null,
    }
    accepted(validateCommand(body))
    accepted(validateCommand(body, inGuild))
    accepted(validateCommands([body, { name: 'Menu', type: 2, default_member_permissions: 8 }], inGuild))
  })

  it('[2.1-20] keys of commands inside subcommands, and localized texts inside options sent back', () => {
    const own = {
      nsfw: false,
      guild_id: ['1'],
      default_member_permissions: '8',
      contexts: [0],
      integration_types: [0],
      name_localized: 'o',
      description_localized: 'b',
    }
    for (const type of [1, 2, ...types])
      expect(accepted(validateCommand(slash({ options: [option(type, own)] })))).toEqual(
        accepted(validateCommand(slash({ options: [option(type)] }))),
      )
  })

  it('[2.1-20] a list of guilds as guild_id', () => {
    for (const context of [undefined, inGuild]) {
      const command = accepted(validateCommand(slash({ guild_id: ['1', '2'] }), context))
      expect(command).toEqual(accepted(validateCommand(slash(), context)))
    }
  })
})

describe('whole commands as the service answered them, sent back', () => {
  const texts = { name_localizations: null, description_localizations: null }
  const service = { id: '11', application_id: '1001', version: '12' }
  const common = { dm_permission: true, integration_types: [0], nsfw: false }
  const global = [
    {
      ...{ ...service, ...texts, ...common, type: 1, name: 'greet', description: 'Says hello' },
      options: [
        { ...option(2, { name: 'g' }), ...texts, options: [{ ...option(1, { name: 's' }), ...texts }] },
        { ...option(1, { name: 't' }), ...texts, name_localized: 'tt', description_localized: 'bb' },
      ],
      default_member_permissions: null,
      contexts: null,
    },
    {
      ...{ ...service, ...texts, ...common, id: '13', type: 2, name: 'Greet', description: '' },
      default_member_permissions: '0',
      contexts: [0, 2],
    },
    { ...service, ...texts, id: '14', type: 4, name: 'Launch', description: '', handler: 2, nsfw: false },
  ]

  it('[4.1-07] as items of a bulk overwrite, with their ids', () => {
    const items = accepted(validateCommands(global))
    expect(items.map(({ id }) => id)).toEqual(['11', '13', '14'])
    for (const item of items) expect(item).not.toHaveProperty('version')
  })

  it('[4.2-06] as items of a bulk overwrite in a guild', () => {
    const local = global.slice(0, 2).map((command) => ({ ...command, guild_id: '2001' }))
    expect(accepted(validateCommands(local, inGuild)).map(({ id }) => id)).toEqual(['11', '13'])
  })

  it('[4.1-02] as a create, which ignores the id', () => {
    for (const command of global) expect(accepted(validateCommand(command))).not.toHaveProperty('id')
  })

  it('[4.1-04] as an edit that changes nothing', () => {
    for (const command of global) {
      const current = accepted(validateCommand(command))
      const registered = { ...service, ...current } as ApplicationCommand
      expect(accepted(validatePatch(command, registered))).toEqual(current)
    }
  })
})
