/** Arguments, clients and results for the tests of the authorization client. */
import {
  AuthorizationArgs,
  AuthorizationClient,
  AuthorizationCodeChallenge,
  AuthorizationError,
} from 'commandry'

export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
export const OTHER_VERIFIER = 'Qs-0Scio0ScPJDYOFy1NYsOAsj6Rb6cP-Y12N9pbwV0'

export type AuthorizationClientOptions = NonNullable<ConstructorParameters<typeof AuthorizationClient>[0]>
export type Fields = Partial<Omit<AuthorizationArgs, 'assign' | 'isValid' | 'moveFrom'>>

export function argsOf(fields: Fields = {}): AuthorizationArgs {
  const codeChallenge = new AuthorizationCodeChallenge({ challenge: CHALLENGE })
  const required = { clientId: 1001n, scopes: 'openid', codeChallenge }
  return Object.assign(new AuthorizationArgs(), { ...required, ...fields })
}

/** A client whose user consents immediately, the URLs it opened, and their parameters. */
export function clientOf(options: AuthorizationClientOptions = {}) {
  const opened: URL[] = []
  const open = async (address: string): Promise<string> => {
    const url = new URL(address)
    opened.push(url)
    const state = url.searchParams.get('state') ?? ''
    return `${url.searchParams.get('redirect_uri')}?${new URLSearchParams({ code: 'the-code', state })}`
  }
  const parameters = (name: string) => opened.map((url) => url.searchParams.get(name))
  return { client: new AuthorizationClient({ open, ...options }), opened, parameters }
}

export async function sent(
  fields: Fields,
  options: AuthorizationClientOptions = {},
): Promise<[string, string][]> {
  const { client, opened } = clientOf(options)
  await client.authorize(argsOf({ state: 's', ...fields }))
  return [...(opened[0] as URL).searchParams]
}

/** The AuthorizationError that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<AuthorizationError> {
  const [outcome] = await Promise.allSettled([promise])
  return refusal(() => {
    if (outcome.status === 'rejected') throw outcome.reason
  })
}

/** The AuthorizationError that a call throws. */
export function refusal(action: () => unknown): AuthorizationError {
  try {
    action()
  } catch (error) {
    if (error instanceof AuthorizationError) return error
    throw error
  }
  throw new Error('expected an AuthorizationError')
}
