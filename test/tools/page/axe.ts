import { readFileSync } from 'node:fs'
import type { Page } from './open.ts'

// Put in by the debugger: the policy of the page would not let it load.
const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/**
 * Every width and every theme, wide in both: a phone in light differs by nothing that the others do not have, and between the
 * two widths no color is another.
 */
const screens = [
  [1440, 'light', 'all'],
  [1440, 'dark', 'colors'],
  [820, 'light', 'form'],
  [390, 'dark', 'all'],
] as const
const largeScreens = [
  [1440, 'light', 'all'],
  [820, 'light', 'form'],
  [390, 'dark', 'form'],
] as const
const tags = `runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']`
/** What axe tries; the contrast of colors takes most of its time. */
const rulesOf = {
  all: `{ ${tags} }`,
  // All that a theme changes.
  colors: `{ runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }`,
  form: `{ ${tags}, rules: { 'color-contrast': { enabled: false } } }`,
}

/**
 * What axe finds, and whether the page is too wide, at every width and in both themes.
 * @param isLarge the page shows more of what another test shows: the contrast of its colors takes axe half a minute, so one screen is tried
 */
export async function findings({ tab, resize }: Page, isLarge = false): Promise<string[]> {
  await tab.evaluate(axe)
  const found: string[] = []
  for (const [width, theme, rules] of isLarge ? largeScreens : screens) {
    await resize(width, 900)
    await tab.emulateMedia({ colorScheme: theme })
    // Two frames, so that what the width changes is drawn.
    await tab.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
    // What the page shows only after a while counts too, on a fast machine as on a slow one.
    await tab.evaluate('document.getAnimations().forEach((one) => one.finish())')
    const violations = await tab.evaluate<string[]>(
      `axe.run(document, ${rulesOf[rules]}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? ''))))`,
    )
    if (await tab.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'))
      found.push(`${width} ${theme} the page is wider than the window`)
    found.push(...violations.map((one) => `${width} ${theme} ${one}`))
  }
  return found
}
