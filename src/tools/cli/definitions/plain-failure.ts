import type { FileFault } from '../../authoring/findings.ts'

/** A failure to load without an error, or with one whose message says less. */
export function plainFailure(message: string, error?: unknown): FileFault {
  const stack = error instanceof Error ? (error.stack ?? null) : null
  return { message, position: null, stack }
}
