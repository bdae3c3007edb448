/** `commandry page`: the workbench and a set of commands as one HTML file, which needs no server. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { counted } from '../core/text.ts'
import { pageFile } from '../page/document.ts'
import { readArguments } from './arguments.ts'
import { CommandError, describeError, UsageError } from './errors.ts'
import { print, warn, type Io } from './io.ts'
import { readSources } from './sources.ts'
import type { ExitCode, Subcommand } from './subcommand.ts'

const usage = `Examples
  commandry page commands/ --out preview.html
  commandry page --out playground.html

commandry page [FILE…] --out FILE

Writes the workbench with the definitions in files as one HTML file: send it, attach it or host it. It needs no server
and sends nothing. Definitions with errors open in the Editor. Without files it opens on samples. Files are read as
"commandry check" reads them.

  --out FILE   where to write it; required`

export const pageCommand: Subcommand = {
  summary: 'write the workbench and your commands as one HTML file',
  usage,
  run,
}

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, { out: { type: 'string' } })
  if (values.out === undefined) throw new UsageError('--out is required')
  const sources = await readSources(io, positionals)
  const bodies = sources.flatMap(({ definitions }) => definitions.map(({ body }) => body))
  for (const { file, fault } of sources) if (fault !== null) warn(io, `${file}: ${fault.message}`)
  if (positionals.length > 0 && bodies.length === 0)
    throw new CommandError(`${positionals.join(', ')}: no command found`)
  const set = positionals.length === 0 ? '' : JSON.stringify(bodies, null, 2)
  try {
    await writeFile(resolve(io.cwd, values.out), await pageWith(set))
  } catch (error) {
    throw new CommandError(describeError(error))
  }
  print(io, `${values.out}: ${bodies.length === 0 ? 'samples' : counted(bodies.length, 'command')}`)
  return 0
}

/** The page as one file. @param set the definitions as JSON text; empty for the samples */
export async function pageWith(set: string): Promise<string> {
  const { packedScript, fileHash } = await import('../page/file-assets.ts')
  const fileScript = brotliDecompressSync(Buffer.from(packedScript, 'base64')).toString()
  return pageFile({ fileScript, fileHash }, set)
}
