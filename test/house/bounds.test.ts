import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { deadlines } from '../support/deadlines.ts'
import { sourceFiles } from '../support/source-files.ts'

/** The numeric constants of `src` by name, each with its values in the files that have it. */
const constants = new Map<string, number[]>()
/** The names of deadlines, with their files. */
const timeouts: { readonly path: string; readonly name: string }[] = []
for (const { path, source } of sourceFiles()) {
  const own = new Map<string, number>()
  for (const [name, expression] of initialValues(source)) {
    const value = valueOf(expression, own)
    if (value === undefined) continue
    own.set(name, value)
    if (name.endsWith('_TIMEOUT')) timeouts.push({ path, name })
    if (!path.startsWith('src/tools/') || path === 'src/tools/page/workbench.ts')
      constants.set(name, [...(constants.get(name) ?? []), value])
  }
}

/** The constants of a file, and the fields of the table of deadlines. */
function* initialValues(source: ts.SourceFile): Generator<[string, ts.Expression]> {
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer === undefined) continue
      if (name.getText(source) !== 'deadlines' || !ts.isObjectLiteralExpression(initializer))
        yield [name.getText(source), initializer]
      else
        for (const field of initializer.properties)
          if (ts.isPropertyAssignment(field)) yield [field.name.getText(source), field.initializer]
    }
  }
}

/** The names of bounds. Those that end with _MAX are rules of Discord, which docs/rules.md lists. */
const BOUND = /^(?:MAX|KEPT)_|_(?:A_DAY|A_MINUTE|AT_ONCE|BYTES|CHARACTERS|INTERVAL|LIMIT|TIMEOUT)$/

/** The value of a product of numbers and earlier constants; undefined for other expressions. */
function valueOf(node: ts.Expression, known: ReadonlyMap<string, number>): number | undefined {
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (ts.isIdentifier(node)) return known.get(node.text)
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken)
    return undefined
  const [left, right] = [valueOf(node.left, known), valueOf(node.right, known)]
  return left === undefined || right === undefined ? undefined : left * right
}

const UNITS: Readonly<Record<string, number>> = {
  MiB: 1024 * 1024,
  KiB: 1024,
  minutes: 60_000,
  seconds: 1_000,
}

interface Row {
  readonly what: string
  readonly value: number
  readonly name: string
}

/** The rows of the table: what, at most, unit, constant. */
const rows: readonly Row[] = readFileSync('docs/SECURITY.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => /^`[A-Z_]+`$/.test(cells[4] ?? ''))
  .map(([, what = '', number = '', unit = '', name = '']) => ({
    what,
    value: Number(number.replaceAll(',', '')) * (UNITS[unit] ?? 1),
    name: name.slice(1, -1),
  }))

/** Constants with the name of a bound that bound no memory and no time of a caller, and why. */
const OTHERS = new Map([
  ['MAX_PAUSE', 'how long a writer of SQLite waits before it tries again'],
  ['MAX_BLOCK_SIZE', 'the layout of a list'],
  ['MAX_BATCH_SIZE', 'how many keys are deleted at once'],
  ['MAX_PASSES', 'how often keys are read again'],
  ['MAX_CLOCK_SKEW', 'how far a clock goes back before an id is refused'],
  ['MAX_DEPTH', 'how much of a value is copied'],
  ['MAX_NAMED', 'the words of a message'],
  ['MAX_LIST_LENGTH', 'the words of a message'],
  ['MAX_LINES', 'the words of a message'],
  ['MAX_LINE_BODY_LENGTH', 'the words of a message'],
  ['MAX_LINE_LENGTH', 'the words of a message'],
  ['MAX_ERROR_LENGTH', 'the words of a message'],
  ['MAX_LENGTH', 'the texts that are compared or shown'],
  ['MAX_TRIES', 'the uses of a fuzz'],
  ['MAX_TRIED', 'the uses of a fuzz'],
  ['MAX_FRESH_TRIES', 'the uses of a fuzz'],
  ['MAX_EARLIER', 'the uses of a fuzz'],
  ['MAX_TIMER', 'the uses of a fuzz'],
  ['MAX_REACTIONS', 'the uses of a fuzz'],
  ['MAX_FAILURES', 'the uses of a fuzz'],
  ['MAX_EXTENSION_LENGTH', 'the form of a file name'],
  ['MAX_TIMEOUT', 'a rule of members'],
  ['KEPT_WRITTEN', 'documents that are collected when memory is short'],
  ['START_LIMIT', 'a program of the user'],
  ['END_LIMIT', 'a program of the user'],
  ['LAST_CHARACTERS', 'a program of the user'],
  ['BOT_BYTES', 'the size of one'],
  ['DIRECT_BYTES', 'the size of one'],
  ['EMOJI_BYTES', 'the size of one'],
  ['MAX_FOLLOW_UPS', 'a rule of follow-ups'],
])

describe('the table of bounds in docs/SECURITY.md', () => {
  it('has rows', () => expect(rows.length).toBeGreaterThan(30))

  it.each(rows)('has the value of $name: $what', ({ name, value }) =>
    expect(constants.get(name)).toContain(value),
  )

  it('has every bound once', () => {
    const bounds = [...constants.keys()].filter((name) => BOUND.test(name) && !OTHERS.has(name))
    const names = rows.map(({ name }) => name)
    expect(bounds.filter((name) => !names.includes(name))).toEqual([])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect([...OTHERS.keys()].filter((name) => !constants.has(name))).toEqual([])
  })
})

describe('the table of deadlines', () => {
  it('has every deadline, and the product changes none', () => {
    const elsewhere = timeouts.filter(
      ({ path, name }) => path !== 'src/core/deadlines.ts' && !OTHERS.has(name),
    )
    expect(elsewhere).toEqual([])
    const changing = sourceFiles().filter(({ source }) => /\bdeadlines(?:\.\w+|\[.+\]) = /.test(source.text))
    expect(changing.map(({ path }) => path)).toEqual([])
  })

  it('is longer in tests where real time counts, and names each deadline in docs/SECURITY.md', () => {
    for (const [name, milliseconds] of Object.entries(deadlines)) {
      const row = rows.find((one) => one.name === name)
      expect({ name, times: milliseconds / row!.value }).toEqual({
        name,
        times: name === 'RESUME_TIMEOUT' ? 1 : 20,
      })
    }
  })
})
