import { expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { describePageWith, type Page } from '../open.ts'
import { app } from '../../../support/fixtures.ts'
import { until } from '../../../support/waiting.ts'

const choices = ['Red', 'Green'].map((name) => ({ name, value: name.toLowerCase() }))
const colour = { type: 3, name: 'colour', description: 'Which colour', required: true, choices }
const paint = { name: 'paint', description: 'Paints the wall', options: [colour] }
const json = (value: object) => JSON.stringify(value, null, 2)
const wrong = json({ name: 'Ban', description: 'Bans a member' })
const error = { line: 2, text: 'name: has upper case; write "ban"' }
const files = [
  { name: 'ban.json', text: wrong, isReadOnly: false, errors: [error] },
  { name: 'paint.json', text: json(paint), isReadOnly: false, errors: [] },
]

/** What both sessions end with: the error is fixed, and both commands are deployed. */
async function expectDeployed(page: Page): Promise<void> {
  await page.shows('.entry .name', '/ban', '/paint')
  const commands = await page.registry.list(globalScope(app))
  expect(commands.map(({ name }) => name)).toEqual(['ban', 'paint'])
}

describePageWith({ files: async () => files }, 'the first session with a folder', (page) => {
  const open = async (width: number) => {
    await page.resize(width, 844)
    await page.open([paint])
    await page.starts('.notice', /1 error in your files\. ban\.json:2 name: has upper case/)
    await page.shows('.entry .name', '/paint')
  }

  it('is done by keyboard alone', async () => {
    await open(1440)
    const label = `document.activeElement.textContent.trim() || document.activeElement.id`
    /** Presses Tab, or with `back` Shift and Tab, until an element with this text has the focus. */
    const tabTo = async (text: string, back = false) => {
      const passed: string[] = []
      while (passed.length < 20) {
        await page.keys(back ? 'Shift+Tab' : 'Tab')
        passed.push(await page.tab.evaluate<string>(label))
        if (passed.at(-1)!.startsWith(text)) return
      }
      expect(passed).toContain(text)
    }
    await page.keys('/', "'pa'", 'Enter')
    await page.shows('#choices li', 'Red', 'Green')
    await page.keys('ArrowDown', 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.hasFocus('composer')
    await page.starts('.message.use .used', /^Ada used \/paint/)
    await tabTo('Ada used /paint', true)
    await page.keys('Enter')
    await page.starts('#inspector pre', /"value": "green"/)
    await tabTo('Interaction')
    await page.keys('ArrowRight', 'ArrowRight')
    await page.starts('#inspector .verdict', 'Ada can use it here')
    await tabTo('Open the line', true)
    await page.keys('Enter')
    await page.hasFocus('source')
    await page.has('.findings li')
    await tabTo('Fix it')
    await page.keys('Enter')
    await page.counts('.findings li', 0)
    await page.hasFocus('source')
    await tabTo('Deploy…', true)
    await page.keys('Enter')
    await page.starts('main h2', /ban\.json and the other files \(2 commands\)/)
    await page.shows('.plan b:last-of-type', '/ban')
    await tabTo('Deploy')
    await page.keys('Enter')
    await expectDeployed(page)
  })

  it('is done by thumb on a phone', async () => {
    // A thumb waits until the inspector has slid up.
    await page.tab.emulateMedia({ reducedMotion: 'reduce' })
    const touch = { enabled: true, maxTouchPoints: 1 }
    const screen = await page.tab.context().newCDPSession(page.tab)
    await screen.send('Emulation.setTouchEmulationEnabled', touch)
    await open(390)
    /** Taps what a thumb can hit: 24 pixels at least, in sight, and covered by nothing. */
    const tap = async (selector: string, text = '') => {
      const find = `[...document.querySelectorAll('${selector}')].find((one) => one.textContent.includes(${JSON.stringify(text)}))`
      const place = `((target) => {
          target.scrollIntoView({ block: 'nearest' })
          const { left, top, width, height } = target.getBoundingClientRect()
          const [x, y] = [left + width / 2, top + height / 2]
          const isFree = target.contains(document.elementFromPoint(x, y))
          return { x, y, isFree, isLarge: Math.min(width, height) >= 24, isOff: target.disabled === true }
        })(${find})`
      const { x, y } = await until(async () => {
        const found = await page.tab.evaluate<{ x: number; y: number }>(place)
        expect(found, `${selector} ${text}`).toMatchObject({ isFree: true, isLarge: true, isOff: false })
        return found
      })
      await screen.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
      await screen.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await tap('.entry', '/paint')
    await page.hasFocus('pill-colour')
    await tap('#choices li', 'Green')
    await page.becomes(`document.getElementById('pill-colour').value`, 'Green')
    await tap('#send')
    await tap('.used')
    await page.starts('#inspector pre', /"value": "green"/)
    await tap('#tab-Why')
    await page.starts('#inspector .verdict', 'Ada can use it here')
    await tap('#inspector .close')
    await page.counts('#inspector', 0)
    await tap('.notice button', 'Open the line')
    await page.becomes(`document.getElementById('source').value`, wrong)
    await tap('.toolbar button', '1 error')
    await tap('#inspector button', 'Fix it')
    await page.counts('.findings li', 0)
    await tap('#inspector .close')
    await tap('.toolbar button', 'Deploy…')
    await page.shows('.plan b:last-of-type', '/ban')
    await tap('.foot button', 'Deploy')
    await expectDeployed(page)
    await page.becomes('document.documentElement.scrollWidth', 390)
  })
})
