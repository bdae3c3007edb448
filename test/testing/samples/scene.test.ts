import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  CommandRegistry,
  explainAvailability,
  globalScope,
  guildScope,
  InteractionContext,
  snowflakes,
} from 'commandry'
import type { ApplicationCommand, CommandBody } from 'commandry'
import {
  InvocationError,
  readOptions,
  validateCallback,
  type AutocompleteInteraction,
  type ChatInputInteraction,
  type CommandInteraction,
  type EntryPointInteraction,
  type MessageCommandInteraction,
  type UserCommandInteraction,
} from 'commandry/interactions'
import { command, commandUse } from 'commandry/arbitraries'
import {
  entryPoint,
  interactionFor,
  messageCommand,
  option,
  sampleCommands,
  scene,
  slashCommand,
} from 'commandry/testing'
import { handClock } from '../../support/clock.ts'
import { snowflakeTime } from '../../support/snowflakes.ts'
import { fc, forAny } from '../../support/properties.ts'

const [search, settings, report, pin, launch] = sampleCommands

describe('interactionFor creates the interaction of', () => {
  it('a slash command, with the values', () => {
    const interaction = interactionFor(search, { options: { query: 'parrots', limit: 5 } })
    expectTypeOf(interaction).toEqualTypeOf<ChatInputInteraction>()
    expect(interaction).toMatchObject({
      id: scene.interactionId,
      token: scene.token,
      application_id: scene.applicationId,
      type: 2,
      context: InteractionContext.GUILD,
      guild_id: scene.guildId,
      channel: scene.channel,
      member: { ...scene.member, user: scene.user },
      data: { id: scene.commandId, name: 'search', type: 1 },
    })
    expect(readOptions(interaction, search).values).toEqual({ query: 'parrots', limit: 5 })
  })

  it('a subcommand in a group', () => {
    const interaction = interactionFor(settings, {
      subcommand: 'helpers add',
      options: { role: '100000000000005001' },
    })
    const values = { role: '100000000000005001' }
    expect(readOptions(interaction, settings)).toMatchObject({ subcommand: 'helpers add', values })
    expect(interaction.data.resolved?.roles?.['100000000000005001']?.name).toBe('role100000000000005001')
  })

  it('a user command with its target', () => {
    const interaction = interactionFor(report)
    expectTypeOf(interaction).toEqualTypeOf<UserCommandInteraction>()
    expect(interaction.data.target_id).toBe(scene.target.id)
    expect(interaction.data.resolved.users[scene.target.id]).toMatchObject(scene.target)
    expect(interaction.data.resolved.members).toHaveProperty(scene.target.id)
  })

  it('a message command with its target', () => {
    const interaction = interactionFor(pin)
    expectTypeOf(interaction).toEqualTypeOf<MessageCommandInteraction>()
    expect(interaction.data.target_id).toBe(scene.message.id)
    const message = { ...scene.message, channel_id: scene.channel.id }
    expect(interaction.data.resolved.messages[scene.message.id]).toMatchObject(message)
  })

  it('an entry point', () => {
    const interaction = interactionFor(launch)
    expectTypeOf(interaction).toEqualTypeOf<EntryPointInteraction>()
    expect(interaction.data).toEqual({ id: scene.commandId, name: 'Launch', type: 4 })
  })

  it('autocomplete', () => {
    const interaction = interactionFor(search, { focused: 'query', options: { query: 'par' } })
    expectTypeOf(interaction).toEqualTypeOf<AutocompleteInteraction>()
    expect(interaction.type).toBe(4)
    expect(readOptions(interaction, search).focused).toEqual({ name: 'query', value: 'par' })
  })

  it('a registered command, with its ids', async () => {
    const registry = new CommandRegistry()
    const everywhere = await registry.upsert(globalScope('1009'), search)
    const here = await registry.upsert(guildScope('1009', '100000000000002009'), report)
    const used = interactionFor(everywhere.command, { options: { query: 'parrots' } })
    expectTypeOf(used).toEqualTypeOf<CommandInteraction>()
    expect(used).toMatchObject({ application_id: '1009', data: { id: everywhere.command.id } })
    expect(interactionFor(here.command)).toMatchObject({
      guild_id: '100000000000002009',
      data: { guild_id: '100000000000002009' },
    })
  })

  it('a definition of an unknown type', () => {
    expectTypeOf(interactionFor({} as CommandBody, {})).toEqualTypeOf<CommandInteraction>()
    expectTypeOf(interactionFor({} as ApplicationCommand)).toEqualTypeOf<CommandInteraction>()
    expectTypeOf(interactionFor({ name: 'a', description: 'b' })).toEqualTypeOf<ChatInputInteraction>()
  })
})

const usersIn = (request: object) => interactionFor(report, request).data.resolved.users

describe('the default scene', () => {
  it('is equal in every run and for every interaction', () => {
    expect(interactionFor(report)).toEqual(interactionFor(report))
    expect(interactionFor(slashCommand())).toEqual({
      ...{
        id: '100000000000008001',
        type: 2,
        version: 1,
        token: 'token-of-100000000000008001',
        application_id: '1000000000000000000',
        context: 0,
      },
      ...{
        guild_id: '100000000000002001',
        channel_id: '100000000000004001',
        guild_locale: 'en-US',
        locale: 'en-US',
      },
      ...{ app_permissions: '445440', attachment_size_limit: 10485760, entitlement_sku_ids: [] },
      ...{
        entitlements: [],
        authorizing_integration_owners: { '0': '100000000000002001', '1': '100000000000003001' },
      },
      channel: { id: '100000000000004001', name: 'general', type: 0 },
      data: { id: '100000000000007001', name: 'command', type: 1 },
      guild: { features: [], id: '100000000000002001', locale: 'en-US' },
      member: {
        ...{
          avatar: null,
          banner: null,
          communication_disabled_until: null,
          deaf: false,
          flags: 0,
          is_pending: false,
        },
        ...{ joined_at: '2015-10-03T22:44:17.910Z', mute: false, nick: null, pending: false, roles: [] },
        ...{ permissions: '2147486720', premium_since: null },
        user: {
          avatar: null,
          discriminator: '0',
          global_name: 'Ada',
          id: '100000000000003001',
          username: 'ada',
        },
      },
    })
  })

  it('can be replaced in part', () => {
    const interaction = interactionFor(slashCommand(), {
      locale: 'de',
      user: { global_name: 'Ada L.' },
      member: { roles: ['100000000000005001'], nick: 'Countess' },
      channel: { name: 'maths' },
    })
    expect(interaction).toMatchObject({
      locale: 'de',
      channel: { ...scene.channel, name: 'maths' },
      member: {
        nick: 'Countess',
        roles: ['100000000000005001'],
        permissions: scene.member.permissions,
        user: { id: scene.user.id, username: 'ada', global_name: 'Ada L.' },
      },
    })
  })

  it('does not affect other users', () => {
    const interaction = interactionFor(slashCommand(), {
      user: { id: '100000000000003009' },
      channel: { id: '100000000000004009' },
    })
    expect(interaction.member?.user).toMatchObject({
      id: '100000000000003009',
      username: 'user100000000000003009',
      global_name: null,
    })
    expect(interaction.channel).toEqual({ id: '100000000000004009', type: 0 })
    expect(usersIn({ target: '100000000000003009' })).toMatchObject({
      '100000000000003009': { username: 'user100000000000003009' },
    })
  })

  it('completes a partial target', () => {
    const told = interactionFor(pin, { target: { content: 'Read this' } })
    const message = { content: 'Read this', author: { username: 'grace' } }
    expect(told.data.resolved.messages[scene.message.id]).toMatchObject(message)
    const bot = { id: '100000000000003009', bot: true }
    expect(usersIn({ target: bot })).toMatchObject({
      '100000000000003009': { username: 'user100000000000003009', bot: true },
    })
    const { id } = scene.target
    const users = { [id]: { id, username: 'hopper' } }
    expect(usersIn({ resolved: { users } })).toMatchObject(users)
  })

  it('uses the given sources', () => {
    const clock = handClock()
    const ids = snowflakes({ clock })
    const request = { ids, tokens: () => 'secret' }
    const [first, second] = [interactionFor(launch, request), interactionFor(launch, request)]
    expect(first.id).not.toBe(second.id)
    expect([first.token, snowflakeTime(first.id)]).toEqual(['secret', clock.now()])
    clock.advance(3_001)
    expect(validateCallback(first, { type: 5 }, { now: clock.now() }).ok).toBe(false)
  })
})

it('the place is outside guilds on request', () => {
  const direct = interactionFor(slashCommand(), { context: InteractionContext.BOT_DM })
  expect(direct).toMatchObject({ context: 1, channel: { id: scene.channel.id, type: 1 }, user: scene.user })
  for (const key of ['guild_id', 'guild', 'member']) expect(direct).not.toHaveProperty(key)
  expect(interactionFor(slashCommand(), { channel: { type: 1 } }).context).toBe(1)
  const group = { channel: { type: 3 } } as const
  expect(interactionFor(slashCommand(), group)).toMatchObject({ ...group, context: 2 })
})

it('the place is a context of the command', () => {
  expect(interactionFor(slashCommand({ contexts: [1] })).context).toBe(1)
  expect(interactionFor(slashCommand({ contexts: [1, 0] })).context).toBe(0)
  expect(interactionFor(slashCommand({ contexts: null })).context).toBe(0)
  expect(interactionFor(slashCommand({ contexts: [2, 1] })).context).toBe(1)
  expect(interactionFor(slashCommand({ contexts: [2] })).context).toBe(2)
  expect(interactionFor(slashCommand({ nsfw: true })).channel).toEqual({ ...scene.channel, nsfw: true })
})

const used = command().chain((body) => {
  const definition = body as unknown as CommandBody
  const use = (definition.type ?? 1) === 1 ? commandUse(definition) : fc.constant({})
  return fc.tuple(fc.constant(definition), use ?? fc.constant(null))
})

it('any valid command can be used where it is available', () => {
  forAny([used], 100, ([definition, use]) => {
    fc.pre(use !== null)
    const interaction = interactionFor<CommandBody>(definition, use!)
    expect(interaction.data).toMatchObject({ name: definition.name, type: definition.type ?? 1 })
    const { context, guild_id: guildId, channel } = interaction
    const { reasons } = explainAvailability({
      command: definition as ApplicationCommand,
      place: { context, guildId, channel } as Parameters<typeof explainAvailability>[0]['place'],
      user: { ageRestrictedInDirectMessages: true },
    })
    const isNowhere =
      definition.contexts?.every((one) => one === 2) && definition.integration_types?.includes(1) === false
    if (!isNowhere) expect(reasons).toEqual([])
  })
})

it('an invalid request is refused with every problem', () => {
  const roll = slashCommand({ options: [option.integer({ name: 'sides', required: true, min_value: 2 })] })
  // @ts-expect-error There is no such option.
  const refused = attempted(() => interactionFor(roll, { options: { sides: 1, colour: 'red' } }))
  expect(refused.code).toBe('invalid_options')
  expect(refused.message).toBe(
    'options, sides: is 1; the option takes 2 to 9007199254740991\n' +
      'options, colour: "red" is not an option; the only option is sides',
  )
  // @ts-expect-error Message commands have no options.
  expect(attempted(() => interactionFor(messageCommand(), { options: { a: 1 } })).issues).toMatchObject([
    { code: 'arguments.none' },
  ])
})

it('an invalid request is refused without a target', () => {
  // @ts-expect-error Entry points have no target.
  const refused = attempted(() => interactionFor(entryPoint(), { target: {} }))
  expect(refused.issues).toMatchObject([{ code: 'target.none' }])
})

function attempted(call: () => unknown): InvocationError {
  try {
    call()
  } catch (error) {
    if (error instanceof InvocationError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
