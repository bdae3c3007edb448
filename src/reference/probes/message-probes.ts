/** Probes of messages, with which a bot sees the rules of answers, and of the codes of acts in a server. */
import { several } from '../examples/breaking.ts'
import { ACCEPTED, asks, coded, invalidAt, MESSAGES, patch, post, REFUSED, type ExpectedResponse, type Probe } from './probe.ts'

const LENGTH = 'BASE_TYPE_BAD_LENGTH'
const REQUIRED = 'BASE_TYPE_REQUIRED'

const sends = (clause: string, holds: string, body: object, expects: ExpectedResponse, otherwise: string) => asks(clause, holds, [post(body, MESSAGES)], expects, otherwise)
const taken = (clause: string, holds: string, body: object, found: object = {}) => sends(clause, holds, body, { body: found }, REFUSED)
const refused = (clause: string, holds: string, body: object, at: string, code: string) => sends(clause, holds, body, invalidAt(at, code), ACCEPTED)
const embed = (fields: object) => ({ embeds: [{ description: 'd', ...fields }] })
const row = (...components: readonly object[]) => ({ content: 'c', components: [{ type: 1, components }] })
const button = (fields: object = {}) => ({ type: 2, style: 1, label: 'l', custom_id: 'b', ...fields })
const choice = (index: number) => ({ label: 'l', value: `${index}` })
const menu = (fields: object = {}) => ({ type: 3, custom_id: 'm', options: [choice(0)], ...fields })
const act = (holds: string, method: string, path: string, expects: ExpectedResponse, body?: unknown) =>
  asks('7-01', holds, [{ method, path, ...(body !== undefined && { body }) }], expects, 'another code')
const GUILD = '/guilds/{guild}'
const UNKNOWN = '{application}'

const POLL = { poll: { question: { text: 'q' }, answers: [{ poll_media: { text: 'a' } }] } }

export const messageProbes: readonly Probe[] = [
  refused('2.11-09', 'an embed without content lacks its description', { embeds: [{}] }, 'embeds.0.description', REQUIRED),
  sends('2.11-09', 'white space alone does not count as content', { content: ' ' }, coded(400, 50006), REFUSED),
  taken('2.11-09', 'an empty address is unset', embed({ url: '' })),
  refused('2.11-09', 'an address has two slashes', embed({ url: 'https:x' }), 'embeds.0.url', 'URL_TYPE_INVALID_URL'),
  taken('2.11-09', 'the host of an address is not looked at', embed({ url: 'https://x' })),
  taken('2.11-09', 'flags that an app cannot set are ignored', { content: 'c', flags: 1 }),
  refused('2.11-09', 'max_values is at most the number of options', row(menu({ max_values: 5 })), 'components.0.components.0.options', LENGTH),
  refused('2.11-09', 'without max_values, min_values is at most 1', row(menu({ min_values: 3 })), 'components.0.components.0.min_values', 'NUMBER_TYPE_MAX'),
  refused('2.11-09', 'the text of a footer is not empty', embed({ footer: { text: '' } }), 'embeds.0.footer.text', REQUIRED),
  refused('2.11-09', 'the name of an author is not empty', embed({ author: { name: '' } }), 'embeds.0.author.name', REQUIRED),
  refused('2.11-09', 'a button without a label is refused', row(button({ label: undefined })), 'components.0.components.0.label', REQUIRED),
  refused('2.11-09', 'content has at most 2000 characters', { content: 'c'.repeat(2001) }, 'content', 'BASE_TYPE_MAX_LENGTH'),
  refused('2.11-09', 'there are at most 10 embeds', { embeds: several(11, () => ({ description: 'd' })) }, 'embeds', 'BASE_TYPE_MAX_LENGTH'),
  refused('2.11-09', 'there are at most 25 fields', embed({ fields: several(26, () => ({ name: 'n', value: 'v' })) }), 'embeds.0.fields', 'BASE_TYPE_MAX_LENGTH'),
  refused('2.11-09', 'embeds have at most 6000 characters', { embeds: several(2, () => ({ description: 'd'.repeat(3001) })) }, 'embeds', 'MAX_EMBED_SIZE_EXCEEDED'),
  refused('2.11-09', 'there are at most 5 rows', { content: 'c', components: several(6, (i) => ({ type: 1, components: [button({ custom_id: `b${i}` })] })) }, 'components', 'BASE_TYPE_MAX_LENGTH'),
  refused('2.11-09', 'a row has at most 5 buttons', row(...several(6, (i) => button({ custom_id: `b${i}` }))), 'components.0.components', LENGTH),
  refused('2.11-09', 'a menu has at most 25 options', row(menu({ options: several(26, choice) })), 'components.0.components.0.options', LENGTH),
  sends('2.11-12', 'a message without anything is refused', {}, coded(400, 50006), ACCEPTED),
  refused('2.11-12', 'errors of the form come before the empty message', { content: '', embeds: [{ color: 'x', description: 'd' }] }, 'embeds.0.color', 'NUMBER_TYPE_COERCE'),
  asks('2.11-12', 'an edit cannot empty a message', [post({ content: 'c' }, MESSAGES), patch('{0.id}', { content: '' }, MESSAGES)], coded(400, 50006), ACCEPTED),
  asks(
    '2.11-12',
    'an edit may set IS_COMPONENTS_V2',
    [post({ content: 'c' }, MESSAGES), patch('{0.id}', { content: null, flags: 32768, components: [{ type: 10, content: 't' }] }, MESSAGES)],
    { body: { flags: 32768 } },
    REFUSED,
  ),
  asks(
    '2.11-12',
    'an edit cannot remove IS_COMPONENTS_V2',
    [post({ flags: 32768, components: [{ type: 10, content: 't' }] }, MESSAGES), patch('{0.id}', { flags: 0 }, MESSAGES)],
    { body: { flags: 32768 } },
    'the flag goes, or it is refused',
  ),
  refused('2.11-14', 'a reply needs its message', { content: 'c', message_reference: { message_id: UNKNOWN } }, 'message_reference', 'REPLIES_UNKNOWN_MESSAGE'),
  refused('2.11-14', 'the name of an emoji is one', row(button({ emoji: { name: 'x' } })), 'components.0.components.0.emoji.name', 'BUTTON_COMPONENT_INVALID_EMOJI'),
  taken('2.11-14', 'a missing attachment of an embed is ignored', embed({ image: { url: 'attachment://a.png' } })),
  refused(
    '2.11-14',
    'a missing attachment of a gallery is refused',
    { flags: 32768, components: [{ type: 12, items: [{ media: { url: 'attachment://a.png' } }] }] },
    'components.0.items.0.media.url',
    'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
  ),
  refused('2.11-14', 'numeric ids of components are unique', row(button({ id: 7 }), button({ id: 7, custom_id: 'c' })), 'components.0.components.1.id', 'COMPONENT_ID_DUPLICATED'),
  taken('2.11-16', 'an integer is taken as content', { content: 4 }, { content: '4' }),
  taken('2.11-16', 'digits are taken as a colour', embed({ color: '255' }), { embeds: [{ color: 255 }] }),
  taken('2.11-16', 'the texts of a field may be empty', embed({ fields: [{ name: '', value: '' }] })),
  refused('2.11-16', 'content cannot be a list', { content: [] }, 'content', 'STRING_TYPE_CONVERT'),
  act('an unknown channel', 'GET', `/channels/${UNKNOWN}`, coded(404, 10003)),
  act('an unknown server', 'GET', `/guilds/${UNKNOWN}`, coded(404, 10004)),
  act('an unknown message', 'GET', `${MESSAGES}/${UNKNOWN}`, coded(404, 10008)),
  act('an unknown user', 'GET', `/users/{channel}`, coded(404, 10013)),
  act('an unknown user as a member', 'GET', `${GUILD}/members/{channel}`, coded(404, 10013)),
  act('an unknown role', 'PATCH', `${GUILD}/roles/{channel}`, coded(404, 10011), {}),
  act('an unknown emoji of a server', 'GET', `${GUILD}/emojis/${UNKNOWN}`, coded(404, 10014)),
  act('an unknown ban', 'GET', `${GUILD}/bans/{channel}`, coded(404, 10026)),
  act('an unknown invite', 'GET', '/invites/commandry-unknown', coded(404, 10006)),
  act('an unknown webhook', 'GET', `/webhooks/${UNKNOWN}`, coded(404, 10015)),
  act('an unknown interaction', 'POST', '/interactions/{application}/commandry/callback', coded(404, 10062), { type: 5 }),
  act('an unknown answer', 'GET', '/webhooks/{application}/commandry/messages/@original', coded(404, 10015)),
  act('an unknown voice state', 'GET', `${GUILD}/voice-states/{bot}`, coded(404, 10065)),
  act('messages that are too old', 'POST', `${MESSAGES}/bulk-delete`, coded(400, 50034), { messages: ['100000000000000000', '100000000000000001'] }),
  asks('7-01', 'a category does not take messages', [post({ name: '{place}', type: 4 }, `${GUILD}/channels`), post({ content: 'c' }, '/channels/{0.id}/messages')], coded(400, 50008), 'another code'),
  asks(
    '7-01',
    'a category does not take threads',
    [post({ name: '{place}', type: 4 }, `${GUILD}/channels`), post({ name: 't', type: 11 }, '/channels/{0.id}/threads')],
    coded(400, 50024),
    'another code',
  ),
  asks('7-01', 'a poll cannot be edited', [post(POLL, MESSAGES), patch('{0.id}', { content: 'c' }, MESSAGES)], coded(400, 520003), 'another code'),
  act('an unknown sticker', 'POST', MESSAGES, coded(400, 50081), { sticker_ids: [UNKNOWN] }),
  act('@everyone cannot be given', 'PUT', `${GUILD}/members/{bot}/roles/{guild}`, coded(400, 50028)),
  act('a bot cannot write to itself', 'POST', '/users/@me/channels', coded(400, 50033), { recipient_id: '{bot}' }),
  asks('7-01', 'a reaction needs an emoji', [post({ content: 'c' }, MESSAGES), { method: 'PUT', path: `${MESSAGES}/{0.id}/reactions/x/@me` }], coded(400, 10014), 'another code'),
  asks('7-01', 'a message without a poll cannot end one', [post({ content: 'c' }, MESSAGES), { method: 'POST', path: '/channels/{channel}/polls/{0.id}/expire' }], coded(400, 520006), 'another code'),
  asks('7-01', 'a message has one thread', [post({ content: 'c' }, MESSAGES), ...several(2, () => post({ name: 't' }, `${MESSAGES}/{0.id}/threads`))], coded(400, 160004), 'another code'),
  asks(
    '7-01',
    'only an administrator gives MANAGE_ROLES in a new channel',
    [post({ name: '{place}', permission_overwrites: [{ id: '{guild}', type: 0, allow: '268435456' }] }, `${GUILD}/channels`)],
    coded(403, 50013),
    'MANAGE_ROLES is enough',
    'no administrator',
  ),
]
