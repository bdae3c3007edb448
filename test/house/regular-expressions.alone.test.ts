import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { cpuMilliseconds } from '../support/cpu-time.ts'
import { pumpsOf, type Pump } from './regular-expressions.ts'
import { sourceFiles } from '../support/source-files.ts'

interface Found {
  readonly place: string
  readonly expression: RegExp
}

/** The regular expressions of `src`, and the files that build one from texts. */
const found: Found[] = []
const built: string[] = []
for (const { path, source } of sourceFiles()) {
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/su.exec(node.text)!
      found.push({ place: `${path}:${line + 1}`, expression: new RegExp(pattern!, flags) })
    }
    if (ts.isNewExpression(node) && node.expression.getText(source) === 'RegExp') built.push(path)
    node.forEachChild(visit)
  }
  visit(source)
}

/** An exponential expression is slow at the first length, and would not end at the last. */
const LENGTHS = [24, 200, 40_000]
/** A fourth of a text takes a fourth of the time of a linear expression, and a sixteenth of that of a quadratic one. */
const MOST_GROWTH = 8
/**
 * What takes less is linear: a linear expression needs as long for 300 texts of the last length, and a quadratic one
 * several times as long for one.
 */
const LITTLE = least(5, () => 'a b '.repeat((300 * 40_000) / 4).replace(/\w c/g, ''))

/** The least milliseconds of some times: a collection of garbage counts too. */
function least(times: number, call: () => unknown): number {
  return Math.min(...Array.from({ length: times }, () => cpuMilliseconds(call)))
}

/** Sticky expressions are tried in loops, at each place that no match has taken. */
function tryEverywhere(expression: RegExp, text: string): void {
  for (let at = 0; at < text.length;) {
    expression.lastIndex = at
    at += Math.max(1, expression.exec(text)?.[0].length ?? 1)
  }
}

/** The starts, repeated parts and ends of texts on which an expression is slow. */
function slowTexts(expression: RegExp): readonly string[] {
  // All matches of a text, as `replace` and `matchAll` find them. A split has a start of each, too.
  const all = new RegExp(expression.source, `${expression.flags.replace(/[gy]/g, '')}g`)
  const search = (text: string) => () =>
    expression.sticky ? tryEverywhere(expression, text) : text.replace(all, '')
  const isSlow = ({ start, part, end }: Pump) =>
    LENGTHS.some((length) => {
      const text = (size: number) => start + part.repeat(Math.ceil(size / part.length)) + end
      const once = cpuMilliseconds(search(text(length)))
      if (once < LITTLE) return false
      // The best of some times counts, unless it cannot have taken so long.
      const large = once > 10 * LITTLE ? once : Math.min(once, least(2, search(text(length))))
      return large > MOST_GROWTH * least(3, search(text(length / 4)))
    })
  const slow = pumpsOf(expression).find(isSlow)
  return slow === undefined ? [] : [JSON.stringify(slow)]
}

describe('the regular expressions of src', () => {
  it('are found', () => expect(found.length).toBeGreaterThan(150))

  it.each([
    / +$/,
    /(?:a|a)+b/,
    /<\/([^:>]+):\d+>/g,
    /<(\/?)(\w+)((?:"[^"]*"|[^">])*?)(\/?)>|([^<]+)/g,
    /\b(?:node|bun)\b.*\bdeploy[\w.-]*\.js\b/i,
    /name="json"(?:\r\n[^\r\n]+)*\r\n\r\n(.*?)\r\n--/su,
    /(?:deploy|push).*(?:command|slash)/i,
    /\|\|(.+?)\|\|x/sy,
    /<(https?:\/\/[^\s>]+)>/y,
    /\[([^\]\n]+)\]\((https?:\/\/[^\s>)]+)\)/y,
  ])('would be seen to be slow: %s', (expression) => expect(slowTexts(expression)).not.toEqual([]))

  it('are written out, but for those of constants', () =>
    expect([...new Set(built)]).toEqual([
      'src/commands/definition/rules/name-characters.ts',
      // That of a test, for the messages of its bot.
      'src/testing/testbed/routes/people-actions.ts',
      'src/tools/cli/commands/explain.ts',
      'src/tools/page/browser/views/requests-view.ts',
    ]))

  it('take time that grows at most linearly with the text', () => {
    const slow = found.flatMap(({ place, expression }) =>
      slowTexts(expression).map((text) => `${place} ${expression.source} ${text}`),
    )
    expect(slow).toEqual([])
  })
})
