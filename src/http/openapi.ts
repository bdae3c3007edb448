/** The service as an OpenAPI 3.1 document, made from the route table, the grants and the rules. */
import { DEFAULT_BASE_PATH } from './exchange.ts'
import { grants } from './principal.ts'
import { refusals, statusOf, type Refusal } from './respond.ts'
import { routes, type Route } from './routes.ts'
import { schemas, type Schema } from '../schema/json-schema.ts'

export interface OpenApiOptions {
  /** Where the service is. Default: the base path, on the host the document came from. */
  readonly serverUrl?: string
  /** Default: the version of the document's first edition. */
  readonly version?: string
}

/** Everything a route can be refused for, in the order in which it is looked for. */
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
  if (body !== null) {
    found.push('invalid', 'body_too_large', 'body_timed_out', 'body_broken', 'invalid_json')
  }
  return [...new Set([...found, ...own])]
}

/** An OpenAPI 3.1 document of every endpoint. */
export function openApiDocument({
  serverUrl = DEFAULT_BASE_PATH,
  version = '10',
}: OpenApiOptions = {}): Schema {
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
      version,
      description: 'Registering, reading, changing and permissioning the commands of applications.',
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        Bot: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Bot TOKEN' },
        Bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

/** A path with the names that errors use: `{application_id}`. */
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
      schema: { $ref: '#/components/schemas/Snowflake' },
    })),
  }
}

function operation(route: Route, path: string): Schema {
  const { body, clause, grant, localized, method, summary } = route
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+/g, '_')}`.replace(/_+$/, ''),
    summary,
    ...(clause === '' ? undefined : { description: `Clause ${clause}.` }),
    security: securityOf(grant),
    ...(localized ? { parameters: listParameters } : undefined),
    ...(body === null ? undefined : { requestBody: { required: true, content: jsonOf(capitalized(body)) } }),
    responses: responsesOf(route),
  }
}

function securityOf(grant: Route['grant']): readonly Schema[] {
  if (grant === 'anyone') return []
  const { bots, scope } = grants[grant]
  return [...(bots ? [{ Bot: [] }] : []), { Bearer: scope === null ? [] : [scope] }]
}

const localeHeader = { in: 'header', schema: { type: 'string' } }

const listParameters: readonly Schema[] = [
  {
    name: 'with_localizations',
    in: 'query',
    description: 'Whether to answer whole dictionaries rather than the texts of one locale.',
    schema: { type: 'string', enum: ['true', 'True', '1', 'false', 'False', '0'], default: 'false' },
  },
  { ...localeHeader, name: 'X-Service-Locale', description: 'The locale of the texts.' },
  { ...localeHeader, name: 'X-Discord-Locale', description: 'Another name of X-Service-Locale.' },
  { ...localeHeader, name: 'Accept-Language', description: 'Read when neither of the two names a locale.' },
]

function responsesOf(route: Route): Schema {
  const responses: Record<string, Schema> = {}
  for (const outcome of route.outcomes) {
    responses[statusOf(outcome)] = {
      description: capitalized(outcome),
      ...(route.answer === null ? undefined : { content: jsonOf(capitalized(route.answer)) }),
    }
  }
  for (const [status, reasons] of byStatus(refusalsOf(route))) {
    responses[status] = {
      description: reasons.map((reason) => `${refusals[reason].code} ${refusals[reason].message}`).join('; '),
      content: jsonOf('Error'),
    }
  }
  responses['5XX'] = { description: 'The service itself has failed.', content: jsonOf('Error') }
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
