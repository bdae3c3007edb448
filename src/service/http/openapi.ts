/** The service as an OpenAPI 3.1 document, generated from the route table, the grants and the rules. */
import { aString, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { InteractionCallbackType, InteractionType } from '../../model/interaction-types.ts'
import { DEFAULT_BASE_PATH } from './base-path.ts'
import { grants } from './principal.ts'
import { type Success, statuses } from './respond.ts'
import { type RefusalName, refusals } from '../refusals.ts'
import type { Route, Tag } from './call.ts'
import { routes } from './routes.ts'
import { describeApplication, describeUser } from './pages.ts'
import {
  enumeration,
  objectSchema,
  ref,
  schemas,
  type SchemaFields,
  type Schema,
} from '../../reference/json-schema.ts'

export interface OpenApiOptions {
  /** The URL of the service. Default: the base path, on the host of the document. */
  readonly serverUrl?: string
}

const checkedOptions = /* @__PURE__ */ optionsOf<OpenApiOptions>('openApiDocument', {
  serverUrl: optional(aString),
})

/** An OpenAPI 3.1 document of every endpoint. @throws TypeError when an option is invalid */
export function openApiDocument(options: OpenApiOptions = {}): Schema {
  const { serverUrl = DEFAULT_BASE_PATH } = checkedOptions(options)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    // With the names of error bodies: `{application_id}`.
    const path = route.path.replaceAll('.', '_')
    const item = (paths[path] ??= parametersOf(path))
    item[route.method.toLowerCase()] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Application commands',
      version: '10',
      description: 'Registering, reading, changing and permissioning the commands of applications.',
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...schemas, ...ownSchemas },
      securitySchemes: {
        Bot: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Bot TOKEN' },
        Bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function parametersOf(path: string): Record<string, unknown> {
  const parameters = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => {
    const id =
      name === 'message_id' ? { oneOf: [{ const: '@original' }, ref('Snowflake')] } : ref('Snowflake')
    return { name, in: 'path', required: true, schema: name.endsWith('_id') ? id : { type: 'string' } }
  })
  return parameters.length === 0 ? {} : { parameters }
}

const tags: { readonly [Name in Tag]: string } = {
  Commands: 'The global commands of an application.',
  'Guild commands': 'The commands of an application in one guild.',
  Permissions: 'Who may use a command in a guild.',
  Login: 'The application and the user of the token.',
  Gateway: 'Where bots connect.',
  Interactions: 'Answers and follow-up messages.',
}

function operation(route: Route): Schema {
  const { body, clause, grant, localized, operation: operationId, summary, tag } = route
  return {
    operationId,
    tags: [tag],
    summary,
    ...(clause && { 'x-clause': clause }),
    security: securityOf(grant),
    ...(localized && { parameters: listParameters }),
    ...(body === 'InteractionCallback' && { parameters: [withResponse] }),
    ...(body && { requestBody: { required: true, content: bodyContent(body) } }),
    responses: responsesOf(route),
  }
}

function securityOf(grant: Route['grant']): readonly Schema[] {
  if (grant === 'anyone') return []
  const { bots, scope } = grants[grant]
  return [...(bots ? [{ Bot: [] }] : []), { Bearer: scope === null ? [] : [scope] }]
}

function bodyContent(body: string): Schema {
  const isForm = `${body}Form` in ownSchemas
  return { ...jsonContent(body), ...(isForm && { 'multipart/form-data': { schema: ref(`${body}Form`) } }) }
}

const flag: Schema = { type: 'boolean' }

const withResponse: Schema = {
  name: 'with_response',
  in: 'query',
  description: 'Whether to respond with the interaction (200) instead of nothing (204). Default false.',
  schema: flag,
}

const localeHeader = { in: 'header', schema: { type: 'string' } }

const listParameters: readonly Schema[] = [
  {
    name: 'with_localizations',
    in: 'query',
    description:
      'Whether commands have their dictionaries instead of the texts of one locale. Default false.',
    schema: flag,
  },
  { ...localeHeader, name: 'X-Service-Locale', description: 'The locale of the texts.' },
  { ...localeHeader, name: 'X-Discord-Locale', description: 'Alias of X-Service-Locale.' },
  { ...localeHeader, name: 'Accept-Language', description: 'Used when neither of the two names a locale.' },
]

const usualOutcome: { readonly [Method in Route['method']]: Success } = {
  GET: 'found',
  POST: 'found',
  PUT: 'updated',
  PATCH: 'updated',
  DELETE: 'removed',
}

function responsesOf(route: Route): Schema {
  const { grant, method, response, outcomes = [usualOutcome[method]] } = route
  const responses: Record<string, Schema> = {}
  for (const outcome of outcomes) {
    const status = statuses[outcome]
    const description = outcome.charAt(0).toUpperCase() + outcome.slice(1)
    const hasBody = response !== undefined && status !== 204
    responses[status] = { description, ...(hasBody && { content: jsonContent(response) }) }
  }
  const content = jsonContent('Error')
  for (const refusal of refusalsOf(route)) {
    const { status, code, message } = refusals[refusal]
    const others = responses[status]
    const description = `${others === undefined ? '' : `${others.description}; `}${code} ${message}`
    responses[status] = { description, content }
  }
  responses[500] = { description: 'The service failed.', content }
  if (grant !== 'anyone') responses[503] = { description: 'The store failed.', content }
  return responses
}

/** Every refusal of a route, in the order of the checks. */
function refusalsOf({ path, grant, body, localized, refusals: own = [] }: Route): ReadonlySet<RefusalName> {
  const found: RefusalName[] = []
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
    found.push(
      'invalid',
      ...(['body_too_large', 'bodies_too_large', 'body_timed_out', 'body_broken', 'invalid_json'] as const),
    )
  if (grant !== 'anyone' && /@me|\{application/.test(path)) found.push('unknown_application')
  if (path.includes('{guild.id}')) found.push('missing_access')
  return new Set([...found, ...own])
}

function jsonContent(schema: string): Schema {
  return { 'application/json': { schema: ref(schema) } }
}

// --- Schemas --------------------------------------------------------------------------------------------------

const snowflake: Schema = ref('Snowflake')
const text: Schema = { type: 'string' }
const integer: Schema = { type: 'integer' }
const texts: Schema = { type: 'array', items: text }
const objects: Schema = { type: 'array', items: { type: 'object' } }
const user: Schema = ref('User')
const url: Schema = { type: 'string', format: 'uri', description: 'The WebSocket address of the gateway.' }

/** The fields of an object that always has the same ones, by an example of it. */
function fieldsOf(example: object): SchemaFields {
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, schemaOf(value)]))
}

function schemaOf(value: unknown): Schema {
  if (value === null) return { type: 'null' }
  if (isSnowflake(value)) return snowflake
  if (typeof value === 'number') return integer
  return Array.isArray(value) ? texts : { type: typeof value }
}

/** A form: JSON in one part, files beside it. Only their names, types and sizes are kept. */
function formOf(schema: string): Schema {
  return objectSchema(
    { payload_json: ref(schema) },
    { 'files[n]': { type: 'string', contentMediaType: 'application/octet-stream' } },
  )
}

/** The bodies that only HTTP has: login responses, interaction callbacks and messages. */
const ownSchemas: SchemaFields = {
  Application: objectSchema(
    {
      ...fieldsOf(describeApplication('1', { bot: false })),
      owner: user,
      integration_types_config: { type: 'object', additionalProperties: { type: 'object' } },
    },
    { bot: user },
  ),
  User: objectSchema(fieldsOf(describeUser('1', '', true)), { locale: text }),
  Gateway: objectSchema({ url }),
  GatewayBot: objectSchema({
    url,
    shards: integer,
    session_start_limit: objectSchema({
      total: integer,
      remaining: integer,
      reset_after: { ...integer, description: 'Milliseconds.' },
      max_concurrency: integer,
    }),
  }),
  InteractionCallback: objectSchema(
    { type: enumeration(InteractionCallbackType) },
    { data: { type: ['object', 'null'], description: 'A message, a modal or choices, by the type.' } },
  ),
  InteractionCallbackForm: formOf('InteractionCallback'),
  MessageForm: formOf('Message'),
  InteractionCallbackResponse: objectSchema({
    interaction: objectSchema(
      { id: snowflake, type: enumeration(InteractionType) },
      {
        response_message_id: snowflake,
        response_message_loading: flag,
        response_message_ephemeral: flag,
        activity_instance_id: text,
      },
    ),
    resource: objectSchema(
      { type: enumeration(InteractionCallbackType) },
      { message: ref('MessageAnswer'), activity_instance: objectSchema({ id: text }) },
    ),
  }),
  Message: {
    type: 'object',
    description:
      'A message to send, or the changes of one: content, embeds, components, attachments, flags and so on.',
  },
  MessageAnswer: objectSchema(
    {
      id: snowflake,
      channel_id: snowflake,
      type: integer,
      content: text,
      author: { type: 'object' },
      timestamp: text,
      edited_timestamp: { type: ['string', 'null'] },
      tts: flag,
      mention_everyone: flag,
      mentions: objects,
      mention_roles: texts,
      attachments: objects,
      embeds: objects,
      components: objects,
      pinned: flag,
      flags: integer,
      application_id: snowflake,
      webhook_id: snowflake,
      interaction_metadata: { type: 'object' },
    },
    { message_reference: { type: 'object' }, poll: { type: 'object' }, interaction: { type: 'object' } },
  ),
}
