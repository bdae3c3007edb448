import { describe, expect, it } from 'vitest'
import { validateCommand, validateCommands, validatePatch, type ApplicationCommand } from 'commandry'
import { accepted, option, slash, warnings } from '../support/found.ts'

/**
 * Bodies as real client libraries send them. Each differs slightly from the specification; a service that refuses
 * one of them makes a client unusable.
 */

const inGuild = { scope: 'guild' } as const
const types = [3, 4, 5, 6, 7, 8, 9, 10, 11]

describe('accepted bodies of real clients', () => {
  it('[2.1-12] member permissions as a JSON number', () => {
    const command = accepted(validateCommand(slash({ default_member_permissions: 32 })))
    expect(command.default_member_permissions).toBe('32')
    expect(
      accepted(validateCommand(slash({ default_member_permissions: 0 }))).default_member_permissions,
    ).toBe('0')
  })

  it('[2.1-11] [2.1-22] empty options and dictionaries, and null where nothing is set', () => {
    const nothing = {
      options: [],
      name_localizations: {},
      description_localizations: {},
      default_member_permissions: null,
      contexts: null,
    }
    expect(accepted(validateCommand(slash(nothing)))).toEqual(accepted(validateCommand(slash())))
    const dictionaries = { name_localizations: null, description_localizations: null }
    expect(accepted(validateCommand(slash(dictionaries)))).toEqual(accepted(validateCommand(slash())))
    for (const type of [1, 2, ...types]) {
      for (const empty of [dictionaries, { name_localizations: {}, description_localizations: {} }]) {
        const plain = accepted(validateCommand(slash({ options: [option(type)] })))
        expect(
          accepted(validateCommand(slash({ options: [option(type, { ...empty, options: [] })] }))),
        ).toEqual(plain)
      }
    }
    const choices = (name_localizations: unknown) =>
      slash({ options: [option(3, { choices: [{ name: 'c', value: 'v', name_localizations }] })] })
    expect(accepted(validateCommand(choices(null)))).toEqual(accepted(validateCommand(choices({}))))
  })

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

  it('[2.1-20] keys in camel case beside those of the wire, and keys of the client itself', () => {
    const own = {
      defaultMemberPermissions: '8',
      dmPermission: true,
      nameLocalizations: { de: 'a' },
      descriptionLocalizations: {},
      integrationTypes: [0],
      guilds: ['1'],
      integration_type: 0,
      application_id: '1',
      version: '2',
    }
    expect(accepted(validateCommand(slash(own)))).toEqual(accepted(validateCommand(slash())))
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
    for (const type of [1, 2, ...types]) {
      expect(accepted(validateCommand(slash({ options: [option(type, own)] })))).toEqual(
        accepted(validateCommand(slash({ options: [option(type)] }))),
      )
    }
  })

  it('[2.1-20] a list of guilds as guild_id', () => {
    for (const context of [undefined, inGuild]) {
      const command = accepted(validateCommand(slash({ guild_id: ['1', '2'] }), context))
      expect(command).toEqual(accepted(validateCommand(slash(), context)))
    }
  })

  it('[2.1-23] `autocomplete: false` and `required: false` on every type of option', () => {
    for (const type of [1, 2, ...types]) {
      const flags = { autocomplete: false, required: false }
      const command = accepted(validateCommand(slash({ options: [option(type, flags)] })))
      expect(command).toEqual(accepted(validateCommand(slash({ options: [option(type)] }))))
    }
    const choices = [{ name: 'c', value: 1 }]
    accepted(validateCommand(slash({ options: [option(4, { choices, autocomplete: false })] })))
  })

  it('[2.8-04] contexts, installation and direct messages of guild commands', () => {
    const global = { contexts: [0, 1, 2], integration_types: [0], dm_permission: true }
    for (const type of [1, 2, 3]) {
      const body = { type, name: 'a', ...(type === 1 ? { description: 'b' } : {}) }
      const plain = accepted(validateCommand(body, inGuild))
      expect(accepted(validateCommand({ ...body, ...global }, inGuild))).toEqual(plain)
      expect(accepted(validateCommands([{ ...body, ...global }], inGuild))).toEqual([plain])
    }
  })

  it('[2.8-03] the context of private channels without user installation', () => {
    const body = slash({ contexts: [0, 1, 2], integration_types: [0] })
    const command = accepted(validateCommand(body, { application: { integration_types: [0] } }))
    expect(command.contexts).toEqual([0, 1, 2])
  })

  it('[2.1-09] an empty description of user and message commands', () => {
    for (const type of [2, 3]) {
      const body = { type, name: 'Menu', description: '', description_localizations: {}, options: [] }
      expect(accepted(validateCommand(body)).description).toBe('')
      expect(warnings(validateCommand(body))).toEqual([])
    }
  })

  it('[2.1-14] `default_permission: true`', () => {
    expect(accepted(validateCommand(slash({ default_permission: true })))).toEqual(
      accepted(validateCommand(slash())),
    )
  })
})

describe('whole commands as the service answered them, sent back', () => {
  const texts = { name_localizations: null, description_localizations: null }
  const service = { id: '11', application_id: '1001', version: '12' }
  const global = [
    {
      ...service,
      ...texts,
      type: 1,
      name: 'greet',
      description: 'Says hello',
      options: [
        { ...option(2, { name: 'g' }), ...texts, options: [{ ...option(1, { name: 's' }), ...texts }] },
        { ...option(1, { name: 't' }), ...texts, name_localized: 'tt', description_localized: 'bb' },
      ],
      default_member_permissions: null,
      dm_permission: true,
      contexts: null,
      integration_types: [0],
      nsfw: false,
    },
    {
      ...service,
      ...texts,
      id: '13',
      type: 2,
      name: 'Greet',
      description: '',
      default_member_permissions: '0',
      dm_permission: true,
      contexts: [0, 2],
      integration_types: [0],
      nsfw: false,
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
