/**
 * Bodies of errors that public threads quote, with the requests that lead to them. `source` is a repository, with its
 * owner where it is known, and the number of an issue or a pull request; where a thread quotes a part only, the request is the smallest one with that error.
 */
import { fullChoices, several } from '../support/bodies.ts'

export interface QuotedError {
  readonly source: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** `{command}` is the id of a command of the guild. */
  readonly path: string
  readonly body?: unknown
  readonly as?: 'bot' | 'other bot' | 'manager' | 'unknown'
  readonly status: number
  /** `path: CODE: message`, or `code: message` of a body without errors at places. */
  readonly errors: readonly string[]
}

const global = '/applications/1001/commands'
const guild = '/applications/1001/guilds/2001/commands'
const permissions = `${guild}/{command}/permissions`

const option = (fields: object = {}) => ({ type: 3, name: 'a', description: 'd', ...fields })
const command = (options: readonly unknown[]) => ({ name: 'x', description: 'd', options })
const named = (...names: readonly string[]) => names.map((name) => option({ name }))

const invalid = (
  source: string,
  method: QuotedError['method'],
  path: string,
  body: unknown,
  ...errors: readonly string[]
): QuotedError => ({ source, method, path, body, status: 400, errors })

const post = (source: string, body: unknown, ...errors: readonly string[]) =>
  invalid(source, 'POST', global, body, ...errors)
const put = (source: string, body: unknown, ...errors: readonly string[]) =>
  invalid(source, 'PUT', global, body, ...errors)
const set = (source: string, items: readonly unknown[], ...errors: readonly string[]): QuotedError => ({
  ...invalid(source, 'PUT', permissions, { permissions: items }, ...errors),
  as: 'manager',
})

const required = 'BASE_TYPE_REQUIRED: This field is required'
const noMatch = 'STRING_TYPE_REGEX: String value did not match validation regex.'
const invalidName = 'APPLICATION_COMMAND_INVALID_NAME: Command name is invalid'
const maxLength = (max: number) => `BASE_TYPE_MAX_LENGTH: Must be ${max} or fewer in length.`
const notModel = 'MODEL_TYPE_CONVERT: Only dictionaries may be used in a ModelType'
const itemRequired = 'LIST_ITEM_VALUE_REQUIRED: List item values of ModelType are required'
const notA = (kind: string, value: string) => `NUMBER_TYPE_COERCE: Value "${value}" is not ${kind}.`
const nameTaken = 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID: Option name a is already used in these options'

export const quotedErrors: readonly QuotedError[] = [
  post(
    'discord-php/DiscordPHP#969, discordeno/discordeno#3423',
    { name: 'ping', type: 1 },
    `description: ${required}`,
  ),
  put(
    'discord/discord-api-docs#3784',
    [{ name: 'search', description: 'asdf', options: ['a', 'b'] }],
    `0.options.0: ${notModel}`,
    `0.options.1: ${notModel}`,
  ),
  put(
    'Soph#39',
    [
      command([
        ...named('a', 'b'),
        option({ name: 'c', choices: several(26, (i) => ({ name: `n${i}`, value: 'v' })) }),
      ]),
    ],
    `0.options.2.choices: ${maxLength(25)}`,
  ),
  post(
    'AlexzanderFlores/WOKCommands#218',
    command([...named(...several(15, (i) => `o${i}`)), ...named('a b')]),
    `options.15.name: ${noMatch}`,
  ),
  post(
    'gonzyui/Discord-Template-V13#8',
    { ...command([option({ type: 'STRING' })]), type: 'CHAT_INPUT' },
    `options.0.type: ${notA('int', 'STRING')}`,
    `type: ${notA('int', 'CHAT_INPUT')}`,
  ),
  post(
    'discord-jda/JDA#2100',
    command([option({ type: -1 })]),
    'options.0.type: BASE_TYPE_CHOICES: Value must be one of (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).',
  ),
  post(
    'discord/discord-api-docs#5615',
    command([option(), option({ name: 'b', required: true })]),
    'options.1: APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID: Required options must be placed before non-required options',
  ),
  put(
    'discord-tickets/bot#254',
    [command([{ type: 3 }])],
    `0.options.0.description: ${required}`,
    `0.options.0.name: ${required}`,
  ),
  put(
    'mods#1016',
    [command([option({ description: '' })]), { name: 'y' }],
    '0.options.0.description: BASE_TYPE_BAD_LENGTH: Must be between 1 and 100 in length.',
    `1.description: ${required}`,
  ),
  put(
    'discord/discord-api-docs#7712',
    [{ name: 'setup', description: 'd', name_localizations: { de: 'Ein Richten' } }],
    `0.name_localizations: ${invalidName}`,
  ),
  put('Garlic-Team/gcommands#295', [command(named('memberName'))], `0.options.0.name: ${invalidName}`),
  put(
    'Ballsdex-Team/BallsDex-DiscordBot#317',
    [command([option({ name_localizations: { ru: 'Мяч мяч' } })])],
    `0.options.0.name_localizations.ru: ${invalidName}`,
  ),
  put(
    'discord/discord-api-docs#8574',
    [{ name: 'name', type: 4, options: [option()] }],
    '0.options: APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_INVALID: Context menu commands cannot have options',
  ),
  post(
    'eliteSchwein/mooncord#320',
    command([
      { type: 1, name: 'preset', description: 'd' },
      { type: 1, name: 'm', description: 'd', options: named('x', 'a.b') },
    ]),
    `options.1.options.1.name: ${noMatch}`,
  ),
  put(
    'chenhg5/cc-connect#504',
    several(132, (i) => ({ name: `c${i}`, description: 'd' })),
    `: ${maxLength(130)}`,
  ),
  put(
    'chenhg5/cc-connect#504',
    several(101, (i) => ({ name: `c${i}`, description: 'd' })),
    '30032: Maximum number of application commands reached (100)',
  ),
  put(
    'NTMNathan/djs-class-handler#1 (with the limit of then, 5)',
    several(16, (i) => ({ name: `c${i}`, type: 2 })),
    '30032: Maximum number of application commands reached (15)',
  ),
  put(
    'albertgmz/BeatDock#103',
    [command([]), { name: 'y', description: 'd' }, command([])],
    '2: APPLICATION_COMMANDS_DUPLICATE_NAME: Application command names must be unique',
  ),
  post(
    'an example in a public repository',
    command(named('a', 'a', 'a')),
    `options.1: ${nameTaken}`,
    `options.2: ${nameTaken}`,
  ),
  post(
    'discordjs/discord.js#7648',
    command([option({ type: 4 }), { type: 1, name: 'b', description: 'd' }]),
    'options.1: APPLICATION_COMMAND_OPTIONS_TYPE_INVALID: Sub-command and sub-command group option types are mutually exclusive to all other types',
  ),
  {
    ...put('kordlib/kord#594', [command([option({ description_localizations: { pt_BR: 'x' } })])]),
    // The list of locales of that time was shorter.
    errors: ["0.options.0.description_localizations.pt_BR: BASE_TYPE_CHOICES: Value must be one of ('…')."],
  },
  invalid(
    'discordjs/guide#1501',
    'PUT',
    '/applications/undefined/guilds/undefined/commands',
    [],
    `application_id: ${notA('snowflake', 'undefined')}`,
    `guild_id: ${notA('snowflake', 'undefined')}`,
  ),
  invalid(
    'discord-php/DiscordPHP#1055',
    'GET',
    '/applications/:application_id/guilds/2001/commands/:command_id/permissions',
    undefined,
    `application_id: ${notA('snowflake', ':application_id')}`,
    `command_id: ${notA('snowflake', ':command_id')}`,
  ),
  invalid(
    'interactions-py/interactions.py#73',
    'GET',
    `/applications/${encodeURIComponent('<built-in function id>')}/commands`,
    undefined,
    `application_id: ${notA('snowflake', '<built-in function id>')}`,
  ),
  post(
    'discord/discord-api-docs#3629',
    { name: 'X', type: 2, description: 'd' },
    'description: APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID: Context menu commands cannot have description',
  ),
  post(
    'discord/discord-api-docs, reference, error messages',
    command(several(2, (i) => option({ name: `o${i}`, choices: fullChoices(25) }))),
    ': APPLICATION_COMMAND_TOO_LARGE: Command exceeds maximum size (8000)',
  ),
  set('discord/discord-api-docs#4494', ['*'], `permissions.0: ${notModel}`),
  set('discord/discord-api-docs#4494', [''], `permissions.0: ${itemRequired}`),
  post('saiteja-madha/discord-js-bot#365 (there an embed)', command([null]), `options.0: ${itemRequired}`),
  {
    source: 'twilight-rs/twilight#1740',
    ...{ method: 'PUT', path: permissions, body: { permissions: [] } },
    ...{ status: 403, errors: ['20001: Bots cannot use this endpoint'] },
  },
  {
    source: 'discordjs/discord.js#8286',
    ...{ method: 'GET', path: global, as: 'other bot', status: 403 },
    errors: ['20012: You are not authorized to perform this action on this application'],
  },
  {
    source: 'handler-slash#1',
    ...{ method: 'PUT', path: '/applications/1001/guilds/2002/commands', body: [] },
    ...{ status: 403, errors: ['50001: Missing Access'] },
  },
  {
    source: 'brainboxdotcc/DPP#212',
    ...{ method: 'GET', path: `${guild}/999`, status: 404, errors: ['10063: Unknown application command'] },
  },
  {
    source: 'discord/discord-api-docs#2737',
    ...{ method: 'GET', path: permissions, status: 404 },
    errors: ['10066: Unknown application command permissions'],
  },
  {
    source: 'Snazzah/slash-create#21',
    ...{ method: 'PATCH', path: `${guild}/{command}`, body: { name: 'taken' }, status: 400 },
    errors: ['40041: An application command with that name already exists'],
  },
  {
    source: 'discord/discord-api-docs#2370',
    ...{ method: 'GET', path: global, as: 'unknown', status: 401, errors: ['0: 401: Unauthorized'] },
  },
  {
    source: 'discord/discord-api-docs#4687',
    ...{ method: 'PUT', path: `${guild}/permissions`, body: [], as: 'manager', status: 405 },
    errors: ['0: 405: Method Not Allowed'],
  },
  post(
    'Shunshun94/discord-bcdicebot#142',
    command([
      {
        ...{ type: 2, name: 'g', description: 'd' },
        options: several(26, (i) => ({ type: 1, name: `s${i}`, description: 'd' })),
      },
    ]),
    `options.0.options: ${maxLength(25)}`,
  ),
  post(
    'brainboxdotcc/DPP, a fixture of its tests',
    command(named('Bad Name')),
    `options.0.name: ${noMatch}`,
    `options.0.name: ${invalidName}`,
  ),
  put('an example in a public repository', ['a'], '0: MODEL_TYPE_CONVERT: Expected an object/dictionary.'),
  put(
    'kkrypt0nn/Python-Discord-Bot-Template#51',
    [command(named('a', 'b', 'a:b'))],
    `0.options.2.name: ${noMatch}`,
  ),
  set(
    'NullDev/CSZ-Bot#509',
    several(101, (i) => ({ id: String(i + 1), type: 1, permission: true })),
    `permissions: ${maxLength(100)}`,
  ),
]
