/** Archived and locked threads on the page. */
import { it } from 'vitest'
import { People } from '../../../../../../src/testing/testbed/people/people.ts'
import { World } from '../../../../../../src/service/world/world.ts'
import { createThread, setThread } from '../../../../../../src/service/world/threads.ts'
import { systemClock } from '../../../../../../src/core/clock.ts'
import { known } from '../../../../../../src/service/world/world.ts'
import { demoServer } from '../../../../../support/worlds.ts'
import { describePageWith } from '../../../open.ts'

const state = { world: new World([demoServer()], systemClock) }

function made() {
  state.world = new World([demoServer()], systemClock)
  return { people: new People(state.world) }
}

describePageWith(made, 'a thread', (page) => {
  it('is out of the list once it is archived, and marked where it is open or locked', async () => {
    await page.open([{ name: 'ping', description: 'x' }])
    const { world } = state
    const channel = known(world.channel('4001')) as Parameters<typeof createThread>[1]
    const thread = createThread(world, channel, { name: 'ticket', type: 11, owner_id: '3001' })
    await page.shows('.in-thread', '↳ ticket')
    await page.load(`?channel=${thread.id}`)
    await page.has('#composer')
    setThread(world, thread.id, { archived: true })
    await page.shows('.in-thread', '↳ ticket archived')
    await page.shows('.feed-head .hint', 'archived', 'as Ada')
    setThread(world, thread.id, { locked: true })
    await page.shows('.feed-head .hint', 'archived, locked', 'as Ada')
    await page.counts('#composer', 0)
    await page.starts('.foot .dim', /^This thread is locked/)
    // Alan may manage threads.
    await page.load(`?channel=${thread.id}&as=3003`)
    await page.has('#composer')
    await page.load()
    await page.has('.channel')
    await page.counts('.in-thread', 0)
    setThread(world, thread.id, { archived: false, locked: false })
    await page.shows('.in-thread', '↳ ticket')
  })
})
