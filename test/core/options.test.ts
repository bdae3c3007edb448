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
import { serve, systemScheduler } from 'commandry/node'
import { postgresStore } from 'commandry/storage/postgres'
import { redisStore } from 'commandry/storage/redis'
import { sqliteStore } from 'commandry/storage/sqlite'
import { storeContract } from 'commandry/testing'
import { testbed } from 'commandry/testbed'

const registry = new CommandRegistry()
const authenticate = openAccess()
const database = { exec() {}, prepare() {} } as never
const token = { type: 'Bearer', token: 'x', applicationId: '1001' } as const

/** A misspelt option of each class and factory, with the message. */
const calls: readonly (readonly [call: (options: any) => unknown, options: object, message: string])[] = [
  [
    (given) => new CommandRegistry(given),
    { stor: 1 },
    'CommandRegistry: unknown option "stor"; did you mean "store"?',
  ],
  [
    (given) => sqliteStore(database, given),
    { tabel: 'a' },
    'sqliteStore: unknown option "tabel"; did you mean "table"?',
  ],
  [
    (given) => redisStore({} as never, given),
    { prefx: '' },
    'redisStore: unknown option "prefx"; did you mean "prefix"?',
  ],
  [
    (given) => postgresStore({} as never, given),
    { schema: 'a' },
    'postgresStore: unknown option "schema"; expected table, notify',
  ],
  [
    (given) => createHandler({ registry, authenticate, ...given }),
    { basepath: '' },
    'createHandler: unknown option "basepath"; did you mean "basePath"?',
  ],
  [
    (given) => createHandler({ registry, authenticate, rateLimit: { limit: 1, seconds: 1, ...given } }),
    { limits: 1 },
    'rateLimit: unknown option "limits"; did you mean "limit"?',
  ],
  [
    (given) => openApiDocument(given),
    { serverURL: '' },
    'openApiDocument: unknown option "serverURL"; did you mean "serverUrl"?',
  ],
  [
    (given) => tokenDirectory([{ ...token, ...given }]),
    { scope: [] },
    'tokens[0]: unknown option "scope"; did you mean "scopes"?',
  ],
  [
    (given) => tokenDirectory([{ ...token, user: { id: '1', ...given } }]),
    { guild: {} },
    'tokens[0].user: unknown option "guild"; did you mean "guilds"?',
  ],
  [
    (given) =>
      createGateway({
        authenticate: () => undefined,
        scheduler: systemScheduler,
        sessionIds: String,
        ...given,
      }),
    { sheduler: 1 },
    'createGateway: unknown option "sheduler"; did you mean "scheduler"?',
  ],
  [
    (given) => pendingAnswers(given),
    { clok: 1 },
    'pendingAnswers: unknown option "clok"; did you mean "clock"?',
  ],
  [
    (given) => createConversations(given),
    { clok: 1 },
    'createConversations: unknown option "clok"; did you mean "clock"?',
  ],
  [
    (given) => new LocalizationResolver(given),
    { fallback: {} },
    'LocalizationResolver: unknown option "fallback"; did you mean "fallbacks"?',
  ],
  [
    (given) => new AuthorizationClient(given),
    { tokenURL: '' },
    'AuthorizationClient: unknown option "tokenURL"; did you mean "tokenUrl"?',
  ],
  [
    (given) => storeContract({ test: () => {}, open: memoryStore, ...given }),
    { durabel: true },
    'storeContract: unknown option "durabel"; did you mean "durable"?',
  ],
  [
    (given) => validateCommand({}, given),
    { scop: 'guild' },
    'validateCommand: unknown option "scop"; did you mean "scope"?',
  ],
  [
    (given) => validateCommands([], given),
    { scop: 'guild' },
    'validateCommands: unknown option "scop"; did you mean "scope"?',
  ],
  [
    (given) => validatePatch({}, {} as never, given),
    { aplication: {} },
    'validatePatch: unknown option "aplication"; did you mean "application"?',
  ],
  [
    (given) => validatePermissions([], given),
    { scop: 'guild' },
    'validatePermissions: unknown option "scop"; did you mean "scope"?',
  ],
]

describe('options', () => {
  it.each(calls)('refuse an unknown name: %s with %j', (call, options, message) => {
    expect(() => call(options)).toThrow(new TypeError(message))
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
