import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as arbitraries from 'commandry/arbitraries'
import * as commandry from 'commandry'
import * as fuzz from 'commandry/fuzz'
import * as gateway from 'commandry/gateway'
import * as http from 'commandry/http'
import * as interactions from 'commandry/interactions'
import * as node from 'commandry/node'
import * as postgres from 'commandry/storage/postgres'
import * as redis from 'commandry/storage/redis'
import * as sqlite from 'commandry/storage/sqlite'
import * as testbed from 'commandry/testbed'
import * as testing from 'commandry/testing'
import { root } from './support/markdown.ts'

// Adding a public name is deliberate: it needs a line here.
const surface = {
  commandry: `
    ApplicationFlag AuthenticationCodeChallengeMethod AuthorizationArgs AuthorizationClient
    AuthorizationCodeChallenge AuthorizationCodeVerifier AuthorizationError AuthorizationTokenType
    ChannelType CommandRegistry CommandType HandlerType IntegrationType InteractionCallbackType
    InteractionContext InteractionType Limits Locale LocalizationResolver OptionType PermissionFlag
    PermissionTargetType RegistryError StoreError allChannelsId applicationDirectory canUse
    commandSchema commandsSchema defineCommand effectivePermissions everyoneId expandScopes
    explainAccess formatIssues globalScope guildScope installUrl isLocale isSnowflake localeNames
    locales mayHaveHappened memoryStore missingToManage negotiateLocale openDirectory parseScopes
    permissions permissionsSchema rules snowflakeTime snowflakes systemClock toErrorBody
    validateCommand validateCommands validatePatch validatePermissions
  `,
  'commandry/interactions': `
    ButtonStyle ChatClient ComponentError ComponentType InvocationError MessageFlag MessageType
    callbackResponse checkEndpoint choose createConversations createEndpointKeys createInteraction
    createMessage createPing deliver editMessage explainAvailability isAutocompleteInteraction
    isAvailable isCommandInteraction isPing pendingAnswers press readOptions shownBy submit
    validateCallback validateFollowUp
  `,
  'commandry/http': `
    createCallbackHandler createHandler openAccess openApiDocument receiveCallback restFetch tokenDirectory
  `,
  'commandry/fuzz': 'fuzz',
  'commandry/gateway': 'GatewayCloseCode GatewayOpcode createGateway',
  'commandry/redirect': '',
  'commandry/testbed': 'TestbedError testbed',
  'commandry/node': 'nodeDeflate requestListener serve systemScheduler',
  'commandry/testing': `
    assertAnswers assertBreaksRule assertNoWarnings assertRefusedWith assertValidCommand
    assertValidCommands assertVisibleTo entryPoint faultyStore interactionFor matchers
    messageCommand option people sampleCommands scene slashCommand storeContract storePromises
    testClock userCommand violating
  `,
  'commandry/vitest': '',
  'commandry/jest': '',
  'commandry/bun': '',
  'commandry/storage/sqlite': 'sqliteStore',
  'commandry/storage/postgres': 'postgresStore',
  'commandry/storage/redis': 'redisStore',
  'commandry/arbitraries': `
    brokenCommand choice command commandSet commandUse contextCommand entryPointCommand freeName localizations
    nestedOptions optionValue permissions slashCommand snowflake strictName text valueOptions
  `,
}

describe('the public surface', () => {
  it.each([
    ['commandry', commandry],
    ['commandry/arbitraries', arbitraries],
    ['commandry/fuzz', fuzz],
    ['commandry/gateway', gateway],
    ['commandry/http', http],
    ['commandry/interactions', interactions],
    ['commandry/node', node],
    ['commandry/testbed', testbed],
    ['commandry/testing', testing],
    ['commandry/storage/sqlite', sqlite],
    ['commandry/storage/postgres', postgres],
    ['commandry/storage/redis', redis],
  ] as const)('%s', (name, entry) => {
    expect(Object.keys(entry).sort()).toEqual(surface[name].trim().split(/\s+/).sort())
  })

  it('is exactly what the package exports, without run-time dependencies', () => {
    const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
      exports: Record<string, unknown>
      dependencies?: unknown
    }
    const entries = Object.keys(manifest.exports).filter((key) => key !== './package.json')
    expect(entries.map((key) => `commandry${key.slice(1)}`).sort()).toEqual(Object.keys(surface).sort())
    expect(manifest.dependencies).toBeUndefined()
  })

  it('has at most 160 names in the root entry, types included', () => {
    const source = readFileSync(new URL('src/index.ts', root), 'utf8').replace(/\/\*[^]*?\*\//g, '')
    const names = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list]) =>
      list!.split(',').filter((name) => name.trim() !== ''),
    )
    expect(names.length).toBeGreaterThan(100)
    expect(names.length).toBeLessThanOrEqual(160)
  })
})
