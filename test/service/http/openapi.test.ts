import { openApiDocument } from 'commandry/http'
import { Limits } from 'commandry/reference'
import { describe, expect } from 'vitest'
import { routes } from '../../support/service-tables.ts'
import { serveOnFreePort } from '../../tools/cli/program.ts'
import { APP, base, GUILD } from './ids.ts'
import { it, operationsOf } from './service.ts'

const document = openApiDocument() as any
const operations = operationsOf(document)

describe('the OpenAPI document', () => {
  it('has references that all resolve', () => {
    const names = new Set(Object.keys(document.components.schemas))
    const used = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      (found) => found[1]!,
    )
    expect(used.filter((name) => !names.has(name))).toEqual([])
    expect([...names].filter((name) => !used.includes(name))).toEqual([])
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(routes.length)
  })

  it('[7-01] documents every response of every route', async ({ send }) => {
    const permissions = { permissions: [] }
    for (const { method, path, operation } of operations) {
      const at = (app: string, command: string) =>
        path.replace('{application_id}', app).replace('{guild_id}', GUILD).replace('{command_id}', command)
      const statuses = [
        await send(method, at(APP, '1')),
        await send(method, at(APP, '1'), { authorization: null }),
        await send(method, at(APP, 'x')),
        await send(method, at('5', '1')),
        await send(method, at(APP, '1'), { authorization: 'Bearer nothing' }),
        ...(method === 'GET' || method === 'DELETE'
          ? []
          : [
              await send(method, at(APP, '1'), { body: {} }),
              await send(method, at(APP, '1'), { body: '{' }),
              await send(method, at(APP, '1'), { body: permissions, authorization: 'Bearer manager' }),
            ]),
      ].map(({ status }) => String(status))
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(statuses))
    }
  })

  it('takes its limits from the rules', async () => {
    const { CommandCreate, PermissionsEdit } = document.components.schemas
    expect(CommandCreate.properties.name.maxLength).toBe(Limits.NAME_MAX)
    expect(CommandCreate.properties.options.oneOf[0].maxItems).toBe(Limits.OPTIONS)
    expect(PermissionsEdit.properties.permissions.maxItems).toBe(Limits.PERMISSIONS)
  })

  it('documents every field of an application with the type that the service returns', async ({ send }) => {
    const { body } = await send('GET', '/applications/@me')
    const typeOf = (value: unknown) =>
      value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    const documented = ({ type, $ref }: any) =>
      $ref === undefined
        ? type.replace('integer', 'number')
        : $ref.endsWith('/Snowflake')
          ? 'string'
          : 'object'
    const { properties } = document.components.schemas.Application
    const fields = Object.entries(body)
    expect(fields.map(([name]) => [name, documented(properties[name])])).toEqual(
      fields.map(([name, value]) => [name, typeOf(value)]),
    )
  })

  it('documents only for global commands what cannot happen to those of a server', () => {
    const codes = (path: string, method: string) => {
      const descriptions = Object.values<any>(document.paths[path][method].responses)
      return ['30032', '50240'].filter((code) => descriptions.some((one) => one.description.includes(code)))
    }
    const commands = '/applications/{application_id}/commands'
    expect([codes(commands, 'put'), codes(`${commands}/{command_id}`, 'patch')]).toEqual([
      ['30032', '50240'],
      ['30032'],
    ])
    const ofServer = '/applications/{application_id}/guilds/{guild_id}/commands'
    expect([codes(ofServer, 'put'), codes(`${ofServer}/{command_id}`, 'patch')]).toEqual([['30032'], []])
  })

  it('has the address of the service', () => {
    expect(document.servers).toEqual([{ url: '/api/v10' }])
    expect((openApiDocument({ serverUrl: 'http://x.test/api/v10' }) as any).servers[0].url).toBe(
      'http://x.test/api/v10',
    )
  })

  it('[5-01] documents the tokens that each operation takes', () => {
    const tokens = (path: string, method: string) => document.paths[path][method].security
    const commands = '/applications/{application_id}/commands'
    const permissions = '/applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions'
    expect(tokens('/gateway', 'get')).toEqual([])
    expect(tokens(commands, 'get')).toEqual([{ Bot: [] }, { Bearer: [] }])
    expect(tokens(commands, 'put')).toEqual([{ Bot: [] }, { Bearer: ['applications.commands.update'] }])
    expect(tokens(permissions, 'put')).toEqual([{ Bearer: ['applications.commands.permissions.update'] }])
  })

  it('documents the headers of tokens, of lists and of callbacks, and why a request is refused', () => {
    expect(document.components.securitySchemes).toMatchObject({
      Bot: { type: 'apiKey', in: 'header', name: 'Authorization' },
      Bearer: { type: 'http', scheme: 'bearer' },
    })
    const { parameters, responses } = document.paths['/applications/{application_id}/commands'].get
    const { post } = document.paths['/interactions/{interaction_id}/{interaction_token}/callback']
    const given = [...parameters, ...post.parameters]
    expect(given.map(({ in: place, name, schema }) => [place, name, schema])).toEqual([
      ['query', 'with_localizations', { type: 'boolean' }],
      ...['X-Service-Locale', 'X-Discord-Locale', 'Accept-Language'].map((name) => [
        'header',
        name,
        { type: 'string' },
      ]),
      ['query', 'with_response', { type: 'boolean' }],
    ])
    expect(responses[404].description).toBe('10002 Unknown application')
    expect(responses[400].description).toBe('50035 Invalid Form Body')
    expect(post.responses[400].description).toMatch(/^50035 Invalid Form Body; 0 400: Bad Request; 50109 /)
    expect([post.requestBody.required, post['x-clause']]).toEqual([true, '2.11-09'])
  })

  it('documents the ids of a path as snowflakes, and a token as text', () => {
    const { parameters } =
      document.paths['/webhooks/{application_id}/{interaction_token}/messages/{message_id}']
    const snowflake = { $ref: '#/components/schemas/Snowflake' }
    expect(parameters.map(({ name, schema }: any) => [name, schema])).toEqual([
      ['application_id', snowflake],
      ['interaction_token', { type: 'string' }],
      ['message_id', { oneOf: [{ const: '@original' }, snowflake] }],
    ])
  })

  it('names operations as Discord does, each in a group that it describes', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.filter((id) => !/^[a-z]+(_[a-z0-9]+)+$/.test(id))).toEqual([])
    expect(ids).toContain('list_application_commands')
    expect(ids).toContain('bulk_set_guild_application_commands')
    const used = operations.flatMap(({ operation }) => operation.tags)
    expect(used).toHaveLength(operations.length)
    expect(new Set(used)).toEqual(new Set(document.tags.map(({ name }: any) => name)))
  })

  it('has no defaults, which generators make required fields of, and no range of statuses', () => {
    expect(JSON.stringify(document)).not.toMatch(/"default":|5XX/)
  })

  it('marks deprecated fields', () => {
    for (const schema of ['CommandCreate', 'Command']) {
      const fields = Object.entries<any>(document.components.schemas[schema].properties)
      const deprecated = fields.filter(([, field]) => field.deprecated === true).map(([name]) => name)
      expect(deprecated.sort()).toEqual(['default_permission', 'dm_permission'])
    }
  })

  it('has every path of the service, without the batch edit of permissions', () => {
    const paths = Object.keys(document.paths)
    expect(paths).toHaveLength(new Set(routes.map(({ path }) => path)).size)
    expect(
      Object.keys(document.paths['/applications/{application_id}/guilds/{guild_id}/commands/permissions']),
    ).toEqual(['parameters', 'get'])
    expect(paths).toContain(base.replace(APP, '{application_id}'))
  })
})

it('commandry serve responds to HEAD and OPTIONS of the document', async () => {
  const url = `${(await serveOnFreePort([])).origin}/openapi.json`
  const length = String(Buffer.byteLength(JSON.stringify(document)))
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, length])
  const allow = 'GET, HEAD, OPTIONS'
  const options = await fetch(url, { method: 'OPTIONS' })
  expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
  const post = await fetch(url, { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, allow])
})
