import { RegistryError, type RegistryErrorCode } from 'commandry'

/** The RegistryError that a call rejects with; `undefined` when it succeeds. Rethrows other errors. */
export async function attempt(call: () => Promise<unknown>): Promise<RegistryError | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof RegistryError) return error
    throw error
  }
}

export async function codeOf(call: () => Promise<unknown>): Promise<RegistryErrorCode | undefined> {
  return (await attempt(call))?.code
}

/** The issues of a refused call: `'commands.id 1.id'`. */
export async function issuesOf(call: () => Promise<unknown>): Promise<string[] | undefined> {
  return (await attempt(call))?.issues.map(({ code, path }) => `${code} ${path.join('.')}`)
}
