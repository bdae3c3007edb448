/** The validators as Standard Schema, for libraries that take any validator, with their JSON Schema. */
import type { CommandBody, CommandDefinition } from '../model/command-definition.ts'
import type { Issue } from '../core/rules/report.ts'
import type { Validation } from '../core/rules/validation.ts'
import type { CommandPermission } from '../model/permission-entry.ts'
import { fieldMessage } from '../commands/definition/format-issues.ts'
import { validateCommand, validateCommands, validatePermissions } from '../commands/validate.ts'
import { standalone } from './json-schema.ts'

/** Standard Schema, version 1, with its JSON Schema extension: the part of its interface that is used here. */
export interface StandardSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'commandry'
    readonly validate: (value: unknown) => StandardResult<Output>
    /** Type-only; never set at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema: {
      /**
       * What is taken, as far as JSON Schema can say it: the rules between fields and the names are beyond it.
       *
       * @throws Error for a target other than `draft-2020-12` and `draft-07`
       */
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>
      /** The same: what was read is again a valid body. */
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>
    }
  }
}

/** The value as it was read, or every issue, whose message starts with its field. */
type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

interface JsonSchemaOptions {
  readonly target: string
}

const targets: ReadonlyMap<string, readonly [uri: string, definitions: '$defs' | 'definitions']> = new Map([
  ['draft-2020-12', ['https://json-schema.org/draft/2020-12/schema', '$defs']],
  ['draft-07', ['http://json-schema.org/draft-07/schema#', 'definitions']],
])

/* @__NO_SIDE_EFFECTS__ */
function standard<Input, Output>(
  name: string,
  validate: (value: unknown) => Validation<Output>,
): StandardSchema<Input, Output> {
  const jsonSchema = ({ target }: JsonSchemaOptions): Record<string, unknown> => {
    const found = targets.get(target)
    if (found === undefined) {
      throw new Error(`target: expected ${[...targets.keys()].join(' or ')}, got ${JSON.stringify(target)}`)
    }
    return { $schema: found[0], ...standalone(name, found[1]) }
  }
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1,
      vendor: 'commandry',
      validate(value: unknown): StandardResult<Output> {
        const found = validate(value)
        if (found.ok) return { value: found.value }
        return { issues: found.issues.map((issue) => ({ ...issue, message: fieldMessage(issue, value) })) }
      },
      jsonSchema: Object.freeze({ input: jsonSchema, output: jsonSchema }),
    }),
  })
}

/** One command, as `validateCommand` takes it: global, of an app to which everything is allowed. */
export const commandSchema: StandardSchema<CommandBody, CommandDefinition> = standard(
  'CommandCreate',
  (value) => validateCommand(value),
)

/** The commands of one scope, as `validateCommands` takes them. */
export const commandsSchema: StandardSchema<readonly CommandBody[], readonly CommandDefinition[]> = standard(
  'CommandItems',
  (value) => validateCommands(value),
)

/** The permissions of a command, as `validatePermissions` takes them in the wire's form. */
export const permissionsSchema: StandardSchema<
  readonly CommandPermission[] | { readonly permissions: readonly CommandPermission[] },
  readonly CommandPermission[]
> = standard('PermissionsEdit', (value) => validatePermissions(value))
