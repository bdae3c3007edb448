/** The service as an OpenAPI 3.1 document, generated from the route table, the grants and the rules. */
import { knownOptions } from '../core/options.ts'
import { DEFAULT_BASE_PATH } from './base-path.ts'
import { grants } from './principal.ts'
import { refusals, type Refusal } from './refusals.ts'
import { statuses } from './respond.ts'
import type { BodyShape, Route } from './route.ts'
import { routes } from './routes.ts'
import { pageSchemas } from './page-schemas.ts'
import { schemas, type Schema } from '../reference/json-schema.ts'

/** Options of `openApiDocument`. */
export interface OpenApiOptions {
  /** The URL of the service. Default: the base path, on the host of the document. */
  readonly serverUrl?: string
}

/** Every refusal of a route, in the order of the checks. */
export function refusalsOf({ path, grant, body, localized, refusals: own }: Route): readonly Refusal[] {
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
  if (body !== undefined) {
    found.push('invalid', 'body_too_large', 'body_timed_out', 'body_broken', 'invalid_json')
  }
  return [...new Set([...found, ...own])]
}

/** An OpenAPI 3.1 document of every endpoint. */
export function openApiDocument(options: OpenApiOptions = {}): Schema {
  knownOptions('openApiDocument', options, ['serverUrl'])
  const { serverUrl = DEFAULT_BASE_PATH } = options
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = templateOf(route)
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

/** A path with the names of error bodies: `{application_id}`. */
function templateOf({ path }: Route): string {
  return path.replaceAll('.', '_')
}

function parametersOf(path: string): Record<string, unknown> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)
  if (names.length === 0) return {}
  return {
    parameters: names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: parameterSchema(name),
    })),
  }
}

function parameterSchema(name: string): Schema {
  const snowflake = { $ref: '#/components/schemas/Snowflake' }
  if (name === 'message_id') return { oneOf: [{ const: '@original' }, snowflake] }
  return name.endsWith('_id') ? snowflake : { type: 'string' }
}

function operation(route: Route, path: string): Schema {
  const { body, clause, grant, localized, method, summary } = route
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+/g, '_')}`.replace(/_+$/, ''),
    summary,
    ...(clause && { description: `Clause ${clause}.` }),
    security: securityOf(grant),
    ...(localized && { parameters: listParameters }),
    ...(body === 'interactionCallback' && { parameters: [withResponse] }),
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: responsesOf(route),
  }
}

function securityOf(grant: Route['grant']): readonly Schema[] {
  if (grant === 'anyone') return []
  const { bots, scope } = grants[grant]
  return [...(bots ? [{ Bot: [] }] : []), { Bearer: scope === null ? [] : [scope] }]
}

function contentOf(body: BodyShape): Schema {
  const json = jsonOf(capitalized(body))
  if (body !== 'interactionCallback' && body !== 'message') return json
  const form = `#/components/schemas/${capitalized(body)}Form`
  return { ...json, 'multipart/form-data': { schema: { $ref: form } } }
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

function responsesOf(route: Route): Schema {
  const responses: Record<string, Schema> = {}
  for (const outcome of route.outcomes) {
    const status = statuses[outcome]
    const hasBody = route.response !== undefined && status !== 204
    responses[status] = {
      description: capitalized(outcome),
      ...(hasBody && { content: jsonOf(capitalized(route.response)) }),
    }
  }
  for (const [status, reasons] of byStatus(refusalsOf(route))) {
    responses[status] = {
      description: reasons.map((reason) => `${refusals[reason].code} ${refusals[reason].message}`).join('; '),
      content: jsonOf('Error'),
    }
  }
  responses['5XX'] = { description: 'The service failed.', content: jsonOf('Error') }
  return responses
}

function byStatus(reasons: readonly Refusal[]): ReadonlyMap<number, Refusal[]> {
  const groups = new Map<number, Refusal[]>()
  for (const reason of reasons) {
    const { status } = refusals[reason]
    const others = groups.get(status)
    if (others === undefined) groups.set(status, [reason])
    else others.push(reason)
  }
  return groups
}

function jsonOf(schema: string): Schema {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
