/** Whole commands, sets of them, and permissions: valid bodies of every kind an author may write. */
import fc, { type Arbitrary } from 'fast-check'
import { DESCRIPTION_MAX } from '../command/description.ts'
import { CommandType } from '../command/kinds.ts'
import { identity } from '../command/set.ts'
import { nestedOptions, valueOptions, type Body } from './option.ts'
import { freeName, localizations, snowflake, strictName, text } from './text.ts'

const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType

const bits = fc.bigInt({ min: 0n, max: 2n ** 53n })

/** What any command may say about who is offered it, and where. */
const exposure = fc.record(
  {
    default_member_permissions: fc.oneof(fc.constant(null), bits.map(String), fc.nat(), fc.constant('0')),
    nsfw: fc.boolean(),
    dm_permission: fc.constantFrom(true, false, null),
    default_permission: fc.boolean(),
    contexts: fc.option(fc.shuffledSubarray([0, 1, 2], { minLength: 1 }), { nil: null }),
    integration_types: fc.shuffledSubarray([0, 1], { minLength: 1 }),
  },
  { requiredKeys: [] },
)

/** The body of a slash command with options, subcommands and groups of every kind. */
export function slashCommand(): Arbitrary<Body> {
  const description = text(DESCRIPTION_MAX)
  return fc
    .tuple(
      fc.record(
        {
          type: fc.constant(CHAT_INPUT),
          name: strictName(),
          name_localizations: fc.option(localizations(strictName()), { nil: null }),
          description,
          description_localizations: fc.option(localizations(description), { nil: null }),
          options: fc.oneof(valueOptions(), nestedOptions()),
        },
        { requiredKeys: ['name', 'description'] },
      ),
      exposure,
    )
    .map(([texts, rest]) => ({ ...texts, ...rest }))
}

/** The body of a user or message command. */
export function contextCommand(): Arbitrary<Body> {
  return fc
    .tuple(
      fc.record(
        {
          type: fc.constantFrom(USER, MESSAGE),
          name: freeName(),
          name_localizations: fc.option(localizations(freeName()), { nil: null }),
          description: fc.constantFrom('', null),
        },
        { requiredKeys: ['type', 'name'] },
      ),
      exposure,
    )
    .map(([texts, rest]) => ({ ...texts, ...rest }))
}

/** The body of an entry point command. */
export function entryPointCommand(): Arbitrary<Body> {
  return fc
    .tuple(
      fc.record(
        {
          type: fc.constant(PRIMARY_ENTRY_POINT),
          name: freeName(),
          name_localizations: fc.option(localizations(freeName()), { nil: null }),
          description: fc.oneof(fc.constant(''), text(DESCRIPTION_MAX)),
          handler: fc.constantFrom(1, 2),
        },
        { requiredKeys: ['type', 'name'] },
      ),
      exposure,
    )
    .map(([texts, rest]) => ({ ...texts, ...rest }))
}

/** The body of a command of any type that a scope can have. */
export function command(scope: 'global' | 'guild' = 'global'): Arbitrary<Body> {
  const everywhere = [
    { weight: 6, arbitrary: slashCommand() },
    { weight: 2, arbitrary: contextCommand() },
  ]
  return scope === 'guild'
    ? fc.oneof(...everywhere)
    : fc.oneof(...everywhere, { weight: 1, arbitrary: entryPointCommand() })
}

/** The bodies of a bulk overwrite: names differ by type, and there is at most one entry point. */
export function commandSet(scope: 'global' | 'guild' = 'global', maxLength = 8): Arbitrary<readonly Body[]> {
  return fc.uniqueArray(command(scope), {
    maxLength,
    selector: (body) =>
      body.type === PRIMARY_ENTRY_POINT
        ? 'entry point'
        : identity({ type: (body.type ?? CHAT_INPUT) as CommandType, name: String(body.name) }),
  })
}

/** The permission entries of a command. */
export function permissions(maxLength = 10): Arbitrary<readonly Body[]> {
  return fc.array(fc.record({ id: snowflake(), type: fc.constantFrom(1, 2, 3), permission: fc.boolean() }), {
    maxLength,
  })
}
