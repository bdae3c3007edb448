/** Probes of section 2: what a command, an option and a choice may be. */
import { several } from '../examples/breaking.ts'
import { ACCEPTED, asks, coded, EVERYWHERE, get, HERE, invalidAt, anOption, own, patch, post, put, refuses, REFUSED, takes, user, type Probe } from './probe.ts'

const LENGTH = 'BASE_TYPE_BAD_LENGTH'
const TWICE = 'SET_TYPE_ALREADY_CONTAINS_VALUE'
const CHOICES = 'BASE_TYPE_CHOICES'
const global = { path: EVERYWHERE }
const ENTRY = 'activity'

const withOption = (fields: object) => own({ options: [anOption(fields)] })
const choices = (...values: readonly (string | number)[]) => values.map((value, index) => ({ name: `c${index}`, value }))
const sub = (fields: object = {}) => anOption({ type: 1, name: 's', ...fields })

export const commandProbes: readonly Probe[] = [
  asks(
    '2.1-02',
    'an edit cannot change the type',
    [post(), patch('{0.id}', { type: 2, description: '' })],
    invalidAt('type', 'APPLICATION_COMMAND_TYPE_IMMUTABLE'),
    'an edit changes the type, or ignores it',
  ),
  asks(
    '2.1-02',
    'a command cannot become a second entry point',
    [post(own(), EVERYWHERE), patch('{0.id}', { type: 4 }, EVERYWHERE)],
    coded(400, 30032),
    'the entry point moves to the other command',
    ENTRY,
  ),
  takes('2.1-04', '32 characters outside the BMP are a name', own({ name: '𠀀'.repeat(32) }), {}, 'a name is counted in UTF-16 units'),
  refuses('2.1-04', '33 characters outside the BMP are too many', own({ name: '𠀀'.repeat(33) }), 'name', LENGTH),
  refuses('2.1-06', 'a titlecase letter has a lower case', own({ name: 'ǆǅ' }), 'name', 'APPLICATION_COMMAND_INVALID_NAME'),
  takes('2.1-06', 'a letter without a lower case of one code point passes', own({ name: 'ªß' }), { name: 'ªß' }, REFUSED),
  takes('2.1-07', 'a name keeps its spaces', user({ name: ' A  b ' }), { name: ' A  b ' }, 'names are trimmed or joined'),
  takes('2.1-07', 'a name is not normalized', user({ name: 'e\u0301' }), { name: 'e\u0301' }, 'names are normalized'),
  takes('2.1-07', 'a name of white space passes', user({ name: '\u2003' }), { name: '\u2003' }, REFUSED),
  asks('2.1-07', 'the name of an entry point may be mixed case', [patch('{entry}', { name: 'My Launch' }, EVERYWHERE)], { body: { name: 'My Launch' } }, REFUSED, ENTRY),
  refuses('2.1-08', 'an unknown locale is refused', own({ name_localizations: { xx: 'a' } }), 'name_localizations.xx', CHOICES),
  takes('2.1-09', 'a user command may have an empty description', user({ description: '' }), { description: '' }, REFUSED),
  takes('2.1-09', 'a user command may have null as its description', user({ description: null }), { description: '' }, REFUSED),
  asks('2.1-09', 'an entry point needs no description', [patch('{entry}', { description: '' }, EVERYWHERE)], { body: { description: '' } }, REFUSED, ENTRY),
  asks(
    '2.1-10',
    'translations of the description of an entry point are not empty',
    [patch('{entry}', { description_localizations: { de: '' } }, EVERYWHERE)],
    invalidAt('description_localizations.de', LENGTH),
    ACCEPTED,
    ENTRY,
  ),
  takes('2.1-11', 'an empty list of options is allowed on a user command', user({ options: [] }), {}, REFUSED, { absent: ['options'] }),
  takes('2.1-11', 'null as options is allowed on a user command', user({ options: null }), {}, REFUSED, { absent: ['options'] }),
  takes('2.1-12', 'permissions may be a number', own({ default_member_permissions: 8 }), { default_member_permissions: '8' }, 'libraries that send numbers fail'),
  takes('2.1-12', 'permissions are answered without leading zeros', own({ default_member_permissions: '008' }), { default_member_permissions: '8' }, REFUSED),
  takes('2.1-12', 'permissions may have 64 bits', own({ default_member_permissions: '18446744073709551615' }), {}, 'the bound is lower'),
  refuses('2.1-12', 'permissions have at most 64 bits', own({ default_member_permissions: '18446744073709551616' }), 'default_member_permissions', 'NUMBER_TYPE_MAX'),
  ...(['integration_types', 'contexts'] as const).flatMap((field) => {
    const clause = field === 'contexts' ? '2.1-17' : '2.1-16'
    return [
      refuses(clause, `${field} is not empty`, own({ [field]: [] }), field, 'BASE_TYPE_MIN_LENGTH', ACCEPTED, EVERYWHERE),
      refuses(clause, `${field} rejects duplicates`, own({ [field]: [0, 0] }), `${field}.1`, TWICE, ACCEPTED, EVERYWHERE),
    ]
  }),
  takes('2.1-17', 'null as contexts is unset', own({ contexts: null }), { contexts: null }, 'contexts have a default', global),
  asks('2.1-18', 'an upsert that changes nothing keeps the version', [post(), post()], { body: { version: '{0.version}' } }, 'each upsert has a new version'),
  asks('2.1-18', 'an edit that changes nothing keeps the version', [post(), patch('{0.id}', { description: 'd' })], { body: { version: '{0.version}' } }, 'each edit has a new version'),
  asks('2.1-18', 'a change has a new version', [post(), patch('{0.id}', { description: 'e' })], { differs: { version: '{0.version}' } }, 'the version does not follow changes'),
  asks(
    '2.1-18',
    'another order of contexts keeps the version',
    [post(own({ contexts: [0, 1] }), EVERYWHERE), patch('{0.id}', { contexts: [1, 0] }, EVERYWHERE)],
    { body: { version: '{0.version}' } },
    'their order counts',
  ),
  asks(
    '2.1-18',
    'another order of channel_types keeps the version',
    [post(withOption({ type: 7, channel_types: [0, 2] })), post(withOption({ type: 7, channel_types: [2, 0] }))],
    { body: { version: '{0.version}' } },
    'their order counts',
  ),
  asks('2.1-19', 'the handler of an entry point is optional', [patch('{entry}', { handler: null }, EVERYWHERE)], { body: { handler: 1 } }, 'its default is another one', ENTRY),
  takes('2.1-20', 'unknown fields are ignored', own({ commandry: 1 }), {}, REFUSED, { absent: ['commandry'] }),
  asks(
    '2.1-21',
    'a command without options has none, and null where nothing is set',
    [post()],
    { body: { type: 1, nsfw: false, default_member_permissions: null, name_localizations: null, description_localizations: null }, absent: ['options'] },
    'other fields come',
  ),
  takes(
    '2.1-22',
    'null is unset on every optional field',
    own({ type: null, options: null, default_member_permissions: null, name_localizations: null, description_localizations: null, nsfw: null }),
    { type: 1, nsfw: false },
    REFUSED,
  ),
  takes('2.1-22', 'null is unset on the fields of an option', withOption({ required: null, choices: null, min_length: null, autocomplete: null }), {}, REFUSED),
  asks('2.1-22', 'null unsets a field on an edit', [post(own({ nsfw: true })), patch('{0.id}', { nsfw: null })], { body: { nsfw: false } }, 'null keeps it, or is refused'),
  refuses('2.1-22', 'a description cannot be null', own({ description: null }), 'description', 'BASE_TYPE_REQUIRED'),
  refuses('2.1-22', 'the type of an option cannot be null', withOption({ type: null }), 'options.0.type', 'BASE_TYPE_REQUIRED'),
  refuses('2.1-22', 'a translation cannot be null', own({ name_localizations: { de: null } }), 'name_localizations.de', 'BASE_TYPE_REQUIRED'),
  takes('2.1-23', 'empty values are accepted on any option', withOption({ type: 6, autocomplete: false, required: false, choices: [], options: [], channel_types: [] }), {}, REFUSED, {
    absent: ['options.0.choices', 'options.0.channel_types'],
  }),
  refuses('2.1-24', 'a name is not a number', own({ name: 5 }), 'name', 'STRING_TYPE_CONVERT', 'numbers are taken as texts'),
  refuses('2.1-24', 'a flag is not a text', own({ nsfw: 'yes' }), 'nsfw', 'BOOLEAN_TYPE_CONVERT'),
  refuses('2.1-24', 'a type is not digits in a text', own({ type: '1' }), 'type', 'NUMBER_TYPE_COERCE', 'digits are taken as numbers'),
  refuses('2.1-24', 'a bound is not digits in a text', withOption({ type: 4, min_value: '1' }), 'options.0.min_value', 'NUMBER_TYPE_COERCE', 'digits are taken as numbers'),
  refuses('2.1-24', 'options are a list', own({ options: {} }), 'options', 'LIST_TYPE_CONVERT'),
  refuses('2.1-24', 'translations are an object', own({ name_localizations: [] }), 'name_localizations', 'DICT_TYPE_CONVERT'),
  asks(
    '2.1-25',
    'an upsert without a handler keeps it',
    [patch('{entry}', { name: 'launch', handler: 1 }, EVERYWHERE), post({ type: 4, name: 'launch' }, EVERYWHERE)],
    { body: { handler: 1 } },
    'the handler gets its default',
    ENTRY,
  ),
  refuses('2.1-26', 'white space alone does not count as a description', own({ description: '  ' }), 'description', LENGTH),
  refuses('2.1-26', 'an invisible character does not count as a description', own({ description: '\u200b' }), 'description', LENGTH),
  refuses('2.1-26', 'white space alone does not count as the name of a choice', withOption({ choices: [{ name: ' ', value: 'v' }] }), 'options.0.choices.0.name', LENGTH),
  refuses('2.2-01', 'type 5 is unknown', own({ type: 5 }), 'type', CHOICES),
  takes(
    '2.4-08',
    'names of choices may repeat',
    withOption({
      choices: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    }),
    {},
    REFUSED,
  ),
  takes('2.4-08', 'values of choices may repeat', withOption({ choices: choices('1', '1') }), {}, REFUSED),
  refuses('2.4-10', 'channel types are known ones', withOption({ type: 7, channel_types: [99] }), 'options.0.channel_types.0', CHOICES),
  refuses('2.4-10', 'channel_types rejects duplicates', withOption({ type: 7, channel_types: [0, 0] }), 'options.0.channel_types.1', TWICE),
  takes('2.4-11', 'the smallest value may be above the largest', withOption({ type: 4, min_value: 2, max_value: 1 }), {}, REFUSED),
  takes('2.4-12', 'the smallest length may be above the largest', withOption({ min_length: 2, max_length: 1 }), {}, REFUSED),
  takes('2.4-13', 'an empty list of choices is allowed beside autocomplete', withOption({ autocomplete: true, choices: [] }), {}, REFUSED),
  takes('2.4-14', 'file types are stored in lower case', withOption({ type: 11, file_types: ['.PDF'] }), { options: [{ file_types: ['.pdf'] }] }, 'they keep their case, or are not returned'),
  refuses('2.4-14', 'there are at most 10 file types', withOption({ type: 11, file_types: several(11, (i) => `.a${i}`) }), 'options.0.file_types', 'BASE_TYPE_MAX_LENGTH'),
  refuses('2.4-14', 'file types are only for attachments', withOption({ file_types: ['.pdf'] }), 'options.0.file_types', 'APPLICATION_COMMAND_OPTIONS_FILE_TYPES_INVALID'),
  asks('2.5-02', 'numbers are finite', [put('[{"name":"{name}","description":"d","options":[{"type":10,"name":"o","description":"d","min_value":1e999}]}]')], coded(400, 50035), ACCEPTED),
  takes('2.6-05', 'a choice may lie outside the range', withOption({ type: 4, max_value: 1, choices: choices(5) }), {}, REFUSED),
  refuses('2.7-02', 'a subcommand cannot have subcommands', own({ options: [sub({ options: [sub()] })] }), 'options.0.options.0', 'APPLICATION_COMMAND_OPTIONS_NESTING_INVALID', 'another code'),
  refuses('2.7-03', 'subcommands do not mix with values', own({ options: [sub(), anOption()] }), 'options.1', 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID'),
  refuses('2.8-01', 'only two installations are known', own({ integration_types: [2] }), 'integration_types.0', CHOICES, 'there is a third', EVERYWHERE),
  asks('2.8-04', 'a command of a server ignores contexts', [post(own({ contexts: [1], integration_types: [1] }))], { absent: ['contexts', 'integration_types'] }, REFUSED),
  takes('2.8-04', 'an item of a server may have the default contexts', own({ contexts: [0, 1, 2], integration_types: [0] }), {}, REFUSED, { absent: ['contexts', 'integration_types'] }),
  takes('2.10-04', 'a translation that is the default is kept', own({ name: 'same', name_localizations: { de: 'same' } }), { name_localizations: { de: 'same' } }, 'it is dropped'),
  refuses(
    '2.10-06',
    'translations of one list clash',
    own({ options: [anOption({ name: 'a', name_localizations: { de: 'x' } }), anOption({ name: 'b', name_localizations: { de: 'x' } })] }),
    'options.1.name_localizations.de',
    'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
  ),
  takes(
    '2.10-06',
    'translations of two lists do not clash',
    own({ options: [sub({ name: 'a', options: [anOption({ name_localizations: { de: 'x' } })] }), sub({ name: 'b', options: [anOption({ name_localizations: { de: 'x' } })] })] }),
    {},
    REFUSED,
  ),
  ...[
    ['q-values of Accept-Language count', { 'accept-language': 'fr;q=0.1, de;q=0.9' }, 'german'],
    ['X-Discord-Locale goes first', { 'x-discord-locale': 'fr', 'accept-language': 'de' }, 'french'],
    ['an unknown X-Discord-Locale is absent', { 'x-discord-locale': 'xx', 'accept-language': 'de' }, 'german'],
  ].map(([holds, headers, name]) =>
    asks(
      '2.10-09',
      String(holds),
      [put([own({ name_localizations: { de: 'german', fr: 'french' } })]), get(HERE, headers as never)],
      { body: [{ name_localized: name }] },
      'lists are in another language',
    ),
  ),
  takes('2.10-10', 'Arabic and Hebrew are locales', own({ description_localizations: { ar: 'a', he: 'b' } }), { description_localizations: { ar: 'a', he: 'b' } }, REFUSED),
  asks(
    '2.10-11',
    'one command has all translations',
    [post(own({ description_localizations: { de: 'x' } })), get(`${HERE}/{0.id}`)],
    { body: { name_localizations: null, description_localizations: { de: 'x' } } },
    'translations are not returned',
  ),
  asks(
    '8-04',
    'texts of choices count',
    [put([own({ options: several(2, (i) => anOption({ name: `o${i}`, choices: several(25, (j) => ({ name: `${j}`.padEnd(100, 'n'), value: `${j}`.padEnd(100, 'v') })) })) })])],
    invalidAt('', 'APPLICATION_COMMAND_TOO_LARGE'),
    'only names count',
  ),
  takes(
    '8-04',
    'numbers of choices do not count',
    own({ options: several(3, (i) => anOption({ type: 4, name: `o${i}`, choices: several(25, (j) => ({ name: `${j}`.padEnd(100, 'n'), value: 9e15 + j })) })) }),
    {},
    'digits count',
  ),
]
