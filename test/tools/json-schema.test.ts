import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { commandSchema, commandsSchema, permissionsSchema, rules } from 'commandry/reference'
import { command, commandSet, permissions } from 'commandry/arbitraries'
import { violating } from 'commandry/testing'
import { type fc, forAny } from '../support/properties.ts'
import { words } from '../support/words.ts'

const cases = [
  ['command', commandSchema, command()],
  ['commands', commandsSchema, commandSet()],
  ['permissions', permissionsSchema, permissions().map((list) => ({ permissions: list }))],
] as const
const compile = (schema: (typeof cases)[number][1]) =>
  new Ajv2020({ strict: false, validateFormats: false }).compile(
    schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }),
  )

it.each(cases)('JSON Schema accepts every valid body of a %s, in both editions', (_, schema, valid) => {
  const { input } = schema['~standard'].jsonSchema
  const older = new Ajv({ strict: false, validateFormats: false })
  const editions = [compile(schema), older.compile(input({ target: 'draft-07' }))]
  forAny([valid as fc.Arbitrary<unknown>], 60, (body) => {
    for (const check of editions) {
      expect(check(JSON.parse(JSON.stringify(body))), JSON.stringify(check.errors)).toBe(true)
    }
  })
})

/** The rules that one schema for all types cannot express, and why. Other errors must be refused. */
const inexpressible: Readonly<Record<string, string>> = {
  'depends on the type of the command': `
    command.options description.length description.forbidden handler.type`,
  'depends on the type of the option': `
    option.required option.choices option.options option.channel_types option.file_types option.range option.length
    option.autocomplete range.integer range.limits choice.value_string choice.value_integer
    choice.value_number choice.value_range`,
  'compares fields or items': `
    options.nesting options.group options.mixed options.order options.unique options.unique_localized
    option.autocomplete_choices commands.unique`,
  'counts items or characters across the body': `
    command.size commands.count_chat_input commands.count_user commands.count_message
    commands.count_entry_point`,
  'depends on letter case and Unicode properties': 'name.characters name.case',
  'depends on the application or the scope': `
    integration_types.supported nsfw.discoverable handler.embedded entry_point.guild commands.id`,
}

it('JSON Schema rejects the example of every rule that a schema can express', () => {
  const checks = new Map<string, ReturnType<typeof compile>>(
    cases.map(([on, schema]) => [on, compile(schema)]),
  )
  const accepted = rules
    .filter(({ level, on }) => level === 'error' && checks.has(on))
    .filter(({ code, on }) => {
      const { body } = violating(code)
      const sent = on === 'permissions' && Array.isArray(body) ? { permissions: body } : body
      return checks.get(on)!(JSON.parse(JSON.stringify(sent)))
    })
    .map(({ code }) => code)
  expect(accepted.sort()).toEqual(Object.values(inexpressible).flatMap(words).sort())
})

it('JSON Schema rejects bodies of the wrong form', () => {
  const check = compile(commandSchema)
  expect(check({ name: 'a', description: 'b' })).toBe(true)
  const unknownLocale = { name: 'a', name_localizations: { xx: 'b' } }
  for (const body of [{}, { name: '' }, { name: 'a', options: 5 }, unknownLocale])
    expect(check(body)).toBe(false)
})
