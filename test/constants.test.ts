import { describe, expect, it } from 'vitest'
import {
  ApplicationFlag,
  ChannelType,
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
  OptionType,
  PermissionFlag,
  PermissionTargetType,
} from 'commandry'
import { Limits } from 'commandry/reference'
import { words } from './support/words.ts'

// The numbers of the service, listed again on purpose: clients send them and stores keep them, so none may change.

it.each([
  ['1-01 2.2-01', 'CommandType', CommandType, 'CHAT_INPUT 1 USER 2 MESSAGE 3 PRIMARY_ENTRY_POINT 4'],
  ['2.3-01', 'HandlerType', HandlerType, 'APP_HANDLER 1 SERVICE_LAUNCH_ACTIVITY 2'],
  [
    '2.4-01',
    'OptionType',
    OptionType,
    `SUB_COMMAND 1 SUB_COMMAND_GROUP 2 STRING 3 INTEGER 4 BOOLEAN 5 USER 6 CHANNEL 7 ROLE 8 MENTIONABLE 9
      NUMBER 10 ATTACHMENT 11`,
  ],
  ['2.8-01', 'IntegrationType', IntegrationType, 'GUILD_INSTALL 0 USER_INSTALL 1'],
  ['2.8-02', 'InteractionContext', InteractionContext, 'GUILD 0 BOT_DM 1 PRIVATE_CHANNEL 2'],
  ['2.9-02', 'PermissionTargetType', PermissionTargetType, 'ROLE 1 USER 2 CHANNEL 3'],
  [
    '2.4-10',
    'ChannelType',
    ChannelType,
    `GUILD_TEXT 0 DM 1 GUILD_VOICE 2 GROUP_DM 3 GUILD_CATEGORY 4 GUILD_ANNOUNCEMENT 5 ANNOUNCEMENT_THREAD 10
      PUBLIC_THREAD 11 PRIVATE_THREAD 12 GUILD_STAGE_VOICE 13 GUILD_DIRECTORY 14 GUILD_FORUM 15 GUILD_MEDIA 16`,
  ],
  [
    '2.1-19',
    'ApplicationFlag',
    ApplicationFlag,
    `APPLICATION_AUTO_MODERATION_RULE_CREATE_BADGE 64 GATEWAY_PRESENCE 4096 GATEWAY_PRESENCE_LIMITED 8192
      GATEWAY_GUILD_MEMBERS 16384 GATEWAY_GUILD_MEMBERS_LIMITED 32768 VERIFICATION_PENDING_GUILD_LIMIT 65536
      EMBEDDED 131072 GATEWAY_MESSAGE_CONTENT 262144 GATEWAY_MESSAGE_CONTENT_LIMITED 524288
      APPLICATION_COMMAND_BADGE 8388608`,
  ],
] as const)('[%s] the enumeration %s', (_clause, _name, actual, expected) => {
  const entries = Array.from(expected.matchAll(/(\w+) (\d+)/g), ([, name, value]) => [name, Number(value)])
  expect(actual).toEqual(Object.fromEntries(entries))
  expect(Object.isFrozen(actual)).toBe(true)
})

describe('the permissions of a member', () => {
  // The names from bit 0 up; the bit of the hyphen is not assigned.
  const names = words(`
    CREATE_INSTANT_INVITE KICK_MEMBERS BAN_MEMBERS ADMINISTRATOR MANAGE_CHANNELS MANAGE_GUILD
    ADD_REACTIONS VIEW_AUDIT_LOG PRIORITY_SPEAKER STREAM VIEW_CHANNEL SEND_MESSAGES SEND_TTS_MESSAGES
    MANAGE_MESSAGES EMBED_LINKS ATTACH_FILES READ_MESSAGE_HISTORY MENTION_EVERYONE USE_EXTERNAL_EMOJIS
    VIEW_GUILD_INSIGHTS CONNECT SPEAK MUTE_MEMBERS DEAFEN_MEMBERS MOVE_MEMBERS USE_VAD CHANGE_NICKNAME
    MANAGE_NICKNAMES MANAGE_ROLES MANAGE_WEBHOOKS MANAGE_GUILD_EXPRESSIONS USE_APPLICATION_COMMANDS
    REQUEST_TO_SPEAK MANAGE_EVENTS MANAGE_THREADS CREATE_PUBLIC_THREADS CREATE_PRIVATE_THREADS
    USE_EXTERNAL_STICKERS SEND_MESSAGES_IN_THREADS USE_EMBEDDED_ACTIVITIES MODERATE_MEMBERS
    VIEW_CREATOR_MONETIZATION_ANALYTICS USE_SOUNDBOARD CREATE_GUILD_EXPRESSIONS CREATE_EVENTS
    USE_EXTERNAL_SOUNDS SEND_VOICE_MESSAGES - SET_VOICE_CHANNEL_STATUS SEND_POLLS USE_EXTERNAL_APPS
    PIN_MESSAGES BYPASS_SLOWMODE
  `)

  it('[2.1-12] [2.9-06] have their bits', () => {
    const bits = names.flatMap((name, bit) => (name === '-' ? [] : [[name, 2n ** BigInt(bit)] as const]))
    expect(PermissionFlag).toEqual(Object.fromEntries(bits))
    expect(Object.isFrozen(PermissionFlag)).toBe(true)
  })

  it.each([
    ['ADMINISTRATOR', 8n],
    ['MANAGE_GUILD', 32n],
    ['SEND_MESSAGES', 2048n],
    ['MANAGE_ROLES', 268435456n],
    ['USE_APPLICATION_COMMANDS', 2147483648n],
    ['SET_VOICE_CHANNEL_STATUS', 281474976710656n],
    ['BYPASS_SLOWMODE', 4503599627370496n],
  ] as const)('[2.1-12] %s is %s', (name, value) => {
    expect(PermissionFlag[name]).toBe(value)
  })
})

it('[8-01] [8-02] [8-03] [8-04] [8-05] the limits are those of the specification', () => {
  expect(Limits).toEqual({
    CHAT_INPUT_COMMANDS: 100,
    USER_COMMANDS: 15,
    MESSAGE_COMMANDS: 15,
    PRIMARY_ENTRY_POINT_COMMANDS: 1,
    DAILY_CREATES: 200,
    NAME_MIN: 1,
    NAME_MAX: 32,
    DESCRIPTION_MIN: 1,
    DESCRIPTION_MAX: 100,
    OPTIONS: 25,
    CHOICES: 25,
    FILE_TYPES: 10,
    CHOICE_NAME_MIN: 1,
    CHOICE_NAME_MAX: 100,
    CHOICE_VALUE_MAX: 100,
    MIN_LENGTH_MIN: 0,
    MIN_LENGTH_MAX: 6000,
    MAX_LENGTH_MIN: 1,
    MAX_LENGTH_MAX: 6000,
    INTEGER_MIN: -9007199254740991,
    INTEGER_MAX: 9007199254740991,
    NUMBER_MIN: -9007199254740992,
    NUMBER_MAX: 9007199254740992,
    COMBINED_CHARACTERS: 8000,
    PERMISSIONS: 100,
  })
  expect(Object.isFrozen(Limits)).toBe(true)
})
