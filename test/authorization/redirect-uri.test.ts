import { describe, expect, test } from 'vitest'
import {
  DESKTOP_REDIRECT,
  isReservedScheme,
  isScheme,
  readRedirect as readFrom,
  schemeRedirect,
} from '../../src/authorization/redirect-uri.ts'
import { refusal } from './requests.ts'
import { anyCharacter, fc, forAny } from '../support/properties.ts'

const issuer = 'https://discord.com'
const readRedirect = (address: string, redirectUri: string, state: string) =>
  readFrom(address, redirectUri, state, issuer)

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
const scheme = fc
  .tuple(fc.constantFrom(...letters), fc.string({ unit: fc.constantFrom(...letters, ...'0123456789+-.') }))
  .map(([first, rest]) => first + rest)
// No scheme of the web, browsers or operating systems ends like this.
const own = scheme.map((text) => `${text}.app`)

describe('forms', () => {
  test('[2.12-06] uses X:/authorize/callback for a custom scheme X', () => {
    expect(schemeRedirect(1001n, 'mygame')).toBe('mygame:/authorize/callback')
    forAny([scheme, fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })], 100, (custom, id) => {
      expect(schemeRedirect(id, custom)).toBe(`${custom}:/authorize/callback`)
      expect(isScheme(custom)).toBe(true)
    })
  })

  const invalidSchemes = ['', '1game', '-x', 'my game', 'mygame:', 'mygame://', 'my_game', 'é', 'x\n']
  test.each(invalidSchemes)('[2.12-06] rejects %j as a scheme', (text) => expect(isScheme(text)).toBe(false))

  // Listed again on purpose: a browser would itself run or load a redirect to one that is missing from the list.
  test.each([
    ...['javascript', 'data', 'blob', 'file', 'http', 'https', 'about', 'ws', 'wss', 'HTTPS', 'JavaScript'],
  ])('[2.12-06] rejects the reserved scheme %s and responses to it', (text) => {
    expect(isReservedScheme(text)).toBe(true)
    const redirectUri = schemeRedirect(1n, text)
    const address = new URL(redirectUri)
    address.search = 'code=c&state=s'
    expect(refusal(() => readRedirect(address.href, redirectUri, 's')).code).toBe('redirect_invalid')
  })

  test('[2.12-06] reserves no other scheme', () => {
    const registered = [
      'matrix',
      'geo',
      'im',
      'news',
      'resource',
      'content',
      'edge',
      'jar',
      'market',
      'urn',
      'mailto',
    ]
    forAny([own], 100, (text) => {
      expect(isReservedScheme(text)).toBe(false)
    })
    for (const text of [
      'discord-1',
      'mygame',
      'httpsx',
      'my-https',
      'com.example.app',
      'constructor',
      ...registered,
    ])
      expect(isReservedScheme(text)).toBe(false)
  })
})

describe('the response', () => {
  const sent = 'discord-1:/authorize/callback'
  const refused = (query: string, state = 's') => refusal(() => readRedirect(`${sent}?${query}`, sent, state))

  test('[2.12-04] returns the code if the state matches, for any characters', () => {
    const text = fc.string({ minLength: 1, unit: anyCharacter })
    forAny([own, text, text], 100, (custom, code, state) => {
      const redirectUri = schemeRedirect(1n, custom)
      const query = new URLSearchParams({ state, code })
      expect(readRedirect(`${redirectUri}?${query}`, redirectUri, state)).toBe(code)
    })
  })

  test.each([
    ['DISCORD-1:/authorize/callback?code=c&state=s', sent],
    ['discord-1:///authorize/callback?code=c&state=s', sent],
    ['discord-1:/authorize/callback?code=c&state=s#fragment', sent],
    ['http://127.0.0.1:53999/callback?code=c&state=s', DESKTOP_REDIRECT],
  ])('[2.12-06] accepts %s', (address, redirectUri) => {
    expect(readRedirect(address, redirectUri, 's')).toBe('c')
  })

  test.each([
    '',
    'nonsense',
    'discord-2:/authorize/callback?code=c&state=s',
    'discord-1:/authorize/other?code=c&state=s',
    'discord-1://evil/authorize/callback?code=c&state=s',
    'https://example.com/callback?code=c&state=s',
    undefined,
  ])('[2.12-06] rejects %s', (address) => {
    const error = refusal(() => readRedirect(address as string, sent, 's'))
    expect(error.code).toBe('redirect_invalid')
    expect(error.message).toBe('open: expected an address that begins with discord-1:/authorize/callback')
  })

  test('[2.12-04] rejects any other state without showing either state', () => {
    const text = fc.string({ unit: 'grapheme' })
    forAny([text, fc.string({ minLength: 1, unit: 'grapheme' })], 100, (given, expected) => {
      fc.pre(given !== expected)
      const error = refused(String(new URLSearchParams({ state: given, code: 'c' })), expected)
      expect(error.code).toBe('state_mismatch')
      expect(error.message).toBe('the response has another state; it does not belong to this request')
    })
  })

  const wrongStates = ['secre', 'secrett', 'Secret', 'xecret', 'secre\u0000']
  test.each(wrongStates)('[2.12-04] rejects %j for the state secret', (state) => {
    expect(refused(String(new URLSearchParams({ state, code: 'c' })), 'secret').code).toBe('state_mismatch')
    expect(refused('state=secret&code=c', state).code).toBe('state_mismatch')
  })

  test.each([
    ...['code=c', 'code=c&state=s&state=s', 'error=access_denied', 'error=access_denied&state=t'].map(
      (query) => [query, 'state_mismatch'] as const,
    ),
    // Without a code.
    ...['state=s', 'state=s&code=', 'state=s&code=a&code=b'].map(
      (query) => [query, 'redirect_invalid'] as const,
    ),
  ])('[2.12-04] rejects ?%s as %s', (query, code) => expect(refused(query).code).toBe(code))

  test('[2.12-04] takes the issuer of the service, or none, and refuses another one (RFC 9207)', () => {
    const named = (iss: string) => `${sent}?${new URLSearchParams({ code: 'c', state: 's', iss })}`
    expect(readRedirect(named(issuer), sent, 's')).toBe('c')
    for (const other of ['https://discord.com.evil.example', 'http://discord.com', '', `${issuer}/`]) {
      const error = refusal(() => readRedirect(named(other), sent, 's'))
      expect(error.code).toBe('redirect_invalid')
      expect(error.message).toContain('another issuer than https://discord.com')
    }
    const twice = refusal(() => readRedirect(`${named(issuer)}&iss=x`, sent, 's'))
    expect(twice.code).toBe('redirect_invalid')
    expect(refused('error=access_denied&state=s&iss=https%3A%2F%2Fother.example').code).toBe(
      'redirect_invalid',
    )
  })

  test('[2.12-04] reports an OAuth error with its description', () => {
    const answer = 'error=access_denied&error_description=The+user+said+%22no%22&state=s'
    const error = refused(answer)
    expect(error.code).toBe('refused')
    expect(error.oauth).toEqual({ error: 'access_denied', description: 'The user said "no"' })
    expect(error.message).toBe('the service responded "access_denied": "The user said \\"no\\""')
    const bare = refused('error=access_denied&state=s')
    expect(bare.oauth).toEqual({ error: 'access_denied', description: undefined })
    expect(bare.message).toBe('the service responded "access_denied"')
  })
})
