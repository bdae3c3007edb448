/** Reads the address and the token of a service, for `plan`, `deploy` and `vectors`. */
import { isSnowflake } from '../core/snowflake.ts'
import { quoted } from '../core/text.ts'
import { isLoopback } from '../http/hosts.ts'
import { isToken, readCredentials, TOKEN_SHAPE } from '../http/principal.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { Service } from './remote.ts'

/** The address for the word "discord". */
const DISCORD_URL = 'https://discord.com/api/v10'

/** @throws UsageError for a text that is not an id */
export function checkIds(...ids: readonly (string | undefined)[]): void {
  for (const id of ids) {
    if (id !== undefined && !isSnowflake(id))
      throw new UsageError(`${quoted(id, 40)} is not an id; ids are digits only`)
  }
}

/** Whether a text names a service and not a file. */
export function isAddress(text: string): boolean {
  return text === 'discord' || /^https?:/i.test(text)
}

interface ServiceChoice {
  /** The option that names the address: `against`, `to`, `run`. */
  readonly option: string
  readonly address: string
  readonly application: string
  /** Seconds until a request fails without a response. */
  readonly timeout: number
}

/** The service at an address. @throws UsageError for an invalid address or token */
export function serviceOf(io: Io, choice: ServiceChoice): Service {
  const { option, address, application, timeout } = choice
  const url = urlOf(option, address === 'discord' ? DISCORD_URL : address)
  return new Service({
    url,
    ...accessOf(io, option, url, application),
    seconds: timeout,
    limit: io.limits.response,
  })
}

function urlOf(option: string, text: string): URL {
  // The text may contain a secret, so no message has it.
  if (!URL.canParse(text)) throw new UsageError(`--${option} is not a valid URL`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`--${option} has a user name or a password; the service takes tokens only`)
  return url
}

function accessOf(
  io: Io,
  option: string,
  { hostname }: URL,
  applicationId: string,
): { readonly authorization: string; readonly hasToken: boolean } {
  const text = (io.env.COMMANDRY_TOKEN ?? '').trim()
  if (text === '') {
    // An open service accepts any token and reads the application from it.
    if (isLoopback(hostname))
      return { authorization: `Bot ${btoa(applicationId)}.commandry.plan`, hasToken: false }
    throw new UsageError(`--${option} needs a token in the environment variable COMMANDRY_TOKEN`)
  }
  const { type, token } = readCredentials(text) ?? { type: 'Bot', token: text }
  if (!isToken(token))
    throw new UsageError(`the token is not ${TOKEN_SHAPE}, after "Bot" or "Bearer" or nothing`)
  return { authorization: `${type} ${token}`, hasToken: true }
}
