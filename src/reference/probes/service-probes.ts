/** Probes of sections 1 and 4 to 9: lists, permissions, tokens, errors, limits and paths. */
import { several } from '../examples/breaking.ts'
import { ACCEPTED, asks, coded, EVERYWHERE, get, HERE, invalidAt, anOption, own, patch, post, put, user, type Probe } from './probe.ts'

const OTHER = '/applications/{guild}/commands'
const PERMISSIONS = `${HERE}/{0.id}/permissions`
const numbered = (count: number) => several(count, (i) => own({ name: `c${i}` }))
const invalid = own({ description: '' })

export const serviceProbes: readonly Probe[] = [
  asks('1-03', 'a server without the app is refused', [post(own(), '/applications/{application}/guilds/{application}/commands')], coded(403, 50001), 'another code'),
  asks('4.1-07', 'one broken item refuses the list', [post(), put([own({ name: '{name}b' }), invalid]), get(`${HERE}/{0.id}`)], { body: { id: '{0.id}' } }, 'valid items are written'),
  asks('4.1-07', 'an item with an id may have another name', [post(), put([own({ id: '{0.id}', name: '{name}b' })])], { body: [{ id: '{0.id}' }] }, 'a renamed command has a new id'),
  asks('4.1-07', 'an item with a known type and name keeps the id', [post(), put([own({ description: 'e' })])], { body: [{ id: '{0.id}' }] }, 'each overwrite makes new ids'),
  asks('4.1-07', 'two items of one type and name are refused', [put([own(), own()])], invalidAt('1', 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique'), ACCEPTED),
  asks('4.2-07', 'an upsert resets what it leaves out, and keeps the id', [post(own({ nsfw: true })), post()], { body: { id: '{0.id}', nsfw: false } }, 'it keeps what it leaves out'),
  asks('4.2-07', 'an edit cannot take a name in use', [post(), post(own({ name: '{name}b' })), patch('{1.id}', { name: '{name}' })], coded(400, 40041), ACCEPTED),
  asks('4.3-02', 'the permissions of a command without any are unknown', [post(), get(PERMISSIONS)], coded(404, 10066), 'an empty list comes'),
  asks('4.3-04', 'the list of permissions cannot be put', [put([], `${HERE}/permissions`)], coded(405, 0), 'another status'),
  asks('5-01', 'a missing token is refused', [get(EVERYWHERE, { authorization: '' })], coded(401, 0), 'another code'),
  asks('5-01', 'the token of another application is refused', [get(OTHER)], coded(403, 20012), 'another code'),
  asks('5-02', 'a bot cannot set permissions', [post(), put({ permissions: [] }, PERMISSIONS)], coded(403, 20001), 'bots may set permissions'),
  asks('6-07', 'the list of members needs the intent', [get('/guilds/{guild}/members?limit=1')], coded(403, 50001), 'it is open to every bot', 'no members intent'),
  asks(
    '7-01',
    'all problems come at once',
    [put([own({ name: 'A b', description: '' }), user({ description: 'x' })])],
    {
      ...invalidAt('0.name', 'APPLICATION_COMMAND_INVALID_NAME'),
      errors: [
        '0.name STRING_TYPE_REGEX',
        '0.name APPLICATION_COMMAND_INVALID_NAME',
        '0.description BASE_TYPE_BAD_LENGTH',
        '1.description APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID',
      ].flatMap((line) => invalidAt(line.split(' ')[0]!, line.split(' ')[1]!).errors!),
    },
    'there are two passes',
  ),
  asks(
    '7-01',
    'an error of a list stands beside those of its items',
    [put([own({ options: several(26, (i) => anOption({ name: `o${i}`, description: i === 3 ? '' : 'd' })) })])],
    { ...coded(400, 50035), errors: [...invalidAt('0.options.3.description', 'BASE_TYPE_BAD_LENGTH').errors!, ...invalidAt('0.options.25', 'BASE_TYPE_MAX_LENGTH').errors!] },
    'it stands at the list, or alone',
  ),
  asks(
    '7-01',
    'ids of a path come before the token of another application',
    [get('/applications/x/guilds/y/commands')],
    {
      ...coded(400, 50035),
      errors: [...invalidAt('application_id', 'NUMBER_TYPE_COERCE').errors!, ...invalidAt('guild_id', 'NUMBER_TYPE_COERCE').errors!],
    },
    'another order of checks',
  ),
  asks('7-01', 'a token of another application comes before the body', [post(invalid, OTHER)], coded(403, 20012), 'another order of checks'),
  asks('7-01', 'an unknown command comes before the body', [patch('{application}', { description: '' })], coded(404, 10063), 'another order of checks'),
  asks('7-01', 'an unknown route comes before the token', [get('/commandry', { authorization: '' })], coded(404, 0), 'another order of checks'),
  asks('7-01', 'a method comes before the token', [{ method: 'DELETE', path: EVERYWHERE, headers: { authorization: '' } }], coded(405, 0), 'another order of checks'),
  asks('7-01', 'invalid JSON has its own code', [post('{')], coded(400, 50109), 'another code'),
  asks('7-01', 'a problem of an item comes before the count', [put([...numbered(101), invalid])], invalidAt('101.description', 'BASE_TYPE_BAD_LENGTH'), 'another order of checks'),
  asks('8-01', '101 slash commands are too many', [put(numbered(101))], { ...coded(400, 30032), body: { message: 'Maximum number of application commands reached (100)' } }, 'another count'),
  ...[2, 3].map((type) =>
    asks(
      '8-01',
      `16 commands of type ${type} are too many`,
      [put(several(16, (i) => user({ type, name: `c${i}` })))],
      { ...coded(400, 30032), body: { message: 'Maximum number of application commands reached (15)' } },
      'another count',
    ),
  ),
  asks('8-01', '132 commands are too long a list', [put(numbered(132))], invalidAt('', 'BASE_TYPE_MAX_LENGTH', 'Must be 130 or fewer in length.'), 'another count'),
  asks('8-01', 'a second entry point is too many', [post({ type: 4, name: 'second' }, EVERYWHERE)], coded(400, 30032), 'another code', 'activity'),
  ...['/api', '/api/v6', '/api/v9'].map((path) => asks('9-04', `${path} answers as v10`, [get(`/../..${path}/applications/@me`)], { body: { id: '{application}' } }, 'that version has ended')),
]
