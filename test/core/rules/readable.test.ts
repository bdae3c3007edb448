import {
  CommandRegistry,
  formatIssues,
  globalScope,
  validateCommand,
  validateCommands,
  validatePermissions,
} from 'commandry'
import { expect, it } from 'vitest'

const texts = (read: ReturnType<typeof validateCommand> | ReturnType<typeof validateCommands>) =>
  read.ok ? [] : read.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

const fails = (message: string) => (): never => {
  throw new Error(message)
}

/** A body with a description and another field, whose getter throws. */
function throwing(field: string, error: unknown): object {
  const get = () => {
    throw error
  }
  return Object.defineProperty({ description: 'b' }, field, { enumerable: true, get })
}

/** A builder as those of discord.js: fields of its own, and a `toJSON` that throws while one is missing. */
class Builder {
  readonly options: readonly object[] = []
  readonly name: string
  readonly description: string | undefined

  constructor(name: string, description?: string) {
    this.name = name
    this.description = description
  }

  toJSON() {
    if (this.description === undefined) throw new Error('Expected a string primitive')
    return { ...this }
  }
}

it('a body whose toJSON throws is read from its own fields', () => {
  expect(texts(validateCommand(new Builder('Ping')))).toEqual([
    'name: has upper case; write "ping"',
    'description: is missing',
  ])
  const list = [new Builder('ping'), new Builder('pong', 'Says ping'), new Builder('Pang')]
  expect(texts(validateCommands(list))).toEqual([
    '0.description: is missing',
    expect.stringMatching(/^2\.name: /),
    '2.description: is missing',
  ])
  expect(texts(validateCommand({ ...list[1], options: [new Builder('a')] }))).toEqual([
    'options.0.type: is missing',
    'options.0.description: is missing',
  ])
})

it('a body is refused at its path when its fields are right, but its toJSON throws', () => {
  const builder = { name: 'a', description: 'b', toJSON: fails('no locale') }
  const refusal = 'is a value that throws "no locale" when it is read; expected an object'
  expect(texts(validateCommand(builder))).toEqual([`: ${refusal}`])
  expect(texts(validateCommands([{ name: 'c', description: 'b' }, builder]))).toEqual([`1: ${refusal}`])
})

it('a body is refused at the path of a getter or Proxy that throws', () => {
  const body = {
    name: 'a',
    get description() {
      throw new Error('boom')
    },
    options: [new Proxy({}, { ownKeys: fails('no keys') }), { type: 3, name: 'B', description: 'b' }],
  }
  const issues = [
    'description: is a value that throws "boom" when it is read; expected a string',
    'options.0: is a value that throws "no keys" when it is read; expected an object',
    expect.stringMatching(/^options\.1\.name: /),
  ]
  expect(texts(validateCommand(body))).toEqual(issues)
  const read = validateCommand(body)
  expect(!read.ok && formatIssues(read.issues, body)).toContain('description: is a value that throws')
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  for (const read of [validateCommand(proxy), validateCommands(proxy), validatePermissions(proxy)])
    expect(read.ok).toBe(false)
  const silent = throwing('name', Object.create(null))
  expect(texts(validateCommand(silent))).toEqual([
    'name: is a value that throws "an error without a message" when it is read; expected a string',
  ])
})

it('a body that throws when it is read is an error of the registry, not of the body', async () => {
  const registry = new CommandRegistry()
  const scope = globalScope('1')
  await expect(registry.upsert(scope, new Builder('ping') as never)).rejects.toMatchObject({
    name: 'RegistryError',
    message: expect.stringContaining('description: is missing'),
  })
  await expect(registry.overwrite(scope, [throwing('name', new Error('x'))])).rejects.toThrow(
    'is a value that throws "x" when it is read',
  )
  expect(await registry.list(scope)).toEqual([])
})

it('a body of a list that throws is read as deep as the parts of its commands are', () => {
  const choice = { name: 'c', name_localizations: { de: '' }, value: 'v' }
  const value = { type: 3, name: 'o', description: 'b', choices: [choice] }
  const group = [{ type: 1, name: 's', description: 'b', options: [value] }]
  const options = [{ type: 2, name: 'g', description: 'b', options: group }]
  const found = validateCommands([{ name: 'a', description: 'b', options }, throwing('name', new Error('x'))])
  expect(texts(found)).toEqual([
    expect.stringMatching(/^0\.options\.0\.options\.0\.options\.0\.choices\.0\.name_localizations\.de: /),
    expect.stringMatching(/^1\.name: is a value that throws "x"/),
  ])
})
