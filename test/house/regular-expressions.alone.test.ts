import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { slowTexts } from './slow-texts.ts'
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

describe('the regular expressions of src', () => {
  it('are found', () => expect(found.length).toBeGreaterThan(150))

  it.each([
    / +$/,
    /(?:a|a)+b/,
    /(?:deploy|push).*(?:command|slash)/i,
    /<(https?:\/\/[^\s>]+)>/y,
    /<\/([^:>]+):\d+>/g,
    /<(\/?)(\w+)((?:"[^"]*"|[^">])*?)(\/?)>|([^<]+)/g,
    /\b(?:node|bun)\b.*\bdeploy[\w.-]*\.js\b/i,
    /name="json"(?:\r\n[^\r\n]+)*\r\n\r\n(.*?)\r\n--/su,
    /\|\|(.+?)\|\|x/sy,
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
