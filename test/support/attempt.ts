import { RegistryError } from 'commandry'

/** The error a call to the registry rejects with; `undefined` when it succeeds. Anything else is thrown on. */
export async function attempt(call: () => Promise<unknown>): Promise<RegistryError | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof RegistryError) return error
    throw error
  }
}
