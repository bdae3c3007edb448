/** `commandry page`: the workbench and a set of commands as one HTML file, which needs no server. */
import { resolve } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { counted } from '../../../core/text.ts'
import { findProblems, type Origin } from '../../authoring/findings.ts'
import { pageFile } from '../../page/document.ts'
import { command, option, required } from '../base/cli-command.ts'
import { CommandError } from '../base/errors.ts'
import { print, warn } from '../base/io.ts'
import { writeWhole } from '../base/whole-file.ts'
import { readSources, warnOfFaults } from '../definitions/sources.ts'
import { bigintsAsText } from '../base/text-file.ts'

export default command({
  help: [
    `Examples
  commandry page commands/ --out preview.html
  commandry page --out playground.html

commandry page [FILE…] --out FILE

Writes the workbench with the definitions in files as one HTML file: send it, attach it or host it. It needs no server
and sends nothing. Definitions with errors open in the Editor. Without files it opens on samples. Files are read as
"commandry check" reads them.`,
  ],
  options: { out: option('FILE', 'where to write it; required') },
  async run(io, values, args) {
    const out = required(values.out, '--out is required')
    const { sources } = await readSources(io, args)
    const invalid = invalidCount(sources)
    const bodies = sources.flatMap(({ definitions }) => definitions.map(({ body }) => body))
    warnOfFaults(io, sources)
    if (args.length > 0 && bodies.length === 0) throw new CommandError(`${args.join(', ')}: no command found`)
    const set = args.length === 0 ? '' : JSON.stringify(bodies, bigintsAsText, 2)
    await writeWhole(resolve(io.cwd, out), await pageWith(set))
    const errors = invalid === 0 ? '' : `, ${invalid} of them with errors, which open in the Editor`
    print(io, `${out}: ${bodies.length === 0 ? 'samples' : counted(bodies.length, 'command')}${errors}`)
    const unread = sources.filter(({ fault }) => fault !== null)
    if (unread.length > 0) warn(io, `not on the page: ${unread.map(({ file }) => file).join(', ')}`)
    return unread.length > 0 ? 1 : 0
  },
})

/** How many definitions have errors. */
function invalidCount(sources: readonly Origin[]): number {
  const findings = findProblems(sources, 'global').flatMap((file) => file.findings)
  return new Set(
    findings.flatMap(({ level, definition }) => (level === 'error' && definition ? [definition] : [])),
  ).size
}

/** The page as one file. @param set the definitions as JSON text; empty for the samples */
export async function pageWith(set: string): Promise<string> {
  const { packedEngine, engineHash } = await import('../../page/engine-assets.ts')
  const script = brotliDecompressSync(Buffer.from(packedEngine, 'base64')).toString()
  return pageFile({ script, hash: engineHash }, set)
}
