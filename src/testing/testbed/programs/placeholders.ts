/** Variables in which programs expect their token and ids, and the values that stand for missing ones. */
import { isSnowflake } from '../../../core/snowflake.ts'
import { camelCase } from '../../../core/text.ts'
import { NAMELESS_APPLICATION } from '../../../service/http/placeholder-token.ts'
import { DEMO_SERVER_ID } from '../../../model/demo-server.ts'

type Environment = Readonly<Record<string, string | undefined>>

const TOKENS = [
  'DISCORD_TOKEN',
  'DISCORD_BOT_TOKEN',
  'BOT_TOKEN',
  'CLIENT_TOKEN',
  'DISCORD_CLIENT_TOKEN',
  'TOKEN',
]
// The first one that is set counts.
const APPLICATIONS = [
  ...['CLIENT_ID', 'DISCORD_CLIENT_ID', 'DISCORD_CLIENTID', 'DISCORD_APPLICATION_ID', 'APPLICATION_ID'],
  ...['APP_ID', 'DISCORD_APP_ID', 'BOT_CLIENT_ID', 'BOT_ID', 'DISCORD_BOT_ID'],
]
const SERVERS = [
  ...['GUILD_ID', 'DISCORD_GUILD_ID', 'TEST_GUILD_ID', 'DISCORD_TEST_GUILD_ID', 'DEV_GUILD_ID'],
  ...['DEVELOPMENT_GUILD_ID', 'MAIN_GUILD_ID'],
]
const PUBLIC_KEYS = ['PUBLIC_KEY', 'DISCORD_PUBLIC_KEY', 'DISCORD_APP_PUBLIC_KEY', 'CLIENT_PUBLIC_KEY']

/** The first id in variables of the environment. */
function idIn(env: Environment, names: readonly string[], otherwise: string): string {
  return (
    spellings(names)
      .map((name) => env[name])
      .find(isSnowflake) ?? otherwise
  )
}

/** The application of a program: that of its environment, otherwise one that every token without an id has. */
export function applicationIn(env: Environment): string {
  return idIn(env, APPLICATIONS, NAMELESS_APPLICATION)
}

/** The server of a program: that of its environment, otherwise the demo server. */
export function serverIn(env: Environment): string {
  return idIn(env, SERVERS, DEMO_SERVER_ID)
}

/** The variables that make a server that of a program. */
export function serverVariables(serverId: string): Record<string, string> {
  return all(SERVERS, serverId)
}

/** A value for each variable of a token. */
export function tokenVariables(token: string): Record<string, string> {
  return all(TOKENS, token)
}

/** A value for each variable of an application, a server and a public key. */
export function idVariables(
  applicationId: string,
  serverId: string,
  publicKey: string,
): Record<string, string> {
  return { ...all(APPLICATIONS, applicationId), ...all(SERVERS, serverId), ...all(PUBLIC_KEYS, publicKey) }
}

function all(names: readonly string[], value: string): Record<string, string> {
  return Object.fromEntries(spellings(names).map((name) => [name, value]))
}

/** Each name, and in camel case: `CLIENT_ID` and `clientId`. */
function spellings(names: readonly string[]): readonly string[] {
  return [...names, ...names.map((name) => camelCase(name.toLowerCase()))]
}
