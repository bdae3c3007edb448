import { describe, expect, it } from 'vitest'
import {
  AuthorizationClient,
  CommandRegistry,
  LocalizationResolver,
  memoryStore,
  validateCommand,
  validateCommands,
  validatePatch,
  validatePermissions,
} from 'commandry'
import { createGateway } from 'commandry/gateway'
import { createHandler, openAccess, openApiDocument, tokenDirectory } from 'commandry/http'
import { createConversations, deliver, pendingAnswers } from 'commandry/interactions'
import { serve } from 'commandry/node'
import { postgresStore } from 'commandry/storage/postgres'
import { redisStore } from 'commandry/storage/redis'
import { sqliteStore } from 'commandry/storage/sqlite'
import { storeContract } from 'commandry/testing'
import { testbed } from 'commandry/testbed'

const registry = new CommandRegistry()
const authenticate = openAccess()
const database = { exec() {}, prepare() {} } as never
const gateway = { authenticate: () => undefined }
const contract = { test: () => {}, open: memoryStore }
const token = { type: 'Bearer', token: 'x', applicationId: '1001' } as const

type Call = (given: any) => unknown

/** Each class and factory with options, a misspelt option, and the suggestion. */
const calls: readonly (readonly [caller: string, call: Call, misspelt: string, meant: string])[] = [
  ['CommandRegistry', (given) => new CommandRegistry(given), 'stor', 'store'],
  ['sqliteStore', (given) => sqliteStore(database, given), 'tabel', 'table'],
  ['redisStore', (given) => redisStore({} as never, given), 'prefx', 'prefix'],
  ['createHandler', (given) => createHandler({ registry, authenticate, ...given }), 'basepath', 'basePath'],
  [
    'rateLimit',
    (given) => createHandler({ registry, authenticate, rateLimit: { limit: 1, seconds: 1, ...given } }),
    'limits',
    'limit',
  ],
  ['openApiDocument', (given) => openApiDocument(given), 'serverURL', 'serverUrl'],
  ['tokens[0]', (given) => tokenDirectory([{ ...token, ...given }]), 'scope', 'scopes'],
  [
    'tokens[0].user',
    (given) => tokenDirectory([{ ...token, user: { id: '1', ...given } }]),
    'guild',
    'guilds',
  ],
  ['createGateway', (given) => createGateway({ ...gateway, ...given }), 'sheduler', 'scheduler'],
  ['pendingAnswers', (given) => pendingAnswers(given), 'clok', 'clock'],
  ['createConversations', (given) => createConversations(given), 'clok', 'clock'],
  ['LocalizationResolver', (given) => new LocalizationResolver(given), 'fallback', 'fallbacks'],
  ['AuthorizationClient', (given) => new AuthorizationClient(given), 'tokenURL', 'tokenUrl'],
  ['storeContract', (given) => storeContract({ ...contract, ...given }), 'durabel', 'durable'],
  ['validateCommand', (given) => validateCommand({}, given), 'scop', 'scope'],
  ['validateCommands', (given) => validateCommands([], given), 'scop', 'scope'],
  ['validatePatch', (given) => validatePatch({}, {} as never, given), 'aplication', 'application'],
  ['validatePermissions', (given) => validatePermissions([], given), 'scop', 'scope'],
]

describe('options', () => {
  it.each(calls)('refuse an unknown name: %s, %s, %s', (caller, call, misspelt, meant) => {
    const message = `${caller}: unknown option "${misspelt}"; did you mean "${meant}"?`
    expect(() => call({ [misspelt]: 1 })).toThrow(new TypeError(message))
  })

  it('are listed where none is similar to an unknown one', () => {
    expect(() => postgresStore({} as never, { schema: 'a' } as never)).toThrow(
      new TypeError('postgresStore: unknown option "schema"; expected table, notify'),
    )
  })

  it.each([
    [
      () => serve({ handler: () => new Response(), prot: 80 } as never),
      'serve: unknown option "prot"; did you mean "port"?',
    ],
    [() => testbed({ comands: [] } as never), 'testbed: unknown option "comands"; did you mean "commands"?'],
    [
      () => deliver({} as never, { url: '', timeOut: 1 } as never),
      'deliver: unknown option "timeOut"; did you mean "timeout"?',
    ],
  ])('refuse an unknown name with a rejection: %s', async (call, message) => {
    await expect(call()).rejects.toThrow(new TypeError(message))
  })

  it('are an object, and neither a store nor the path of a database', () => {
    expect(() => new CommandRegistry(memoryStore() as never)).toThrow(
      'CommandRegistry: expected options, got a store; write new CommandRegistry({ store })',
    )
    expect(() => sqliteStore('a.db' as never)).toThrow(
      'sqliteStore: expected an open database, which has the function prepare, got the string "a.db"',
    )
    expect(() => createHandler(undefined as never)).toThrow(
      'createHandler: expected an object with options, got missing',
    )
    expect(() => new CommandRegistry([] as never)).toThrow(
      'CommandRegistry: expected an object with options, got a list',
    )
  })
})
