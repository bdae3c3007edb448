import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from '../support/markdown.ts'

// Adding a public name is deliberate: it needs a line here.
const surface = {
  commandry: `
    ApplicationFlag ButtonStyle ComponentType MessageFlag MessageType explainAvailability
    AuthenticationCodeChallengeMethod AuthorizationArgs AuthorizationClient
    AuthorizationCodeChallenge AuthorizationCodeVerifier AuthorizationError AuthorizationTokenType
    ChannelType CommandRegistry CommandType HandlerType IntegrationType InteractionCallbackType
    InteractionContext InteractionType Locale LocalizationResolver OptionType PermissionFlag
    PermissionTargetType RegistryError StoreError allChannelsId applicationDirectory canUse
    defineCommand effectivePermissions everyoneId expandScopes 
    explainAccess followChanges formatIssues globalScope guildScope installUrl isLocale localeNames
    locales memoryStore missingToManage negotiateLocale openDirectory parseScopes 
    permissions snowflakes
    validateCommand validateCommands validatePatch validatePermissions
  `,
  'commandry/interactions': `
    ButtonStyle ChatClient ComponentError ComponentType InvocationError MessageFlag MessageType
    checkEndpoint choose createConversations createEndpointKeys createInteraction
    createPing deliver explainAvailability isAutocompleteInteraction
    isCommandInteraction isPing pendingAnswers press readOptions sharedAnswers shownBy submit
    validateCallback validateFollowUp
  `,
  'commandry/http': `
    createHandler openAccess openApiDocument restFetch toErrorBody tokenDirectory
  `,
  'commandry/reference': 'Limits commandSchema commandsSchema permissionsSchema rules',
  'commandry/fuzz': 'fuzz',
  'commandry/coverage': 'CoverageReporter coverageText default mergeCoverage',
  'commandry/gateway': 'GatewayCloseCode GatewayOpcode createGateway',
  'commandry/redirect': '',
  'commandry/clock': '',
  'commandry/testbed': 'TestbedError testbed',
  'commandry/node': 'requestListener serve',
  'commandry/testing': `
    assertAnswers assertBreaksRule assertNoWarnings assertRefusedWith assertValidCommand
    assertValidCommands assertVisibleTo entryPoint faultyStore interactionFor matchers
    messageCommand option people sampleCommands scene slashCommand storeContract 
    testClock userCommand violating
  `,
  'commandry/vitest': '',
  'commandry/jest': '',
  'commandry/bun': '',
  'commandry/storage/sqlite': 'sqliteStore',
  'commandry/storage/postgres': 'postgresStore',
  'commandry/storage/redis': 'redisStore',
  'commandry/storage/text': 'keyPages textStore',
  'commandry/arbitraries': `
    brokenCommand choice command commandSet commandUse contextCommand entryPointCommand localizations
    nestedOptions optionValue permissions slashCommand snowflake text valueOptions
  `,
}

/** The doors that need nothing besides. */
const doors = [
  ['commandry', () => import('commandry')],
  ['commandry/arbitraries', () => import('commandry/arbitraries')],
  ['commandry/fuzz', () => import('commandry/fuzz')],
  ['commandry/coverage', () => import('commandry/coverage')],
  ['commandry/gateway', () => import('commandry/gateway')],
  ['commandry/http', () => import('commandry/http')],
  ['commandry/interactions', () => import('commandry/interactions')],
  ['commandry/node', () => import('commandry/node')],
  ['commandry/reference', () => import('commandry/reference')],
  ['commandry/testbed', () => import('commandry/testbed')],
  ['commandry/testing', () => import('commandry/testing')],
  ['commandry/storage/sqlite', () => import('commandry/storage/sqlite')],
  ['commandry/storage/postgres', () => import('commandry/storage/postgres')],
  ['commandry/storage/redis', () => import('commandry/storage/redis')],
  ['commandry/storage/text', () => import('commandry/storage/text')],
] as const

it.each(doors)('the public surface %s', async (name, load) => {
  expect(Object.keys(await load()).sort()).toEqual(surface[name].trim().split(/\s+/).sort())
})

it('the public surface is exactly what the package exports, without run-time dependencies', () => {
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    exports: Record<string, unknown>
    dependencies?: unknown
  }
  const entries = Object.keys(manifest.exports).filter((key) => key !== './package.json')
  expect(entries.map((key) => `commandry${key.slice(1)}`).sort()).toEqual(Object.keys(surface).sort())
  expect(manifest.dependencies).toBeUndefined()
})

// A library that is used by libraries needs a name for each type of its results (`test/types/exported-results.test.ts`). Eight
// are the old names of `commandry/interactions`, which leave with 0.4.0.
it('the public surface has at most 400 names, types included, of which 130 in the root entry', () => {
  const counts = Object.keys(surface).map((entry) => namesOf(`src/${entry.slice(10) || 'index'}.ts`))
  expect(counts[0]).toBeGreaterThan(80)
  expect(counts[0]).toBeLessThanOrEqual(130)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(400)
})

/** How many names a file exports, in lists or with their declarations. */
function namesOf(file: string): number {
  const source = readFileSync(new URL(file, root), 'utf8').replace(/\/\*[^]*?\*\//g, '')
  const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!.split(',').filter((name) => name.trim() !== ''),
  )
  const declared = source.match(/^export (?!(?:type )?\{)/gm) ?? []
  return listed.length + declared.length
}

it.each(doors)('every value of %s is frozen, with all that is in it', async (_, load) => {
  const open: string[] = []
  const look = (value: unknown, name: string) => {
    if (typeof value !== 'object' || value === null || value instanceof RegExp) return
    if (!Object.isFrozen(value)) open.push(name)
    for (const [key, inner] of Object.entries(value)) look(inner, `${name}.${key}`)
  }
  for (const [name, value] of Object.entries(await load())) look(value, name)
  expect(open).toEqual([])
})
