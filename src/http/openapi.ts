/** The service as an OpenAPI 3.1 document, generated from the route table, the grants and the rules. */
import { knownOptions } from '../core/options.ts'
import { DEFAULT_BASE_PATH } from './base-path.ts'
import { grants } from './principal.ts'
import { refusals, type Refusal } from './refusals.ts'
import { statuses, type Outcome } from './respond.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { pageSchemas } from './page-schemas.ts'
import { schemas, type Schema } from '../reference/json-schema.ts'

/** Options of `openApiDocument`. */
export interface OpenApiOptions {
  /** The URL of the service. Default: the base path, on the host of the document. */
  readonly serverUrl?: string
}

/** An OpenAPI 3.1 document of every endpoint. */
export function openApiDocument(options: OpenApiOptions = {}): Schema {
  knownOptions('openApiDocument', options, ['serverUrl'])
  const { serverUrl = DEFAULT_BASE_PATH } = options
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    // With the names of error bodies: `{application_id}`.
    const path = route.path.replaceAll('.', '_')
    const item = (paths[path] ??= parametersOf(path))
    item[route.method.toLowerCase()] = operation(route, path)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Application commands',
      version: '10',
      description: 'Registering, reading, changing and permissioning the commands of applications.',
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { ...schemas, ...pageSchemas },
      securitySchemes: {
        Bot: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Bot TOKEN' },
        Bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function ref(schema: string): Schema {
  return { $ref: `#/components/schemas/${schema}` }
}

function parametersOf(path: string): Record<string, unknown> {
  const parameters = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => {
    const id =
      name === 'message_id' ? { oneOf: [{ const: '@original' }, ref('Snowflake')] } : ref('Snowflake')
    return { name, in: 'path', required: true, schema: name.endsWith('_id') ? id : { type: 'string' } }
  })
  return parameters.length === 0 ? {} : { parameters }
}

function operation(route: Route, path: string): Schema {
  const { body, clause, grant, localized, method, summary } = route
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+/g, '_')}`.replace(/_+$/, ''),
    summary,
    ...(clause && { description: `Clause ${clause}.` }),
    security: securityOf(grant),
    ...(localized && { parameters: listParameters }),
    ...(body === 'InteractionCallback' && { parameters: [withResponse] }),
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: responsesOf(route),
  }
}

function securityOf(grant: Route['grant']): readonly Schema[] {
  if (grant === 'anyone') return []
  const { bots, scope } = grants[grant]
  return [...(bots ? [{ Bot: [] }] : []), { Bearer: scope === null ? [] : [scope] }]
}

function contentOf(body: string): Schema {
  const isForm = `${body}Form` in pageSchemas
  return { ...jsonOf(body), ...(isForm && { 'multipart/form-data': { schema: ref(`${body}Form`) } }) }
}

const withResponse: Schema = {
  name: 'with_response',
  in: 'query',
  description: 'Whether to respond with the interaction (200) instead of nothing (204).',
  schema: { type: 'string', enum: ['true', '1', 'false', '0'], default: 'false' },
}

const localeHeader = { in: 'header', schema: { type: 'string' } }

const listParameters: readonly Schema[] = [
  {
    name: 'with_localizations',
    in: 'query',
    description: 'Whether commands have their dictionaries instead of the texts of one locale.',
    schema: { type: 'string', enum: ['true', 'True', '1', 'false', 'False', '0'], default: 'false' },
  },
  { ...localeHeader, name: 'X-Service-Locale', description: 'The locale of the texts.' },
  { ...localeHeader, name: 'X-Discord-Locale', description: 'Alias of X-Service-Locale.' },
  { ...localeHeader, name: 'Accept-Language', description: 'Used when neither of the two names a locale.' },
]

const usualOutcome: { readonly [Method in Route['method']]: Outcome } = {
  GET: 'found',
  POST: 'found',
  PUT: 'updated',
  PATCH: 'updated',
  DELETE: 'removed',
}

function responsesOf(route: Route): Schema {
  const { method, response, outcomes = [usualOutcome[method]] } = route
  const responses: Record<string, Schema> = {}
  for (const outcome of outcomes) {
    const status = statuses[outcome]
    const description = outcome.charAt(0).toUpperCase() + outcome.slice(1)
    const hasBody = response !== undefined && status !== 204
    responses[status] = { description, ...(hasBody && { content: jsonOf(response) }) }
  }
  const content = jsonOf('Error')
  for (const refusal of refusalsOf(route)) {
    const { status, code, message } = refusals[refusal]
    const others = responses[status]
    const description = `${others === undefined ? '' : `${others.description}; `}${code} ${message}`
    responses[status] = { description, content }
  }
  responses['5XX'] = { description: 'The service failed.', content }
  return responses
}

/** Every refusal of a route, in the order of the checks. */
function refusalsOf({ path, grant, body, localized, refusals: own = [] }: Route): ReadonlySet<Refusal> {
  const found: Refusal[] = []
  if (grant !== 'anyone') {
    found.push('unauthorized', 'rate_limited')
    if (path.includes('{')) found.push('invalid', 'other_application')
    const { bots, scope, manager } = grants[grant]
    if (!bots) found.push('bots_not_allowed')
    if (scope !== null) found.push('missing_scope')
    if (manager) found.push('missing_permissions')
  }
  if (localized) found.push('invalid')
  if (body !== undefined)
    found.push('invalid', 'body_too_large', 'body_timed_out', 'body_broken', 'invalid_json')
  if (grant !== 'anyone' && /@me|\{application/.test(path)) found.push('unknown_application')
  if (path.includes('{guild.id}')) found.push('missing_access')
  return new Set([...found, ...own])
}

function jsonOf(schema: string): Schema {
  return { 'application/json': { schema: ref(schema) } }
}
