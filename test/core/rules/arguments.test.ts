import { expect, it } from 'vitest'
import {
  AuthorizationClient,
  CommandRegistry,
  installUrl,
  LocalizationResolver,
  memoryStore,
  snowflakes,
  validateCommand,
  validateCommands,
  validatePatch,
  validatePermissions,
} from 'commandry'
import { fuzz } from 'commandry/fuzz'
import { createGateway } from 'commandry/gateway'
import { createHandler, openAccess, openApiDocument, tokenDirectory } from 'commandry/http'
import {
  ChatClient,
  createConversations,
  createPing,
  deliver,
  pendingAnswers,
  sharedAnswers,
  validateCallback,
  validateFollowUp,
} from 'commandry/interactions'
import { serve } from 'commandry/node'
import { postgresStore } from 'commandry/storage/postgres'
import { redisStore } from 'commandry/storage/redis'
import { sqliteStore } from 'commandry/storage/sqlite'
import { storeContract } from 'commandry/testing'
import { testbed } from 'commandry/testbed'
import { describeOptions, type OptionsCase } from '../../support/options-case.ts'
import { person } from '../../interactions/client/person.ts'

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
  ['validateCallback', 'aplication', 'application', (given) => validateCallback({} as never, {}, given)],
  ['validateFollowUp', 'fils', 'files', (given) => validateFollowUp({} as never, {}, given)],
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

const interaction = createPing('1001')
const client = new ChatClient(registry, person)
const viewer = { applicationId: '1001', locale: 'en-US', user: { id: '5' } } as const
const resolved = [5, null, []]

const aLink = (given: object) => installUrl({ applicationId: '1001', ...given })
const seed = '01'.repeat(32)
const bearer = (given: object) => tokenDirectory([{ ...token, ...given } as never])

/** Every function with options: invalid values of each option, by its name. The test finds a missing row. */
const options: readonly OptionsCase[] = [
  [
    'CommandRegistry',
    '',
    {
      store: [null, {}, 'a.db'],
      applications: [null, {}, new Map().keys()],
      clock: [null, 5, { now: 5 }],
      ids: [null, { next: '1' }],
      onListenerError: [null, 'log'],
      attempts: [null, 0, 1.5, '64', Infinity],
    },
    (given) => new CommandRegistry(given),
  ],
  [
    'sqliteStore',
    '',
    {
      table: [5, '', 'a b', '1a'],
      synchronous: ['off', true],
      busyTimeout: [-1, 0.5, '5', 2 ** 31],
    },
    (given) => sqliteStore(database, given),
  ],
  [
    'postgresStore',
    '',
    { table: [5, '', 'a.b.c', 'a-b', 'a'.repeat(64)], notify: [5, '', 'a'.repeat(64), 'ä'.repeat(32)] },
    (given) => postgresStore({ query() {} } as never, given),
  ],
  ['redisStore', '', { prefix: [5, {}], notify: [5, []] }, (given) => redisStore({} as never, given)],
  [
    'createHandler',
    '',
    {
      registry: [{}, 5],
      authenticate: [{}, 'token'],
      basePath: [5, 'api', '/api/'],
      applications: [null, {}],
      answers: [null, {}],
      world: [null, {}],
      gateway: [5, 'http://a'],
      sessionStartLimit: [5],
      maxBodyBytes: [0, 1.5, '5'],
      bodyTimeout: [0, -1, '5', 2 ** 31],
      cors: ['*', ['*'], ['https://a/'], [5]],
      rateLimit: [5, {}, { limit: 0, seconds: 1 }],
      onError: ['log', null],
      onResponse: ['log', null],
    },
    handler,
  ],
  [
    'rateLimit',
    'rateLimit.',
    { limit: [0, 1.5, '5'], seconds: [0, -1, Infinity, '5'], clock: [null, {}], store: [null, {}] },
    (given) => handler({ rateLimit: { limit: 1, seconds: 1, ...given } }),
  ],
  ['openApiDocument', '', { serverUrl: [5, null] }, (given) => openApiDocument(given)],
  [
    'tokens[0]',
    'tokens[0].',
    {
      type: ['User', 5],
      token: ['', 'ge heim', 5],
      applicationId: [5, 'x'],
      application_id: [],
      scopes: [5, ['a b'], [5], null],
      user: [5, { id: 'me' }, { id: '1', locale: 5 }, { id: '1', guilds: [] }],
    },
    bearer,
  ],
  [
    'tokens[0].user',
    'tokens[0].user.',
    { id: [5, 'me'], locale: [5], guilds: [5, { 5: 5 }, { 5: { permissions: '0x8' } }] },
    (given) => bearer({ user: { id: '1', ...given } }),
  ],
  [
    'createGateway',
    '',
    {
      authenticate: [5, {}],
      scheduler: [null, { now() {} }],
      sessionIds: [5],
      deflate: [{}],
      heartbeatInterval: [0, -1, 1.5, '45000'],
      onError: [null],
    },
    (given) => createGateway({ ...gateway, ...given }),
  ],
  ...(['pendingAnswers', 'createConversations'] as const).map(
    (caller) =>
      [
        caller,
        '',
        { clock: [null, {}], ids: [5, {}], bot: [5], hasEmoji: [5], onListenerError: [5] },
        { pendingAnswers, createConversations }[caller],
      ] as const,
  ),
  [
    'sharedAnswers',
    '',
    { clock: [null, {}], ids: [5, {}], bot: [5], hasEmoji: [5], onListenerError: [5] },
    (given) => sharedAnswers(memoryStore(), given),
  ],
  ['LocalizationResolver', '', { fallbacks: [5, null, 'de'] }, (given) => new LocalizationResolver(given)],
  [
    'AuthorizationClient',
    '',
    {
      open: [5, null],
      fetch: [5],
      platform: ['web', null],
      authorizeUrl: ['/oauth2', 5],
      tokenUrl: ['/oauth2', 5],
      random: [5],
    },
    (given) => new AuthorizationClient(given),
  ],
  [
    'installUrl',
    '',
    {
      applicationId: [-1, 1.5, 'x', 2 ** 53, undefined, null],
      scopes: [5],
      integrationType: [2, '0'],
      permissions: [8, null],
      authorizeUrl: ['/oauth2'],
      disableGuildSelect: [1, null],
      // Reported as an issue of the link, like every other problem of its parameters.
      guildId: [],
    },
    aLink,
  ],
  [
    'storeContract',
    '',
    {
      test: [5, undefined],
      open: [5, undefined],
      durable: [1, null],
      restorable: [1, null],
      failing: [1, null],
    },
    (given) => storeContract({ ...contract, ...given }),
  ],
  ...(
    [
      ['validateCommand', (given: any) => validateCommand({}, given)],
      ['validateCommands', (given: any) => validateCommands([], given)],
      ['validatePatch', (given: any) => validatePatch({}, {} as never, given)],
      ['validatePermissions', (given: any) => validatePermissions([], given)],
    ] as const
  ).map(
    ([caller, call]) => [caller, '', { scope: ['server', 5, null], application: [5, []] }, call] as const,
  ),
  ...(
    [
      ['validateCallback', (given: any) => validateCallback(interaction, {}, given)],
      ['validateFollowUp', (given: any) => validateFollowUp(interaction, {}, given)],
    ] as const
  ).map(
    ([caller, call]) =>
      [
        caller,
        '',
        {
          now: [null, '5', NaN, new Date()],
          application: [5, []],
          files: [null, 5, [{}]],
          hasEmoji: [null, 5],
        },
        call,
      ] as const,
  ),
  [
    'getToken',
    '',
    { signal: [null, 5, {}] },
    (given) => new AuthorizationClient().getToken('1', 'code', 'verifier', 'https://a', given),
  ],
  [
    'serve',
    '',
    {
      handler: [{}, undefined],
      port: [-1, 65_536, '80'],
      host: ['', 5],
      hosts: [[''], [5]],
      headersTimeout: [0, 1.5, '5'],
      requestTimeout: [-1],
      idleTimeout: [2 ** 31],
      gateway: [{}, null],
      ws: [{}, null],
    },
    (given) => serve({ handler: () => new Response(), ...given }),
  ],
  [
    'close',
    '',
    { timeout: [-1, 0, '5s'] },
    async (given) => {
      const serving = await serve({ handler: () => new Response() })
      try {
        await serving.close(given)
      } finally {
        await serving.close()
      }
    },
  ],
  [
    'testbed',
    '',
    {
      commands: [{}, 'ping'],
      servers: [{}],
      endpoint: [5, 'bot'],
      applicationId: [5, 'x'],
      flags: ['1', 1.5],
      bot: [{}, { roles: [5] }, 5],
      routes: [5, []],
      timeout: [0, -1, '5'],
      pace: [-1, '5', NaN],
      discord: [5, 'yesterday', '2026-02-30'],
      ws: [{}],
    },
    (given) => testbed(given),
  ],
  [
    'deliver',
    '',
    {
      url: [5, undefined],
      privateKey: [5, undefined],
      fetch: ['fetch'],
      timeout: [0, -1, '5'],
      clock: [{}],
      application: [5],
      answers: [{}],
    },
    (given) => deliver({} as never, { url: 'http://a', privateKey: seed, ...given }),
  ],
  [
    'snowflakes',
    '',
    { clock: [null, {}, 5], worker: [-1, 1024, 0.5, '1', null] },
    (given) => snowflakes(given),
  ],
  [
    'commandsFor',
    '',
    { explain: [1, 'yes', null], signal: [5, null] },
    (given) => registry.commandsFor(viewer, given),
  ],
  ['invoke', '', { resolved }, (given) => client.invoke('ping', {}, given)],
  [
    'invoke',
    '',
    { resolved, subcommand: [5, null], options: [5, 'query', null] },
    (given) => client.invoke({ name: 'ping', description: 'Says pong' }, given),
  ],
  ['invokeOnUser', '', { resolved }, (given) => client.invokeOnUser('Greet', '5', given)],
  ['invokeOnMessage', '', { resolved }, (given) => client.invokeOnMessage('Pin', '5', given)],
  [
    'autocomplete',
    '',
    { resolved, raw: [1, null] },
    (given) => client.autocomplete('ping', {}, 'query', given),
  ],
  [
    'fuzz',
    '',
    {
      runs: [-1, 1.5, '5'],
      seed: [-1, '5'],
      time: [-1],
      patience: [-1],
      people: [0, 3, '2', null],
      installed: ['both', null],
      invariant: [5, null],
      only: ['/ban', [5]],
      bot: [{}],
      onProgress: [5],
      onStep: [5],
      signal: [5, {}],
      onCommand: [5],
    },
    (given) => fuzz({} as never, given),
  ],
]

describeOptions(options)
