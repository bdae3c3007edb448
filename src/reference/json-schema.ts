/** What is sent and answered, as JSON Schema 2020-12. Every number comes from the rule that owns it. */
import {
  ChannelType,
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
  OptionType,
} from '../model/command-types.ts'
import { namedNumbers } from '../core/rules/rule-kinds.ts'
import type { choiceFields } from '../commands/definition/fields/choice.ts'
import type { commandFields } from '../commands/definition/fields/command.ts'
import type { optionFields } from '../commands/definition/fields/option.ts'
import { FILE_TYPE } from '../model/file-types.ts'
import type { CommandBody } from '../model/command-definition.ts'
import { Limits } from './limits.ts'
import { locales } from '../model/locales.ts'
import { listMax } from '../commands/definition/rules/command-list-rules.ts'
import { PermissionTargetType } from '../model/permission-entry.ts'

export type Schema = Readonly<Record<string, unknown>>

/** A schema for each row of a table of fields: the compiler reports a missing one. */
type Schemas<Fields> = { readonly [Key in keyof Fields]: Schema }

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

export type SchemaFields = Readonly<Record<string, Schema>>

/** An object with these fields. All of them are required, except the optional ones. */
export function objectSchema(required: SchemaFields, optional: SchemaFields = {}): Schema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }
}

/** An integer with a name for each value. */
export function enumeration(members: Readonly<Record<string, number>>): Schema {
  return { type: 'integer', enum: Object.values(members), description: namedNumbers(members).join(', ') }
}

function text(minLength: number, maxLength: number): Schema {
  return { type: 'string', minLength, maxLength }
}

function list(items: Schema, maxItems: number): Schema {
  return { type: 'array', items, maxItems }
}

function orNull(schema: Schema): Schema {
  return { oneOf: [schema, { type: 'null' }] }
}

function dictionary(of: Schema): Schema {
  return {
    type: ['object', 'null'],
    properties: Object.fromEntries(locales.map((locale) => [locale, of])),
    additionalProperties: false,
  }
}

const { MIN_LENGTH_MIN, MIN_LENGTH_MAX, MAX_LENGTH_MIN, MAX_LENGTH_MAX } = Limits

const name = text(Limits.NAME_MIN, Limits.NAME_MAX)
// White space alone counts as empty.
const visible = { pattern: '\\S' }
const description = { ...text(Limits.DESCRIPTION_MIN, Limits.DESCRIPTION_MAX), ...visible }
const choiceName = { ...text(Limits.CHOICE_NAME_MIN, Limits.CHOICE_NAME_MAX), ...visible }
const integrationTypes = { type: 'array', items: ref('IntegrationType'), minItems: 1, uniqueItems: true }
const contexts = { type: 'array', items: ref('InteractionContext'), minItems: 1, uniqueItems: true }

/** The fields of a command that its author gives. */
const given = {
  name_localizations: dictionary(name),
  description: {
    type: ['string', 'null'],
    maxLength: Limits.DESCRIPTION_MAX,
    description: `Required, and at least ${Limits.DESCRIPTION_MIN} long, for CHAT_INPUT; empty or absent for USER and MESSAGE.`,
  },
  description_localizations: dictionary(description),
  options: orNull(list(ref('CommandOption'), Limits.OPTIONS)),
  default_member_permissions: {
    type: ['string', 'integer', 'null'],
    pattern: '^[0-9]+$',
    minimum: 0,
    description: 'A bit set below 2^64. "0" is for administrators only; null is for everyone.',
  },
  dm_permission: { type: ['boolean', 'null'], deprecated: true, description: 'Global commands only.' },
  default_permission: { type: ['boolean', 'null'], deprecated: true },
  nsfw: { type: ['boolean', 'null'], description: 'Default false.' },
  integration_types: { ...orNull(integrationTypes), description: 'Global commands only.' },
  contexts: { ...orNull(contexts), description: 'Global commands only.' },
  handler: { ...orNull(ref('HandlerType')), description: 'PRIMARY_ENTRY_POINT commands only.' },
} satisfies Schemas<Required<Omit<CommandBody, 'name' | 'type'>>>

const create = {
  type: 'object',
  required: ['name'],
  properties: {
    name,
    type: { ...orNull(ref('CommandType')), description: `Default ${CommandType.CHAT_INPUT}, CHAT_INPUT.` },
    ...given,
  },
}

const bulkItem = { ...create, properties: { id: orNull(ref('Snowflake')), ...create.properties } }

const answered = {
  type: 'object',
  required: [
    'id',
    'application_id',
    'version',
    'default_member_permissions',
    'type',
    'name',
    'description',
    'nsfw',
  ],
  properties: {
    id: ref('Snowflake'),
    application_id: ref('Snowflake'),
    guild_id: { ...ref('Snowflake'), description: 'Guild commands only.' },
    version: { ...ref('Snowflake'), description: 'Grows with every change.' },
    default_member_permissions: { type: ['string', 'null'], pattern: '^(0|[1-9][0-9]*)$' },
    type: ref('CommandType'),
    name,
    name_localizations: dictionary(name),
    name_localized: {
      ...name,
      description:
        'In lists without with_localizations, in place of the dictionary, where it has the locale.',
    },
    description: { type: 'string', maxLength: Limits.DESCRIPTION_MAX },
    description_localizations: dictionary(description),
    description_localized: { type: 'string', maxLength: Limits.DESCRIPTION_MAX },
    options: list(ref('CommandOption'), Limits.OPTIONS),
    nsfw: { type: 'boolean' },
    dm_permission: { type: 'boolean', deprecated: true },
    default_permission: { type: 'boolean', deprecated: true },
    integration_types: integrationTypes,
    contexts: orNull(contexts),
    handler: ref('HandlerType'),
  } satisfies Schemas<typeof commandFields>,
}

const permissions = list(ref('CommandPermission'), Limits.PERMISSIONS)
const error = objectSchema({ code: { type: 'string' }, message: { type: 'string' } })

/** The components that routes name. */
export const schemas: SchemaFields = {
  Snowflake: { type: 'string', pattern: '^(0|[1-9][0-9]{0,18})$', description: 'At most 2^63 - 1.' },
  CommandType: enumeration(CommandType),
  OptionType: enumeration(OptionType),
  ChannelType: enumeration(ChannelType),
  HandlerType: enumeration(HandlerType),
  IntegrationType: enumeration(IntegrationType),
  InteractionContext: enumeration(InteractionContext),
  PermissionTargetType: enumeration(PermissionTargetType),
  CommandChoice: {
    type: 'object',
    required: ['name', 'value'],
    properties: {
      name: choiceName,
      name_localizations: dictionary(choiceName),
      name_localized: choiceName,
      value: {
        oneOf: [
          { type: 'string', maxLength: Limits.CHOICE_VALUE_MAX },
          { type: 'number', minimum: Limits.NUMBER_MIN, maximum: Limits.NUMBER_MAX },
        ],
      },
    } satisfies Schemas<typeof choiceFields>,
  },
  CommandOption: {
    type: 'object',
    required: ['type', 'name', 'description'],
    properties: {
      type: ref('OptionType'),
      name,
      name_localizations: dictionary(name),
      name_localized: name,
      description,
      description_localizations: dictionary(description),
      description_localized: description,
      required: { type: ['boolean', 'null'] },
      choices: orNull(list(ref('CommandChoice'), Limits.CHOICES)),
      options: orNull(list(ref('CommandOption'), Limits.OPTIONS)),
      channel_types: orNull({ type: 'array', items: ref('ChannelType'), uniqueItems: true }),
      file_types: {
        ...orNull(list({ type: 'string', pattern: FILE_TYPE.source }, Limits.FILE_TYPES)),
        description: 'ATTACHMENT options only.',
      },
      min_value: { type: ['number', 'null'], minimum: Limits.NUMBER_MIN, maximum: Limits.NUMBER_MAX },
      max_value: { type: ['number', 'null'], minimum: Limits.NUMBER_MIN, maximum: Limits.NUMBER_MAX },
      min_length: { type: ['integer', 'null'], minimum: MIN_LENGTH_MIN, maximum: MIN_LENGTH_MAX },
      max_length: { type: ['integer', 'null'], minimum: MAX_LENGTH_MIN, maximum: MAX_LENGTH_MAX },
      autocomplete: { type: ['boolean', 'null'] },
    } satisfies Schemas<typeof optionFields>,
  },
  CommandCreate: create,
  CommandEdit: {
    type: 'object',
    properties: {
      name,
      type: {
        ...orNull(ref('CommandType')),
        description:
          'The type of the command; PRIMARY_ENTRY_POINT makes a global command without options the entry point.',
      },
      ...given,
    },
  },
  CommandItems: list(bulkItem, listMax(false)),
  CommandsOverwrite: ref('CommandItems'),
  Command: answered,
  Commands: { type: 'array', items: ref('Command') },
  CommandPermission: objectSchema({
    id: { ...ref('Snowflake'), description: 'The guild for everyone; the guild less one for all channels.' },
    type: ref('PermissionTargetType'),
    permission: { type: 'boolean' },
  }),
  PermissionsEdit: objectSchema({ permissions }),
  Permissions: objectSchema({
    id: { ...ref('Snowflake'), description: 'A command, or the application.' },
    application_id: ref('Snowflake'),
    guild_id: ref('Snowflake'),
    permissions,
  }),
  PermissionsList: { type: 'array', items: ref('Permissions') },
  Error: objectSchema(
    { message: { type: 'string' }, code: { type: 'integer' } },
    {
      errors: ref('ErrorTree'),
      retry_after: { type: 'number', description: 'Seconds.' },
      global: { type: 'boolean' },
    },
  ),
  ErrorTree: {
    description: 'Errors by field name or index, at any depth.',
    oneOf: [
      {
        ...objectSchema({ _errors: { type: 'array', minItems: 1, items: error } }),
        additionalProperties: false,
      },
      { type: 'object', minProperties: 1, additionalProperties: ref('ErrorTree') },
    ],
  },
}

const REF = '#/components/schemas/'

/**
 * One schema as a document of its own, including the definitions it references, under the key of that edition of JSON
 * Schema.
 */
export function standalone(name: string, definitions: '$defs' | 'definitions'): Record<string, unknown> {
  const needed = new Map<string, unknown>()
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]: [string, unknown]) => {
        if (key !== '$ref' || typeof item !== 'string') return [key, copy(item)]
        const target = item.slice(REF.length)
        if (!needed.has(target)) {
          // Noted before it is copied, since options refer to options.
          needed.set(target, undefined)
          needed.set(target, copy(schemas[target]))
        }
        return [key, `#/${definitions}/${target}`]
      }),
    )
  }
  const root = copy(schemas[name]) as Record<string, unknown>
  return { ...root, [definitions]: Object.fromEntries(needed) }
}
