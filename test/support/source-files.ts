import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The parsed files of `src`. */
export function sourceFiles(): readonly { readonly path: string; readonly source: ts.SourceFile }[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => {
      const path = join('src', file).replaceAll('\\', '/')
      return {
        path,
        source: ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
      }
    })
}
