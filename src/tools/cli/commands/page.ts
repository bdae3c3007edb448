/** `commandry page`: the workbench and a set of commands as one HTML file, which needs no server. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { counted } from '../../../core/text.ts'
import { pageFile } from '../../page/document.ts'
import { command, option, required } from '../base/cli-command.ts'
import { CommandError } from '../base/errors.ts'
import { print, warn } from '../base/io.ts'
import { readSources } from '../definitions/sources.ts'
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
    const bodies = sources.flatMap(({ definitions }) => definitions.map(({ body }) => body))
    for (const { file, fault } of sources) if (fault !== null) warn(io, `${file}: ${fault.message}`)
    if (args.length > 0 && bodies.length === 0) throw new CommandError(`${args.join(', ')}: no command found`)
    const set = args.length === 0 ? '' : JSON.stringify(bodies, bigintsAsText, 2)
    await writeFile(resolve(io.cwd, out), await pageWith(set))
    print(io, `${out}: ${bodies.length === 0 ? 'samples' : counted(bodies.length, 'command')}`)
    return 0
  },
})

/** The page as one file. @param set the definitions as JSON text; empty for the samples */
export async function pageWith(set: string): Promise<string> {
  const { packedScript, fileHash } = await import('../../page/file-assets.ts')
  const fileScript = brotliDecompressSync(Buffer.from(packedScript, 'base64')).toString()
  return pageFile({ fileScript, fileHash }, set)
}
