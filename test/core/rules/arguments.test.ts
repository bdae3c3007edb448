import { expect, it } from 'vitest'
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
const handler = (given: object) => createHandler({ registry, authenticate, ...given })
const tokens = (given: object) => tokenDirectory([{ ...token, ...given }])

/** Each class and factory with options, a misspelt option, and the suggestion. */
const calls: readonly (readonly [
  caller: string,
  misspelt: string,
  meant: string,
  call: (given: any) => unknown,
])[] = [
  ['CommandRegistry', 'stor', 'store', (given) => new CommandRegistry(given)],
  ['sqliteStore', 'tabel', 'table', (given) => sqliteStore(database, given)],
  ['redisStore', 'prefx', 'prefix', (given) => redisStore({} as never, given)],
  ['createHandler', 'basepath', 'basePath', handler],
  ['rateLimit', 'limits', 'limit', (given) => handler({ rateLimit: { limit: 1, seconds: 1, ...given } })],
  ['openApiDocument', 'serverURL', 'serverUrl', (given) => openApiDocument(given)],
  ['tokens[0]', 'scope', 'scopes', tokens],
  ['tokens[0].user', 'guild', 'guilds', (given) => tokens({ user: { id: '1', ...given } })],
  ['createGateway', 'sheduler', 'scheduler', (given) => createGateway({ ...gateway, ...given })],
  ['pendingAnswers', 'clok', 'clock', (given) => pendingAnswers(given)],
  ['createConversations', 'clok', 'clock', (given) => createConversations(given)],
  ['LocalizationResolver', 'fallback', 'fallbacks', (given) => new LocalizationResolver(given)],
  ['AuthorizationClient', 'tokenURL', 'tokenUrl', (given) => new AuthorizationClient(given)],
  ['storeContract', 'durabel', 'durable', (given) => storeContract({ ...contract, ...given })],
  ['validateCommand', 'scop', 'scope', (given) => validateCommand({}, given)],
  ['validateCommands', 'scop', 'scope', (given) => validateCommands([], given)],
  ['validatePatch', 'aplication', 'application', (given) => validatePatch({}, {} as never, given)],
  ['validatePermissions', 'scop', 'scope', (given) => validatePermissions([], given)],
]

it.each(calls)('options refuse an unknown name: %s, %s', (caller, misspelt, meant, call) => {
  const message = `${caller}: unknown option "${misspelt}"; did you mean "${meant}"?`
  expect(() => call({ [misspelt]: 1 })).toThrow(new TypeError(message))
})

it('options are listed where none is similar to an unknown one', () => {
  expect(() => postgresStore({} as never, { schema: 'a' } as never)).toThrow(
    new TypeError('postgresStore: unknown option "schema"; expected table, notify'),
  )
})

it.each<[string, string, string, (given: any) => Promise<unknown>]>([
  ['serve', 'prot', 'port', (given) => serve({ handler: () => new Response(), ...given })],
  ['testbed', 'comands', 'commands', (given) => testbed(given)],
  ['deliver', 'timeOut', 'timeout', (given) => deliver({} as never, { url: '', ...given })],
])('options refuse an unknown name with a rejection: %s, %s', async (caller, misspelt, meant, call) => {
  const message = `${caller}: unknown option "${misspelt}"; did you mean "${meant}"?`
  await expect(call({ [misspelt]: 1 })).rejects.toThrow(new TypeError(message))
})

it('options are an object, and neither a store nor the path of a database', () => {
  expect(() => new CommandRegistry(memoryStore() as never)).toThrow(
    'CommandRegistry: expected options, got a store; write new CommandRegistry({ store })',
  )
  expect(() => sqliteStore('a.db' as never)).toThrow(
    'sqliteStore: expected an open database, which has the function prepare, got the string "a.db"',
  )
  expect(() => postgresStore('postgres://localhost' as never)).toThrow(
    /^client: expected a pool or client of pg/,
  )
  expect(() => redisStore('redis://localhost' as never)).toThrow(
    /^client: expected a client or cluster of redis/,
  )
  expect(() => tokenDirectory({} as never)).toThrow('tokenDirectory: expected a list of tokens')
  expect(() => createHandler(undefined as never)).toThrow(
    'createHandler: expected an object with options, got missing',
  )
  expect(() => new CommandRegistry([] as never)).toThrow(
    'CommandRegistry: expected an object with options, got a list',
  )
})
