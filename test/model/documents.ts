/**
 * Tables of Discord's documentation as they were looked at, each with its page and commit. The tables of the library that follow
 * them name the same page and commit: when one changes, look at the page again, and change both.
 */

/** Where a table is, in discord/discord-api-docs. */
export interface Document {
  readonly page: string
  readonly commit: string
  /** The day on which the copy was made. */
  readonly seen: string
  /** The file of the library that has the table. */
  readonly file: string
}

const seen = '2026-11-28'
const commit = 'f36e7ca3c41d4334179dbb8a211a0cb892895b80'

export const fileGroupsDocument = {
  ...{ page: 'developers/reference.mdx', commit, seen, file: 'src/model/file-types.ts' },
  table: {
    image: '.png .gif .jpg .jpeg .jfif .webp .avif',
    video: '.mp4 .mov .qt .webm',
    audio: '.mp3 .m4a .wav .ogg .opus .flac',
  },
}

/** Each permission with the number of its bit. */
export const permissionsDocument = {
  page: 'developers/topics/permissions.mdx',
  commit: '258deb498cd63e7dbe43e5a6a4f3c5c44dcc0ce4',
  ...{ seen, file: 'src/model/permission-flags.ts' },
  table: {
    CREATE_INSTANT_INVITE: 0,
    KICK_MEMBERS: 1,
    BAN_MEMBERS: 2,
    ADMINISTRATOR: 3,
    MANAGE_CHANNELS: 4,
    MANAGE_GUILD: 5,
    ADD_REACTIONS: 6,
    VIEW_AUDIT_LOG: 7,
    PRIORITY_SPEAKER: 8,
    STREAM: 9,
    VIEW_CHANNEL: 10,
    SEND_MESSAGES: 11,
    SEND_TTS_MESSAGES: 12,
    MANAGE_MESSAGES: 13,
    EMBED_LINKS: 14,
    ATTACH_FILES: 15,
    READ_MESSAGE_HISTORY: 16,
    MENTION_EVERYONE: 17,
    USE_EXTERNAL_EMOJIS: 18,
    VIEW_GUILD_INSIGHTS: 19,
    CONNECT: 20,
    SPEAK: 21,
    MUTE_MEMBERS: 22,
    DEAFEN_MEMBERS: 23,
    MOVE_MEMBERS: 24,
    USE_VAD: 25,
    CHANGE_NICKNAME: 26,
    MANAGE_NICKNAMES: 27,
    MANAGE_ROLES: 28,
    MANAGE_WEBHOOKS: 29,
    MANAGE_GUILD_EXPRESSIONS: 30,
    USE_APPLICATION_COMMANDS: 31,
    REQUEST_TO_SPEAK: 32,
    MANAGE_EVENTS: 33,
    MANAGE_THREADS: 34,
    CREATE_PUBLIC_THREADS: 35,
    CREATE_PRIVATE_THREADS: 36,
    USE_EXTERNAL_STICKERS: 37,
    SEND_MESSAGES_IN_THREADS: 38,
    USE_EMBEDDED_ACTIVITIES: 39,
    MODERATE_MEMBERS: 40,
    VIEW_CREATOR_MONETIZATION_ANALYTICS: 41,
    USE_SOUNDBOARD: 42,
    CREATE_GUILD_EXPRESSIONS: 43,
    CREATE_EVENTS: 44,
    USE_EXTERNAL_SOUNDS: 45,
    SEND_VOICE_MESSAGES: 46,
    SET_VOICE_CHANNEL_STATUS: 48,
    SEND_POLLS: 49,
    USE_EXTERNAL_APPS: 50,
    PIN_MESSAGES: 51,
    BYPASS_SLOWMODE: 52,
  },
}

/** Each locale with its names in English and in its own language. `ar` and `he` are in the OpenAPI document only. */
export const localesDocument = {
  ...{ page: 'developers/reference.mdx', commit, seen, file: 'src/model/locales.ts' },
  table: {
    id: ['Indonesian', 'Bahasa Indonesia'],
    da: ['Danish', 'Dansk'],
    de: ['German', 'Deutsch'],
    'en-GB': ['English, UK', 'English, UK'],
    'en-US': ['English, US', 'English, US'],
    'es-ES': ['Spanish', 'Español'],
    'es-419': ['Spanish, LATAM', 'Español, LATAM'],
    fr: ['French', 'Français'],
    hr: ['Croatian', 'Hrvatski'],
    it: ['Italian', 'Italiano'],
    lt: ['Lithuanian', 'Lietuviškai'],
    hu: ['Hungarian', 'Magyar'],
    nl: ['Dutch', 'Nederlands'],
    no: ['Norwegian', 'Norsk'],
    pl: ['Polish', 'Polski'],
    'pt-BR': ['Portuguese, Brazilian', 'Português do Brasil'],
    ro: ['Romanian, Romania', 'Română'],
    fi: ['Finnish', 'Suomi'],
    'sv-SE': ['Swedish', 'Svenska'],
    vi: ['Vietnamese', 'Tiếng Việt'],
    tr: ['Turkish', 'Türkçe'],
    cs: ['Czech', 'Čeština'],
    el: ['Greek', 'Ελληνικά'],
    bg: ['Bulgarian', 'български'],
    ru: ['Russian', 'Русский'],
    uk: ['Ukrainian', 'Українська'],
    hi: ['Hindi', 'हिन्दी'],
    th: ['Thai', 'ไทย'],
    'zh-CN': ['Chinese, China', '中文'],
    ja: ['Japanese', '日本語'],
    'zh-TW': ['Chinese, Taiwan', '繁體中文'],
    ko: ['Korean', '한국어'],
  },
}

/** The limits of fields of components, by the rule about them. */
export const componentsDocument = {
  page: 'developers/components/reference.mdx',
  ...{ commit, seen, file: 'src/interactions/answer/component-rules.ts' },
  table: {
    'components.total': { max: 40 },
    'components.rows': { max: 5 },
    'component.custom_id': { min: 1, max: 100 },
    'component.row': { min: 1, max: 5 },
    'component.gallery': { min: 1, max: 10 },
    'button.label': { max: 80 },
    'button.url': { max: 512 },
    'menu.placeholder': { max: 150 },
    'menu.options': { min: 1, max: 25 },
    'menu.min_values': { min: 0, max: 25 },
    'menu.max_values': { min: 1, max: 25 },
    'menu_option.label': { min: 1, max: 100 },
    'menu_option.value': { min: 1, max: 100 },
    'menu_option.description': { max: 100 },
    'input.label': { min: 1, max: 45 },
    'input.description': { max: 100 },
    'input.min_length': { min: 0, max: 4_000 },
    'input.max_length': { min: 1, max: 4_000 },
    'input.value': { max: 4_000 },
    'input.placeholder': { max: 100 },
    'media.description': { max: 1_024 },
    'upload.min_values': { min: 0, max: 10 },
    'upload.max_values': { min: 1, max: 10 },
    'file_types.count': { max: 10 },
    'radio_group.options': { min: 2, max: 10 },
    'checkbox_group.options': { min: 1, max: 10 },
    'checkbox_group.min_values': { min: 0, max: 10 },
    'checkbox_group.max_values': { min: 1, max: 10 },
  },
}

/** The limits of messages, their embeds and polls, by the rule about them; characters count after white space is trimmed. */
export const messagesDocument = {
  ...{ page: 'developers/resources/message.mdx', commit: 'c98d64bc233833839cf0d8d369e81b77f21ade60' },
  ...{ seen: '2026-11-29', file: 'src/interactions/answer/message-rules.ts' },
  table: {
    'message.content': { max: 2_000 },
    'message.embeds': { max: 10 },
    'message.stickers': { max: 3 },
    'mentions.ids': { max: 100 },
    'attachment.description': { max: 1_024 },
    'embed.title': { max: 256 },
    'embed.description': { max: 4_096 },
    'embed.fields': { max: 25 },
    'embed.field_name': { max: 256 },
    'embed.field_value': { max: 1_024 },
    'embed.footer': { max: 2_048 },
    'embed.author': { max: 256 },
    'embeds.size': { max: 6_000 },
    // developers/resources/poll.mdx; 32 days in hours.
    'poll.question': { max: 300 },
    'poll.answers': { max: 10 },
    'poll.answer': { max: 55 },
    'poll.duration': { max: 768 },
  },
}
