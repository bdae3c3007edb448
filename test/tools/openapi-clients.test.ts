/** Clients that public generators make of the OpenAPI document: their smallest calls compile, and reach the service. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient as generate } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess, openApiDocument, restFetch } from 'commandry/http'
import { APP } from '../service/http/ids.ts'

const folder = mkdtempSync(fileURLToPath(new URL('.clients-', import.meta.url)))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const programs = {
  'with-openapi-fetch.ts': `
    import createClient from 'openapi-fetch'
    import type { paths } from './schema'
    export async function run(fetch: (request: Request) => Promise<Response>) {
      const client = createClient<paths>({ baseUrl: 'http://x/api/v10', fetch, headers: { authorization: 'Bot a' } })
      const params = { path: { application_id: '${APP}' } }
      const path = '/applications/{application_id}/commands'
      const created = await client.POST(path, { params, body: { name: 'ping', description: 'd' } })
      const query = { with_localizations: true }
      const listed = await client.GET(path, { params: { ...params, query } })
      const refused = await client.POST(path, { params, body: { name: 'Ping', description: 'd' } })
      return [created.data?.name, listed.data?.map(({ name }) => name), refused.error?.code]
    }`,
  'with-hey-api.ts': `
    import { createApplicationCommand, listApplicationCommands } from './hey-api/sdk.gen'
    import { client } from './hey-api/client.gen'
    export async function run(fetch: (input: any, init?: any) => Promise<Response>) {
      client.setConfig({ baseUrl: 'http://x/api/v10', fetch, headers: { authorization: 'Bot a' } })
      const path = { application_id: '${APP}' }
      const created = await createApplicationCommand({ path, body: { name: 'ping', description: 'd' } })
      const listed = await listApplicationCommands({ path, query: { with_localizations: true } })
      const refused = await createApplicationCommand({ path, body: { name: 'Ping', description: 'd' } })
      return [created.data?.name, listed.data?.map(({ name }) => name), refused.error?.code]
    }`,
}

beforeAll(async () => {
  const document = openApiDocument()
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  writeFileSync(join(folder, 'schema.d.ts'), astToString(await openapiTS(JSON.stringify(document))))
  const input = join(folder, 'openapi.json')
  await generate({ input, output: join(folder, 'hey-api'), logs: { level: 'silent', file: false } })
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
})

it('generated clients compile with their smallest calls', () => {
  const options = ['--module', 'ESNext', '--moduleResolution', 'Bundler', '--target', 'ES2022', '--noEmit']
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const strict = ['--strict', '--skipLibCheck', '--types', 'node', '--ignoreConfig']
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, ...options, ...strict, ...Object.keys(programs)],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(stdout + stderr).toBe('')
})

it.each(Object.keys(programs))('a generated client reaches the service: %s', async (name) => {
  const handler = createHandler({ registry: new CommandRegistry(), authenticate: openAccess() })
  const { run } = (await import(join(folder, name))) as { run: (fetch: unknown) => Promise<unknown> }
  expect(await run(restFetch(handler))).toEqual(['ping', ['ping'], 50035])
})
