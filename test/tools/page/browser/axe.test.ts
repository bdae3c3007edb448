import { expect, it } from 'vitest'
import { findings } from '../axe.ts'
import { describePageWith, type Page } from '../open.ts'
import { stateOptions, states } from '../states.ts'

/** Opens everything that is folded, except the menu, which covers the view. */
const unfold = `document.querySelectorAll('details:not(.menu)').forEach((one) => (one.open = true))`

describePageWith(stateOptions, 'axe finds nothing', (page) => {
  it.each(Object.entries<(page: Page) => Promise<void>>(states))('in the state %s', async (_name, open) => {
    await open(page)
    await page.tab.evaluate(unfold)
    expect(await findings(page)).toEqual([])
  })
})
