/**
 * The entries of Discord's change log since November 2025, and changes that only threads tell of. Each is taken up, by a row of
 * `src/model/platform.ts`, or not ours, for a reason.
 */

/** The copy that was looked at. */
export const changeLog = {
  page: 'developers/change-log.mdx',
  repository: 'discord/discord-api-docs',
  commit: 'f36e7ca3c41d4334179dbb8a211a0cb892895b80',
  seen: '2026-11-28',
} as const

export type ChangeLogEntry = { readonly day: string; readonly title: string } & (
  { readonly rows: readonly string[] } | { readonly notOurs: string }
)

const taken = (day: string, title: string, ...rows: readonly string[]): ChangeLogEntry => ({
  day,
  title,
  rows: rows.length > 0 ? rows : [day],
})
const notOurs = (day: string, title: string, reason: string): ChangeLogEntry => ({
  day,
  title,
  notOurs: reason,
})

const SDK = 'The Social SDK for games, which bots do not use.'
const DOCUMENTS = 'Only the documentation changed.'
const NO_INVITES = 'The service has no invites that give roles or name users.'

export const changeLogEntries: readonly ChangeLogEntry[] = [
  notOurs('2025-11-05', 'Discord Social SDK Release 1.6.12767', SDK),
  notOurs('2025-11-12', 'Discord Social SDK Release 1.7', SDK),
  notOurs('2025-11-20', 'Discord Social SDK Release 1.7.13024', SDK),
  // Emojis only: the service has no scheduled events, and no routes that create stickers.
  taken('2025-11-20', 'Guild Expressions and Events Permissions', '2025-11-20', '2026-02-23'),
  taken('2025-11-24', 'New BYPASS_SLOWMODE Permission', '2025-11-24', '2026-02-23'),
  taken('2025-11-24', 'Permission Changes Going into Effect February 2026', '2026-02-23'),
  notOurs('2025-12-04', 'Discord Social SDK Release 1.7.13152', SDK),
  taken('2025-12-09', 'Get Guild Role Member Counts Endpoint'),
  notOurs('2025-12-10', 'Discord Social SDK Release 1.6.13305', SDK),
  notOurs('2025-12-16', 'New Social SDK Guide: Account Linking from Discord', SDK),
  notOurs('2025-12-16', 'Discord Social SDK Release 1.7.13357', SDK),
  notOurs('2025-12-17', 'Discord Social SDK Release 1.8.13395', SDK),
  notOurs('2026-01-13', 'New Invite Endpoints', NO_INVITES),
  notOurs(
    '2026-01-21',
    'Relationships.read Scope for Activities',
    'A scope of Activities; the service has none of them.',
  ),
  notOurs('2026-02-05', 'Community Invites Update', NO_INVITES),
  notOurs('2026-02-10', 'Next Generation Docs Project', DOCUMENTS),
  taken('2026-02-12', 'Radio Groups, Checkbox Groups, and Checkboxes in Modals'),
  notOurs('2026-02-12', 'Community Invite Guide', DOCUMENTS),
  notOurs('2026-02-12', 'Discord Social SDK Release 1.8.13870', SDK),
  notOurs('2026-02-18', 'Publisher Level Account Linking', SDK),
  notOurs('2026-02-19', 'Discord Social SDK Release 1.8.14026', SDK),
  notOurs(
    '2026-02-20',
    'Server-Side Message Moderation',
    'Messages of lobbies of games, which the service does not have.',
  ),
  taken('2026-03-03', 'Updates to Context Menu Commands'),
  notOurs('2026-03-05', 'Discord Social SDK 1.6.14448', SDK),
  notOurs('2026-03-05', 'Discord Social SDK 1.7.14433', SDK),
  notOurs('2026-03-05', 'Discord Social SDK 1.8.14437', SDK),
  notOurs('2026-03-09', 'Developer Portal & Docs Refresh', DOCUMENTS),
  notOurs('2026-03-15', 'Discord Social SDK 1.8.14587', SDK),
  notOurs(
    '2026-03-19',
    'Search Guild Messages Endpoint',
    'A search of all messages; a missing route answers 404 with its name.',
  ),
  notOurs('2026-03-27', 'Discord Social SDK 1.8.14856', SDK),
  notOurs('2026-04-03', 'RPC over IPC Documentation', 'RPC of the desktop client, not of bots.'),
  notOurs('2026-04-06', 'Discord Social SDK 1.8.14985', SDK),
  taken('2026-04-14', 'Message Forwarding Requires Message Content Access'),
  notOurs('2026-04-16', 'Deprecation: OAuth2 Refresh Token Grant for OIDC Provisional Accounts', SDK),
  notOurs(
    '2026-04-20',
    'Voice Channel Status and Start Time Documentation',
    'The service has no status of voice channels.',
  ),
  notOurs('2026-04-22', 'Security Updates for Provisional Account OIDC Integrations', SDK),
  notOurs('2026-04-23', 'Proximity Voice Chat Guide for Game Developers', SDK),
  notOurs('2026-04-23', 'Discord Social SDK 1.9.15332', SDK),
  notOurs('2026-04-24', 'Voice Muting Based on Player Blocks Guide', SDK),
  notOurs(
    '2026-05-05',
    'User Premium Type Field Now Requires A Scope',
    'Bots get no `premium_type` from the service.',
  ),
  taken('2026-05-07', 'New flags_new Field on Application Object'),
  notOurs('2026-05-12', 'Discord Social SDK 1.9.15780', SDK),
  notOurs('2026-05-22', 'Account Linking Failure-Mode Documentation', SDK),
  notOurs('2026-05-26', 'Discord Social SDK Release Cadence & Support', SDK),
  notOurs('2026-06-03', 'New Lobby HTTP API Endpoints', 'Lobbies of games, which the service does not have.'),
  notOurs('2026-06-03', 'Discord Social SDK 1.9.16441', SDK),
  notOurs(
    '2026-06-10',
    'Changes to Privileged Intent Access for Discord Apps',
    'How Discord reviews apps; a test states which intents its app has.',
  ),
  notOurs('2026-06-16', 'Documentation Fix: Subscription Status Values', 'The service has no subscriptions.'),
  taken('2026-06-24', 'Attachment Editing and is_spoiler Param'),
  notOurs('2026-06-25', 'Discord Social SDK 1.9.17228', SDK),
  notOurs('2026-06-30', 'Discord Social SDK 1.9.17379', SDK),
  notOurs(
    '2026-07-07',
    'Deprecation: Riot Games Connections in Get Current User Connections',
    'The service has no connections of users.',
  ),
  taken('2026-07-16', 'Resolved Channel app_permissions in Interactions'),
  notOurs('2026-07-22', 'Provisional Accounts Documentation Restructure', SDK),
  notOurs('2026-07-28', 'Discord Social SDK 1.10.18247', SDK),
  taken('2026-08-05', 'Channel application_id is Now Nullable'),
  taken('2026-08-05', 'Filter File Types in File Uploads and Attachment Options'),
]

/** Changes after the newest copy of the log, or outside it, with the thread that tells of them. */
export const laterChanges: readonly (ChangeLogEntry & { readonly source: string })[] = [
  { ...taken('2026-08-08', 'DM and GROUP_DM in channel_types'), source: 'discord-api-types#1769' },
  { ...taken('2026-08-12', 'Channel obfuscation', '2026-11-16'), source: 'discord-api-docs#8454' },
  { ...taken('2026-08-27', 'The apostrophe of names is U+02BC'), source: 'discord-api-docs#8567' },
  {
    ...notOurs(
      '2026-09-02',
      'The description of an entry point',
      'Entry points had descriptions here before.',
    ),
    source: 'discord-api-docs#8573, #8577',
  },
  {
    ...taken('2026-09-03', 'Options of an entry point have their own error'),
    source: 'discord-api-docs#8574',
  },
  {
    ...notOurs(
      '2026-09-04',
      'Types without options and handler',
      'Both are refused here on other types of commands.',
    ),
    source: 'discord-api-types#1793',
  },
  { ...taken('2026-09-22', 'Callbacks 6 and 7 of a submitted modal'), source: 'discord-api-docs#8612' },
  { ...taken('2026-10-01', 'The issuer of OAuth2 redirects'), source: 'discord-api-types 0.38.57' },
]
