/** Loads TypeScript with the compiler that a project brings, for projects without a loader such as tsx. */
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type * as TypeScript from 'typescript'
import { wrap } from '../redirect/wrap.ts'

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
  const optionsOf = optionsReader(ts)
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
function optionsReader(ts: typeof TypeScript): (file: string) => TypeScript.CompilerOptions {
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
  let prefix = ''
  // `import.meta` is a syntax error in CommonJS.
  const onImportMeta = () => (prefix = `"use strict"; const ${META} = ${META_VALUE}; `)
  const { outputText } = ts.transpileModule(ts.sys.readFile(file) ?? '', {
    fileName: file,
    transformers: { before: [importMetaAsConstant(ts, onImportMeta)] },
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
  return prefix + outputText
}

const META = '__importMeta'
const META_VALUE =
  '{ url: require("node:url").pathToFileURL(__filename).href, filename: __filename, dirname: __dirname }'

function importMetaAsConstant(
  ts: typeof TypeScript,
  onImportMeta: () => void,
): TypeScript.TransformerFactory<TypeScript.SourceFile> {
  return (context) => (file) => {
    const visit = (node: TypeScript.Node): TypeScript.Node => {
      const isImportMeta = ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword
      if (!isImportMeta) return ts.visitEachChild(node, visit, context)
      onImportMeta()
      return ts.factory.createIdentifier(META)
    }
    return ts.visitEachChild(file, visit, context)
  }
}
