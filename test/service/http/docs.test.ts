import { describe, expect, it } from 'vitest'
import { readConfiguration } from '../../../src/tools/cli/base/config.ts'
import { refusals } from '../../../src/service/refusals.ts'
import { routes } from '../../../src/service/http/routes.ts'
import { fences, read } from '../../support/markdown.ts'

const page = read('docs/http.md')
/** The page's tables, without the spaces for alignment. */
const rows = page.split('\n').map((line) => line.replace(/ +/g, ' ').trim())

describe('docs/http.md', () => {
  const documented = routes.map((route) => [`${route.method} ${route.path}`, route] as const)
  it.each(documented)('documents %s', (_, { method, path }) => {
    expect(rows.filter((row) => row.startsWith(`| ${method} | \`${path}\` |`))).toHaveLength(1)
  })

  it('[7-01] documents every refusal with status, code and message', () => {
    for (const { status, code, message } of Object.values(refusals)) {
      const start = `| ${status} | ${code} | ${message.slice(0, 70)}`
      expect(
        rows.filter((row) => row.startsWith(start)),
        start,
      ).toHaveLength(1)
    }
  })

  it('docs/cli.md has a valid configuration', () => {
    const example = fences(read('docs/cli.md')).find(({ code }) => code.includes('"applications"'))
    expect(readConfiguration(JSON.parse(example!.code))).toMatchObject({ ok: true })
  })
})
