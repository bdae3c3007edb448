import { describe, expect, it } from 'vitest'
import { refusals, routes } from '../../support/service-tables.ts'
import { read } from '../../support/markdown.ts'

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
})
