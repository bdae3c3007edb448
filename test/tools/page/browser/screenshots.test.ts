import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { root } from '../../../support/markdown.ts'
import { describePageWith, type Page } from '../open.ts'
import { stateOptions, states } from '../states.ts'

const folder = new URL('docs/images/', root)
const file = (name: string) => fileURLToPath(new URL(`${name}.png`, folder))

/** The pictures of the docs: width, theme and state. */
const pictures: Readonly<Record<string, readonly [number, 'light' | 'dark', keyof typeof states]>> = {
  first: [1440, 'light', 'first'],
  member: [1440, 'light', 'talk'],
  'member-tablet': [820, 'dark', 'list'],
  'member-phone': [390, 'dark', 'talk'],
  editor: [1440, 'light', 'editor'],
  plan: [1440, 'dark', 'plan'],
  access: [1440, 'light', 'access'],
  translations: [1440, 'light', 'translations'],
  requests: [1440, 'dark', 'requests'],
}

// With PICTURES=1 in the environment the pictures are made; without it, those that exist have to fit. With a folder in
// PICTURES, all of them are made there, at every width and in both themes, to be looked at.
const wish = process.env['PICTURES']

describePageWith(stateOptions, 'the pictures of docs/workbench.md', (page) => {
  const take = async (
    path: string,
    width: number,
    theme: 'light' | 'dark',
    open: (page: Page) => Promise<void>,
  ) => {
    await page.resize(width, 900)
    await page.tab.emulateMedia({ colorScheme: theme })
    await open(page)
    await page.tab.screenshot({ path })
  }

  it.each(Object.entries(pictures))('shows %s', async (name, [width, theme, state]) => {
    if (wish === '1') await take(file(name), width, theme, states[state])
    expect(existsSync(file(name))).toBe(true)
    // The width that a PNG states in its header.
    expect(readFileSync(file(name)).readUInt32BE(16)).toBe(width)
    expect(readFileSync(new URL('docs/workbench.md', root), 'utf8')).toContain(`images/${name}.png`)
  })

  const all = Object.keys(states).flatMap((name) =>
    [1440, 820, 390].flatMap((width) =>
      (['light', 'dark'] as const).map((theme) => [name as keyof typeof states, width, theme] as const),
    ),
  )
  it.runIf(wish?.includes('/')).each(all)('shows %s at %i pixels, %s', async (name, width, theme) => {
    mkdirSync(wish!, { recursive: true })
    await page.load()
    await page.tab.evaluate('localStorage.clear()')
    await take(`${wish}/${name}-${width}-${theme}.png`, width, theme, states[name])
  })
})
