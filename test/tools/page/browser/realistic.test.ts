import { expect, it } from 'vitest'
import { findings } from '../axe.ts'
import { describePageWith } from '../open.ts'
import { commands, late, localCommands, openRealistic, realistic } from '../realistic.ts'

const slashCommands = commands.filter((one) => !('type' in one)).length + localCommands.length

describePageWith(realistic, 'the page of a server with 500 people and 60 channels', (page) => {
  it('begins in the first channel that the person may write in, and offers no category', async () => {
    await openRealistic(page)
    await page.starts('.feed-head h2', '#room-0-1')
    await page.keys('Control+k', "'Category'")
    await page.shows('.palette li span:first-child')
    await page.load('?channel=8000')
    await page.starts('.notice', /channel 8000/)
    await page.starts('.feed-head h2', '#room-0-1')
  })

  it('shows 25 people of the channel and finds the others by name or role', async () => {
    await openRealistic(page)
    await page.counts('.person', 25)
    await page.starts('.rest', 'and 475 more: search for them')
    await page.set('.search', 'person499')
    await page.shows('.person .name', 'person499')
    await page.click('.person')
    await page.starts('.feed-head .hint', 'as person499')
    await page.set('.search', '')
    await page.counts('.person', 25)
    // Who acts is always there.
    await page.counts('.person[aria-pressed=true]', 1)
    await page.set('.search', 'role 7')
    await page.starts('.rest', 'and 1 more: search for them')
    await page.set('.search', 'no one')
    await page.shows('.rest', 'No one has that name.')
  })

  it('lists all commands and uses one, whose late answer takes nothing that is typed meanwhile', async () => {
    await openRealistic(page)
    await page.set('#composer', '/')
    await page.counts('.entry', slashCommands)
    await page.set('#composer', '/command0')
    await page.counts('.entry', 1)
    await page.click('#entry-0')
    await page.click('#send')
    await expect.poll(() => late.asked.length).toBe(1)
    late.release('at last')
    await page.act(`[...document.querySelectorAll('.message .bubble')].at(-1)`, 'focus')
    await page.becomes(`[...document.querySelectorAll('.message .bubble')].at(-1).textContent`, 'at last')
  })

  it('does not ask for channels and people again after a message', async () => {
    await openRealistic(page)
    const asked = () => page.requests.filter((url) => url.endsWith('/ui/rail')).length
    await page.focus('#composer')
    let count = 60
    /** How often the page asks while a message is sent and shown. */
    const askedForOne = async () => {
      const before = asked()
      await page.keys("'hello'", 'Enter')
      await page.counts('.message', ++count)
      return asked() - before
    }
    // The first ones may still be beside the news of the commands that were deployed.
    await expect.poll(askedForOne).toBe(0)
  })

  it('opens the menu of a person at the pointer, with the name as its title', async () => {
    await openRealistic(page)
    const at = await page.tab.locator('.person').nth(2).boundingBox()
    await page.tab.mouse.click(at!.x + 20, at!.y + 10, { button: 'right' })
    await page.starts('.palette h2', 'person2')
    const left = `Math.round(document.querySelector('.palette').getBoundingClientRect().left)`
    await page.becomes(left, Math.round(at!.x + 20))
    await page.becomes(`document.querySelector('.palette input').placeholder`, 'Type to search')
  })

  it('shows the whole bar at each width, and most of a zoomed window for the conversation', async () => {
    await openRealistic(page)
    const top = `Math.min(...[...document.querySelectorAll('.bar :is(summary, button, select)')].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top)) >= 0`
    for (const width of [900, 920, 940, 960, 1000, 1100]) {
      await page.resize(width, 800)
      await page.until(top)
    }
    await page.resize(720, 450)
    await page.until(`document.querySelector('.stream').clientHeight > 270`)
  })

  it('has a row of Access for each command', async () => {
    await openRealistic(page)
    await page.load('?view=access')
    await page.counts('tbody tr', commands.length + localCommands.length + 1)
  })

  it.each<[string, () => Promise<void>]>([
    ['the conversation', async () => {}],
    ['the list of commands', () => page.set('#composer', '/')],
    ['the palette', () => page.keys('Control+k', "'person'")],
  ])('has nothing that axe finds in %s', async (_name, open) => {
    await openRealistic(page)
    await open()
    expect(await findings(page)).toEqual([])
  })
})
