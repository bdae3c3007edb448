/** Services and definitions that the tests of plans and deploys share. */
import { expect, test } from 'vitest'
import { CommandRegistry, type ApplicationCommand, type ApplicationDirectory } from 'commandry'
import { createHandler, openAccess, type Authenticate } from 'commandry/http'
import { call, type Ended } from './program.ts'
import { app, everywhere, guild, ping } from '../../support/fixtures.ts'
import { hosted } from '../../support/hosted.ts'

export const run = (
  args: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => call(['plan', ...args], { ...(cwd !== undefined && { cwd }), env })

/** Plans a file of a folder against a service. */
export const planAgainst = (
  url: string,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => run([...args, '--against', url, '--application', app], cwd, env)

/** A service whose registry the test can read, and its address. */
export async function serving(
  registry: CommandRegistry,
  authenticate: Authenticate = openAccess(),
  applications?: ApplicationDirectory,
): Promise<string> {
  const handler = createHandler({ registry, authenticate, ...(applications && { applications }) })
  return hosted(handler)
}

export const today = () => new Date().toISOString().slice(0, 10)
export const role = (id: string, permission: boolean) => ({ id, type: 1, permission })

const roll = { name: 'roll', description: 'Rolls dice' }
const sides = { type: 4, name: 'sides', description: 'How many sides' }
const colour = (red: string) => {
  const choices = [
    { name: 'Red one', value: red },
    { name: 'blue', value: 'b' },
  ]
  return { type: 3, name: 'colour', description: 'Which colour', choices }
}
const ban = { name: 'ban', description: 'Ban a member', default_member_permissions: '0' }
const stay = {
  name: 'stay',
  description: 'Stays',
  options: [{ type: 5, name: 'now', description: 'At once' }],
}

export const before = [
  ping,
  { ...roll, options: [{ ...sides, max_value: 100 }, colour('r')] },
  ban,
  { type: 2, name: 'Report' },
  stay,
]

export const after = [
  { ...ping, name_localizations: { de: 'pong' }, default_member_permissions: '8' },
  { ...roll, options: [colour('red'), sides, { type: 5, name: 'secret', description: 'Who sees it' }] },
  { ...ban, name: 'banish' },
  stay,
]

/** A service with commands, and permissions of one of them in two guilds. */
async function filled(): Promise<{ registry: CommandRegistry; ban: string }> {
  const registry = new CommandRegistry()
  const commands = await registry.overwrite(everywhere, before)
  const ban = commands.find(({ name }) => name === 'ban')!.id
  await registry.setPermissions(app, guild, ban, [
    role('5001', true),
    role(guild, false),
    { id: '2000', type: 3, permission: false },
    { id: '3001', type: 2, permission: true },
  ])
  await registry.setPermissions(app, '2002', ban, [role('5002', true)])
  await registry.setPermissions(app, guild, commands[0]!.id, [role('5001', true)])
  await registry.setPermissions(app, guild, app, [role('5009', true)])
  return { registry, ban }
}

interface Fixtures {
  readonly filled: Awaited<ReturnType<typeof filled>>
  readonly registry: CommandRegistry
  /** The address of a service with the registry. */
  readonly url: string
}

/** Tests with a filled registry: `it('…', async ({ registry, url }) => …)`. */
export const it = test.extend<Fixtures>({
  filled: async ({}, use) => use(await filled()),
  registry: ({ filled }, use) => use(filled.registry),
  url: async ({ registry }, use) => use(await serving(registry)),
})

/** Expects a plan in JSON to say what happened to the commands of a scope. */
export function expectPlanned(
  plan: any,
  was: readonly ApplicationCommand[],
  now: readonly ApplicationCommand[],
): void {
  const old = new Map(was.map((command) => [command.id, command]))
  const stayed = new Set(now.map(({ id }) => id))
  const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
  const bare = ({ id, version, ...command }: ApplicationCommand) => command
  const changed = now.filter(({ id, version }) => old.has(id) && old.get(id)!.version !== version)
  expect(plan.creates).toEqual(json(now.filter(({ id }) => !old.has(id)).map(bare)))
  expect(plan.updates.map(({ before }: any) => before)).toEqual(json(changed.map(({ id }) => old.get(id))))
  expect(plan.updates.map(({ after }: any) => bare(after))).toEqual(json(changed.map(bare)))
  for (const { differences } of plan.updates) expect(differences.length).toBeGreaterThan(0)
  expect(plan.unchanged).toEqual(json(now.filter(({ id, version }) => old.get(id)?.version === version)))
  expect(plan.deletes).toEqual(json(was.filter(({ id }) => !stayed.has(id))))
}
