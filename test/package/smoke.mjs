// The packed package, imported by its name as a user does, as ESM and as CommonJS, without types, bundler or aliases.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { entries, runners } from './entries.mjs'

const require = createRequire(import.meta.url)
const manifest = require('commandry/package.json')
// The redirect starts when it is imported, and exports nothing.
process.env.COMMANDRY_URL = 'http://127.0.0.1:1'
const stderr = process.stderr.write
// test/package/runners.test.ts imports the others in their runners, and clock.test.ts the clock, which must come first.
const names = entries
  .filter((name) => !runners.includes(name) && name !== 'clock')
  .map((name) => (name === 'index' ? 'commandry' : `commandry/${name}`))

for (const name of names) {
  process.stderr.write = name === 'commandry/redirect' ? () => true : stderr
  const [esm, cjs] = [await import(name), require(name)]
  const exported = Object.keys(esm).filter((key) => !/^(default|module\.exports)$/.test(key))
  const ofCommonJs = Object.keys(cjs).filter((key) => key !== 'default')
  assert.deepEqual(ofCommonJs.sort(), exported.sort(), name)
  assert.equal(exported.length > 0, name !== 'commandry/redirect', name)
  for (const key of exported) {
    for (const value of [esm[key], cjs[key]]) {
      if (/^class\b/.test(String(value))) assert.equal(value.name, key, `${name} ${key}`)
    }
  }
}
process.stderr.write = stderr

for (const load of [(name) => import(name), async (name) => require(name)]) {
  const { CommandRegistry, globalScope, RegistryError, StoreError, validateCommand } = await load('commandry')
  const { createHandler, openAccess } = await load('commandry/http')
  const { serve } = await load('commandry/node')
  const { sqliteStore } = await load('commandry/storage/sqlite')
  const registry = new CommandRegistry()
  const body = { name: 'ping', description: 'Says pong' }
  const { command, created } = await registry.upsert(globalScope('1001'), body)
  assert.equal(created, true)
  assert.equal(await registry.get(globalScope('1001'), command.id), command)
  assert.equal(validateCommand({ name: 'Ping' }).ok, false)
  const server = await serve({ handler: createHandler({ registry, authenticate: openAccess() }) })
  const get = (id) =>
    fetch(`${server.url}/api/v10/applications/1001/commands/${id}`, { headers: { authorization: 'Bot a' } })
  assert.deepEqual(await (await get(command.id)).json(), command)
  // The handler recognizes the errors of the registry, and the registry those of a store.
  await assert.rejects(registry.get(globalScope('1001'), '5'), RegistryError)
  const unknown = await get('5')
  assert.deepEqual([unknown.status, (await unknown.json()).code], [404, 10063])
  await server.close()
  const broken = sqliteStore({ exec: () => {}, prepare: () => assert.fail('the disk is gone') })
  await assert.rejects(broken.read(['a']), StoreError)
  const failing = new CommandRegistry({ store: broken })
  await assert.rejects(failing.list(globalScope('1001')), { name: 'RegistryError', code: 'storage' })
}

const cli = fileURLToPath(new URL(`../node_modules/commandry/${manifest.bin.commandry}`, import.meta.url))
const { stdout, status } = spawnSync(process.execPath, [cli, '--version'], { encoding: 'utf8' })
assert.equal(status, 0)
assert.match(
  stdout,
  new RegExp(`^${manifest.version.replaceAll('.', '\\.')}\nDiscord as of \\d{4}-\\d\\d-\\d\\d\n$`),
)
// Bun also reports a Node version.
const { bun, node } = process.versions
const runtime = bun === undefined ? `Node ${node}` : `Bun ${bun}`
console.log(`commandry works as ESM, as CommonJS and as a command on ${runtime}`)
