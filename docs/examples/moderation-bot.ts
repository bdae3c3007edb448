/** The commands of a moderation bot in six languages: a first draft with mistakes, and the fixed set. */

const texts = (de: string, fr: string, es: string, pl: string, ja: string) => ({
  de,
  fr,
  'es-ES': es,
  pl,
  ja,
})

const STRING = 3
const INTEGER = 4
const BOOLEAN = 5
const USER = 6
const CHANNEL = 7
const ROLE = 8
const SUB_COMMAND = 1
const SUB_COMMAND_GROUP = 2

const BAN_MEMBERS = '4'
const KICK_MEMBERS = '2'
const MANAGE_GUILD = '32'
const MANAGE_MESSAGES = '8192'
const MODERATE_MEMBERS = '1099511627776'

const member = {
  type: USER,
  name: 'member',
  name_localizations: texts('mitglied', 'membre', 'miembro', 'osoba', 'メンバー'),
  description: 'Who it is about',
  description_localizations: texts(
    'Um wen es geht',
    'De qui il s’agit',
    'De quién se trata',
    'O kogo chodzi',
    '対象のメンバー',
  ),
  required: true,
}

const reason = {
  type: STRING,
  name: 'reason',
  name_localizations: texts('grund', 'raison', 'motivo', 'powód', '理由'),
  description: 'Why; the member is told',
  description_localizations: texts(
    'Warum; das Mitglied erfährt es',
    'Pourquoi ; le membre en est informé',
    'Por qué; se informa al miembro',
    'Dlaczego; osoba zostanie poinformowana',
    '理由（メンバーに通知されます）',
  ),
  max_length: 400,
}

const length = {
  type: INTEGER,
  name: 'minutes',
  name_localizations: texts('minuten', 'minutes', 'minutos', 'minuty', '分'),
  description: 'For how long',
  description_localizations: texts(
    'Wie lange',
    'Pour combien de temps',
    'Durante cuánto tiempo',
    'Na jak długo',
    '期間',
  ),
  min_value: 1,
  max_value: 40320,
}

/** The first draft, before validation. */
export const firstDraft: Record<string, any>[] = [
  {
    name: 'ban',
    name_localizations: texts('bannen', 'bannir', 'vetar', 'zbanuj', 'ban'),
    description: 'Ban a member from the server',
    description_localizations: texts(
      'Ein Mitglied vom Server bannen',
      'Bannir un membre du serveur',
      'Vetar a un miembro del servidor',
      'Zbanuj osobę na serwerze',
      'メンバーをサーバーから追放する',
    ),
    default_member_permissions: BAN_MEMBERS,
    // Mistake: the required option is after an optional one.
    options: [
      reason,
      member,
      {
        type: INTEGER,
        name: 'days',
        name_localizations: texts('tage', 'jours', 'dias', 'dni', '日数'),
        description: 'How many days of messages to delete',
        choices: [
          { name: 'None', name_localizations: texts('Keine', 'Aucun', 'Ninguno', 'Żadne', 'なし'), value: 0 },
          { name: 'One', name_localizations: texts('Einen', 'Un', 'Uno', 'Jeden', '一日'), value: 1 },
          {
            name: 'A week',
            name_localizations: texts('Eine Woche', 'Une semaine', 'Una semana', 'Tydzień', '一週間'),
            value: 7,
          },
        ],
      },
    ],
  },
  {
    name: 'unban',
    description: 'Let a banned user back in',
    default_member_permissions: BAN_MEMBERS,
    options: [
      { type: STRING, name: 'user', description: 'Whom', required: true, autocomplete: true },
      reason,
    ],
  },
  {
    name: 'kick',
    // Mistake: a name in German with a capital letter.
    name_localizations: texts('Rauswerfen', 'expulser', 'expulsar', 'wyrzuć', 'キック'),
    description: 'Remove a member; they can come back with an invite',
    default_member_permissions: KICK_MEMBERS,
    options: [member, reason],
  },
  {
    name: 'timeout',
    name_localizations: texts('auszeit', 'pause', 'silencio', 'przerwa', 'タイムアウト'),
    description: 'Keep a member from writing for a while',
    // Mistake: the spelling of discord.js, not the key of the wire.
    defaultMemberPermissions: MODERATE_MEMBERS,
    options: [member, { ...length, required: true }, reason],
  },
  {
    name: 'warn',
    name_localizations: texts('verwarnen', 'avertir', 'advertir', 'ostrzeż', '警告'),
    description: 'Warn a member',
    default_member_permissions: MODERATE_MEMBERS,
    options: [
      member,
      {
        type: INTEGER,
        name: 'level',
        // Mistake: a space and a capital letter in a German option name.
        name_localizations: { de: 'Stufe 1', fr: 'niveau', 'es-ES': 'nivel', pl: 'poziom', ja: '段階' },
        description: 'How serious it is',
        choices: [
          {
            name: 'Notice',
            name_localizations: texts('Hinweis', 'Remarque', 'Aviso', 'Uwaga', '注意'),
            value: 1,
          },
          {
            name: 'Warning',
            name_localizations: texts('Verwarnung', 'Avertissement', 'Advertencia', 'Ostrzeżenie', '警告'),
            value: 2,
          },
          {
            name: 'Last warning',
            name_localizations: texts(
              'Letzte Verwarnung',
              'Dernier avertissement',
              'Última advertencia',
              'Ostatnie ostrzeżenie',
              '最終警告',
            ),
            value: 3,
          },
        ],
      },
      reason,
    ],
  },
  {
    name: 'history',
    name_localizations: texts('verlauf', 'historique', 'historial', 'historia', '履歴'),
    description: 'What a member was warned of, banned and kicked for',
    // Mistake: Japanese is `ja`.
    description_localizations: {
      de: 'Wofür ein Mitglied verwarnt, gebannt und entfernt wurde',
      jp: 'メンバーの処分履歴',
    },
    default_member_permissions: MODERATE_MEMBERS,
    options: [member],
  },
  {
    name: 'purge',
    name_localizations: texts('aufräumen', 'nettoyer', 'limpiar', 'wyczyść', '削除'),
    description: 'Delete the last messages of this channel',
    description_localizations: {
      de: 'Die letzten Nachrichten dieses Kanals löschen',
      // Mistake: longer than the limit.
      fr: 'Supprimer les derniers messages de ce salon, jusqu’à cent à la fois, à condition qu’ils aient moins de deux semaines',
    },
    default_member_permissions: MANAGE_MESSAGES,
    options: [
      // Mistake: no number is at least 100 and at most 1.
      { type: INTEGER, name: 'count', description: 'How many', required: true, min_value: 100, max_value: 1 },
      { ...member, required: false, description: 'Only those of this member' },
    ],
  },
  {
    name: 'slowmode',
    description: 'Make members wait between messages',
    default_member_permissions: '16',
    // Deprecated, but supported.
    dm_permission: false,
    options: [
      {
        type: INTEGER,
        name: 'seconds',
        description: 'How long; 0 turns it off',
        required: true,
        min_value: 0,
        max_value: 21600,
      },
      { type: CHANNEL, name: 'channel', description: 'Where, if not here', channel_types: [0, 5, 15] },
    ],
  },
  {
    name: 'lock',
    name_localizations: texts('sperren', 'verrouiller', 'bloquear', 'zablokuj', 'ロック'),
    description: 'Let nobody write in a channel',
    default_member_permissions: '16',
    options: [
      { type: CHANNEL, name: 'channel', description: 'Where, if not here', channel_types: [0, 2, 5] },
      reason,
    ],
  },
  {
    name: 'unlock',
    name_localizations: texts('entsperren', 'déverrouiller', 'desbloquear', 'odblokuj', 'ロック解除'),
    description: 'Let people write in a channel again',
    default_member_permissions: '16',
    options: [
      { type: CHANNEL, name: 'channel', description: 'Where, if not here', channel_types: [0, 2, 5] },
    ],
  },
  {
    name: 'note',
    name_localizations: texts('notiz', 'note', 'nota', 'notatka', 'メモ'),
    description: 'Notes that only moderators see',
    default_member_permissions: MODERATE_MEMBERS,
    options: [
      {
        type: SUB_COMMAND,
        name: 'add',
        name_localizations: texts('hinzufügen', 'ajouter', 'añadir', 'dodaj', '追加'),
        description: 'Write a note about a member',
        options: [
          member,
          { type: STRING, name: 'text', description: 'The note', required: true, max_length: 1000 },
        ],
      },
      {
        type: SUB_COMMAND,
        name: 'list',
        name_localizations: texts('zeigen', 'lister', 'listar', 'lista', '一覧'),
        description: 'Read the notes about a member',
        options: [member],
      },
      {
        type: SUB_COMMAND,
        name: 'remove',
        name_localizations: texts('entfernen', 'supprimer', 'eliminar', 'usuń', '削除'),
        description: 'Throw a note away',
        options: [{ type: INTEGER, name: 'number', description: 'Which', required: true, min_value: 1 }],
      },
    ],
  },
  {
    name: 'config',
    name_localizations: texts('einstellungen', 'réglages', 'ajustes', 'ustawienia', '設定'),
    description: 'How the bot behaves on this server',
    default_member_permissions: MANAGE_GUILD,
    contexts: [0],
    options: [
      {
        type: SUB_COMMAND_GROUP,
        name: 'log',
        name_localizations: texts('protokoll', 'journal', 'registro', 'dziennik', 'ログ'),
        description: 'Where the bot writes what it did',
        options: [
          {
            type: SUB_COMMAND,
            name: 'channel',
            description: 'Choose the channel',
            options: [
              { type: CHANNEL, name: 'channel', description: 'Which', required: true, channel_types: [0] },
            ],
          },
          {
            type: SUB_COMMAND,
            name: 'level',
            description: 'How much it writes',
            options: [
              {
                type: STRING,
                name: 'level',
                description: 'From little to everything',
                required: true,
                choices: [
                  { name: 'Bans only', value: 'bans' },
                  { name: 'Every action', value: 'actions' },
                  { name: 'Everything', value: 'all' },
                ],
                // Mistake: choices and autocomplete exclude one another.
                autocomplete: true,
              },
            ],
          },
        ],
      },
      {
        type: SUB_COMMAND_GROUP,
        name: 'filter',
        name_localizations: texts('filter', 'filtre', 'filtro', 'filtr', 'フィルター'),
        description: 'What messages must not contain',
        options: [
          {
            type: SUB_COMMAND,
            name: 'add',
            description: 'Forbid a word',
            options: [
              {
                type: STRING,
                name: 'word',
                description: 'The word',
                required: true,
                min_length: 2,
                max_length: 60,
              },
            ],
          },
          {
            type: SUB_COMMAND,
            name: 'remove',
            description: 'Allow a word again',
            options: [
              { type: STRING, name: 'word', description: 'The word', required: true, autocomplete: true },
            ],
          },
          {
            type: SUB_COMMAND,
            name: 'links',
            description: 'Forbid links',
            options: [{ type: BOOLEAN, name: 'forbid', description: 'Yes or no', required: true }],
          },
        ],
      },
      {
        type: SUB_COMMAND,
        name: 'role',
        name_localizations: texts('rolle', 'rôle', 'rol', 'rola', 'ロール'),
        description: 'Who counts as a moderator',
        options: [{ type: ROLE, name: 'role', description: 'Which role', required: true }],
      },
    ],
  },
  {
    name: 'rules',
    name_localizations: texts('regeln', 'règles', 'normas', 'zasady', 'ルール'),
    description: 'Show the rules of this server',
    integration_types: [0, 1],
    contexts: [0, 1, 2],
  },
  // Mistake: context menu commands have no description.
  {
    type: 2,
    name: 'Warn Member',
    name_localizations: texts('Mitglied verwarnen', 'Avertir', 'Advertir', 'Ostrzeż', '警告する'),
    description: 'Warn this member',
    default_member_permissions: MODERATE_MEMBERS,
  },
  { type: 2, name: 'Show History', default_member_permissions: MODERATE_MEMBERS },
  {
    type: 3,
    name: 'Report Message',
    name_localizations: texts('Nachricht melden', 'Signaler', 'Denunciar', 'Zgłoś', '報告する'),
  },
  { type: 3, name: 'Delete and Warn', default_member_permissions: MANAGE_MESSAGES },
  { type: 4, name: 'Launch', description: 'Open the moderation board', handler: 2 },
]

/** The set with every mistake fixed. */
export const moderationBot: Record<string, any>[] = structuredClone(firstDraft)

const find = (name: string) => moderationBot.find((command) => command.name === name)!
find('ban').options.sort(
  (a: { required?: boolean }, b: { required?: boolean }) =>
    Number(b.required ?? false) - Number(a.required ?? false),
)
find('kick').name_localizations.de = 'rauswerfen'
find('timeout').default_member_permissions = find('timeout').defaultMemberPermissions
delete find('timeout').defaultMemberPermissions
find('warn').options[1].name_localizations.de = 'stufe'
find('history').description_localizations = {
  de: find('history').description_localizations.de,
  ja: 'メンバーの処分履歴',
}
find('purge').description_localizations.fr = 'Supprimer les derniers messages de ce salon'
Object.assign(find('purge').options[0], { min_value: 1, max_value: 100 })
delete find('slowmode').dm_permission
find('slowmode').contexts = [0]
delete find('config').options[0].options[1].options[0].autocomplete
delete find('Warn Member').description
