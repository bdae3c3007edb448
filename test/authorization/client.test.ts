import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AuthorizationArgs } from '../../src/authorization/args.ts'
import { AuthorizationCodeChallenge } from '../../src/authorization/challenge.ts'
import { AuthorizationClient, type AuthorizationClientOptions } from '../../src/authorization/client.ts'
import { AuthorizationError } from '../../src/authorization/error.ts'
import { AuthorizationTokenType } from '../../src/authorization/token.ts'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const OTHER_VERIFIER = 'Qs-0Scio0ScPJDYOFy1NYsOAsj6Rb6cP-Y12N9pbwV0'

type Fields = Partial<
  Pick<
    AuthorizationArgs,
    'clientId' | 'scopes' | 'state' | 'nonce' | 'codeChallenge' | 'integrationType' | 'customSchemeParam'
  >
>

function argsOf(fields: Fields = {}): AuthorizationArgs {
  const codeChallenge = new AuthorizationCodeChallenge({ challenge: CHALLENGE })
  return Object.assign(new AuthorizationArgs(), {
    clientId: 1001n,
    scopes: 'openid',
    codeChallenge,
    ...fields,
  })
}

/** A person who consents at once: remembers what was opened and answers with a code. */
function person(code = 'the-code') {
  const opened: URL[] = []
  const open = async (address: string): Promise<string> => {
    const url = new URL(address)
    opened.push(url)
    const state = url.searchParams.get('state') ?? ''
    return `${url.searchParams.get('redirect_uri')}?${new URLSearchParams({ code, state })}`
  }
  return { opened, open }
}

function clientOf(options: AuthorizationClientOptions = {}) {
  const { opened, open } = person()
  return { client: new AuthorizationClient({ open, ...options }), opened }
}

async function sent(fields: Fields, options: AuthorizationClientOptions = {}): Promise<[string, string][]> {
  const { client, opened } = clientOf(options)
  await client.authorize(argsOf({ state: 's', ...fields }))
  return [...(opened[0] as URL).searchParams]
}

async function failure(promise: Promise<unknown>): Promise<AuthorizationError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof AuthorizationError) return error
  throw new Error(`expected an AuthorizationError, got ${String(error)}`)
}

describe('the address that is opened', () => {
  test('[2.12-01] holds these parameters and no others when only the needed fields are set', async () => {
    expect(Object.fromEntries(await sent({}))).toEqual({
      client_id: '1001',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'discord-1001:/authorize/callback',
      state: 's',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    })
  })

  test('[2.12-01] holds every field that is set, each once', async () => {
    const parameters = await sent({
      scopes: 'openid applications.commands',
      nonce: 'n',
      integrationType: 0,
      customSchemeParam: 'mygame',
    })
    expect(parameters).toHaveLength(9)
    expect(Object.fromEntries(parameters)).toEqual({
      client_id: '1001',
      response_type: 'code',
      scope: 'openid applications.commands',
      redirect_uri: 'mygame:/authorize/callback',
      state: 's',
      nonce: 'n',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      integration_type: '0',
    })
  })

  test('[2.12-01] has no challenge on a desktop unless one is set', async () => {
    const names = (await sent({ codeChallenge: undefined }, { platform: 'desktop' })).map(([name]) => name)
    expect(names.sort()).toEqual(['client_id', 'redirect_uri', 'response_type', 'scope', 'state'])
  })

  test('[2.12-01] keeps every character of state and nonce, and every digit of the id', async () => {
    const text = fc.string({ minLength: 1, unit: 'binary' })
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        async (state, nonce, clientId) => {
          const parameters = Object.fromEntries(await sent({ state, nonce, clientId }))
          expect(parameters).toMatchObject({ state, nonce, client_id: String(clientId) })
        },
      ),
    )
  })

  test('[2.12-03] writes the spaces between scopes as %20, and just one of them', async () => {
    const addresses: string[] = []
    const open = async (address: string) => {
      addresses.push(address)
      return 'discord-1001:/authorize/callback?code=c&state=s'
    }
    const args = argsOf({ scopes: ' openid  sdk.social_layer email ', state: 's' })
    await new AuthorizationClient({ open }).authorize(args)
    expect(addresses[0]).toContain('&scope=openid%20sdk.social_layer%20email&')
  })

  test('[2.12-01] sends an integration type whatever the scopes', async () => {
    expect(await sent({ integrationType: 1 })).toContainEqual(['integration_type', '1'])
  })

  test('[2.12-01] is the given one, with what its query already held', async () => {
    const { client, opened } = clientOf({
      authorizeUrl: 'http://localhost:8080/oauth2/authorize?prompt=none#x',
    })
    await client.authorize(argsOf())
    expect(opened[0]?.origin).toBe('http://localhost:8080')
    expect(opened[0]?.pathname).toBe('/oauth2/authorize')
    expect(opened[0]?.searchParams.get('prompt')).toBe('none')
    expect(opened[0]?.searchParams.get('client_id')).toBe('1001')
  })
})

describe('the application id', () => {
  test('[2.12-02] defaults to that of setApplicationId', async () => {
    const { client, opened } = clientOf()
    client.setApplicationId('18446744073709551615')
    await client.authorize(argsOf({ clientId: 0n }))
    expect(opened[0]?.searchParams.get('client_id')).toBe('18446744073709551615')
    expect(opened[0]?.searchParams.get('redirect_uri')).toBe(
      'discord-18446744073709551615:/authorize/callback',
    )
  })

  test('[2.12-02] of the arguments wins, and the arguments are left alone', async () => {
    const { client, opened } = clientOf()
    client.setApplicationId(5n)
    const unset = argsOf({ clientId: 0n })
    await client.authorize(argsOf({ clientId: 6n }))
    await client.authorize(unset)
    expect(opened.map((url) => url.searchParams.get('client_id'))).toEqual(['6', '5'])
    expect(unset.clientId).toBe(0n)
  })

  test('[2.12-02] is missing when neither is set, or 0 unset it again', async () => {
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
  test('[2.12-04] is made of 32 random bytes when unset', async () => {
    const { client, opened } = clientOf({ random: (bytes) => bytes.fill(0xff) })
    await client.authorize(argsOf())
    expect(opened[0]?.searchParams.get('state')).toBe('__________________________________________8')
  })

  test('[2.12-04] is another one each time, and not left in the arguments', async () => {
    const { client, opened } = clientOf()
    const args = argsOf()
    for (let i = 0; i < 20; i++) await client.authorize(args)
    const states = opened.map((url) => url.searchParams.get('state'))
    expect(new Set(states).size).toBe(20)
    for (const state of states) expect(state).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(args.state).toBeUndefined()
  })

  test('[2.12-04] of the arguments is sent as it is', async () => {
    expect(Object.fromEntries(await sent({ state: 'mine & yours' }))).toMatchObject({ state: 'mine & yours' })
  })

  test('[2.12-04] has to come back: an answer to another request is not believed', async () => {
    const answers: ((answer: string) => void)[] = []
    const client = new AuthorizationClient({ open: () => new Promise((resolve) => answers.push(resolve)) })
    const first = client.authorize(argsOf({ state: 'first' }))
    const second = failure(client.authorize(argsOf({ state: 'second' })))
    for (const answer of answers) answer('discord-1001:/authorize/callback?code=c&state=first')
    expect(await first).toEqual({ code: 'c', redirectUri: 'discord-1001:/authorize/callback' })
    expect((await second).code).toBe('state_mismatch')
  })
})

describe('the redirect', () => {
  test.each([
    [{}, {}, 'discord-1001:/authorize/callback'],
    [{ customSchemeParam: 'mygame' }, {}, 'mygame:/authorize/callback'],
    [{}, { platform: 'desktop' }, 'http://127.0.0.1/callback'],
    [{ customSchemeParam: 'mygame' }, { platform: 'desktop' }, 'http://127.0.0.1/callback'],
    [{ customSchemeParam: 'my game' }, { platform: 'desktop' }, 'http://127.0.0.1/callback'],
    [{ customSchemeParam: 'https' }, { platform: 'desktop' }, 'http://127.0.0.1/callback'],
  ] as const)('[2.12-06] with %j and %j is sent and returned as %s', async (fields, options, redirectUri) => {
    const { client, opened } = clientOf(options)
    const authorization = await client.authorize(argsOf(fields))
    expect(authorization).toEqual({ code: 'the-code', redirectUri })
    expect(Object.isFrozen(authorization)).toBe(true)
    expect(opened[0]?.searchParams.get('redirect_uri')).toBe(redirectUri)
  })
})

describe('what cannot work', () => {
  const broken: [string, Fields, string, (string | number)[]][] = [
    ['no application id', { clientId: 0n }, 'client_id.missing', ['clientId']],
    ['no scopes', { scopes: ' ' }, 'scopes.empty', ['scopes']],
    ['a scope that cannot be', { scopes: 'openid é' }, 'scopes.syntax', ['scopes']],
    ['an empty state', { state: '' }, 'state.empty', ['state']],
    ['half a character as state', { state: 'a\ud800' }, 'state.text', ['state']],
    ['half a character as nonce', { nonce: '\udc00' }, 'nonce.text', ['nonce']],
    ['no challenge for a scheme', { codeChallenge: undefined }, 'code_challenge.missing', ['codeChallenge']],
    [
      'a challenge that S256 cannot give',
      { codeChallenge: { method: 0, challenge: 'abc' } },
      'code_challenge.syntax',
      ['codeChallenge', 'challenge'],
    ],
    [
      'another method',
      { codeChallenge: { method: 1 as 0, challenge: CHALLENGE } },
      'code_challenge.method',
      ['codeChallenge', 'method'],
    ],
    [
      'a scheme that is none',
      { customSchemeParam: 'mygame://' },
      'custom_scheme.syntax',
      ['customSchemeParam'],
    ],
    ['an empty scheme', { customSchemeParam: '' }, 'custom_scheme.syntax', ['customSchemeParam']],
    ['a site as scheme', { customSchemeParam: 'https' }, 'custom_scheme.reserved', ['customSchemeParam']],
    [
      'a script as scheme',
      { customSchemeParam: 'JavaScript' },
      'custom_scheme.reserved',
      ['customSchemeParam'],
    ],
  ]

  test.each(broken)('[2.12-05] %s is said before anything opens', async (_, fields, code, path) => {
    const { client, opened } = clientOf()
    const error = await failure(client.authorize(argsOf(fields)))
    expect(error.code).toBe('invalid_arguments')
    expect(error.issues).toMatchObject([{ code, path }])
    expect(error.message).toBe(`${path.join('.')} ${error.issues[0]?.message}`)
    expect(opened).toEqual([])
  })

  test('[2.12-05] is said all at once', async () => {
    const { client, opened } = clientOf()
    const args = Object.assign(new AuthorizationArgs(), {
      state: '',
      nonce: '\ud800',
      customSchemeParam: '7',
    })
    const error = await failure(client.authorize(args))
    expect(error.issues.map(({ code }) => code)).toEqual([
      'client_id.missing',
      'scopes.empty',
      'state.empty',
      'nonce.text',
      'code_challenge.missing',
      'custom_scheme.syntax',
    ])
    for (const { message } of error.issues) expect(error.message).toContain(message)
    expect(opened).toEqual([])
  })

  test('[2.12-07] invalid arguments and nullobj are a clear error', async () => {
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

  test('[2.12-07] moving the arguments while the person decides does no harm', async () => {
    const { client } = clientOf()
    const args = argsOf({ state: 's' })
    const authorization = client.authorize(args)
    AuthorizationArgs.move(args)
    expect((await authorization).code).toBe('the-code')
  })

  test('[2.12-07] things that are no arguments, and a client that cannot open, are TypeErrors', async () => {
    const { client } = clientOf()
    await expect(client.authorize({ clientId: 1n } as unknown as AuthorizationArgs)).rejects.toThrow(
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
  ])('[2.12-02] the option %j is a TypeError', (options, message) => {
    expect(() => new AuthorizationClient(options as AuthorizationClientOptions)).toThrow(
      new TypeError(message),
    )
  })

  test('[2.12-04] an OAuth error in the answer is passed on', async () => {
    const open = async () =>
      'discord-1001:/authorize/callback?error=access_denied&error_description=No&state=s'
    const error = await failure(new AuthorizationClient({ open }).authorize(argsOf({ state: 's' })))
    expect([error.code, error.oauth]).toEqual(['refused', { error: 'access_denied', description: 'No' }])
  })

  test('[2.12-04] what keeps the address from opening is the cause', async () => {
    const cause = new Error('no browser')
    const open = () => Promise.reject(cause)
    const error = await failure(new AuthorizationClient({ open }).authorize(argsOf()))
    expect([error.code, error.cause]).toEqual(['open_failed', cause])
  })
})

describe('getToken', () => {
  interface Call {
    readonly url: string
    readonly init: RequestInit
  }

  /** A token endpoint that always gives the same answer. */
  function endpoint(body: unknown, status = 200) {
    const calls: Call[] = []
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      calls.push({ url, init })
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
    }
    return { calls, fetch }
  }

  const granted = {
    access_token: 'access',
    refresh_token: 'refresh',
    token_type: 'Bearer',
    expires_in: 604800,
    scope: 'openid identify',
  }
  const redirectUri = 'discord-1001:/authorize/callback'

  test('[2.12-05] posts the code and the verifier as a form, and gives the token', async () => {
    const { calls, fetch } = endpoint(granted)
    const { client } = clientOf({ fetch, tokenUrl: 'http://localhost:8080/oauth2/token' })
    const verifier = await client.createAuthorizationCodeVerifier()
    const clientId = 2n ** 64n - 1n
    const args = argsOf({ clientId, codeChallenge: verifier.challenge })
    const { code, redirectUri } = await client.authorize(args)
    const token = await client.getToken(clientId, code, verifier, redirectUri)
    expect(token).toEqual({
      accessToken: 'access',
      refreshToken: 'refresh',
      tokenType: AuthorizationTokenType.Bearer,
      expiresIn: 604800,
      scopes: 'openid identify',
    })
    expect(Object.isFrozen(token)).toBe(true)
    expect(calls).toHaveLength(1)
    expect(calls[0]?.url).toBe('http://localhost:8080/oauth2/token')
    expect(calls[0]?.init).toMatchObject({ method: 'POST', redirect: 'manual' })
    expect(new Headers(calls[0]?.init.headers).get('content-type')).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(calls[0]?.init.body as string))).toEqual({
      grant_type: 'authorization_code',
      client_id: '18446744073709551615',
      code,
      code_verifier: verifier.verifier,
      redirect_uri: redirectUri,
    })
  })

  test('[2.12-05] takes the verifier as text too, a code from elsewhere, and the id of setApplicationId', async () => {
    const { calls, fetch } = endpoint(granted)
    const client = new AuthorizationClient({ fetch })
    client.setApplicationId(1001n)
    await client.getToken(0n, 'a+b c', VERIFIER, redirectUri)
    const form = new URLSearchParams(calls[0]?.init.body as string)
    expect([form.get('client_id'), form.get('code'), form.get('code_verifier')]).toEqual([
      '1001',
      'a+b c',
      VERIFIER,
    ])
  })

  test('[2.12-05] calls fetch as a plain function, as those of browsers insist on', async () => {
    const callers: unknown[] = []
    const fetch = async function (this: unknown): Promise<Response> {
      callers.push(this)
      return Response.json(granted)
    }
    await new AuthorizationClient({ fetch }).getToken(1n, 'c', VERIFIER, redirectUri)
    expect(callers).toEqual([undefined])
  })

  test('[2.12-05] is refused for a code that was asked for without a challenge', async () => {
    const { calls, fetch } = endpoint(granted)
    const { client } = clientOf({ fetch, platform: 'desktop' })
    const { code, redirectUri } = await client.authorize(argsOf({ codeChallenge: undefined }))
    const error = await failure(client.getToken(1001n, code, VERIFIER, redirectUri))
    expect(error.issues).toMatchObject([{ code: 'code_challenge.missing', clause: '2.12-05' }])
    expect(calls).toEqual([])
  })

  test('[2.12-05] is refused for the verifier of another challenge, and works then with the right one', async () => {
    const { calls, fetch } = endpoint(granted)
    const { client } = clientOf({ fetch })
    const { code } = await client.authorize(argsOf())
    const error = await failure(client.getToken(1001n, code, OTHER_VERIFIER, redirectUri))
    expect(error.issues).toMatchObject([{ code: 'verifier.mismatch', path: ['verifier'] }])
    expect(calls).toEqual([])
    await client.getToken(1001n, code, VERIFIER, redirectUri)
    expect(calls).toHaveLength(1)
  })

  test('[2.12-02] is refused for a code of another application, and 0 stands for the right one', async () => {
    const { calls, fetch } = endpoint(granted)
    const { client } = clientOf({ fetch })
    const { code, redirectUri } = await client.authorize(argsOf({ clientId: 777n }))
    client.setApplicationId(123n)
    const error = await failure(client.getToken(123n, code, VERIFIER, redirectUri))
    expect(error.issues).toMatchObject([
      {
        code: 'client_id.mismatch',
        path: ['applicationId'],
        clause: '2.12-02',
        params: { actual: '123', expected: '777' },
      },
    ])
    expect(calls).toEqual([])
    await client.getToken(0n, code, VERIFIER, redirectUri)
    expect(new URLSearchParams(calls[0]?.init.body as string).get('client_id')).toBe('777')
  })

  test('[2.12-06] is refused for any redirect but the one the code was sent to', async () => {
    const { calls, fetch } = endpoint(granted)
    const { client } = clientOf({ fetch })
    const { code, redirectUri } = await client.authorize(argsOf({ customSchemeParam: 'mygame' }))
    for (const other of [
      'discord-1001:/authorize/callback',
      'http://127.0.0.1/callback',
      `${redirectUri}/`,
    ]) {
      const error = await failure(client.getToken(1001n, code, VERIFIER, other))
      expect(error.issues).toMatchObject([
        { code: 'redirect_uri.mismatch', path: ['redirectUri'], clause: '2.12-06' },
      ])
    }
    expect(calls).toEqual([])
    await client.getToken(1001n, code, VERIFIER, redirectUri)
    expect(calls).toHaveLength(1)
  })

  test('[2.12-05] says of a known code everything that cannot work at once', async () => {
    const { calls, fetch } = endpoint(granted)
    const { client } = clientOf({ fetch })
    const { code } = await client.authorize(argsOf())
    const error = await failure(client.getToken(5n, code, OTHER_VERIFIER, 'x:/y'))
    expect(error.issues.map(({ code }) => code)).toEqual([
      'client_id.mismatch',
      'verifier.mismatch',
      'redirect_uri.mismatch',
    ])
    for (const { message } of error.issues) expect(error.message).toContain(message)
    expect(calls).toEqual([])
  })

  test('[2.12-05] leaves to the service what it no longer remembers: all but the last 64 codes', async () => {
    const { calls, fetch } = endpoint(granted)
    let made = 0
    const open = async () => `http://127.0.0.1/callback?code=${made++}&state=s`
    const client = new AuthorizationClient({ fetch, open, platform: 'desktop' })
    const args = argsOf({ codeChallenge: undefined, state: 's' })
    for (let i = 0; i < 65; i++) await client.authorize(args)
    await client.getToken(1001n, '0', VERIFIER, redirectUri)
    expect(calls).toHaveLength(1)
    expect((await failure(client.getToken(1001n, '1', VERIFIER, redirectUri))).code).toBe('invalid_arguments')
    expect(calls).toHaveLength(1)
  })

  test('[2.12-05] says everything that cannot work at once, without asking', async () => {
    const { calls, fetch } = endpoint(granted)
    const error = await failure(new AuthorizationClient({ fetch }).getToken(0n, '', 'short', ''))
    expect(error.code).toBe('invalid_arguments')
    expect(error.issues.map(({ code }) => code)).toEqual([
      'client_id.missing',
      'code.empty',
      'verifier.syntax',
      'redirect_uri.empty',
    ])
    expect(calls).toEqual([])
  })

  test('[2.12-05] takes texts only', async () => {
    const client = new AuthorizationClient({ fetch: endpoint(granted).fetch })
    const nothing = undefined as unknown as string
    for (const call of [
      client.getToken(1n, nothing, VERIFIER, redirectUri),
      client.getToken(1n, 'c', nothing, redirectUri),
      client.getToken(1n, 'c', VERIFIER, nothing),
      client.getToken(1.5, 'c', VERIFIER, redirectUri),
    ]) {
      await expect(call).rejects.toThrow(TypeError)
    }
  })

  test.each([
    [{ token_type: 'bearer' }, { tokenType: AuthorizationTokenType.Bearer }],
    [{ token_type: 'User' }, { tokenType: AuthorizationTokenType.User }],
    [{ refresh_token: undefined }, { refreshToken: undefined }],
    [{ refresh_token: null }, { refreshToken: undefined }],
    [{ expires_in: undefined }, { expiresIn: undefined }],
    [{ expires_in: 0 }, { expiresIn: 0 }],
    [{ scope: '' }, { scopes: '' }],
    [{ id_token: 'x', novelty: {} }, {}],
  ])('[2.12-05] reads an answer with %j', async (change, expected) => {
    const client = new AuthorizationClient({ fetch: endpoint({ ...granted, ...change }).fetch })
    expect(await client.getToken(1n, 'c', VERIFIER, redirectUri)).toMatchObject(expected)
  })

  test('[2.12-05] an answer that names no scopes grants those that were asked for', async () => {
    const { client } = clientOf({ fetch: endpoint({ ...granted, scope: undefined }).fetch })
    const { code } = await client.authorize(argsOf({ scopes: 'openid  email' }))
    expect((await client.getToken(1001n, code, VERIFIER, redirectUri)).scopes).toBe('openid email')
    expect((await client.getToken(1001n, 'elsewhere', VERIFIER, redirectUri)).scopes).toBe('')
  })

  test('[2.12-05] an OAuth error comes out with its body and status', async () => {
    const { fetch } = endpoint(
      { error: 'invalid_grant', error_description: 'Invalid "code" in request.' },
      400,
    )
    const error = await failure(new AuthorizationClient({ fetch }).getToken(1n, 'c', VERIFIER, redirectUri))
    expect([error.code, error.status]).toEqual(['refused', 400])
    expect(error.oauth).toEqual({ error: 'invalid_grant', description: 'Invalid "code" in request.' })
    expect(error.message).toBe('the service answered "invalid_grant": "Invalid \\"code\\" in request."')
  })

  test.each([
    ['<html>', 502, 'request_failed'],
    [{ message: '404: Not Found', code: 0 }, 404, 'request_failed'],
    ['', 302, 'request_failed'],
    ['access', 200, 'response_invalid'],
    [[granted], 200, 'response_invalid'],
    ['null', 200, 'response_invalid'],
    [{ ...granted, access_token: '' }, 200, 'response_invalid'],
    [{ ...granted, access_token: 5 }, 200, 'response_invalid'],
    [{ ...granted, token_type: 'mac' }, 200, 'response_invalid'],
    [{ ...granted, token_type: undefined }, 200, 'response_invalid'],
    [{ ...granted, expires_in: '604800' }, 200, 'response_invalid'],
    [{ ...granted, expires_in: -1 }, 200, 'response_invalid'],
    [{ ...granted, refresh_token: 1 }, 200, 'response_invalid'],
    [{ ...granted, scope: ['openid'] }, 200, 'response_invalid'],
  ])('[2.12-05] the answer %j with status %i is %s', async (body, status, code) => {
    const { fetch } = endpoint(body, status)
    const error = await failure(new AuthorizationClient({ fetch }).getToken(1n, 'c', VERIFIER, redirectUri))
    expect([error.code, error.status]).toEqual([code, status])
  })

  test('[2.12-05] a network that fails is the cause', async () => {
    const cause = new Error('offline')
    const client = new AuthorizationClient({ fetch: () => Promise.reject(cause) })
    const error = await failure(client.getToken(1n, 'c', VERIFIER, redirectUri))
    expect([error.code, error.cause]).toEqual(['request_failed', cause])
  })

  test('[5-03] no error tells a code, a verifier or a token, even if the service repeats them', async () => {
    const secret = 'a-secret-token-of-the-service'
    const secrets = ['secret-code', VERIFIER, secret]
    const echo = `${VERIFIER} does not fit secret-code`
    const answers: [unknown, number][] = [
      [{ error: VERIFIER, error_description: echo }, 400],
      [{ access_token: secret, token_type: secret, refresh_token: secret }, 200],
      [`${secret} is no JSON`, 200],
      [secret, 500],
    ]
    for (const [body, status] of answers) {
      const client = new AuthorizationClient({ fetch: endpoint(body, status).fetch })
      const error = await failure(client.getToken(1n, 'secret-code', VERIFIER, redirectUri))
      const told = [error.message, error.stack, String(error.cause), JSON.stringify(error)].join('\n')
      for (const text of secrets) expect(told).not.toContain(text)
    }
    const bad = `${VERIFIER} `
    const error = await failure(new AuthorizationClient().getToken(1n, 'c', bad, redirectUri))
    expect(JSON.stringify(error) + error.message).not.toContain(VERIFIER)
  })
})
