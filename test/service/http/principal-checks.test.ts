import { describe, expect, it } from 'vitest'
import { tokenDirectory, type TokenEntry } from 'commandry/http'
import { APP, base, GUILD, guildBase, OTHER_APP, USER } from './ids.ts'
import { service } from './service.ts'
import { hello } from '../../support/fixtures.ts'

const update = 'applications.commands.update'
const updatePermissions = 'applications.commands.permissions.update'
const bearer = { type: 'Bearer', applicationId: APP }

/** A service whose host returns a value of any kind for every token, and what the host hears. */
function hosting(principal: unknown) {
  const heard: string[] = []
  const { send, registry } = service({
    authenticate: () => principal as never,
    onError: (error) => heard.push(String(error)),
  })
  const create = async () => (await send('POST', base, { authorization: 'Bearer any', body: hello })).status
  return { create, heard, send, registry }
}

const reviving = (text: string) => JSON.parse(text) as object

describe('[5-05] what authenticate returns', () => {
  it.each<readonly [string, unknown]>([
    ['a list of scopes', { ...bearer, scopes: ['identify', update] }],
    ['one scope as a text', { ...bearer, scopes: update }],
    ['one text with spaces', { ...bearer, scopes: `identify ${update} email` }],
    ['a text with several spaces', { ...bearer, scopes: `  identify  ${update} ` }],
    ['a frozen list', Object.freeze({ ...bearer, scopes: Object.freeze([update]) })],
    ['an object without a prototype', Object.assign(Object.create(null), { ...bearer, scopes: [update] })],
    ['the payload of a JWT', reviving(JSON.stringify({ ...bearer, scopes: update, exp: 1, sub: USER }))],
    ['a user that is null', { ...bearer, scopes: [update], user: null }],
    ['a bot', { type: 'Bot', applicationId: APP, scopes: 7 }],
    [
      'an instance with getters',
      new (class {
        readonly type = 'Bearer'
        readonly applicationId = APP
        get scopes() {
          return [update]
        }
      })(),
    ],
  ])('grants what %s names', async (_, principal) => {
    const { create, heard } = hosting(principal)
    expect([await create(), heard]).toEqual([201, []])
  })

  it.each<readonly [string, unknown]>([
    ['an empty text', ''],
    ['an empty list', []],
    ['a longer scope as a text', `${update}.denied`],
    ['a scope that ends so', `x.${update}`],
    ['a longer scope in a list', [`${update}.denied`]],
    ['two scopes that join to it', 'applications.commands .update'],
    ['another case', 'Applications.Commands.Update'],
    ['a beginning of it', 'applications.commands'],
  ])('does not grant a scope for %s', async (_, scopes) => {
    const { create, heard } = hosting({ ...bearer, scopes })
    expect([await create(), heard]).toEqual([403, []])
  })

  it.each<readonly [string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['false', false],
  ])('counts as an unknown token: %s', async (_, principal) => {
    const { create, heard } = hosting(principal)
    expect([await create(), heard]).toEqual([401, []])
  })

  let reads = 0
  it.each<readonly [string, unknown, string]>([
    ['true', true, 'principal: expected an object, got true'],
    ['a text', APP, 'principal: expected an object'],
    ['a number', 1, 'principal: expected an object'],
    ['a list', [{ ...bearer, scopes: [update] }], 'principal: expected an object, got a list'],
    ['a Map', new Map(Object.entries({ ...bearer, scopes: [update] })), 'got a Map'],
    ['an empty object', {}, 'principal.type: expected "Bot" or "Bearer", got missing'],
    ['no type', { applicationId: APP, scopes: [update] }, 'principal.type'],
    ['an unknown type', { ...bearer, type: 'Service', scopes: [update] }, 'principal.type: expected "Bot"'],
    ['a type in another case', { ...bearer, type: 'BEARER', scopes: [update] }, 'principal.type'],
    ['a bot in another case', { type: 'bot', applicationId: APP }, 'principal.type'],
    ['a list of types', { ...bearer, type: ['Bearer'], scopes: [update] }, 'principal.type'],
    ['a numeric id', { ...bearer, applicationId: Number(APP), scopes: [update] }, 'principal.applicationId'],
    ['a bigint id', { ...bearer, applicationId: BigInt(APP), scopes: [update] }, 'principal.applicationId'],
    ['a list of ids', { ...bearer, applicationId: [APP], scopes: [update] }, 'principal.applicationId'],
    ['another spelling', { type: 'Bot', application_id: APP }, 'principal.applicationId: expected a snow'],
    ['no scopes', bearer, 'principal.scopes: expected a list of scopes, or one text'],
    ['the claim scope', { ...bearer, scope: update }, 'principal.scopes'],
    ['null scopes', { ...bearer, scopes: null }, 'principal.scopes'],
    ['a Set of scopes', { ...bearer, scopes: new Set([update]) }, 'principal.scopes: expected a list'],
    ['a Map of scopes', { ...bearer, scopes: new Map([[update, true]]) }, 'got a Map'],
    ['an object of scopes', { ...bearer, scopes: { [update]: true } }, 'principal.scopes'],
    ['scopes that look like a list', { ...bearer, scopes: { 0: update, length: 1 } }, 'principal.scopes'],
    ['an object with includes', { ...bearer, scopes: { includes: () => true } }, 'principal.scopes'],
    ['true as scopes', { ...bearer, scopes: true }, 'principal.scopes'],
    ['a function', { ...bearer, scopes: () => [update] }, 'principal.scopes'],
    ['scopes with commas', { ...bearer, scopes: `identify,${update}` }, 'without spaces and commas'],
    [
      'scopes with commas and spaces',
      { ...bearer, scopes: `identify, ${update}` },
      'without spaces and comm',
    ],
    ['scopes on lines', { ...bearer, scopes: `identify\n${update}` }, 'principal.scopes[0]'],
    ['scopes with a tab', { ...bearer, scopes: `identify\t${update}` }, 'principal.scopes[0]'],
    ['a list of a list', { ...bearer, scopes: [[update]] }, 'principal.scopes[0]'],
    ['a list of one text with spaces', { ...bearer, scopes: [`identify ${update}`] }, 'principal.scopes[0]'],
    ['a list with a hole', { ...bearer, scopes: [update, , 'identify'] }, 'principal.scopes[1]'],
    ['a list with a number', { ...bearer, scopes: [update, 5] }, 'principal.scopes[1]'],
    ['a list with an object', { ...bearer, scopes: [update, { toString: () => update }] }, 'scopes[1]'],
    ['a String object', { ...bearer, scopes: new String(update) }, 'principal.scopes'],
    ['a user as a text', { ...bearer, scopes: [update], user: USER }, 'principal.user: expected an object'],
    ['a user without an id', { ...bearer, scopes: [update], user: {} }, 'principal.user.id'],
    ['a numeric user', { ...bearer, scopes: [update], user: { id: 7 } }, 'principal.user.id'],
    ['a locale in a list', { ...bearer, scopes: [update], user: { id: '7', locale: ['de'] } }, 'user.locale'],
    [
      'a Proxy that answers every key',
      new Proxy({}, { get: () => 'applications.commands.update' }),
      'principal.type',
    ],
    [
      'a getter that throws',
      Object.defineProperty({ ...bearer }, 'scopes', {
        get() {
          throw new Error('no scopes today')
        },
      }),
      'no scopes today',
    ],
    [
      'a getter that changes',
      {
        applicationId: APP,
        scopes: update,
        get type() {
          return reads++ % 2 === 0 ? 'Service' : 'Bearer'
        },
      },
      'principal.type',
    ],
  ])('grants nothing, and tells the host, for %s', async (_, principal, message) => {
    const { create, heard, registry } = hosting(principal)
    expect([await create(), heard]).toEqual([500, [expect.stringContaining(message)]])
    expect(await registry.list({ kind: 'global', applicationId: APP })).toEqual([])
  })

  it('is read once, so that a getter cannot change it after the check', async () => {
    let asked = 0
    const { create } = hosting({
      type: 'Bearer',
      scopes: [update],
      get applicationId() {
        return asked++ === 0 ? OTHER_APP : APP
      },
    })
    expect([await create(), asked]).toEqual([403, 1])
  })
})

describe('[5-05] [5-02] the guilds of a user', () => {
  const all = { permissions: '8' }
  const asking = async (guilds: unknown) => {
    const user = { id: USER, guilds }
    const { send, registry, heard } = hosting({ ...bearer, scopes: `${update} ${updatePermissions}`, user })
    const { command } = await registry.upsert({ kind: 'guild', applicationId: APP, guildId: GUILD }, hello)
    const path = `${guildBase}/${command.id}/permissions`
    const { status } = await send('PUT', path, {
      authorization: 'Bearer any',
      body: { permissions: [{ id: USER, type: 2, permission: true }] },
    })
    return [status, ...heard]
  }

  it('grants an administrator of the guild what 5-02 asks for, also as a bigint', async () => {
    expect(await asking({ [GUILD]: all })).toEqual([200])
    expect(await asking({ [GUILD]: { permissions: 8n } })).toEqual([200])
  })

  it.each<readonly [string, unknown]>([
    ['none', undefined],
    ['another guild', { 7: all }],
    ['an inherited guild', Object.create({ [GUILD]: all })],
    ['a hidden guild', Object.defineProperty({}, GUILD, { value: all, enumerable: false })],
  ])('grants nothing for %s', async (_, guilds) => {
    expect(await asking(guilds)).toEqual([403])
  })

  it.each<readonly [string, unknown, string]>([
    ['null', null, 'user.guilds'],
    ['a Map', new Map([[GUILD, all]]), 'user.guilds: expected guilds by id, got a Map'],
    ['a list', [{ id: GUILD, ...all }], 'user.guilds'],
    ['a text', GUILD, 'user.guilds'],
    ['a key that is not an id', { everywhere: all }, 'user.guilds: expected ids of guilds as keys'],
    ['true', { [GUILD]: true }, `user.guilds.${GUILD}`],
    ['a guild that is null', { [GUILD]: null }, `user.guilds.${GUILD}`],
    ['permissions as a text of their own', { [GUILD]: '8' }, `user.guilds.${GUILD}`],
    ['a numeric set', { [GUILD]: { permissions: 8 } }, `user.guilds.${GUILD}.permissions`],
    ['a negative set', { [GUILD]: { permissions: '-1' } }, `user.guilds.${GUILD}.permissions`],
    ['a negative bigint', { [GUILD]: { permissions: -1n } }, `user.guilds.${GUILD}.permissions`],
    ['a hexadecimal set', { [GUILD]: { permissions: '0x8' } }, `user.guilds.${GUILD}.permissions`],
    ['a list of names', { [GUILD]: { permissions: ['ADMINISTRATOR'] } }, 'permissions'],
    ['no permissions', { [GUILD]: {} }, `user.guilds.${GUILD}.permissions`],
    ['garbage for another guild', { [GUILD]: all, 7: { permissions: 'all' } }, 'user.guilds.7.permissions'],
  ])('grants nothing, and tells the host, for %s', async (_, guilds, message) => {
    expect(await asking(guilds)).toEqual([500, expect.stringContaining(message)])
  })
})

it('[5-05] tokenDirectory takes scopes as one text, and compares them whole', async () => {
  const entry = (token: string, scopes: string): TokenEntry => ({ ...bearer, type: 'Bearer', token, scopes })
  const { send } = service({
    authenticate: tokenDirectory([entry('may', `identify ${update}`), entry('mayNot', `${update}.denied`)]),
  })
  const create = (token: string) => send('POST', base, { authorization: `Bearer ${token}`, body: hello })
  expect([(await create('may')).status, (await create('mayNot')).status]).toEqual([201, 403])
})
