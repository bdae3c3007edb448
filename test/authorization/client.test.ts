import { describe, expect, test } from 'vitest'
import { AuthorizationArgs, AuthorizationClient } from 'commandry'
import {
  CHALLENGE,
  type Fields,
  argsOf,
  clientOf,
  sent,
  failure,
  type AuthorizationClientOptions,
} from './requests.ts'
import { words } from '../support/words.ts'
import { anyCharacter, fc, forAnyAsync } from '../support/properties.ts'

describe('the authorization URL', () => {
  const required = {
    client_id: '1001',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'discord-1001:/authorize/callback',
    state: 's',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }

  test('[2.12-01] has exactly the required parameters when only they are set', async () => {
    expect(Object.fromEntries(await sent({}))).toEqual(required)
  })

  test('[2.12-01] has every set field once', async () => {
    const parameters = await sent({
      scopes: 'openid applications.commands',
      nonce: 'n',
      integrationType: 0,
      customSchemeParam: 'mygame',
    })
    expect(parameters).toHaveLength(9)
    expect(Object.fromEntries(parameters)).toEqual({
      ...required,
      scope: 'openid applications.commands',
      redirect_uri: 'mygame:/authorize/callback',
      nonce: 'n',
      integration_type: '0',
    })
  })

  test('[2.12-01] has no challenge on a desktop unless one is set', async () => {
    const names = (await sent({ codeChallenge: undefined }, { platform: 'desktop' })).map(([name]) => name)
    expect(names.sort()).toEqual(['client_id', 'redirect_uri', 'response_type', 'scope', 'state'])
  })

  test('[2.12-01] [2.12-04] keeps every character of state and nonce, and every digit of the id', async () => {
    const text = fc.string({ minLength: 1, unit: anyCharacter })
    await forAnyAsync(
      [text, text, fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })],
      100,
      async (state, nonce, clientId) => {
        const parameters = Object.fromEntries(await sent({ state, nonce, clientId }))
        expect(parameters).toMatchObject({ state, nonce, client_id: String(clientId) })
      },
    )
  })

  test('[2.12-03] writes one %20 between scopes', async () => {
    const { client, opened } = clientOf()
    await client.authorize(argsOf({ scopes: ' openid  sdk.social_layer email ' }))
    expect(opened[0]!.href).toContain('&scope=openid%20sdk.social_layer%20email&')
  })

  test('[2.12-01] sends the integration type with any scopes', async () => {
    expect(await sent({ integrationType: 1 })).toContainEqual(['integration_type', '1'])
  })

  test('[2.12-01] keeps the query of a given URL', async () => {
    const authorizeUrl = 'http://localhost:8080/oauth2/authorize?prompt=none#x'
    const { client, opened } = clientOf({ authorizeUrl })
    await client.authorize(argsOf())
    expect(opened[0]!.href).toMatch(
      /^http:\/\/localhost:8080\/oauth2\/authorize\?prompt=none&client_id=1001&/,
    )
  })
})

describe('the application id', () => {
  test('[2.12-02] defaults to the one of setApplicationId', async () => {
    const { client, parameters } = clientOf()
    client.setApplicationId('18446744073709551615')
    await client.authorize(argsOf({ clientId: 0n }))
    expect(parameters('client_id')).toEqual(['18446744073709551615'])
    expect(parameters('redirect_uri')).toEqual(['discord-18446744073709551615:/authorize/callback'])
  })

  test('[2.12-02] is taken from the arguments first and does not change them', async () => {
    const { client, parameters } = clientOf()
    client.setApplicationId(5n)
    const unset = argsOf({ clientId: 0n })
    await client.authorize(argsOf({ clientId: 6n }))
    await client.authorize(unset)
    expect(parameters('client_id')).toEqual(['6', '5'])
    expect(unset.clientId).toBe(0n)
  })

  test('[2.12-02] is missing when neither is set, or when 0 unsets it', async () => {
    const { client, opened } = clientOf()
    client.setApplicationId(5n)
    client.setApplicationId(0n)
    const error = await failure(client.authorize(argsOf({ clientId: 0n })))
    expect(error.issues).toMatchObject([{ code: 'client_id.missing', path: ['clientId'], clause: '2.12-02' }])
    expect(opened).toEqual([])
  })

  test('[2.12-02] is not rounded by setApplicationId', () => {
    expect(() => new AuthorizationClient().setApplicationId(2 ** 60)).toThrow(TypeError)
  })
})

describe('the state', () => {
  test('[2.12-04] is 32 random bytes when unset', async () => {
    const { client, parameters } = clientOf({ random: (bytes) => bytes.fill(0xff) })
    await client.authorize(argsOf())
    expect(parameters('state')).toEqual(['__________________________________________8'])
  })

  test('[2.12-04] differs for each request and does not change the arguments', async () => {
    const { client, parameters } = clientOf()
    const args = argsOf()
    for (let i = 0; i < 20; i++) await client.authorize(args)
    const states = parameters('state')
    expect(new Set(states).size).toBe(20)
    for (const state of states) expect(state).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(args.state).toBeUndefined()
  })

  test('[2.12-04] rejects the response to another request', async () => {
    const answers: ((answer: string) => void)[] = []
    const client = new AuthorizationClient({ open: () => new Promise((resolve) => answers.push(resolve)) })
    const first = client.authorize(argsOf({ state: 'first' }))
    const second = failure(client.authorize(argsOf({ state: 'second' })))
    for (const answer of answers) answer('discord-1001:/authorize/callback?code=c&state=first')
    expect(await first).toEqual({ code: 'c', redirectUri: 'discord-1001:/authorize/callback', warnings: [] })
    expect((await second).code).toBe('state_mismatch')
  })
})

test.each([
  [{}, {}, 'discord-1001:/authorize/callback'],
  [{ customSchemeParam: 'mygame' }, {}, 'mygame:/authorize/callback'],
  [{}, { platform: 'desktop' }, 'http://127.0.0.1/callback'],
  [{ customSchemeParam: 'mygame' }, { platform: 'desktop' }, 'http://127.0.0.1/callback'],
  [{ customSchemeParam: 'my game' }, { platform: 'desktop' }, 'http://127.0.0.1/callback'],
  [{ customSchemeParam: 'https' }, { platform: 'desktop' }, 'http://127.0.0.1/callback'],
] as const)('[2.12-06] the redirect with %j and %j is %s', async (fields, options, redirectUri) => {
  const { client, parameters } = clientOf(options)
  const authorization = await client.authorize(argsOf(fields))
  expect(authorization).toMatchObject({ code: 'the-code', redirectUri })
  expect(Object.isFrozen(authorization)).toBe(true)
  expect(parameters('redirect_uri')).toEqual([redirectUri])
})

describe('invalid arguments', () => {
  const ofMethod = (method: number, challenge: string) => ({
    codeChallenge: { method: method as 0, challenge },
  })
  const broken: [string, Fields, string, string][] = [
    ['no application id', { clientId: 0n }, 'client_id.missing', 'clientId'],
    ['no scopes', { scopes: ' ' }, 'scopes.empty', 'scopes'],
    ['a scope that cannot be', { scopes: 'openid é' }, 'scopes.syntax', 'scopes'],
    ['an empty state', { state: '' }, 'state.empty', 'state'],
    ['half a character as state', { state: 'a\ud800' }, 'state.text', 'state'],
    ['an empty nonce', { nonce: '' }, 'nonce.empty', 'nonce'],
    ['half a character as nonce', { nonce: '\udc00' }, 'nonce.text', 'nonce'],
    ['no S256 challenge', ofMethod(0, 'abc'), 'code_challenge.syntax', 'codeChallenge.challenge'],
    ['another method', ofMethod(1, CHALLENGE), 'code_challenge.method', 'codeChallenge.method'],
    ['an invalid scheme', { customSchemeParam: 'mygame://' }, 'custom_scheme.syntax', 'customSchemeParam'],
    ['an empty scheme', { customSchemeParam: '' }, 'custom_scheme.syntax', 'customSchemeParam'],
    ['a site as scheme', { customSchemeParam: 'https' }, 'custom_scheme.reserved', 'customSchemeParam'],
    [
      'a script as scheme',
      { customSchemeParam: 'JavaScript' },
      'custom_scheme.reserved',
      'customSchemeParam',
    ],
  ]

  test.each<[Fields, string]>([
    [{ scopes: 'openid applications.commands.update' }, 'scopes.client_credentials'],
    [{ scopes: 'bot', integrationType: 1 }, 'scopes.user_install'],
  ])('[2.12-08] refuses what a person cannot grant, %o, before anything opens', async (fields, code) => {
    const { client, opened } = clientOf()
    const { issues } = await failure(client.authorize(argsOf(fields)))
    expect(issues).toMatchObject([{ code, path: ['scopes'], clause: '2.12-08' }])
    expect(opened).toEqual([])
  })

  test.each(broken)('[2.12-05] reports %s before anything opens', async (_, fields, code, path) => {
    const { client, opened } = clientOf()
    const error = await failure(client.authorize(argsOf(fields)))
    expect(error.code).toBe('invalid_arguments')
    expect(error.issues).toMatchObject([{ code, path: path.split('.') }])
    expect(error.message).toBe(`${path} ${error.issues[0]?.message}`)
    expect(opened).toEqual([])
  })

  test('[2.12-05] reports every problem at once', async () => {
    const { client, opened } = clientOf()
    const fields = { state: '', nonce: '\ud800', customSchemeParam: '7' }
    const error = await failure(client.authorize(Object.assign(new AuthorizationArgs(), fields)))
    expect(error.issues.map(({ code }) => code)).toEqual(
      words('client_id.missing scopes.empty state.empty nonce.text custom_scheme.syntax'),
    )
    for (const { message, params } of error.issues) {
      expect(error.message).toContain(message)
      expect(params).toBeTypeOf('object')
    }
    expect(opened).toEqual([])
  })

  test('[2.12-07] rejects invalid arguments and nullobj', async () => {
    const { client, opened } = clientOf()
    const args = argsOf()
    AuthorizationArgs.move(args)
    for (const invalid of [args, AuthorizationArgs.nullobj]) {
      const error = await failure(client.authorize(invalid))
      expect(error.code).toBe('invalid_object')
      expect(error.message).toBe('args: expected valid AuthorizationArgs, got an invalid object')
    }
    expect(opened).toEqual([])
  })

  test('[2.12-07] is not affected by moving the arguments during authorization', async () => {
    const { client } = clientOf()
    const args = argsOf({ state: 's' })
    const authorization = client.authorize(args)
    AuthorizationArgs.move(args)
    expect((await authorization).code).toBe('the-code')
  })

  test('[2.12-07] rejects other objects, and a client without open, with a TypeError', async () => {
    const { client } = clientOf()
    const other = { clientId: 1n } as unknown as AuthorizationArgs
    await expect(client.authorize(other)).rejects.toThrow(
      new TypeError('args: expected AuthorizationArgs, got an object'),
    )
    await expect(new AuthorizationClient().authorize(argsOf())).rejects.toThrow(
      new TypeError('open: expected a function, got missing'),
    )
  })

  test.each([
    [{ open: 'firefox' }, 'open: expected a function, got the string "firefox"'],
    [{ fetch: {} }, 'fetch: expected a function, got an object'],
    [{ random: 4 }, 'random: expected a function, got the number 4'],
    [{ platform: 'ios' }, `platform: expected 'mobile' or 'desktop', got the string "ios"`],
    [{ authorizeUrl: '/authorize' }, 'authorizeUrl: expected an absolute URL, got the string "/authorize"'],
    [{ tokenUrl: '' }, 'tokenUrl: expected an absolute URL, got the string ""'],
  ])('[2.12-02] rejects the option %j with a TypeError', (options, message) => {
    expect(() => new AuthorizationClient(options as AuthorizationClientOptions)).toThrow(
      new TypeError(message),
    )
  })

  test('[2.12-04] passes on an OAuth error in the response', async () => {
    const address = 'discord-1001:/authorize/callback?error=access_denied&error_description=No&state=s'
    const { client } = clientOf({ open: async () => address })
    const error = await failure(client.authorize(argsOf({ state: 's' })))
    expect([error.code, error.oauth]).toEqual(['refused', { error: 'access_denied', description: 'No' }])
    expect(error.issues).toEqual([])
    expect([error.oauth, error.issues].every(Object.isFrozen)).toBe(true)
    expect(error).not.toHaveProperty('cause')
  })

  test('[2.12-04] keeps the error of open as the cause', async () => {
    const cause = new Error('no browser')
    const open = () => Promise.reject(cause)
    const error = await failure(new AuthorizationClient({ open }).authorize(argsOf()))
    expect([error.code, error.cause]).toEqual(['open_failed', cause])
  })
})

describe('warnings', () => {
  test('[2.12-05] opens without a challenge on every platform and warns when the redirect is a custom scheme', async () => {
    const mobile = clientOf()
    const without = argsOf({ codeChallenge: undefined })
    const { warnings } = await mobile.client.authorize(without)
    expect(mobile.parameters('code_challenge')).toEqual([null])
    expect(warnings).toMatchObject([
      { code: 'code_challenge.missing', path: ['codeChallenge'], clause: '2.12-05' },
    ])
    expect(Object.isFrozen(warnings)).toBe(true)

    const desktop = clientOf({ platform: 'desktop' })
    expect((await desktop.client.authorize(without)).warnings).toEqual([])
    expect((await mobile.client.authorize(argsOf())).warnings).toEqual([])
  })

  test('[2.12-06] warns that a custom scheme has no effect on desktop', async () => {
    const { client } = clientOf({ platform: 'desktop' })
    const { warnings } = await client.authorize(argsOf({ customSchemeParam: 'mygame' }))
    expect(warnings).toMatchObject([{ code: 'custom_scheme.unused', path: ['customSchemeParam'] }])
    expect((await client.authorize(argsOf())).warnings).toEqual([])
  })
})

test.each([
  ['a promise', async (bytes: Uint8Array) => bytes.fill(7), /got a promise/],
  ['nothing', () => undefined, /got only zeros/],
  ['zeros', (bytes: Uint8Array) => bytes.fill(0), /got only zeros/],
])('[2.12-04] rejects a random source that returns %s with a TypeError', async (_, random, message) => {
  const { client, opened } = clientOf({ random })
  for (const call of [client.authorize(argsOf()), client.createAuthorizationCodeVerifier()]) {
    await expect(call).rejects.toThrow(TypeError)
    await expect(call).rejects.toThrow(message)
  }
  expect(opened).toEqual([])
})
