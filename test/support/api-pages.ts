/** `docs/api/`: one page for each entry, from the declarations and doc comments of its exports. */
import ts from 'typescript'
import { fileURLToPath } from 'node:url'
import { root } from './markdown.ts'

/** One exported name: its declarations as the compiler emits them, and its doc comment. */
interface Documented {
  readonly name: string
  readonly text: string
  readonly remarks: readonly string[]
  readonly declarations: readonly string[]
}

const path = (relative: string) => fileURLToPath(new URL(relative, root))

/** The files of the entries below `src`, by their import name. */
type Entries = Readonly<Record<string, string>>

/** The compiled entries. */
export function apiProgram(entries: Entries): ts.Program {
  const config = ts.readConfigFile(path('tsconfig.json'), (file) => ts.sys.readFile(file))
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, path('.'))
  const files = Object.values(entries).map((file) => path(`src/${file}`))
  return ts.createProgram(files, {
    ...options,
    types: ['node'],
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
  })
}

/** The pages by file name. */
export function apiPages(entries: Entries, program: ts.Program): ReadonlyMap<string, string> {
  const emitted = emit(program)
  const pages = new Map<string, string>()
  for (const [entry, file] of Object.entries(entries)) {
    const names = exportsOf(program, path(`src/${file}`), emitted)
    pages.set(`${file.replaceAll('/', '-').replace('.ts', '')}.md`, page(entry, names))
  }
  pages.set('README.md', index(entries))
  return pages
}

/** The declarations of every file, by the file's name. */
function emit(program: ts.Program): ReadonlyMap<string, ts.SourceFile> {
  const emitted = new Map<string, ts.SourceFile>()
  program.emit(undefined, (_, text, __, ___, sources) => {
    const source = sources?.[0]
    if (source === undefined) return
    emitted.set(source.fileName, ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true))
  })
  return emitted
}

function exportsOf(
  program: ts.Program,
  file: string,
  emitted: ReadonlyMap<string, ts.SourceFile>,
): readonly Documented[] {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
  const declarationsOf = (symbol: ts.Symbol) => {
    const declaring = (symbol.declarations ?? []).map((one) => one.getSourceFile().fileName)
    return [...new Set(declaring)].flatMap((name) => declarationsIn(emitted.get(name), symbol.name))
  }
  const original = (exported: ts.Symbol) => originalOf(exported, checker)
  const exports = checker.getExportsOfModule(module)
  const own = new Set(exports.map(original))
  const documented = exports.map((exported): Documented => {
    const symbol = original(exported)
    // An interface is shown with those that it extends, unless they have an entry of their own.
    const joined = basesOf(symbol, checker).filter((base) => !own.has(base))
    return {
      name: exported.name,
      text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      remarks: symbol.getJsDocTags(checker).map(remark),
      declarations: [symbol, ...joined].flatMap(declarationsOf),
    }
  })
  return documented.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** What an interface extends, directly and indirectly. */
export function basesOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  if (!symbol.declarations?.some(ts.isInterfaceDeclaration)) return []
  const bases = checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType)
  return [...new Set(bases.flatMap(({ symbol: base }) => [base, ...basesOf(base, checker)]))]
}

/** The symbol that an export names. */
export function originalOf(exported: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
}

function remark({ name, text }: ts.JSDocTagInfo): string {
  const words = ts.displayPartsToString(text)
  return name === 'example' ? `\`\`\`ts\n${words}\n\`\`\`` : `_${name}_ ${words}`
}

function declarationsIn(file: ts.SourceFile | undefined, name: string): string[] {
  if (file === undefined) return []
  return file.statements.filter((one) => namesOf(one).includes(name)).map((one) => shown(one, file))
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const { name } = statement as ts.DeclarationStatement
  return name === undefined ? [] : [name.getText()]
}

/** A declaration without `export declare` and without parts that only the compiler needs. */
function shown(statement: ts.Statement, file: ts.SourceFile): string {
  return statement
    .getText(file)
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replaceAll(/^ *#private;\n/gm, '')
}

/** A page: what runs comes first, then the types. */
function page(entry: string, names: readonly Documented[]): string {
  const isType = ({ declarations }: Documented) => declarations.every((one) => /^(type|interface) /.test(one))
  const [values, types] = [names.filter((one) => !isType(one)), names.filter(isType)]
  const sections = [...values, ...types].flatMap(({ name, text, remarks, declarations }) => [
    `## ${name}`,
    '',
    ...(text === '' ? [] : [text, '']),
    ...remarks.flatMap((one) => [one, '']),
    '```ts',
    ...declarations,
    '```',
    '',
  ])
  return [
    `# ${entry}`,
    '',
    `What \`import … from '${entry}'\` gives. Generated from the doc comments of the source: \`npm run docs\`.`,
    '',
    ...values.map((one) => `- ${linkTo(one)}: ${firstSentence(one)}`),
    '',
    ...(types.length === 0 ? [] : [`Types: ${types.map(linkTo).join(' · ')}`, '']),
    ...sections,
  ].join('\n')
}

const linkTo = ({ name }: Documented) => `[${name}](#${name.toLowerCase()})`

function firstSentence({ text }: Documented): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replaceAll('\n', ' ').replace(/:$/, '.') ?? text
}

function index(entries: Entries): string {
  const rows = Object.entries(entries).map(
    ([entry, file]) => `- [\`${entry}\`](${file.replaceAll('/', '-').replace('.ts', '')}.md)`,
  )
  return ['# API reference', '', 'One page for each entry of the package.', '', ...rows, ''].join('\n')
}
