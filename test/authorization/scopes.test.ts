import { describe, expect, test } from 'vitest'
import { AuthorizationClient, expandScopes, parseScopes } from 'commandry'
import { words } from '../support/words.ts'
import { fc, forAny } from '../support/properties.ts'

const presence = words(`
  activities.invites.write activities.read activities.write application_identities.write gateway.connect
  identify relationships.read relationships.write
`)
const communication = [
  ...presence,
  ...['dm_channels.read', 'dm_channels.messages.read', 'dm_channels.messages.write'],
  ...['guilds', 'guilds.channels.read', 'lobbies.write'],
]

const token = fc.string({
  minLength: 1,
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .map((code) => (code === 0x22 || code === 0x5c ? 'x' : String.fromCharCode(code))),
})
const spaces = fc.integer({ min: 1, max: 3 }).map((count) => ' '.repeat(count))

describe('the default sets', () => {
  test('[2.12-03] are those of the SDK', () => {
    expect(AuthorizationClient.getDefaultCommunicationScopes()).toBe('openid sdk.social_layer')
    expect(AuthorizationClient.getDefaultPresenceScopes()).toBe('openid sdk.social_layer_presence')
  })

  test('[2.12-03] expand to all scopes the integration needs', () => {
    const { getDefaultPresenceScopes, getDefaultCommunicationScopes } = AuthorizationClient
    expect(expandScopes(getDefaultPresenceScopes())).toEqual(['openid', ...presence])
    expect(expandScopes(getDefaultCommunicationScopes())).toEqual(['openid', ...communication])
  })

  test('[2.12-03] include presence in communication', () => {
    const both = expandScopes('sdk.social_layer_presence sdk.social_layer')
    expect(new Set(both)).toEqual(new Set(communication))
  })
})

describe('extra scopes', () => {
  test('[2.12-03] are added to the default scopes, each once', () => {
    const expanded = expandScopes('openid sdk.social_layer_presence identify email openid')
    expect(expanded).toEqual(['openid', ...presence, 'email'])
  })

  test('[2.12-03] are not expanded', () => {
    forAny([fc.uniqueArray(token)], 100, (tokens) => {
      const others = tokens.filter((scope) => scope !== 'bot' && !scope.startsWith('sdk.'))
      expect(expandScopes(others.join(' '))).toEqual(others)
    })
    expect(expandScopes('__proto__ constructor')).toEqual(['__proto__', 'constructor'])
  })

  test('[1-03] include applications.commands with bot', () => {
    expect(expandScopes('bot')).toEqual(['bot', 'applications.commands'])
    expect(expandScopes('applications.commands bot')).toEqual(['applications.commands', 'bot'])
  })
})

describe('parsing', () => {
  test('[2.12-03] returns the scopes in order and ignores spaces around them', () => {
    forAny([fc.array(fc.tuple(token, spaces), { minLength: 1 }), spaces], 100, (pairs, before) => {
      const written = before + pairs.map(([scope, after]) => scope + after).join('')
      expect(parseScopes(written)).toEqual({ ok: true, value: pairs.map(([scope]) => scope), warnings: [] })
    })
  })

  test('[2.12-03] returns a frozen list', () => {
    const read = parseScopes('openid email')
    expect(read.ok && Object.isFrozen(read.value)).toBe(true)
  })

  test.each(['', ' ', '   '])('[2.12-03] finds no scope in %j', (written) => {
    expect(parseScopes(written)).toMatchObject({ ok: false, issues: [{ code: 'scopes.empty', path: [] }] })
  })

  test.each([
    ['a"b', '"a\\"b"'],
    ['a\\b', '"a\\\\b"'],
    ['a\tb', '"a\\tb"'],
    ['a\nb', '"a\\nb"'],
    ['é', '"é"'],
    ['\u0000', '"\\u0000"'],
    ['\u007f', '"\\u007f"'],
    ['😀', '"😀"'],
  ])('[2.12-03] rejects %j and names it', (bad, named) => {
    const read = parseScopes(`openid ${bad} email`)
    expect(read).toMatchObject({
      ok: false,
      issues: [{ code: 'scopes.syntax', params: { scopes: [bad] }, clause: '2.12-03' }],
    })
    expect(read.ok || read.issues[0]?.message).toContain(named)
  })

  test.each([
    [5, '"é3" and "é4"'],
    [10_000, '"é3", "é4" and 9995 more'],
  ])('[2.12-03] names at most five of %i invalid scopes', (count, last) => {
    const read = parseScopes(Array.from({ length: count }, (_, index) => `é${index}`).join(' '))
    expect(read.ok || read.issues[0]?.message).toBe(
      `has "é0", "é1", "é2", ${last}, which cannot be a scope; scopes are printable ASCII, separated by spaces`,
    )
  })
})
