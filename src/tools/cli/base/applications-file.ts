/**
 * The file of `commandry export --all`: an application a line, between a line with the version and a line with their
 * number, without which a cut file would look complete. Files before version 2 have the applications alone.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { isObject, type JsonObject } from '../../../core/json.ts'
import { counted } from '../../../core/text.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'
import { finitePath, parseJsonText } from './text-file.ts'

const FORMAT = 'commandry-export'
const VERSION = 2

/** The lines of all applications of a registry, in pieces; none without an application. */
export async function* applicationLines(registry: CommandRegistry): AsyncGenerator<string> {
  let applications = 0
  for await (const id of registry.applications()) {
    if (applications++ === 0) yield `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`
    yield* registry.snapshotText(id)
    yield '\n'
  }
  if (applications > 0) yield `${JSON.stringify({ format: FORMAT, applications })}\n`
}

/** An application of a file, which is still to be checked. */
export interface ApplicationPart {
  /** The file, and the line of one with several applications. */
  readonly name: string
  readonly snapshot: unknown
}

/**
 * The applications of a file of `applicationLines`, one after the other.
 *
 * @throws CommandError for a line that is not JSON, and at the end for a cut file, whose applications before are not all
 */
export async function* applicationsOfFile(io: Io, file: string): AsyncGenerator<ApplicationPart> {
  const input = createReadStream(await regularPath(io, file), 'utf8')
  const lines = new Map<unknown, number>()
  let first: JsonObject | undefined
  let last: JsonObject | undefined
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const name = `${file}:${++number}`
    if (line.trim() === '') continue
    if (last !== undefined) throw new CommandError(`${name}: expected the end of the file`)
    const snapshot = parseLine(line, name)
    const { format, version, application_id: id } = isObject(snapshot) ? snapshot : {}
    if (format === FORMAT && lines.size > 0 && first !== undefined) last = snapshot as JsonObject
    else if (format === FORMAT && version === VERSION && number === 1) first = snapshot as JsonObject
    else {
      if (lines.has(id))
        throw new CommandError(`${name}: application ${id} is in line ${lines.get(id)} already`)
      lines.set(id, number)
      yield { name, snapshot }
    }
  }
  if (first !== undefined && last?.applications !== lines.size) {
    const said =
      last === undefined ? 'a line with their number is missing' : `its last line says ${last.applications}`
    throw new CommandError(`${file} is cut: it has ${counted(lines.size, 'application')}, and ${said}`)
  }
  if (lines.size === 0) throw new CommandError(`${file} has no application`)
}

/** It is read twice: before and while its applications are imported. */
async function regularPath(io: Io, file: string): Promise<string> {
  const path = await finitePath(io, file).catch((error: CommandError) => {
    throw new CommandError(`${file}: ${error.message}`)
  })
  const found = await stat(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`${file}: ${code === 'ENOENT' ? 'file not found' : `cannot be read (${code})`}`)
  })
  if (!found.isFile()) throw new CommandError(`${file} is read twice, so it must be a regular file`)
  return path
}

function parseLine(line: string, name: string): unknown {
  try {
    return parseJsonText(line)
  } catch (error) {
    throw new CommandError(`${name}: ${(error as CommandError).message}`)
  }
}
