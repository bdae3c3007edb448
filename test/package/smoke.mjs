// The built package, imported by its name as a user does, as ESM and as CommonJS, without types, bundler or aliases.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const require = createRequire(import.meta.url)

for (const entry of Object.keys(manifest.exports).filter((key) => key !== './package.json')) {
  const name = `commandry${entry.slice(1)}`
  const [esm, cjs] = [await import(name), require(name)]
  assert.ok(Object.keys(esm).length > 0, `${name} exports nothing`)
  assert.deepEqual(
    Object.keys(cjs).sort(),
    Object.keys(esm)
      .filter((key) => key !== 'default')
      .sort(),
    name,
  )
}

for (const load of [(name) => import(name), async (name) => require(name)]) {
  const { CommandRegistry, globalScope, validateCommand } = await load('commandry')
  const { createHandler, openAccess } = await load('commandry/http')
  const { serve } = await load('commandry/node')
  const registry = new CommandRegistry()
  const body = { name: 'ping', description: 'Says pong' }
  const { command, created } = await registry.upsert(globalScope('1001'), body)
  assert.equal(created, true)
  assert.equal(await registry.get(globalScope('1001'), command.id), command)
  assert.equal(validateCommand({ name: 'Ping' }).ok, false)
  const server = await serve({ handler: createHandler({ registry, authenticate: openAccess() }) })
  const answer = await fetch(`${server.url}/api/v10/applications/1001/commands/${command.id}`, {
    headers: { authorization: 'Bot a' },
  })
  assert.deepEqual(await answer.json(), command)
  await server.close()
}

const cli = fileURLToPath(new URL(manifest.bin.commandry, root))
const { stdout, status } = spawnSync(process.execPath, [cli, '--version'], { encoding: 'utf8' })
assert.equal(status, 0)
assert.match(stdout, new RegExp(manifest.version.replaceAll('.', '\\.')))
// Bun says that it is Node, of some version.
const { bun, node } = process.versions
const runtime = bun === undefined ? `Node ${node}` : `Bun ${bun}`
console.log(`commandry works as ESM, as CommonJS and as a command on ${runtime}`)
