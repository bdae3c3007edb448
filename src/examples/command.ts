/** How to break the rules about one command, and about a list of them. */
import type { availabilityRules } from '../command/availability-rules.ts'
import type { commandRules, patchRules } from '../command/command-rules.ts'
import { commandCount, COMMANDS_MAX, type commandListRules } from '../command/commands.ts'
import { descriptionLength, entryPointDescription, type descriptionRules } from '../command/description.ts'
import type { localizedRules } from '../command/localized-text-rules.ts'
import { nameLength, type nameRules } from '../command/name.ts'
import { SIZE_MAX, sizeOf, type sizeRules } from '../command/size.ts'
import { CommandType, OptionType } from '../command/types.ts'
import {
  broken,
  contextMenu,
  either,
  entryPoint,
  field,
  fieldOf,
  get,
  oneOf,
  put,
  several,
  slash,
  smallestSlash,
  someHolder,
  text,
  wrongTexts,
  type Body,
  type Breaks,
  type BreaksOf,
} from './breaking.ts'
import { optionExamples } from './option.ts'
import { shapeExamples } from './shape.ts'

const { STRING } = OptionType
const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType

const options = [{ type: STRING, name: 'a', description: 'b' }]

const typeExamples: BreaksOf<typeof commandRules> = {
  'command.type': oneOf([0, 5, '1', 1.5], (type) => field('type', type)),
  'command.options': oneOf([contextMenu, entryPoint], (kind) => fieldOf(kind, 'options', options)),
}

const nameExamples: BreaksOf<typeof nameRules> = {
  'name.length': oneOf(wrongTexts(nameLength), (name) => text('name', name)),
  'name.characters': text('name', 'a b', slash),
  'name.case': text('name', 'É', slash),
  'name.apostrophe': text('name', "o'clock", slash),
  'name.white_space': fieldOf(contextMenu, 'name', 'A '),
  'name.invisible': oneOf(['A\u0007B', '\u200b'], (name) => fieldOf(contextMenu, 'name', name)),
}

const descriptionExamples: BreaksOf<typeof descriptionRules> = {
  'description.length': oneOf(wrongTexts(descriptionLength), (value) => text('description', value, slash)),
  'description.entry_point': oneOf(wrongTexts(entryPointDescription), (value) =>
    fieldOf(entryPoint, 'description', value),
  ),
  'description.forbidden': either(
    fieldOf(contextMenu, 'description', 'b'),
    fieldOf(contextMenu, 'description_localizations', { de: 'b' }),
  ),
}

/** Sets the translations of a description, which depend on the default. */
function translation(dictionary: (description: string) => object, ...below: string[]): Breaks {
  return (body: Body, pick) => {
    const place = someHolder(slash(body), pick)
    const value = dictionary(get(slash(body), [...place, 'description']) as string)
    return broken(slash(body), [...place, 'description_localizations'], value, ...below)
  }
}

const localizedExamples: BreaksOf<typeof localizedRules> = {
  'localization.locale'(body: Body, pick) {
    const place = someHolder(slash(body), pick)
    const dictionary = pick(2) === 0 ? 'name_localizations' : 'description_localizations'
    return broken(slash(body), [...place, dictionary, 'pt_BR'], 'x')
  },
  'localization.fallback': translation((text) => ({ 'en-GB': text === 'x' ? 'y' : 'x' })),
  'localization.default': translation((text) => ({ de: text }), 'de'),
}

const availabilityExamples: BreaksOf<typeof availabilityRules> = {
  'default_member_permissions.value': oneOf(['0x8', '-1', 1.5, '18446744073709551616'], (bits) =>
    field('default_member_permissions', bits),
  ),
  'default_member_permissions.unknown_bits': field('default_member_permissions', String(1n << 60n)),
  'contexts.empty': field('contexts', []),
  'contexts.known': field('contexts', [0, 9], 1),
  'contexts.repeated': field('contexts', [0, 0], 1),
  'contexts.private_channel': (body: Body) =>
    broken(put(body, ['integration_types'], [0]), ['contexts'], [0, 2], 1),
  'integration_types.empty': field('integration_types', []),
  'integration_types.known': field('integration_types', [0, 9], 1),
  'integration_types.repeated': field('integration_types', [0, 0], 1),
  'integration_types.supported': field('integration_types', [0, 1], 1),
  'nsfw.discoverable': field('nsfw', true),
  'handler.known': fieldOf(entryPoint, 'handler', 3),
  'handler.type': fieldOf((body) => (body.type === PRIMARY_ENTRY_POINT ? slash(body) : body), 'handler', 1),
  'handler.embedded': fieldOf(entryPoint, 'handler', 1),
  'entry_point.guild': (body: Body) => ({ body: entryPoint(body), path: ['type'] }),
  'field.deprecated': oneOf(['dm_permission', 'default_permission'], (name) => field(name, true)),
  'field.no_effect': oneOf(['contexts', 'integration_types'], (name) => field(name, [0])),
}

const sizeExamples: BreaksOf<typeof sizeRules> = {
  'command.size'(body: Body) {
    const choices = several(25, (i) => ({ name: `${i}`.padEnd(100, 'n'), value: `${i}`.padEnd(100, 'v') }))
    const option = { type: STRING, description: 'b' }
    const options = [
      { ...option, name: 'o0', choices },
      { ...option, name: 'o1', choices: choices.slice(0, 14) },
    ]
    const rest = SIZE_MAX + 1 - sizeOf(put(slash(body), ['options'], options))
    const last = { name: 'n'.repeat(Math.ceil(rest / 2)), value: 'v'.repeat(Math.floor(rest / 2)) }
    options[1]!.choices.push(last)
    return { body: put(slash(body), ['options'], options), path: [] }
  },
}

/** How to break the rules about one command. */
export const commandExamples = {
  ...typeExamples,
  ...nameExamples,
  ...descriptionExamples,
  ...localizedExamples,
  ...availabilityExamples,
  ...optionExamples,
  ...sizeExamples,
  ...shapeExamples,
}

/** How to break the rules about the body of an edit. */
export const patchExamples: BreaksOf<typeof patchRules> = {
  'patch.type': (body: Body) => broken(body, ['type'], slash(body) === body ? USER : CHAT_INPUT),
}

// --- Lists of commands ----------------------------------------------------------------------------------------

/** One command more than a list can have, of which the first ones exceed no limit of a type. */
function tooMany(): Body[] {
  const types = [CHAT_INPUT, USER, MESSAGE].flatMap((type) => several(COMMANDS_MAX[type], () => type))
  return several(Number(commandCount.limit!.max) + 1, (i) => {
    const type = types[i] ?? PRIMARY_ENTRY_POINT
    return { type, name: `c${i}`, ...(type === CHAT_INPUT && { description: 'b' }) }
  })
}

function tooManyOf(type: CommandType, sample: Body): Breaks {
  const max = COMMANDS_MAX[type]
  const body = several(max + 1, (i) => ({ ...sample, name: `${sample.name}${i}` }))
  return () => ({ body, path: [max] })
}

/** How to break the rules about lists of commands. */
export const commandListExamples: BreaksOf<typeof commandListRules> = {
  'commands.count': () => ({ body: tooMany(), path: [] }),
  'commands.unique'(bodies: Body[]) {
    const twin = bodies.find(({ type }) => type !== PRIMARY_ENTRY_POINT) ?? smallestSlash
    const { id, ...again } = twin
    const kept = bodies.includes(twin) ? bodies : [...bodies, twin]
    return { body: [...kept, again], path: [kept.length] }
  },
  'commands.id': () => ({
    body: ['a', 'c'].map((name) => ({ id: '1', name, description: 'b' })),
    path: [1, 'id'],
  }),
  'commands.count_chat_input': tooManyOf(CHAT_INPUT, smallestSlash),
  'commands.count_user': tooManyOf(USER, { type: USER, name: 'A' }),
  'commands.count_message': tooManyOf(MESSAGE, { type: MESSAGE, name: 'A' }),
  'commands.count_entry_point': tooManyOf(PRIMARY_ENTRY_POINT, entryPoint({})),
}
