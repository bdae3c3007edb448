/**
 * The changes of Discord that this library has taken up, each a row, and which of them are in force on a day. The change log
 * is `developers/change-log.mdx` of discord-api-docs at f36e7ca3, whose entries `test/model/change-log.ts` lists.
 */
import { systemClock, utcDay } from '../core/clock.ts'
import { isDay } from '../core/platform-day.ts'
import { describeValue } from '../core/text.ts'

/** A change of Discord. The records of the rules that came with it refer to it by `since`. */
export interface PlatformChange {
  /** The day from which it is in force, as Discord dates it. */
  readonly day: string
  /** A sentence for the author of a bot. */
  readonly what: string
  /** Where it is documented or was reported. */
  readonly source: string
  /** The fields that came with it, after what has them: `option.file_types`. */
  readonly fields?: readonly string[]
  /** What the emulated service and its client do since then. */
  readonly behaviors?: readonly string[]
  /**
   * The name under which run-time behavior asks whether it is in force; absent if it has no earlier form here. Twelve months
   * after its day a test fails, and the earlier form is deleted.
   */
  readonly switch?: string
}

/* @__NO_SIDE_EFFECTS__ */
function row(change: PlatformChange): PlatformChange {
  return Object.freeze(change)
}

// Each row that a rule refers to has its own name, so that bundles leave out the others.

export const FILE_TYPES = /* @__PURE__ */ row({
  day: '2026-08-05',
  what: 'Options of type ATTACHMENT and File Uploads can restrict the types of files.',
  source: 'change log; discord-api-docs#8506',
  fields: ['options[].file_types', 'components[].file_types'],
  behaviors: ['The client refuses files of other types.'],
})

export const DIRECT_CHANNEL_TYPES = /* @__PURE__ */ row({
  day: '2026-08-08',
  what: '`channel_types` may contain DM and GROUP_DM.',
  source: 'discord-api-types#1769',
})

export const NAME_APOSTROPHE = /* @__PURE__ */ row({
  day: '2026-08-27',
  what: "The apostrophe of names is U+02BC; the specification's pattern has ', so both pass.",
  source: 'discord-api-docs#8567',
})

export const MODAL_CALLBACKS = /* @__PURE__ */ row({
  day: '2026-09-22',
  what: 'A submitted modal takes callback 6, whatever opened it, and 7 where it has a message. Live since 2022.',
  source: 'discord-api-docs#8612, #5486',
  behaviors: ['Callbacks 6 and 7 answer a submitted modal.'],
})

export const SPLIT_PERMISSIONS = 'split_permissions'
export const HIDDEN_CHANNELS = 'hidden_channels'

/** Every change, oldest first. To take up a change, add its row here; see `docs/CONTRIBUTING.md`. */
export const platformChanges: readonly PlatformChange[] = /* @__PURE__ */ Object.freeze([
  row({
    day: '2025-11-20',
    what: 'Bots can create emojis with CREATE_GUILD_EXPRESSIONS.',
    source: 'change log',
  }),
  row({
    day: '2025-11-24',
    what: 'BYPASS_SLOWMODE lifts slow mode, as MANAGE_MESSAGES, MANAGE_CHANNELS and MANAGE_THREADS do.',
    source: 'change log',
  }),
  row({
    day: '2025-12-09',
    what: 'The members of each role can be counted.',
    source: 'change log; discord-api-docs#8025',
    behaviors: ['`GET /guilds/{guild.id}/roles/member-counts`'],
  }),
  row({
    day: '2026-02-12',
    what: 'Modals have radio groups, checkbox groups and checkboxes.',
    source: 'change log',
  }),
  row({
    day: '2026-02-23',
    what: 'Slow mode, pins and new emojis are allowed by permissions of their own alone.',
    source: 'change log of 2025-11-20 and 2025-11-24',
    behaviors: [
      'Only BYPASS_SLOWMODE lifts slow mode: no longer MANAGE_MESSAGES, MANAGE_CHANNELS and MANAGE_THREADS.',
      'Only PIN_MESSAGES allows pins: no longer MANAGE_MESSAGES.',
      'Only CREATE_GUILD_EXPRESSIONS allows a bot to create emojis: no longer MANAGE_GUILD_EXPRESSIONS.',
    ],
    switch: SPLIT_PERMISSIONS,
  }),
  row({
    day: '2026-03-03',
    what: 'A scope holds 15 user commands and 15 message commands, where it held 5.',
    source: 'change log; discord-api-docs#8185',
  }),
  row({
    day: '2026-04-14',
    what: 'A bot cannot forward a message whose content it cannot read.',
    source: 'change log',
    behaviors: ['Without MESSAGE_CONTENT a forward is refused with 160014.'],
  }),
  row({
    day: '2026-05-07',
    what: 'Applications have their flags as a string too.',
    source: 'change log; discord-api-types 0.38.52',
    fields: ['application.flags_new'],
    behaviors: ['READY and the application resource have `flags_new`.'],
  }),
  row({
    day: '2026-06-24',
    what: 'An edit can change the description and the spoiler of attachments.',
    source: 'change log',
    fields: ['attachments[].description', 'attachments[].is_spoiler'],
  }),
  row({
    day: '2026-07-16',
    what: 'Resolved channels have the permissions of the app and more fields of the channel.',
    source: 'change log; discord-api-docs#8443',
    fields: [
      'resolved.channels.*.app_permissions',
      'resolved.channels.*.guild_id',
      'resolved.channels.*.nsfw',
      'resolved.channels.*.parent_id',
      'resolved.channels.*.position',
      'resolved.channels.*.flags',
      'resolved.channels.*.topic',
      'resolved.channels.*.last_message_id',
      'resolved.channels.*.rate_limit_per_user',
    ],
  }),
  FILE_TYPES,
  row({
    day: '2026-08-05',
    what: 'The app of a channel may be null.',
    source: 'change log',
    fields: ['channel.application_id'],
  }),
  DIRECT_CHANNEL_TYPES,
  NAME_APOSTROPHE,
  row({
    day: '2026-09-03',
    what: 'Options of an entry point are no longer refused with the code of context menus; the new one is not known.',
    source: 'discord-api-docs#8574',
  }),
  MODAL_CALLBACKS,
  row({
    day: '2026-10-01',
    what: 'OAuth2 redirects name their issuer.',
    source: 'discord-api-types 0.38.57; RFC 9207',
    fields: ['redirect.iss'],
    behaviors: ['`AuthorizationClient` refuses the redirect of another issuer.'],
  }),
  row({
    day: '2026-11-16',
    what: 'Channels that a bot may not view reach it without name and details.',
    source: 'change log of 2026-08-12; discord-api-docs#8454',
    fields: ['channel.flags'],
    behaviors: [
      'The gateway hides the name, topic and overwrites of channels that a bot may not view; CHANNEL_UPDATE brings a channel whole once it may.',
      '`GET /guilds/{guild.id}/channels` leaves them out.',
      'Before that day a bot can opt in with `capabilities` 1 << 15 of IDENTIFY.',
    ],
    switch: HIDDEN_CHANNELS,
  }),
])

/** The fields `since` and `source` of the record of a rule that came with a change, to spread into it. */
/* @__NO_SIDE_EFFECTS__ */
export function since({ day, source }: PlatformChange): { readonly since: string; readonly source: string } {
  return { since: day, source }
}

/** Discord as of a day. */
export interface Platform {
  readonly day: string
  /** Whether the change with this switch is in force. */
  readonly has: (name: string) => boolean
}

/**
 * Discord as of a day.
 *
 * @param day default: that of the newest row that is in force today
 * @throws TypeError for a value that is not a day
 */
export function platformOn(
  day?: string,
  changes: readonly PlatformChange[] = platformChanges,
  today: string = utcDay(systemClock.now()),
): Platform {
  if (day !== undefined && !isDay(day))
    throw new TypeError(`discord: expected a day such as "2026-11-16", got ${describeValue(day)}`)
  const until = day ?? today
  const inForce = changes.filter((change) => change.day <= until)
  const switches = new Set(inForce.flatMap((change) => change.switch ?? []))
  const newest =
    inForce
      .map((change) => change.day)
      .sort()
      .at(-1) ?? until
  return Object.freeze({ day: day ?? newest, has: (name: string) => switches.has(name) })
}
