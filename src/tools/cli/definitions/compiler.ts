/** Loads TypeScript with the compiler that a project brings, for projects without a loader such as tsx. */
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type * as TypeScript from 'typescript'
import { wrap } from '../../../testing/redirect/wrap.ts'

/** What Node's `require` calls with a new module and its file. */
type Extension = (module: { _compile(code: string, path: string): void }, path: string) => void

/**
 * Makes `require` read TypeScript, and find modules as the compiler does: by the aliases of tsconfig.json and by the names
 * of compiled files. ES modules become CommonJS.
 *
 * @param file a module of the project
 * @returns whether the project has a compiler that can do this
 */
export function registerCompiler(file: string): boolean {
  const ts = compilerOf(file)
  if (ts === undefined) return false
  const optionsOf = tsconfigReader(ts)
  const extension: Extension = (module, path) => module._compile(compile(ts, path, optionsOf(path)), path)
  const { extensions } = createRequire(file)
  for (const name of ['.ts', '.tsx', '.mts', '.cts']) extensions[name] = extension as never
  wrap(Module as never, '_resolveFilename', (resolve, _module, given) => {
    try {
      return resolve(...given)
    } catch (error) {
      const [request, parent] = given as [string, { filename?: string } | undefined]
      const importer = parent?.filename
      if (importer === undefined || importer.includes('node_modules')) throw error
      const { resolvedModule } = ts.resolveModuleName(request, importer, optionsOf(importer), ts.sys)
      if (resolvedModule === undefined || /\.d\.[cm]?ts$/.test(resolvedModule.resolvedFileName)) throw error
      return resolvedModule.resolvedFileName
    }
  })
  process.setSourceMapsEnabled(true)
  return true
}

function compilerOf(file: string): typeof TypeScript | undefined {
  try {
    const compiler = createRequire(file)('typescript') as Partial<typeof TypeScript>
    return typeof compiler.transpileModule === 'function' ? (compiler as typeof TypeScript) : undefined
  } catch {
    return undefined
  }
}

/** Reads the options of the tsconfig.json that a file belongs to, each once. */
function tsconfigReader(ts: typeof TypeScript): (file: string) => TypeScript.CompilerOptions {
  const known = new Map<string, TypeScript.CompilerOptions>()
  return (file) => {
    const config = ts.findConfigFile(dirname(file), ts.sys.fileExists)
    if (config === undefined) return {}
    const options =
      known.get(config) ??
      ts.parseJsonConfigFileContent(
        ts.readConfigFile(config, ts.sys.readFile).config,
        ts.sys,
        dirname(config),
      ).options
    known.set(config, options)
    return options
  }
}

function compile(ts: typeof TypeScript, file: string, options: TypeScript.CompilerOptions): string {
  // Source maps name the file itself.
  const { sourceRoot, outDir, rootDir, ...kept } = options
  const { outputText } = ts.transpileModule(ts.sys.readFile(file) ?? '', {
    fileName: file,
    transformers: { before: [asCommonJs(ts)] },
    compilerOptions: {
      ...kept,
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      jsx: ts.JsxEmit.ReactJSX,
      esModuleInterop: true,
      verbatimModuleSyntax: false,
      inlineSourceMap: true,
      inlineSources: true,
      sourceMap: false,
    },
  })
  // In a block of its own, a module may declare `__dirname` and `__filename`, which ES modules lack.
  return `"use strict"; const ${META} = ${META_VALUE}; {${outputText}\n}`
}

const META = '__importMeta'
const META_VALUE =
  '{ url: require("node:url").pathToFileURL(__filename).href, filename: __filename, dirname: __dirname }'
const OWN_REQUIRE = '__ownRequire'

/** Replaces what ES modules may have, and CommonJS may not: `import.meta`, and a `require` of their own. */
function asCommonJs(ts: typeof TypeScript): TypeScript.TransformerFactory<TypeScript.SourceFile> {
  return (context) => (file) => {
    const hasOwnRequire = /\b(?:const|let|var)\s+require\b/.test(file.text)
    const visit = (node: TypeScript.Node): TypeScript.Node => {
      if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword)
        return ts.factory.createIdentifier(META)
      if (hasOwnRequire && ts.isIdentifier(node) && node.text === 'require')
        return ts.factory.createIdentifier(OWN_REQUIRE)
      if (isTopLevelAwait(ts, node))
        throw new SyntaxError(
          'has an await at its top level, which needs tsx: run "npm install --save-dev tsx"',
        )
      return ts.visitEachChild(node, visit, context)
    }
    return ts.visitEachChild(file, visit, context)
  }
}

function isTopLevelAwait(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  const isAwait =
    ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)
  return isAwait && ts.findAncestor(node, ts.isFunctionLike) === undefined
}
