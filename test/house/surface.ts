/** `surface.d.txt`: each name of each public entry with its signature. */
import { format } from 'prettier'
import ts from 'typescript'
import { allExports, basesOf, entries, exportsOf, isValue, originalOf } from './public-program.ts'

/** The list, without comments and in a form that does not follow the form of the source. */
export async function surfaceText(program: ts.Program): Promise<string> {
  const checker = program.getTypeChecker()
  const emitted = emit(program)
  const shown = new Map<ts.Symbol, string>()
  const all = new Set(allExports(program))
  const sections = Object.keys(entries).map((entry) => {
    const lines = exportsOf(program, entry)
      .toSorted(byName)
      .flatMap((exported) => {
        const original = originalOf(exported, checker)
        const type = isValue(exported, checker) ? '' : 'type '
        const names = original.name === exported.name ? exported.name : `${original.name} as ${exported.name}`
        const earlier = shown.get(original)
        if (earlier !== undefined)
          return [`export ${type}{ ${names} }${earlier === entry ? '' : ` from '${earlier}'`}`]
        shown.set(original, entry)
        // What an interface extends follows it, once, unless it is exported itself.
        const bases = basesOf(original, checker).filter((base) => !all.has(base) && !shown.has(base))
        for (const base of bases) shown.set(base, entry)
        const declared = declarationsOf(original, emitted)
        // A class whose type alone is exported is no value for users.
        const isPlain = original.name === exported.name && (type === '' || !isValue(original, checker))
        return [
          ...(isPlain ? declared.map((one) => `export ${one}`) : [...declared, `export ${type}{ ${names} }`]),
          ...bases.flatMap((base) => declarationsOf(base, emitted)),
        ]
      })
    return [`// ${entry}\n`, ...lines].join('\n')
  })
  const text = `// Generated: npm run docs.\n\n${sections.join('\n\n')}\n`
  return format(text, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 110 })
}

const byName = (one: ts.Symbol, other: ts.Symbol) => (one.name < other.name ? -1 : 1)

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

function declarationsOf({ name, declarations }: ts.Symbol, emitted: ReadonlyMap<string, ts.SourceFile>) {
  const files = new Set(declarations?.map((one) => one.getSourceFile().fileName))
  return [...files].flatMap((file) => {
    const statements = emitted.get(file)?.statements ?? []
    return statements.filter((one) => namesOf(one).includes(name)).map(oneLine)
  })
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  const { name } = statement as ts.DeclarationStatement
  return name === undefined ? [] : [name.getText()]
}

/** The words of a declaration in one line, without `export declare`, comments and private members. */
function oneLine(statement: ts.Statement): string {
  const words: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isJSDoc(node) || (ts.isClassElement(node) && isPrivate(node))) return
    const children = node.getChildren()
    if (children.length > 0) children.forEach(visit)
    else if (node.getText() !== '') words.push(node.getText())
  }
  visit(statement)
  return words
    .join(' ')
    .replace(/^export /, '')
    .replace(/^declare /, '')
}

function isPrivate(member: ts.ClassElement): boolean {
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return true
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0
}
