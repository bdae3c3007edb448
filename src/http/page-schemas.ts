/** The bodies that only HTTP has, as JSON Schema: login responses and interaction callbacks. */
import { isSnowflake } from '../core/snowflake.ts'
import { InteractionCallbackType, InteractionType } from '../interaction/types.ts'
import { enumeration, type Schema } from '../reference/json-schema.ts'
import { describeApplication, describeUser } from './pages.ts'

const snowflake: Schema = { $ref: '#/components/schemas/Snowflake' }
const text: Schema = { type: 'string' }
const integer: Schema = { type: 'integer' }
const flag: Schema = { type: 'boolean' }
const texts: Schema = { type: 'array', items: text }
const objects: Schema = { type: 'array', items: { type: 'object' } }
const user: Schema = { $ref: '#/components/schemas/User' }
const url: Schema = { type: 'string', format: 'uri', description: 'The WebSocket address of the gateway.' }

type Fields = Readonly<Record<string, Schema>>

/** An object with these fields. All of them are required, except the optional ones. */
function object(required: Fields, optional: Fields = {}): Schema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }
}

/** The fields of an object that always has the same ones, by an example of it. */
function fieldsOf(example: object): Fields {
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
  return object(
    { payload_json: { $ref: `#/components/schemas/${schema}` } },
    { 'files[n]': { type: 'string', contentMediaType: 'application/octet-stream' } },
  )
}

/** The components that only the routes of this folder use. */
export const pageSchemas: Fields = {
  Application: object({
    ...fieldsOf(describeApplication('1', {})),
    bot: user,
    owner: user,
    integration_types_config: { type: 'object', additionalProperties: { type: 'object' } },
  }),
  User: object(fieldsOf(describeUser('1', '', true)), { locale: text }),
  Gateway: object({ url }),
  GatewayBot: object({
    url,
    shards: integer,
    session_start_limit: object({
      total: integer,
      remaining: integer,
      reset_after: { ...integer, description: 'Milliseconds.' },
      max_concurrency: integer,
    }),
  }),
  InteractionCallback: object(
    { type: enumeration(InteractionCallbackType) },
    { data: { type: ['object', 'null'], description: 'A message, a modal or choices, by the type.' } },
  ),
  InteractionCallbackForm: formOf('InteractionCallback'),
  MessageForm: formOf('Message'),
  InteractionCallbackResponse: object({
    interaction: object(
      { id: snowflake, type: enumeration(InteractionType) },
      {
        response_message_id: snowflake,
        response_message_loading: flag,
        response_message_ephemeral: flag,
        activity_instance_id: text,
      },
    ),
    resource: object(
      { type: enumeration(InteractionCallbackType) },
      { message: { $ref: '#/components/schemas/MessageAnswer' }, activity_instance: object({ id: text }) },
    ),
  }),
  Message: {
    type: 'object',
    description:
      'A message to send, or the changes of one: content, embeds, components, attachments, flags and so on.',
  },
  MessageAnswer: object(
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
