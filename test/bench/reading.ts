/**
 * What reading costs: `node test/bench/run.mjs reading`. The floor is a visit that reads the length of every
 * string; ajv with the schema this library publishes, and the builders of @discordjs, are the peers.
 */
import { SlashCommandBuilder } from '@discordjs/builders'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { commandSchema, validateCommand, validateCommands } from '../../src/index.ts'
import { compare, row } from './compare.ts'
import { app, large, middle, nested, small, wrongChoice, wrongEverywhere, wrongName } from './payloads.ts'

function walk(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) sum += walk(value[i])
  else for (const key in value) sum += walk((value as Record<string, unknown>)[key])
  return sum
}

const schema = commandSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
const ajv = new Ajv2020({ allErrors: false, strict: false, unicodeRegExp: true }).compile(schema)
const bodies = { S: small, M: middle, L1: large, L2: nested } as const

for (const [name, body] of Object.entries(bodies)) {
  const found = validateCommand(body)
  if (!found.ok) throw new Error(`${name}: ${found.issues.length} issues, ${found.issues[0]!.message}`)
}
const many = app()
if (!validateCommands(many).ok)
  throw new Error(`APP: ${JSON.stringify(validateCommands(many)).slice(0, 500)}`)

console.log(row('validate, x walk', 'walk, µs', 'commandry', 'its value', 'ajv'))
for (const [name, body] of Object.entries(bodies)) {
  const { floor, ratios } = compare({
    walk: () => walk(body),
    commandry: () => validateCommand(body).ok,
    value: () => {
      const found = validateCommand(body)
      return found.ok && found.value
    },
    ajv: () => ajv(body),
  })
  console.log(row(name, floor, ratios.get('commandry')!, ratios.get('value')!, ratios.get('ajv')!))
}
{
  const { floor, ratios } = compare({
    walk: () => walk(many),
    commandry: () => validateCommands(many).ok,
    value: () => {
      const found = validateCommands(many)
      return found.ok && found.value
    },
    ajv: () => many.every((body) => ajv(body)),
  })
  console.log(row('APP', floor, ratios.get('commandry')!, ratios.get('value')!, ratios.get('ajv')!))
}

console.log(row('\nx JSON.parse of fresh text', 'parse, µs', 'and read'))
for (const [name, body] of [...Object.entries(bodies), ['APP', many] as const]) {
  const text = JSON.stringify(body)
  const read = name === 'APP' ? validateCommands : validateCommand
  const { floor, ratios } = compare({
    parse: () => JSON.parse(text),
    both: () => read(JSON.parse(text)).ok,
  })
  console.log(row(name, floor, ratios.get('both')!))
}

console.log(row('\nwrong ones', 'floor, µs', 'commandry'))
{
  const { floor, ratios } = compare({
    valid: () => validateCommand(middle).ok,
    name: () => validateCommand(wrongName).ok,
    choice: () => validateCommand(wrongChoice).ok,
  })
  console.log(row('a name, x the valid body', floor, ratios.get('name')!))
  console.log(row('the last choice, x the valid body', floor, ratios.get('choice')!))
  const text = JSON.stringify(wrongEverywhere)
  const found = validateCommand(wrongEverywhere)
  const everywhere = compare({
    parse: () => JSON.parse(text),
    commandry: () => validateCommand(wrongEverywhere).ok,
  })
  const count = found.ok ? 0 : found.issues.length
  console.log(row(`${count} issues, x JSON.parse`, everywhere.floor, everywhere.ratios.get('commandry')!))
}

console.log(row('\n@discordjs/builders, x commandry', 'µs', 'builders'))
{
  const { floor, ratios } = compare({
    commandry: () => validateCommand(small).ok,
    builders: () => new SlashCommandBuilder().setName('ping').setDescription('Answers with pong').toJSON(),
  })
  console.log(row('S', floor, ratios.get('builders')!))
}
