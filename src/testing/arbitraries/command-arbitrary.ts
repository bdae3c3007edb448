/** Generators of valid commands, sets of commands, and permissions. */
import { checkConstraints } from './constraints.ts'
import fc, { type Arbitrary } from 'fast-check'
import type { CommandBody } from '../../model/command-definition.ts'
import type { availabilityFields } from '../../commands/definition/fields/availability-fields.ts'
import { DESCRIPTION_MAX } from '../../commands/definition/rules/command-rules.ts'
import { CommandType } from '../../model/command-types.ts'
import { commandKey } from '../../model/command-definition.ts'
import { SIZE_MAX } from '../../commands/definition/rules/size-rules.ts'
import { ofSize, tooManyCommands } from '../../reference/examples/command-examples.ts'
import { nestedOptions, valueOptions, type OptionConstraints } from './option-arbitrary.ts'
import {
  exactly,
  freeName,
  lengths,
  localizations,
  snowflake,
  strictName,
  text,
  type LocalizedConstraints,
} from './text-arbitrary.ts'

const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType

/** The texts, options and scope of generated commands. */
export interface CommandConstraints extends OptionConstraints {
  /** Only the global scope has entry points. Default `'global'`. */
  readonly scope?: 'global' | 'guild'
}

/** The commands of a generated set, and their number. */
export interface CommandSetConstraints extends CommandConstraints {
  /** At most 131, the limit; many generated sets have this length. Default 8. */
  readonly maxCommands?: number
}

const bits = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 53n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) },
  { weight: 1, arbitrary: fc.nat({ max: 63 }).map((bit) => 2n ** BigInt(bit)) },
)

type AvailabilityField = keyof typeof availabilityFields

/** A generator for each field of a table: the compiler reports a missing one. */
type Generators<Field extends string> = Readonly<Record<Field, Arbitrary<unknown>>>

const availability = fc.record(
  {
    default_member_permissions: fc.oneof(fc.constant(null), bits.map(String), fc.nat(), fc.constant('0')),
    nsfw: fc.boolean(),
    dm_permission: fc.constantFrom(true, false, null),
    default_permission: fc.boolean(),
    contexts: fc.option(fc.shuffledSubarray([0, 1, 2] as const, { minLength: 1 }), { nil: null }),
    integration_types: fc.shuffledSubarray([0, 1] as const, { minLength: 1 }),
  } satisfies Generators<Exclude<AvailabilityField, 'handler'>>,
  { requiredKeys: [] },
)

/** @param required the fields that are never absent, besides the name */
function commandOf(
  name: Arbitrary<string>,
  constraints: LocalizedConstraints,
  required: readonly string[],
  fields: { readonly [field: string]: Arbitrary<unknown> },
): Arbitrary<CommandBody> {
  const name_localizations = fc.option(localizations(name, constraints), { nil: null })
  const all: typeof fields = { name, name_localizations, ...fields }
  const texts = fc.record(all, { requiredKeys: ['name', ...required] })
  return fc.tuple(texts, availability).map(([body, rest]) => ({ ...body, ...rest }) as object as CommandBody)
}

/**
 * The body of a slash command with options, subcommands and groups of every kind.
 *
 * @example slashCommand({ maxOptions: 3, locales: ['de'], style: 'plain' })
 */
export function slashCommand(constraints: OptionConstraints = {}): Arbitrary<CommandBody> {
  checkConstraints(constraints)
  const description = text(DESCRIPTION_MAX, constraints)
  const options = valueOptions(constraints)
  const usual = commandOf(strictName(constraints), constraints, ['description'], {
    type: fc.constant(CHAT_INPUT),
    description,
    description_localizations: fc.option(localizations(description, constraints), { nil: null }),
    options: constraints.maxOptions === 0 ? options : fc.oneof(options, nestedOptions(constraints)),
  } satisfies Generators<Exclude<keyof CommandBody, AvailabilityField | 'name' | 'name_localizations'>>)
  if ((constraints.maxOptions ?? 2) < 2 || (constraints.maxChoices ?? 0) < 25) return usual
  const largest = fc
    .tuple(usual, fc.integer({ min: 0, max: 20 }))
    .map(([body, fewer]) => ofSize(body, SIZE_MAX - fewer) as CommandBody)
  return fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: largest })
}

/** The body of a user or message command. */
export function contextCommand(constraints: LocalizedConstraints = {}): Arbitrary<CommandBody> {
  checkConstraints(constraints)
  const type = fc.constantFrom(USER, MESSAGE)
  const description = fc.constantFrom('', null)
  return commandOf(freeName(constraints), constraints, ['type'], { type, description })
}

/** The body of an entry point command. */
export function entryPointCommand(constraints: LocalizedConstraints = {}): Arbitrary<CommandBody> {
  checkConstraints(constraints)
  return commandOf(freeName(constraints), constraints, ['type'], {
    type: fc.constant(PRIMARY_ENTRY_POINT),
    description: fc.oneof(fc.constant(''), text(DESCRIPTION_MAX, constraints)),
    handler: fc.constantFrom(1, 2),
  })
}

/** The body of a command of any type that a scope can have. */
export function command(constraints: CommandConstraints = {}): Arbitrary<CommandBody> {
  checkConstraints(constraints)
  const { scope = 'global', ...rest } = constraints
  return fc.oneof(
    { weight: 6, arbitrary: slashCommand(rest) },
    { weight: 2, arbitrary: contextCommand(rest) },
    ...(scope === 'global' ? [{ weight: 1, arbitrary: entryPointCommand(rest) }] : []),
  )
}

const USUAL_COMMANDS = 8

/** The bodies of a bulk overwrite: names differ by type, and there is at most one entry point. */
export function commandSet(constraints: CommandSetConstraints = {}): Arbitrary<readonly CommandBody[]> {
  checkConstraints(constraints)
  const { maxCommands = USUAL_COMMANDS, ...rest } = constraints
  return lengths(maxCommands, USUAL_COMMANDS).chain((length) => {
    if (length > USUAL_COMMANDS) return fc.constant(longSet(rest.scope).slice(0, length))
    return fc.uniqueArray(command(rest), {
      maxLength: length,
      selector: ({ type = CHAT_INPUT, name }) =>
        type === PRIMARY_ENTRY_POINT ? 'entry point' : commandKey({ type, name }),
    })
  })
}

/** Small commands of every type, up to the limit of each. */
function longSet(scope: CommandConstraints['scope']): readonly CommandBody[] {
  const all = tooManyCommands() as CommandBody[]
  return scope === 'guild' ? all.filter(({ type }) => type !== PRIMARY_ENTRY_POINT) : all.slice(0, -1)
}

/** The permission entries of a command; `maxEntries` is up to 100, the limit, and 10 by default. */
export function permissions(
  constraints: { readonly maxEntries?: number } = {},
): Arbitrary<readonly { readonly id: string; readonly type: 1 | 2 | 3; readonly permission: boolean }[]> {
  checkConstraints(constraints)
  const { maxEntries = 10 } = constraints
  const entry = fc.record({
    id: snowflake(),
    type: fc.constantFrom(1 as const, 2 as const, 3 as const),
    permission: fc.boolean(),
  })
  return lengths(maxEntries, 10).chain((length) => exactly(length, entry))
}
