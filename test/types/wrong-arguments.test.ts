import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import * as index from 'commandry'
import * as arbitraries from 'commandry/arbitraries'
import * as fuzz from 'commandry/fuzz'
import * as gateway from 'commandry/gateway'
import * as http from 'commandry/http'
import * as interactions from 'commandry/interactions'
import * as node from 'commandry/node'
import * as reference from 'commandry/reference'
import * as postgres from 'commandry/storage/postgres'
import * as redis from 'commandry/storage/redis'
import * as sqlite from 'commandry/storage/sqlite'
import * as text from 'commandry/storage/text'
import * as testbed from 'commandry/testbed'
import * as testing from 'commandry/testing'
import { fc } from '../support/properties.ts'

// What a program in JavaScript passes by mistake: nothing, another kind of value, a Map for an object. Each public
// function and constructor refuses it with a TypeError that names the argument.
const entries = {
  index,
  arbitraries,
  fuzz,
  gateway,
  http,
  interactions,
  node,
  reference,
  'storage/postgres': postgres,
  'storage/redis': redis,
  'storage/sqlite': sqlite,
  'storage/text': text,
  testbed,
  testing,
}

/** The library makes them, and programs test for them. */
const madeByTheLibrary = /Error$|^AuthorizationCodeVerifier$|^publish$/

const values: Readonly<Record<string, unknown>> = {
  none: undefined,
  nothing: null,
  number: 5.5,
  text: 'text',
  flag: true,
  list: ['x'],
  map: new Map([['name', 'x']]),
  empty: {},
  make: () => undefined,
  sign: Symbol('sign'),
  date: new Date(0),
  promise: Promise.resolve({}),
}
const invalid = `
  export const none = undefined, nothing = null, number: number = 5.5, text: string = 'text', flag: boolean = true
  export const list: string[] = ['x'], map = new Map([['name', 'x']]), empty: {} = {}, make = () => undefined
  export const sign = Symbol('sign'), date = new Date(0), promise = Promise.resolve({})
`

const root = fileURLToPath(new URL('../../', import.meta.url))
const { options } = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, ts.sys as never)!
const invalidFile = join(root, 'src/invalid-values.ts')
const host = ts.createCompilerHost(options)
const { getSourceFile, fileExists } = host
host.fileExists = (file) => file === invalidFile || fileExists(file)
host.getSourceFile = (file, ...more) =>
  file === invalidFile
    ? ts.createSourceFile(file, invalid, ts.ScriptTarget.ES2022, true)
    : getSourceFile(file, ...more)
const fileOf = (entry: string) => join(root, `src/${entry}.ts`)
const program = ts.createProgram([...Object.keys(entries).map(fileOf), invalidFile], options, host)
const checker = program.getTypeChecker()
const exportsOf = (file: string) =>
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
const typesOfValues = exportsOf(invalidFile).map(
  (symbol) => [symbol.name, checker.getTypeOfSymbol(symbol)] as const,
)

interface Parameter {
  readonly name: string
  /** The names of its fields. */
  readonly fields: readonly string[]
  /** The names of the values that its type does not take. */
  readonly wrong: readonly string[]
}

/** How many arguments a signature requires. */
function requiredOf({ parameters }: ts.Signature): number {
  return parameters.filter(({ valueDeclaration }) => {
    const { questionToken, initializer, dotDotDotToken } = valueDeclaration as ts.ParameterDeclaration
    return [questionToken, initializer, dotDotDotToken].every((each) => each === undefined)
  }).length
}

/** @param needed how many arguments every overload needs */
function parametersOf(signature: ts.Signature, needed: number): readonly Parameter[] {
  return signature.parameters.flatMap((symbol, position): Parameter | Parameter[] => {
    const type = checker.getTypeOfSymbol(symbol)
    if (checker.isTupleType(type)) return elementsOf(type as ts.TupleTypeReference)
    const constraint = checker.getBaseConstraintOfType(type) ?? type
    const fields = checker
      .getNonNullableType(constraint)
      .getProperties()
      .map(({ name }) => name)
    return { name: symbol.name, fields, wrong: wrongFor(constraint, position >= needed) }
  })
}

/** The parameters of a function that takes them as one tuple. */
function elementsOf(type: ts.TupleTypeReference): Parameter[] {
  return checker.getTypeArguments(type).map((element, i) => ({
    name: type.target.labeledElementDeclarations?.[i]?.name.getText() ?? '',
    fields: checker
      .getNonNullableType(element)
      .getProperties()
      .map(({ name }) => name),
    wrong: wrongFor(element, i >= type.target.minLength),
  }))
}

/** The names of the values that a type does not take. */
function wrongFor(type: ts.Type, isOptional: boolean): readonly string[] {
  // Any function is a function here: what it returns is seen when it is called.
  const takesFunction = checker.getNonNullableType(type).getCallSignatures().length > 0
  return typesOfValues
    .filter(([name]) => !(takesFunction && name === 'make'))
    .filter(([name, value]) => !(isOptional && name === 'none') && !checker.isTypeAssignableTo(value, type))
    .map(([name]) => name)
}

/** The methods of what a function or a constructor makes. */
function methodsOf(maker: string, made: object, type: ts.Type) {
  return type.getProperties().flatMap((property) => {
    const signatures = checker.getNonNullableType(checker.getTypeOfSymbol(property)).getCallSignatures()
    const counts = signatures.map(({ parameters }) => parameters.length)
    const signature = signatures[counts.indexOf(Math.max(...counts))]
    const isHidden =
      property.name.startsWith('__') ||
      madeByTheLibrary.test(property.name) ||
      property.name.includes('#') ||
      property.getJsDocTags().some(({ name }) => name === 'internal')
    if (signature === undefined || signature.parameters.length === 0 || isHidden) return []
    const parameters = parametersOf(signature, Math.min(...signatures.map(requiredOf)))
    const call = (...given: unknown[]) => (made as any)[property.name](...given)
    return [{ name: `${maker}().${property.name}`, own: `${maker}.${property.name}`, parameters, call }]
  })
}

const store = index.memoryStore()
const command = index.defineCommand({ name: 'roll', description: 'Rolls' })
const current = { ...command, id: '1', application_id: '1001', version: '1' }
const interaction = testing.interactionFor(command, {})
const message = { id: '1', channel_id: '3', components: [] }
const member = { user: { id: '4' }, roles: [] }
/** Valid arguments, for the ones before an invalid one. */
const valid: Readonly<Record<string, readonly unknown[]>> = {
  guildScope: ['1001', '2001'],
  followChanges: [store, () => {}],
  validateCommand: [{}],
  validateCommands: [[]],
  validatePatch: [{}, current],
  validatePermissions: [[]],
  formatIssues: [[]],
  effectivePermissions: [member, [], null],
  parseScopes: ['identify'],
  createInteraction: [command],
  createPing: ['1001'],
  readOptions: [interaction],
  validateCallback: [interaction, {}],
  validateFollowUp: [interaction, {}],
  shownBy: [interaction],
  choose: [message, 'menu', []],
  press: [message, 'button'],
  submit: [{ custom_id: 'form', title: 'Form', components: [] }, {}],
  sharedAnswers: [store],
  checkEndpoint: ['1001'],
  deliver: [interaction],
  ChatClient: [new index.CommandRegistry()],
  sqliteStore: [{ prepare: () => ({}) }],
  postgresStore: [{ query: () => {} }],
  redisStore: [{ sendCommand: () => {} }],
  keyPages: [''],
  interactionFor: [command],
  faultyStore: [store],
  localizations: [fc.string()],
  choice: [3],
  text: [10],
  fuzz: [{}],
  assertAnswers: [{ type: 4, data: { content: 'x' } }, interaction],
  assertBreaksRule: [{}, 'name.case', []],
  assertNoWarnings: [command],
  assertRefusedWith: [{ code: 1, message: 'x' }],
  assertValidCommand: [command],
  assertValidCommands: [[command]],
  assertVisibleTo: [command],
}

const registry = new index.CommandRegistry()
/** Valid arguments of methods, by the names of parameters. */
const byName: Readonly<Record<string, unknown>> = {
  applicationId: '1001',
  bodies: [],
  body: { name: 'roll', description: 'Rolls' },
  changes: {},
  commandId: '1',
  code: 'x',
  verifier: 'x',
  command,
  commands: [command],
  defaultText: 'x',
  entries: [],
  focused: 'x',
  listener: () => {},
  locale: 'de',
  name: 'x',
  path: 'roll',
  target: '4',
  values: {},
  guildId: '2001',
  interaction,
  localizations: {},
  scope: index.globalScope('1001'),
  targetId: '1',
  viewer: { applicationId: '1001', locale: 'de', member, channel: { id: '3', type: 0 }, guildId: '2001' },
}

/** What functions and constructors make, whose methods are called too. */
const instances: Readonly<Record<string, object>> = {
  AuthorizationClient: new index.AuthorizationClient(),
  ChatClient: new interactions.ChatClient(registry, {
    applicationId: '1001',
    user: { id: '4' },
    locale: 'de',
  } as never),
  CommandRegistry: registry,
  LocalizationResolver: new index.LocalizationResolver(),
  testClock: testing.testClock(),
}

/** Functions that answer `false`, or nothing, about an object without fields. */
const tolerant =
  /^(is[A-Z]\w+|readOptions|shownBy|validateCallback|validateFollowUp|choose|press|assertRefusedWith|assertAnswers|createInteraction|interactionFor|defineCommand|validatePatch|commandUse|optionValue|CommandRegistry\.(commandsFor|publish)|LocalizationResolver\.localize|ChatClient\.invoke\w*)$/

/** The functions and constructors, and the methods of what they make, each with its parameters and what calls it. */
const callables = Object.entries(entries).flatMap(([entry, module]) =>
  exportsOf(fileOf(entry)).flatMap((symbol) => {
    const value = (module as Readonly<Record<string, unknown>>)[symbol.name]
    if (typeof value !== 'function' || madeByTheLibrary.test(symbol.name)) return []
    const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const type = checker.getTypeOfSymbol(original)
    const constructors = type.getConstructSignatures()
    const signatures = [...constructors, ...type.getCallSignatures()]
    const counts = signatures.map(({ parameters }) => parameters.length)
    const signature = signatures[counts.indexOf(Math.max(...counts))]!
    const call = (...given: unknown[]) =>
      constructors.length > 0 ? Reflect.construct(value, given) : (value as Function)(...given)
    if (signature.parameters.length === 0) return []
    const parameters = parametersOf(signature, Math.min(...signatures.map(requiredOf)))
    const own = { name: `${entry}: ${symbol.name}`, own: symbol.name, parameters, call }
    const made = instances[symbol.name]
    const result = checker.getAwaitedType(checker.getReturnTypeOfSignature(signature))!
    return [own, ...(made === undefined ? [] : methodsOf(symbol.name, made, result))]
  }),
)

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const result: any = await call()
    if (typeof result?.[Symbol.asyncIterator] === 'function') await result.next()
    return 'no error'
  } catch (error) {
    return error
  }
}

describe.each(callables)('$name', ({ own, parameters, call }) => {
  it.each(parameters.map((parameter, i) => [parameter.name, i, parameter] as const))(
    'refuses an invalid %s',
    async (name, position, { wrong, fields }) => {
      const named = parameters.slice(0, position).map((parameter) => byName[parameter.name])
      const before =
        valid[own] === undefined && own.includes('.') ? named : (valid[own] ?? []).slice(0, position)
      const accepted: string[] = []
      for (const each of wrong) {
        if (each === 'empty' && tolerant.test(own)) continue
        const error = await errorOf(() => call(...before, values[each]))
        if (each === 'text' && own === 'assertRefusedWith') continue
        const labels = [
          name,
          own.split('.').pop(),
          ...(own.startsWith('assert') ? ['validateCommand', 'validateCallback'] : []),
          ...(each === 'empty' ? fields : []),
        ]
        const label = error instanceof TypeError ? /^([\w$]+)\S*: /.exec(error.message)?.[1] : undefined
        if (!labels.includes(label ?? '')) accepted.push(`${each}: ${String(error)}`)
      }
      expect(accepted).toEqual([])
    },
  )
})
