import { BodyBytes } from '../../src/core/bytes.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { globalScope, guildScope } from 'commandry'
import { openApiDocument } from 'commandry/http'
import { describe, expect, it } from 'vitest'
import { pendingAnswers } from 'commandry/interactions'
import { APP, EMBEDDED_APP, FOREIGN_GUILD, GUILD } from '../service/http/ids.ts'
import { service, operationsOf } from '../service/http/service.ts'
import type { Answered, SendOptions } from '../service/http/service.ts'
import { handClock } from '../support/clock.ts'
import { used } from '../support/invoked.ts'
import { snowflakeTime } from '../support/snowflakes.ts'
import { hello } from '../support/fixtures.ts'

const document = JSON.parse(JSON.stringify(openApiDocument()))
const operations = operationsOf(document)
type Operation = (typeof operations)[number]

it('the OpenAPI document is valid OpenAPI 3.1 in plain JSON', async () => {
  const validator = new Validator()
  const result = await validator.validate(JSON.parse(JSON.stringify(openApiDocument())))
  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

/** A schema that allows only its own fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObject = 'properties' in copy && !('additionalProperties' in copy)
  return isObject ? { ...copy, additionalProperties: false } : copy
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'document', components: closed(document.components) as object })

/** Expects that the operation documents the response. */
function expectPromised({ method, path, operation }: Operation, { status, body }: Answered): void {
  const response = operation.responses[status]
  const place = `${method} ${path} ${status}`
  expect(response, place).toBeDefined()
  const ref = response.content?.['application/json'].schema.$ref as string | undefined
  if (ref === undefined) return expect(body, place).toBeUndefined()
  const check = ajv.getSchema(`document${ref}`)!
  expect(check(body), `${place} ${JSON.stringify(check.errors)} ${JSON.stringify(body)}`).toBe(true)
}

const body = {
  ...hello,
  description_localizations: { de: 'Grüßt' },
  options: [{ type: 3, name: 'who', description: 'd', choices: [{ name: 'a', value: 'b' }] }],
}
const entries = { permissions: [{ id: GUILD, type: 1, permission: true }] }

/** A service with a command in each scope, permissions for both of them, and an interaction. */
async function furnished(options: Parameters<typeof service>[0] = {}) {
  const interaction = used({ name: 'ping', description: 'b' })
  const clock = handClock(snowflakeTime(interaction.id))
  const answered = { ...interaction, id: String(BigInt(interaction.id) + 1n), token: 'answered' }
  const answers = pendingAnswers({ clock })
  for (const each of [interaction, answered]) answers.expect(each)
  answers.receive(answered.id, answered.token, { type: 4, data: { content: 'x' } })
  const world = service({ answers, onError: () => {}, ...options })
  const { registry } = world
  const inAll = (await registry.upsert(globalScope(APP), body)).command.id
  const inGuild = (await registry.upsert(guildScope(APP, GUILD), body)).command.id
  for (const id of [inGuild, inAll, APP]) await registry.setPermissions(APP, GUILD, id, entries.permissions)
  const pathOf = ({ path }: Operation, ids: Readonly<Record<string, string>> = {}) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const known: Readonly<Record<string, string>> = {
        application_id: path.startsWith('/webhooks') ? answered.application_id : APP,
        guild_id: GUILD,
        message_id: '@original',
        command_id: path.includes('guilds') ? inGuild : inAll,
        interaction_id: interaction.id,
        interaction_token: path.startsWith('/webhooks') ? answered.token : interaction.token,
      }
      return ids[name] ?? known[name]!
    })
  return { ...world, answers, interaction, pathOf, clock }
}

/** Bodies that succeed, and the statuses they succeed with. */
function successes({ method, path }: Operation): readonly unknown[] {
  if (path.startsWith('/webhooks')) return [/POST|PATCH/.test(method) ? { content: 'y' } : undefined]
  if (path.endsWith('/callback')) return [{ type: 5 }, { type: 5 }]
  if (path.endsWith('/permissions')) return method === 'PUT' ? [entries] : [undefined]
  if (method === 'POST') return [{ ...body, name: 'new' }, body]
  if (method === 'PUT') return [[body]]
  return [method === 'PATCH' ? { nsfw: true } : undefined]
}

const authorizationOf = ({ method, path }: Operation) =>
  method === 'PUT' && path.endsWith('/permissions') ? 'Bearer manager' : 'Bot bot'

describe('[7-01] the responses of every operation are those it documents', () => {
  const byRoute = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)
  it.each(byRoute)('succeeds with exactly the documented statuses: %s', async (_, operation) => {
    const world = await furnished()
    const { send, pathOf, answers, interaction } = world
    const statuses = new Set<string>()
    for (const [index, given] of successes(operation).entries()) {
      answers.expect(interaction)
      const query = operation.path.endsWith('/callback') && index === 1 ? '?with_response=true' : ''
      const options = { authorization: authorizationOf(operation), body: given }
      const response = await send(operation.method, pathOf(operation) + query, options)
      expectPromised(operation, response)
      statuses.add(String(response.status))
    }
    if (operation.operation.parameters !== undefined && operation.method === 'GET') {
      expectPromised(operation, await send('GET', `${pathOf(operation)}?with_localizations=true`))
    }
    const promised = Object.keys(operation.operation.responses).filter((status) => status.startsWith('2'))
    expect([...statuses].sort()).toEqual(promised)
  })

  it.each(byRoute)('fails with exactly the documented statuses: %s', async (_, operation) => {
    const { method } = operation
    const authorization = authorizationOf(operation)
    const statuses = new Set<string>()
    async function refuse(
      request: SendOptions & {
        readonly ids?: Readonly<Record<string, string>>
        readonly query?: string
        readonly late?: boolean
        readonly times?: number
      },
      options?: Parameters<typeof service>[0],
    ) {
      const { send, pathOf, clock } = await furnished(options)
      const { ids, query = '', late = false, times = 1, ...sent } = request
      if (late) clock.advance(16 * 60_000)
      const path = pathOf(operation, ids) + query
      for (let i = 0; i < times; i++) {
        const given = { authorization, body: successes(operation)[0], ...sent }
        if (method === 'GET') delete given.body
        const response = await send(method, path, given)
        expectPromised(operation, response)
        if (response.status >= 400) statuses.add(String(response.status))
      }
    }
    await refuse({ authorization: null })
    await refuse({ late: true })
    await refuse({ ids: { message_id: '1', interaction_token: 'unknown' } })
    await refuse({ times: 2 }, { rateLimit: { limit: 1, seconds: 60 } })
    await refuse({ ids: { application_id: 'x' } })
    await refuse({ ids: { application_id: '5' } })
    await refuse({ ids: { guild_id: FOREIGN_GUILD } })
    await refuse({ ids: { command_id: '1', interaction_id: '1' } })
    await refuse({ ids: { application_id: '100100100100100199' }, authorization: 'Bot gone' })
    await refuse({ authorization: 'Bot gone' })
    await refuse({ authorization: 'Bearer nothing' })
    await refuse({ query: '?with_localizations=x' })
    await refuse({ body: '{' })
    await refuse({ body: method === 'PUT' ? [{}] : { name: 5, type: 99 } })
    await refuse({ ids: { application_id: EMBEDDED_APP }, authorization: 'Bot game' })
    await refuse({}, { maxBodyBytes: 1 })
    if (operation.operation.requestBody?.content['multipart/form-data'])
      await refuse({ body: 'x'.repeat(8 * 1024 * 1024 + 1) })
    if (operation.operation.requestBody !== undefined) {
      const others = new BodyBytes(Infinity)
      others.add(new Uint8Array(128 * 1024 * 1024 + 16 * 1024))
      await refuse({ body: 'x'.repeat(32 * 1024) })
      others.release()
    }
    const expireAtOnce = (expire: () => void) => {
      expire()
      return () => {}
    }
    await refuse({}, { bodyTimeout: expireAtOnce })
    await refuse({}, { authenticate: () => Promise.reject(new Error('the directory is down')) })
    await refuse({}, { authenticate: () => ({ status: 503, message: 'starting' }) })
    const isAnyones = operation.operation.security.length === 0
    const promised = Object.keys(operation.operation.responses).filter(
      (status) => Number(status) >= 400 && !(isAnyones && status === '500'),
    )
    expect([...statuses].sort()).toEqual(promised)
  })
})
