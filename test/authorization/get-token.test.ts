import { describe, expect, test } from 'vitest'
import { AuthorizationClient, AuthorizationTokenType } from 'commandry'
import { words } from '../support/words.ts'
import {
  VERIFIER,
  OTHER_VERIFIER,
  argsOf,
  clientOf,
  failure,
  type AuthorizationClientOptions,
} from './requests.ts'

describe('getToken', () => {
  /** A token endpoint that always gives the same answer. */
  function endpoint(body: unknown, status = 200) {
    const calls: { readonly url: string; readonly init: RequestInit; readonly form: URLSearchParams }[] = []
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      calls.push({ url, init, form: new URLSearchParams(init.body as string) })
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
    }
    return { calls, fetch }
  }

  /** Exchanges a code that the client did not request. */
  function exchange(options: AuthorizationClientOptions, code = 'c') {
    return new AuthorizationClient(options).getToken(1n, code, VERIFIER, redirectUri)
  }

  const granted = {
    access_token: 'access',
    refresh_token: 'refresh',
    token_type: 'Bearer',
    expires_in: 604800,
    scope: 'openid identify',
  }
  const redirectUri = 'discord-1001:/authorize/callback'

  /** A client whose token endpoint grants everything. */
  function grantedClient(options: AuthorizationClientOptions = {}) {
    const { calls, fetch } = endpoint(granted)
    return { calls, ...clientOf({ fetch, ...options }) }
  }

  test('[2.12-05] posts to Discord by default', async () => {
    const { calls, fetch } = endpoint(granted)
    await exchange({ fetch })
    expect(calls.map(({ url }) => url)).toEqual(['https://discord.com/api/oauth2/token'])
  })

  test('[2.12-05] posts the code and the verifier as a form and returns the token', async () => {
    const { calls, client } = grantedClient({ tokenUrl: 'http://localhost:8080/oauth2/token' })
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
    expect(Object.fromEntries(calls[0]!.form)).toEqual({
      grant_type: 'authorization_code',
      client_id: '18446744073709551615',
      code,
      code_verifier: verifier.verifier,
      redirect_uri: redirectUri,
    })
  })

  test('[2.12-05] accepts a verifier as text, a code of another client, and the id of setApplicationId', async () => {
    const { calls, client } = grantedClient()
    client.setApplicationId(1001n)
    await client.getToken(0n, 'a+b c', VERIFIER, redirectUri)
    const { client_id, code, code_verifier } = Object.fromEntries(calls[0]!.form)
    expect([client_id, code, code_verifier]).toEqual(['1001', 'a+b c', VERIFIER])
  })

  test('[2.12-05] calls fetch as a plain function, as browsers require', async () => {
    const callers: unknown[] = []
    const fetch = async function (this: unknown): Promise<Response> {
      callers.push(this)
      return Response.json(granted)
    }
    await exchange({ fetch })
    expect(callers).toEqual([undefined])
  })

  test('[2.12-05] rejects a code that was requested without a challenge', async () => {
    const { calls, client } = grantedClient({ platform: 'desktop' })
    const { code, redirectUri } = await client.authorize(argsOf({ codeChallenge: undefined }))
    const error = await failure(client.getToken(1001n, code, VERIFIER, redirectUri))
    expect(error.issues).toMatchObject([{ code: 'code_challenge.missing', clause: '2.12-05' }])
    expect(calls).toEqual([])
  })

  test('[2.12-05] rejects the verifier of another challenge, then accepts the right one', async () => {
    const { calls, client } = grantedClient()
    const { code } = await client.authorize(argsOf())
    const error = await failure(client.getToken(1001n, code, OTHER_VERIFIER, redirectUri))
    expect(error.issues).toMatchObject([{ code: 'verifier.mismatch', path: ['verifier'] }])
    expect(calls).toEqual([])
    await client.getToken(1001n, code, VERIFIER, redirectUri)
    expect(calls).toHaveLength(1)
  })

  test('[2.12-02] rejects a code of another application; 0 means the right one', async () => {
    const { calls, client } = grantedClient()
    const { code, redirectUri } = await client.authorize(argsOf({ clientId: 777n }))
    client.setApplicationId(123n)
    const error = await failure(client.getToken(123n, code, VERIFIER, redirectUri))
    const params = { actual: '123', expected: '777' }
    expect(error.issues).toMatchObject([
      { code: 'client_id.mismatch', path: ['applicationId'], clause: '2.12-02', params },
    ])
    expect(calls).toEqual([])
    await client.getToken(0n, code, VERIFIER, redirectUri)
    expect(calls[0]?.form.get('client_id')).toBe('777')
  })

  test('[2.12-06] rejects any redirect except that of the code', async () => {
    const { calls, client } = grantedClient()
    const { code, redirectUri } = await client.authorize(argsOf({ customSchemeParam: 'mygame' }))
    const others = ['discord-1001:/authorize/callback', 'http://127.0.0.1/callback', `${redirectUri}/`]
    for (const other of others) {
      const error = await failure(client.getToken(1001n, code, VERIFIER, other))
      expect(error.issues).toMatchObject([
        { code: 'redirect_uri.mismatch', path: ['redirectUri'], clause: '2.12-06' },
      ])
    }
    expect(calls).toEqual([])
    await client.getToken(1001n, code, VERIFIER, redirectUri)
    expect(calls).toHaveLength(1)
  })

  test('[2.12-05] reports every problem of a known code at once', async () => {
    const { calls, client } = grantedClient()
    const { code } = await client.authorize(argsOf())
    const error = await failure(client.getToken(5n, code, OTHER_VERIFIER, 'x:/y'))
    const codes = error.issues.map(({ code }) => code)
    expect(codes).toEqual(words('client_id.mismatch verifier.mismatch redirect_uri.mismatch'))
    for (const { message } of error.issues) expect(error.message).toContain(message)
    expect(calls).toEqual([])
  })

  test('[2.12-05] checks the last 64 codes and leaves older ones to the service', async () => {
    let made = 0
    const open = async () => `http://127.0.0.1/callback?code=${made++}&state=s`
    const { calls, client } = grantedClient({ open, platform: 'desktop' })
    const args = argsOf({ codeChallenge: undefined, state: 's' })
    for (let i = 0; i < 65; i++) await client.authorize(args)
    await client.getToken(1001n, '0', VERIFIER, redirectUri)
    expect(calls).toHaveLength(1)
    expect((await failure(client.getToken(1001n, '1', VERIFIER, redirectUri))).code).toBe('invalid_arguments')
    expect(calls).toHaveLength(1)
  })

  test('[2.12-05] reports every problem at once and sends nothing', async () => {
    const { calls, client } = grantedClient()
    const error = await failure(client.getToken(0n, '', 'short', ''))
    expect(error.code).toBe('invalid_arguments')
    const codes = error.issues.map(({ code }) => code)
    expect(codes).toEqual(words('client_id.missing code.empty verifier.syntax redirect_uri.empty'))
    expect(calls).toEqual([])
  })

  test('[2.12-05] rejects values that are not strings', async () => {
    const { client } = grantedClient()
    const nothing = undefined as unknown as string
    for (const call of [
      client.getToken(1n, nothing, VERIFIER, redirectUri),
      client.getToken(1n, 'c', nothing, redirectUri),
      client.getToken(1n, 'c', VERIFIER, nothing),
      client.getToken(1.5, 'c', VERIFIER, redirectUri),
    ])
      await expect(call).rejects.toThrow(TypeError)
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
  ])('[2.12-05] reads a response with %j', async (change, expected) => {
    expect(await exchange({ fetch: endpoint({ ...granted, ...change }).fetch })).toMatchObject(expected)
  })

  test('[2.12-05] returns the requested scopes when the response has none', async () => {
    const { client } = clientOf({ fetch: endpoint({ ...granted, scope: undefined }).fetch })
    const { code } = await client.authorize(argsOf({ scopes: 'openid  email' }))
    expect((await client.getToken(1001n, code, VERIFIER, redirectUri)).scopes).toBe('openid email')
    // A code is for one exchange: the client forgets its request after that.
    for (const other of [code, 'elsewhere'])
      expect((await client.getToken(1001n, other, VERIFIER, redirectUri)).scopes).toBe('')
  })

  test('[2.12-05] reports an OAuth error with its status', async () => {
    const answer = { error: 'invalid_grant', error_description: 'Invalid "code" in request.' }
    const { fetch } = endpoint(answer, 400)
    const error = await failure(exchange({ fetch }))
    expect([error.code, error.status]).toEqual(['refused', 400])
    expect(error.oauth).toEqual({ error: 'invalid_grant', description: 'Invalid "code" in request.' })
    expect(error.message).toBe('the service responded "invalid_grant": "Invalid \\"code\\" in request."')
    const long = endpoint({ error: 'x', error_description: 'y'.repeat(201) }, 400)
    const { message } = await failure(exchange({ fetch: long.fetch }))
    expect(message).toContain(`"${'y'.repeat(199)}…`)
  })

  test.each([
    ['<html>', 502, 'request_failed'],
    [{ message: '404: Not Found', code: 0 }, 404, 'request_failed'],
    ['', 300, 'request_failed'],
    ['access', 299, 'response_invalid'],
    [[granted], 200, 'response_invalid'],
    ['null', 200, 'response_invalid'],
    ...[
      ...[{ access_token: '' }, { access_token: 5 }, { token_type: 'mac' }, { token_type: undefined }],
      ...[{ expires_in: '604800' }, { expires_in: -1 }, { refresh_token: 1 }, { scope: ['openid'] }],
    ].map((change): [unknown, number, string] => [{ ...granted, ...change }, 200, 'response_invalid']),
  ])('[2.12-05] reports the response %j with status %i as %s', async (body, status, code) => {
    const error = await failure(exchange({ fetch: endpoint(body, status).fetch }))
    expect([error.code, error.status]).toEqual([code, status])
  })

  test('[2.12-05] passes its signal to fetch and rejects with the reason of an abort', async () => {
    const { calls, client } = grantedClient()
    const controller = new AbortController()
    const { signal } = controller
    await client.getToken(1n, 'c', VERIFIER, redirectUri, { signal })
    expect(calls[0]?.init.signal).toBe(signal)
    controller.abort(new Error('closed'))
    const error = await failure(client.getToken(1n, 'c', VERIFIER, redirectUri, { signal }))
    expect([error.code, error.cause]).toEqual(['request_failed', signal.reason])
    expect(calls).toHaveLength(1)
    await expect(
      client.getToken(1n, 'c', VERIFIER, redirectUri, { signal: {} as AbortSignal }),
    ).rejects.toThrow(new TypeError('signal: expected an AbortSignal, got an object'))
  })

  test('[2.12-05] keeps the error of fetch as the cause', async () => {
    const cause = new Error('offline')
    const error = await failure(exchange({ fetch: () => Promise.reject(cause) }))
    expect([error.code, error.cause]).toEqual(['request_failed', cause])
  })

  test('[5-03] shows no code, verifier or token in errors, even if the service repeats them', async () => {
    const secret = 'a-secret-token-of-the-service'
    const secrets = ['its-code', VERIFIER, secret]
    const echo = `${VERIFIER} does not fit its-code`
    const answers: [unknown, number][] = [
      [{ error: VERIFIER, error_description: echo }, 400],
      [{ access_token: secret, token_type: secret, refresh_token: secret }, 200],
      [`${secret} is no JSON`, 200],
      [secret, 500],
    ]
    for (const [body, status] of answers) {
      const { fetch } = endpoint(body, status)
      const error = await failure(exchange({ fetch }, 'its-code'))
      const told = [error.message, error.stack, String(error.cause), JSON.stringify(error)].join('\n')
      for (const text of secrets) expect(told).not.toContain(text)
    }
    const bad = `${VERIFIER} `
    const error = await failure(new AuthorizationClient().getToken(1n, 'c', bad, redirectUri))
    expect(JSON.stringify(error) + error.message).not.toContain(VERIFIER)
  })
})
