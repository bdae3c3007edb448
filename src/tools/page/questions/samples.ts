/** Commands to try the page with: one of each kind that it treats differently. */
export const sampleCommands: readonly object[] = [
  {
    name: 'ban',
    description: 'Ban a member',
    default_member_permissions: '4',
    name_localizations: { de: 'bannen', 'es-ES': 'vetar' },
    description_localizations: { de: 'Ein Mitglied bannen', 'es-ES': 'Vetar a un miembro' },
    options: [
      {
        type: 6,
        name: 'user',
        description: 'Whom to ban',
        required: true,
        name_localizations: { de: 'nutzer' },
        description_localizations: { de: 'Wer gebannt wird' },
      },
      {
        type: 3,
        name: 'reason',
        description: 'Shown in the audit log',
        max_length: 100,
        name_localizations: { de: 'grund' },
      },
    ],
  },
  {
    name: 'remind',
    description: 'Remind me of something',
    name_localizations: { de: 'erinnern' },
    options: [
      { type: 3, name: 'what', description: 'What to remind you of', required: true, max_length: 50 },
      {
        type: 4,
        name: 'hours',
        description: 'In how many hours',
        required: true,
        choices: [
          { name: 'In an hour', value: 1, name_localizations: { de: 'In einer Stunde' } },
          { name: 'Tomorrow', value: 24, name_localizations: { de: 'Morgen' } },
        ],
      },
    ],
  },
  {
    name: 'config',
    description: 'Settings of the bot',
    default_member_permissions: '32',
    options: [
      { type: 1, name: 'show', description: 'Show the settings' },
      {
        type: 1,
        name: 'set',
        description: 'Change a setting',
        options: [{ type: 3, name: 'key', description: 'Which setting', required: true }],
      },
    ],
  },
  {
    name: 'search',
    description: 'Search the notes',
    options: [
      { type: 3, name: 'query', description: 'What to look for', required: true, autocomplete: true },
    ],
  },
  { name: 'nsfw-roll', description: 'Roll the dice in an age-restricted channel', nsfw: true },
  { name: 'settings', description: 'Your own settings, in the DM with the bot', contexts: [1] },
  { type: 2, name: 'Report', name_localizations: { de: 'Melden' } },
  { type: 3, name: 'Translate', name_localizations: { de: 'Übersetzen' } },
]
