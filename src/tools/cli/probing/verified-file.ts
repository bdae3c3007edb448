/** What was seen at Discord, as a file: an input of the documentation, and where a run goes on. */
import { resolve } from 'node:path'
import { isObject } from '../../../core/json.ts'
import type { ProbeResponse } from '../../../reference/probes/judge.ts'
import { CommandError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { loadJson } from '../base/text-file.ts'
import { writeWhole } from '../base/whole-file.ts'
import type { ProbeOutcome } from './run-probes.ts'

/** A row of `verified.json`. */
export interface SeenProbe {
  readonly day: string
  readonly clause: string
  /** What holds by the decision: with the clause, the name of the probe. */
  readonly holds: string
  readonly outcome: ProbeOutcome
  readonly came: string
  /** With names for ids. */
  readonly response?: ProbeResponse
}

/** What a run that has not ended must still put back. */
export interface Pending {
  readonly application: string
  readonly guild: string
  /** The files with the commands from before, by the path of their list; null for none. */
  readonly files: Readonly<Record<string, string | null>>
  /** The name of the channels that the run creates. */
  readonly place: string
}

export interface Verified {
  readonly format: 'commandry-verified'
  readonly version: 1
  readonly api: 'v10'
  readonly seen: readonly SeenProbe[]
  readonly pending?: Pending
}

export const nothingSeen: Verified = { format: 'commandry-verified', version: 1, api: 'v10', seen: [] }

/** @throws CommandError */
export async function readVerified(io: Io, file: string): Promise<Verified> {
  const body = await loadJson(io, file)
  if (isObject(body) && body.format === nothingSeen.format && Array.isArray(body.seen))
    return body as unknown as Verified
  throw new CommandError(`${file}: is not a file of "commandry vectors --against discord"`)
}

export async function writeVerified(io: Io, file: string, verified: Verified): Promise<void> {
  await writeWhole(resolve(io.cwd, file), `${JSON.stringify(verified, null, 2)}\n`)
}
