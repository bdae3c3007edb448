import { expect, it } from 'vitest'
import { validateCommand, validateCommands, validatePatch, type ApplicationCommand } from 'commandry'
import { option, slash } from '../../support/bodies.ts'
import { advice, reasons, refused } from '../../support/found.ts'

/** Values of every JSON type but null, some of which a careless reader takes for another type. */
const values = {
  boolean: [true, false],
  list: [[], ['x'], [5]],
  number: [0, 1, 5, 0.5],
  object: [{}, { 0: 1, length: 1 }],
  string: ['', '0', 'true', '[]', 'x'],
}
type Json = Exclude<keyof typeof values, 'number'>
const valuesExcept = (type: Json | 'dictionary') =>
  Object.entries(values).flatMap(([other, list]): unknown[] =>
    other === (type === 'dictionary' ? 'object' : type) ? [] : list,
  )

/** Bodies with a value at a field of a slash command, of a context menu command, of an option, or of a choice. */
type Body = (value: unknown) => unknown
const command =
  (field: string): Body =>
  (value) =>
    slash({ [field]: value })
const menu =
  (field: string, type = 2): Body =>
  (value) => ({ type, name: 'A', [field]: value })
const inOption =
  (type: number, field: string): Body =>
  (value) =>
    slash({ options: [{ ...option(type), [field]: value }] })
const inChoice = (field: string) => (value: unknown) =>
  inOption(3, 'choices')([{ name: 'c', value: 'v', [field]: value }])

const fields: [clauses: string, type: Json | 'dictionary', path: string, body: Body][] = [
  ['[2.1-04]', 'string', 'name', command('name')],
  ['[2.1-04]', 'string', 'name', menu('name')],
  ['[2.1-09]', 'string', 'description', command('description')],
  ['[2.1-09]', 'string', 'description', menu('description')],
  ['[2.1-09]', 'string', 'description', menu('description', 4)],
  ['[2.1-15]', 'boolean', 'nsfw', command('nsfw')],
  ['[2.1-13]', 'boolean', 'dm_permission', command('dm_permission')],
  ['[2.1-14]', 'boolean', 'default_permission', command('default_permission')],
  ['[2.1-16]', 'list', 'integration_types', command('integration_types')],
  ['[2.1-17]', 'list', 'contexts', command('contexts')],
  ['[2.1-11]', 'list', 'options', command('options')],
  ['[2.1-08]', 'dictionary', 'name_localizations', command('name_localizations')],
  ['[2.1-08]', 'dictionary', 'name_localizations', menu('name_localizations')],
  ['[2.1-10]', 'dictionary', 'description_localizations', command('description_localizations')],
  ['[2.1-10]', 'dictionary', 'description_localizations', menu('description_localizations')],
  ['[2.4-01]', 'object', 'options[0]', (value) => slash({ options: [value] })],
  ['[2.4-02]', 'string', 'options[0].name', inOption(3, 'name')],
  ['[2.4-04]', 'dictionary', 'options[0].name_localizations', inOption(3, 'name_localizations')],
  ['[2.4-05]', 'string', 'options[0].description', inOption(3, 'description')],
  ['[2.4-06]', 'boolean', 'options[0].required', inOption(3, 'required')],
  ['[2.4-13]', 'boolean', 'options[0].autocomplete', inOption(3, 'autocomplete')],
  ['[2.4-08]', 'list', 'options[0].choices', inOption(3, 'choices')],
  ['[2.4-09]', 'list', 'options[0].options', inOption(1, 'options')],
  ['[2.4-10]', 'list', 'options[0].channel_types', inOption(7, 'channel_types')],
  ['[2.6-01]', 'object', 'options[0].choices[0]', (value) => inOption(3, 'choices')([value])],
  ['[2.6-01]', 'object', 'options[0].choices[0]', (value) => inOption(4, 'choices')([value])],
  ['[2.6-01]', 'string', 'options[0].choices[0].name', inChoice('name')],
  ['[2.6-01]', 'dictionary', 'options[0].choices[0].name_localizations', inChoice('name_localizations')],
]

it.each(fields)(
  'a value of another JSON type %s [2.1-24] is refused: not a %s at %s',
  (_, type, path, body) => {
    const problem = `shape.${type} ${path} 2.1-24`
    for (const value of valuesExcept(type))
      expect([value, ...refused(validateCommand(body(value)))]).toEqual([value, problem])
  },
)

const current = slash() as never as ApplicationCommand
it.each<[string, (value: unknown) => ReturnType<typeof validateCommands>, string]>([
  ['[2.1-04] as a command', validateCommand as never, 'shape.object 2.1-24'],
  ['[2.1-04] in a list', (value) => validateCommands([slash(), value]), 'shape.object [1] 2.1-24'],
  ['[4.1-04] as an edit', (value) => validatePatch(value, current) as never, 'shape.object 2.1-24'],
  ['[2.1-22] as a list of commands', validateCommands, 'shape.list 2.1-24'],
])('a value of another JSON type %s is refused, also null', (_, validate, problem) => {
  const type = problem.startsWith('shape.list') ? 'list' : 'object'
  for (const value of [undefined, null, ...valuesExcept(type)])
    expect([value, ...refused(validate(value))]).toEqual([value, problem])
})

it.each([
  [undefined, 'object 2.1-24: is missing; expected an object'],
  [null, 'object 2.1-24: is null; expected an object'],
  ['a', 'object 2.1-24: is the string "a"; expected an object'],
  [[slash()], 'object 2.1-24: is a list; expected an object'],
  [slash({ name: 5 }), 'string name 2.1-24: is the number 5; expected a string'],
  [slash({ nsfw: 'no' }), 'boolean nsfw 2.1-24: is the string "no"; expected true or false'],
  [slash({ options: {} }), 'list options 2.1-24: is an object; expected a list'],
])('[2.1-24] a value of another JSON type is described: %j', (body, problem) => {
  expect(reasons(validateCommand(body))).toEqual([`shape.${problem}`])
})

it('[2.1-24] a mistyped field of five letters is found again, a shorter one is not', () => {
  const adviceAbout = (key: string) => advice(validateCommand(slash({ [key]: 1 })))
  expect(adviceAbout('naame')).toEqual([expect.stringContaining('did you mean "name"?')])
  expect(adviceAbout('naem')).toEqual([expect.not.stringContaining('did you mean')])
})

it('finds no more than 2,000 errors', () => {
  const wrong = Array.from({ length: 25 }, (_, i) => ({ ...option(3), name: `O${i}` }))
  const bodies = Array.from({ length: 100 }, (_, i) => ({ ...slash({ options: wrong }), name: `c${i}` }))
  const found = validateCommands(bodies)
  expect(found.ok ? 0 : found.issues.length).toBe(2_000)
})
