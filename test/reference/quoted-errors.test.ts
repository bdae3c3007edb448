import { expect, it } from 'vitest'
import { CommandRegistry, applicationDirectory, guildScope } from 'commandry'
import { createHandler, tokenDirectory } from 'commandry/http'
import { errorLines } from './error-tree.ts'
import { quotedErrors, type QuotedError } from './quoted-errors.ts'

const tokens = { bot: 'Bot b', 'other bot': 'Bot c', manager: 'Bearer p', unknown: 'Bot nope' }

async function answered({ method, path, body, as = 'bot' }: QuotedError) {
  const applications = applicationDirectory([
    { id: '1001', flags: 1 << 17, integration_types: [0, 1], guilds: ['2001'] },
  ])
  const registry = new CommandRegistry({ applications })
  const scope = guildScope('1001', '2001')
  const { command } = await registry.upsert(scope, { name: 'own', description: 'd' })
  await registry.upsert(scope, { name: 'taken', description: 'd' })
  const manager = { id: '3', guilds: { 2001: { permissions: '8' } } }
  const handler = createHandler({
    registry,
    authenticate: tokenDirectory([
      { type: 'Bot', token: 'b', applicationId: '1001' },
      { type: 'Bot', token: 'c', applicationId: '1002' },
      {
        ...{ type: 'Bearer', token: 'p', applicationId: '1001', user: manager },
        scopes: ['applications.commands.permissions.update'],
      },
    ]),
  })
  const response = await handler(
    new Request(`http://localhost/api/v10${path.replace('{command}', command.id)}`, {
      method,
      headers: { authorization: tokens[as], 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const { code, message, errors } = (await response.json()) as {
    code: number
    message: string
    errors?: object
  }
  return {
    status: response.status,
    errors: errors === undefined ? [`${code}: ${message}`] : errorLines(errors).map(quotedForm),
  }
}

/** The path of an error is followed by a colon; the list of locales has grown since it was quoted. */
function quotedForm(line: string): string {
  const at = line.search(/[A-Z][A-Z0-9]+_[A-Z0-9_]+: /)
  return `${line.slice(0, at).trim()}: ${line.slice(at)}`.replace(/\('[^)]*'\)/, "('…')")
}

it('[7-01] has 42 quoted errors', () => {
  expect(quotedErrors).toHaveLength(42)
})

it.each(quotedErrors)('[7-01] answers as Discord does in $source', async (quoted) => {
  const answer = await answered(quoted)
  expect(answer.status).toBe(quoted.status)
  expect(answer.errors.toSorted()).toEqual(quoted.errors.toSorted())
})
