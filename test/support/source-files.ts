import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface SourceFile {
  readonly path: string
  readonly source: ts.SourceFile
}

let parsed: readonly SourceFile[] | undefined

/**
 * Parses a file without the parents of its nodes and without the tags of its comments, which take half of the time: nodes
 * are asked for their text with the file, as in `node.getText(source)`.
 */
export function parse(path: string, text: string): ts.SourceFile {
  const languageVersion = ts.ScriptTarget.Latest
  return ts.createSourceFile(path, text, { languageVersion, jsDocParsingMode: ts.JSDocParsingMode.ParseNone })
}

/** The files of `src`, which are parsed once in a process. */
export function sourceFiles(): readonly SourceFile[] {
  return (parsed ??= readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => {
      const path = join('src', file).replaceAll('\\', '/')
      return { path, source: parse(path, readFileSync(path, 'utf8')) }
    }))
}
