import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as arbitraries from 'commandry/arbitraries'
import * as commandry from 'commandry'
import * as http from 'commandry/http'
import * as node from 'commandry/node'
import * as postgres from 'commandry/storage/postgres'
import * as redis from 'commandry/storage/redis'
import * as sqlite from 'commandry/storage/sqlite'
import * as testing from 'commandry/testing'
import { root } from './support/markdown.ts'

// Adding a public name is a deliberate act: it is a line here.
const surface = {
  commandry: `
    commandSchema commandsSchema permissionsSchema
    ApplicationFlag AuthenticationCodeChallengeMethod AuthorizationArgs AuthorizationClient
    AuthorizationCodeChallenge AuthorizationCodeVerifier AuthorizationError AuthorizationTokenType
    ChannelType ChatClient CommandRegistry CommandType HandlerType IntegrationType
    InteractionCallbackType InteractionContext InteractionType InvocationError Limits Locale
    LocalizationResolver MessageFlag OptionType PermissionFlag PermissionTargetType RegistryError
    StoreError allChannelsId applicationDirectory canUse checkEndpoint createEndpointKeys
    createInteraction createPing defineCommand deliver effectivePermissions everyoneId expandScopes
    explainAccess explainAvailability formatIssues globalScope guildScope isAutocompleteInteraction
    isAvailable isCommandInteraction isLocale isPing isSnowflake localeNames locales mayHaveHappened
    memoryStore missingToManage negotiateLocale openDirectory parseScopes pendingAnswers readOptions
    rules shownBy snowflakeTime snowflakes systemClock toErrorBody validateCallback validateCommand
    validateCommands validateFollowUp validatePatch validatePermissions
  `,
  'commandry/http': `
    createCallbackHandler createHandler openAccess openApiDocument receiveCallback tokenDirectory
  `,
  'commandry/node': 'requestListener serve',
  'commandry/testing': `
    assertAnswers assertBreaksRule assertRefusedWith assertValidCommand assertValidCommands entryPoint
    interactionFor matchers messageCommand option sampleCommands scene slashCommand storeContract
    storePromises userCommand violating
  `,
  'commandry/storage/sqlite': 'sqliteStore',
  'commandry/storage/postgres': 'postgresStore',
  'commandry/storage/redis': 'redisStore',
  'commandry/arbitraries': `
    choice command commandSet commandUse contextCommand entryPointCommand freeName localizations
    nestedOptions optionValue permissions slashCommand snowflake strictName text valueOptions
  `,
}

describe('the public surface', () => {
  it.each([
    ['commandry', commandry],
    ['commandry/arbitraries', arbitraries],
    ['commandry/http', http],
    ['commandry/node', node],
    ['commandry/testing', testing],
    ['commandry/storage/sqlite', sqlite],
    ['commandry/storage/postgres', postgres],
    ['commandry/storage/redis', redis],
  ] as const)('%s', (name, entry) => {
    expect(Object.keys(entry).sort()).toEqual(surface[name].trim().split(/\s+/).sort())
  })

  it('is what the package exports, and needs nothing at run time', () => {
    const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
      exports: Record<string, unknown>
      dependencies?: unknown
    }
    const entries = Object.keys(manifest.exports).filter((key) => key !== './package.json')
    expect(entries.map((key) => `commandry${key.slice(1)}`).sort()).toEqual(Object.keys(surface).sort())
    expect(manifest.dependencies).toBeUndefined()
  })
})
