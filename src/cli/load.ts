import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Path } from '../core/rule.ts'
import { quoted } from '../core/text.ts'
import { jsonFault } from './json-fault.ts'

/** A file that cannot be used; the message says why, and never what stands in it. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/** The JSON a file holds. @throws FileError */
export async function loadJson(file: string): Promise<unknown> {
  const text = (await readText(file)).replace(/^\ufeff/, '')
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own words can quote the text, and there may be tokens in it. Not all of them tell the place.
    const fault = jsonFault(text)
    throw new FileError(`is not valid JSON${fault === undefined ? '' : `: ${placeIn(text, fault)}`}`)
  }
}

/** A place in what a file holds: `scopes[0].commands[3].name`. */
export function placeOf(path: Path): string {
  const place = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : /^\w+$/.test(step) ? `.${step}` : `[${quoted(step, 40)}]`,
  )
  return place.length === 0 ? 'the file' : place.join('').replace(/^\./, '')
}

/** What a file defines: its JSON, or the default export of a module. @throws FileError */
export async function loadDefinitions(file: string): Promise<unknown> {
  if (/\.json$/i.test(file)) return loadJson(file)
  let module: { readonly default?: unknown }
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as { readonly default?: unknown }
  } catch (error) {
    throw new FileError(`cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
  const exported = module.default
  // A module that was compiled to CommonJS has its default export one deeper.
  if (isCompiled(exported)) return exported.default
  if (exported === undefined) throw new FileError('has no default export')
  return exported
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new FileError(code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`)
  }
}

function placeIn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}

function isCompiled(value: unknown): value is { readonly default: unknown } {
  return typeof value === 'object' && value !== null && '__esModule' in value && 'default' in value
}
