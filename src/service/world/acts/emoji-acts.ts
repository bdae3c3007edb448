/** Acts on the emojis of servers, and what those of applications share with them. */
import { listOf, nullable, objectOf } from '../../../core/rules/readers.ts'
import { SPLIT_PERMISSIONS } from '../../../model/platform.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { bodyId, image, isAnimated, textBetween } from '../body-fields.ts'
import { addEmoji, dropEmoji, serverEmojis, setEmoji, type EmojiHolder } from '../emojis.ts'
import type { OwnEmoji, ServerState } from '../entities.ts'
import type { Party } from '../party.ts'
import { serverAct, type FurtherNeed, type ActInput } from './act.ts'

const MAX_OF_SERVER = 50

export const ofNewEmoji = objectOf({ name: textBetween(2, 32), image, roles: nullable(listOf(bodyId)) })
export const ofChangedEmoji = objectOf({
  name: nullable(textBetween(2, 32)),
  roles: nullable(listOf(bodyId)),
})

type NewEmoji = NonNullable<ReturnType<typeof ofNewEmoji>>

/** @throws Refused */
export function checkEmojiName(name: string | undefined): void {
  if (name !== undefined && !/^\w+$/.test(name))
    throw invalidField('name', 'String value did not match validation regex.', 'STRING_TYPE_REGEX')
}

/** @throws Refused for an invalid name, and for one emoji more than a holder may have */
export function checkNewEmoji({ emojis }: EmojiHolder, { name }: NewEmoji, most: number): void {
  checkEmojiName(name)
  if (emojis.length >= most) throw new Refused('too_many_emojis', `${most}`)
}

export function createEmojiFor(
  by: Party,
  holder: EmojiHolder,
  { name, image, roles = [] }: NewEmoji,
): OwnEmoji {
  const fields = { name, roles, animated: isAnimated(image), user: by.user }
  const emoji = addEmoji(by.world, holder, fields)
  by.keepImage(emoji.id, image)
  return emoji
}

export const createEmoji = serverAct({
  summary: 'Create an emoji of a server',
  needs: ['CREATE_GUILD_EXPRESSIONS'],
  // Before the split of the permissions, those who manage emojis created them.
  exempt: (by, server) =>
    !by.world.platform.has(SPLIT_PERMISSIONS) && by.hasInstead(server, 'MANAGE_GUILD_EXPRESSIONS'),
  event: 'GUILD_EMOJIS_UPDATE',
  logs: 'EMOJI_CREATE',
  on: [],
  body: ofNewEmoji,
  check: ({ world }, { body }, { id }) => checkNewEmoji(serverEmojis(world, id), body, MAX_OF_SERVER),
  do: (by, { body }, { id }) => createEmojiFor(by, serverEmojis(by.world, id), body),
})

/** Who created an emoji needs only the permission to create them. */
const isOwn = ({ ownEmoji }: ActInput<'ownEmoji', unknown>, server: ServerState, by: Party) =>
  ownEmoji.user.id === by.user.id && by.hasIn(server, 'CREATE_GUILD_EXPRESSIONS')

const managing: readonly FurtherNeed<ActInput<'ownEmoji', unknown>, ServerState>[] = [
  { permission: 'CREATE_GUILD_EXPRESSIONS', for: 'an own emoji', when: isOwn },
  {
    permission: 'MANAGE_GUILD_EXPRESSIONS',
    for: 'an emoji of another',
    when: (given, server, by) => !isOwn(given, server, by),
  },
]

export const changeEmoji = serverAct({
  summary: 'Change an emoji of a server',
  event: 'GUILD_EMOJIS_UPDATE',
  logs: 'EMOJI_UPDATE',
  on: ['ownEmoji'],
  body: ofChangedEmoji,
  further: managing,
  check: (_, { body }) => checkEmojiName(body.name),
  do: ({ world }, { ownEmoji, body }, { id }) => setEmoji(world, serverEmojis(world, id), ownEmoji, body),
})

export const deleteEmoji = serverAct({
  summary: 'Delete an emoji of a server',
  event: 'GUILD_EMOJIS_UPDATE',
  logs: 'EMOJI_DELETE',
  on: ['ownEmoji'],
  further: managing,
  do: ({ world }, { ownEmoji }, { id }) => dropEmoji(world, serverEmojis(world, id), ownEmoji),
})
