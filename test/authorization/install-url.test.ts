import { installUrl } from 'commandry'
import { describe, expect, test } from 'vitest'
import { words } from '../support/words.ts'
import { refusal } from './requests.ts'

type InstallUrlOptions = Parameters<typeof installUrl>[0]

function codesOf(options: InstallUrlOptions): readonly string[] {
  return refusal(() => installUrl(options)).issues.map(({ code }) => code)
}

describe('[5-04] installUrl', () => {
  test('[5-04] requests only applications.commands, without a code, a bot or permissions', () => {
    expect(installUrl({ applicationId: '1029384756' })).toBe(
      'https://discord.com/oauth2/authorize?client_id=1029384756&scope=applications.commands',
    )
  })

  test('[5-04] has every given option', () => {
    const url = installUrl({
      applicationId: 2n ** 64n - 1n,
      scopes: 'bot  applications.commands',
      permissions: 2n ** 64n - 1n,
      guildId: '2001',
      disableGuildSelect: true,
      integrationType: 0,
      authorizeUrl: 'http://localhost:8080/oauth2/authorize?theme=dark',
    })
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      theme: 'dark',
      client_id: '18446744073709551615',
      scope: 'bot applications.commands',
      permissions: '18446744073709551615',
      guild_id: '2001',
      disable_guild_select: 'true',
      integration_type: '0',
    })
  })

  test.each<[string, Partial<InstallUrlOptions>]>([
    ['application_id.missing', { applicationId: 0n }],
    ['scopes.empty', { scopes: ' ' }],
    ['scopes.syntax', { scopes: 'b\u00f6t' }],
    ['scopes.install', { scopes: 'applications.commands identify' }],
    ['permissions.bot', { permissions: '8' }],
    ['permissions.syntax', { scopes: 'bot', permissions: '0x8' }],
    ['permissions.syntax', { scopes: 'bot', permissions: -1n }],
    ['permissions.syntax', { scopes: 'bot', permissions: 2n ** 64n }],
    ['guild_id.syntax', { guildId: 'home' }],
    ['guild_id.missing', { disableGuildSelect: true }],
  ])('[5-04] reports %s for %o', (code, options) => {
    expect(codesOf({ applicationId: 1n, ...options })).toEqual([code])
  })

  test.each<[string, Partial<InstallUrlOptions>]>([
    ['scopes.client_credentials', { scopes: 'applications.commands applications.commands.update' }],
    ['scopes.user_install', { scopes: 'bot', integrationType: 1 }],
    ['permissions.user_install', { permissions: '8', integrationType: 1 }],
    ['guild_id.user_install', { guildId: '2001', integrationType: 1 }],
  ])('[2.12-08] reports %s for %o, which Discord refuses', (code, options) => {
    expect(codesOf({ applicationId: 1n, ...options })).toEqual([code])
  })

  test('[2.12-08] does not advise authorize for a scope that it refuses too', () => {
    const { message } = refusal(() =>
      installUrl({ applicationId: 1n, scopes: 'applications.commands.update' }),
    )
    expect(message).toBe(
      'scopes has "applications.commands.update", which no person can grant; ask for it at the token endpoint with grant_type=client_credentials',
    )
  })

  test('[5-04] has the id alone where the install settings of the app are meant', () => {
    const url = 'https://discord.com/oauth2/authorize?client_id=1029384756'
    expect(installUrl({ applicationId: '1029384756', scopes: null })).toBe(url)
    expect(installUrl({ applicationId: '1029384756', scopes: null, integrationType: 1 })).toBe(
      `${url}&integration_type=1`,
    )
    expect(codesOf({ applicationId: 1n, scopes: null, permissions: '8' })).toEqual(['permissions.bot'])
  })

  test('[5-04] reports every problem at once', () => {
    const codes = codesOf({ applicationId: 0n, scopes: 'identify', permissions: 'all', guildId: '' })
    expect(codes).toEqual(
      words('application_id.missing scopes.install permissions.bot permissions.syntax guild_id.syntax'),
    )
  })

  test.each([
    [{ applicationId: 2 ** 60 }, /^applicationId: /],
    [{ applicationId: 1n, scopes: ['bot'] }, /^scopes: expected a string, got a list$/],
    [
      { applicationId: 1n, permissions: 8 },
      /^permissions: expected a bigint or decimal digits, got the number 8$/,
    ],
    [{ applicationId: 1n, integrationType: 2 }, /^integrationType: /],
    [{ applicationId: 1n, disableGuildSelect: 'yes' }, /^disableGuildSelect: /],
    [{ applicationId: 1n, authorizeUrl: '/authorize' }, /^authorizeUrl: /],
    [undefined, /^installUrl: expected an object with options, got missing/],
    [{ applicationId: 1n, clientId: 1n }, /^installUrl: unknown option "clientId"; expected applicationId, /],
  ])('[5-04] rejects wrong arguments %# with a TypeError', (options, message) => {
    const call = () => installUrl(options as unknown as InstallUrlOptions)
    expect(call).toThrow(TypeError)
    expect(call).toThrow(message)
  })
})
