/** Contests of the registry in memory. The floor is JSON itself. */
import { parsing, type Contest, type ContestRow, type Operation } from './contest.ts'
import { app, full } from './payloads.ts'

const APPLICATION = '1001'

const commandry = () => import('commandry')

/** The same bodies twice, with another description, so that each turn of writing changes what is stored. */
const turns = (body: object): readonly [object, object] => [
  { ...body, description: 'Answers with pong' },
  { ...body, description: 'Answers with ping' },
]

/** A registry with commands in the global scope, created from a text as it comes from the wire. */
async function registryWith(bodies: readonly object[]) {
  const { CommandRegistry, globalScope } = await commandry()
  const registry = new CommandRegistry()
  const scope = globalScope(APPLICATION)
  const text = JSON.stringify(bodies)
  const commands = await registry.overwrite(scope, JSON.parse(text))
  return { registry, scope, text, commands }
}

/** A scope at its limits: 100 slash commands near 8,000 characters in all locales, and 31 that have only names. */
const upsertFull: Contest = {
  parse: parsing(full(0)),
  commandry: async () => {
    const slash = Array.from({ length: 100 }, (_, i) => full(i))
    const menus = [2, 3].flatMap((type) =>
      Array.from({ length: 15 }, (_, i) => ({ type, name: `Menu ${i}` })),
    )
    const { registry, scope } = await registryWith([...slash, ...menus, { type: 4, name: 'Launch' }])
    const bodies = turns(slash[50]!)
    return (turn) => registry.upsert(scope, bodies[turn & 1])
  },
}

const overwrite: Contest = {
  parse: parsing(app()),
  commandry: async () => {
    const { registry, scope, text } = await registryWith(app())
    const bodies = JSON.parse(text) as object[]
    const sets = [bodies, bodies.map((body) => ({ ...body, nsfw: true }))]
    return (turn) => registry.overwrite(scope, sets[turn & 1])
  },
}

const list = (isLocalized: boolean): Contest => ({
  stringify: async () => {
    const { commands } = await registryWith(app())
    return () => JSON.stringify(commands)
  },
  commandry: async () => {
    const { registry, scope } = await registryWith(app())
    return isLocalized ? () => registry.list(scope, { locale: 'de' }) : () => registry.list(scope)
  },
})

const GUILD = '2001'
const role = (i: number) => String(3000 + i)
const roles = [role(7), role(42)]
const entries = Array.from({ length: 100 }, (_, i) => ({ id: role(i), type: 1, permission: i % 2 === 0 }))

/** 130 commands of a guild, each with 100 permission entries, of which two are for roles of the member. */
async function picker(): Promise<Operation> {
  const { CommandRegistry, guildScope } = await commandry()
  const registry = new CommandRegistry()
  const commands = await registry.overwrite(guildScope(APPLICATION, GUILD), app())
  for (const { id } of commands) await registry.setPermissions(APPLICATION, GUILD, id, entries)
  const viewer = {
    applicationId: APPLICATION,
    guildId: GUILD,
    channel: { id: '4001', type: 0 },
    member: { user: { id: '5001' }, roles, permissions: '2147483648' },
    locale: 'de',
  } as never
  const { commands: visible } = await registry.commandsFor(viewer)
  if (visible.length === 0) throw new Error('the picker is empty')
  return () => registry.commandsFor(viewer)
}

/** The least that decides the same: each entry is visited once, and compared with the roles of the member. */
function visitEntries(): Operation {
  const commands = app().map((command) => ({
    command,
    entries: entries.map((entry) => ({ ...entry })),
  }))
  const own = new Set(roles)
  return () => {
    const visible: object[] = []
    for (const { command, entries } of commands) {
      let isAllowed = false
      for (const { id, permission } of entries) if (own.has(id) && permission) isAllowed = true
      if (isAllowed) visible.push(command)
    }
    return visible
  }
}

export const registryRows: readonly ContestRow[] = [
  { figure: '`upsert`, 131 full', contest: () => upsertFull },
  { figure: '`overwrite` of 130', goal: 3.5, contest: () => overwrite },
  { figure: '`list` of 130', goal: 0.01, contest: () => list(false) },
  { figure: '`list` localized', goal: 0.5, contest: () => list(true) },
  { figure: '`commandsFor` 130', contest: () => ({ visit: visitEntries, commandry: picker }) },
]
