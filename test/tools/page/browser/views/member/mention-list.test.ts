/** What `@gr` and `#ge` offer, and what is sent. */
import { expect, it } from 'vitest'
import { openSession } from '../../../session.ts'
import { pendingAnswers } from 'commandry/interactions'
import { describePageWith, who } from '../../../open.ts'
import { demoGuild as guild } from '../../../../../support/fixtures.ts'
import { openRealistic, realistic } from '../../../realistic.ts'

const received: any[] = []
const session = () =>
  openSession({ answers: pendingAnswers(), gateway: { dispatch: (one: any) => received.push(one) } })

const person = (id: string, username: string, more: object = {}) => ({
  user: { id, username },
  roles: [],
  ...more,
})
const server = {
  ...{ id: guild, name: 'Ours' },
  channels: [
    { id: '100000000000004001', name: 'general', type: 0 },
    { id: '100000000000004002', name: 'gerbils', type: 0 },
  ],
  roles: [
    { id: guild, name: '@everyone', permissions: '2147486720' },
    { id: '100000000000005001', name: 'Green team', permissions: '0', mentionable: true },
  ],
  members: [
    person('100000000000003001', 'ada'),
    person('100000000000003002', 'grace', { nick: 'Grace Hopper' }),
    person('100000000000003003', 'igor'),
    person('100000000000003004', 'greg'),
  ],
}
const note = {
  ...{ name: 'note', description: 'x' },
  options: [{ type: 3 as const, name: 'text', description: 'x', required: true }],
}

const value = `document.getElementById('composer').value`

describePageWith(
  () => ({ session: session(), servers: [server] }),
  'mentions',
  (page) => {
    const sent = async () => {
      const { items } = await page.answer('feed', { ...who, as: '100000000000003001' })
      return items.flatMap((one: any) => one.message?.content ?? [])
    }

    it('offers people and roles by the arrows, and takes one by Enter or Tab, which sends nothing', async () => {
      await page.open([note])
      await page.focus('#composer')
      await page.keys("'hi @gr'")
      await page.shows('.offer b', '@Grace Hopper', '@greg', '@Green team')
      await page.becomes(
        `document.getElementById('composer').getAttribute('aria-activedescendant')`,
        'mention-0',
      )
      await page.keys('ArrowDown', 'ArrowUp', 'Enter')
      await page.becomes(value, 'hi @Grace Hopper ')
      await page.keys("'and @gree'", 'Tab')
      await page.becomes(value, 'hi @Grace Hopper and @Green team ')
      await page.hasFocus('composer')
      await page.keys("'in #ge'")
      await page.shows('.offer b', '#general', '#gerbils')
      await page.keys('Escape')
      await page.counts('.offer', 0)
      await page.becomes(value, 'hi @Grace Hopper and @Green team in #ge')
      await page.keys("'r'", 'Enter', 'Enter')
      await page.becomes(value, '')
      await expect
        .poll(sent)
        .toEqual(['hi <@100000000000003002> and <@&100000000000005001> in <#100000000000004002>'])
      await page.shows('.bubble .mention', '@Grace Hopper', '@Green team', '#gerbils')
    })

    it('puts a name into the middle of a text, and offers none within a word', async () => {
      await page.open([note])
      await page.focus('#composer')
      await page.keys("'mail@gr'")
      await page.counts('.offer', 0)
      await page.set('#composer', 'tell  now')
      await page.tab.evaluate(`document.getElementById('composer').setSelectionRange(5, 5)`)
      await page.keys("'@ig'", 'Enter')
      await page.becomes(value, 'tell @igor now')
      await page.becomes(`document.getElementById('composer').selectionStart`, 11)
    })

    it('works in the text of an option, which the bot gets with the tag', async () => {
      received.length = 0
      await page.open([note])
      await page.focus('#composer')
      await page.keys("'/note'", 'Enter')
      await page.hasFocus('pill-text')
      await page.keys("'ask @gra'")
      await page.shows('.offer b', '@Grace Hopper')
      await page.keys('Enter')
      await page.becomes(`document.getElementById('pill-text').value`, 'ask @Grace Hopper ')
      await page.hasFocus('pill-text')
      await page.keys('Enter')
      await expect
        .poll(() => received.map(({ data }) => data.options[0].value))
        .toEqual(['ask <@100000000000003002>'])
    })
  },
)

describePageWith(realistic, 'mentions in a large server', (page) => {
  it('are a short list, the names that begin so first', async () => {
    await openRealistic(page)
    await page.focus('#composer')
    await page.keys("'@'")
    await page.counts('.offer', 8)
    await page.keys("'person49'")
    await page.starts('.offer b', '@person49')
    await page.counts('.offer', 8)
    await page.keys("'8'", 'Tab')
    await page.becomes(value, '@person498 ')
    // A whole name is sent at once.
    await page.keys("'@person499'", 'Enter')
    await page.becomes(value, '')
    await page.keys("'@role 3'")
    await page.counts('.offer', 0)
  })
})
