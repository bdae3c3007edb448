import { readFileSync } from 'node:fs'
import type { Page } from './open.ts'

// Put in by the debugger: the policy of the page would not let it load.
const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

const widths = [1440, 820, 390]
const themes = ['light', 'dark'] as const
const ruleTags = `{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }`

/** What axe finds, at every width and in both themes. */
export async function findings({ tab, resize }: Page): Promise<string[]> {
  await tab.evaluate(axe)
  const found: string[] = []
  for (const width of widths) {
    await resize(width, 900)
    for (const theme of themes) {
      await tab.emulateMedia({ colorScheme: theme })
      // Two frames, so that what the width changes is drawn.
      await tab.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      )
      const violations = await tab.evaluate<string[]>(
        `axe.run(document, ${ruleTags}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? ''))))`,
      )
      found.push(...violations.map((one) => `${width} ${theme} ${one}`))
    }
  }
  return found
}
