import { expect, it } from 'vitest'
import { sampleCommands } from '../../src/page/samples.ts'
import { findings } from './axe.ts'
import { describePage } from './open.ts'
import { app, guild } from '../support/fixtures.ts'

const wrong = JSON.stringify([{ name: 'Ban', description: 'x', colour: 5 }], null, 2)

describePage('axe finds nothing', (page) => {
  const deploy = async () => {
    const [ban] = await page.deploy(sampleCommands)
    await page.registry.setPermissions(app, guild, ban!.id, [{ id: '5001', type: 1, permission: false }])
  }

  it('on the first run', async () => {
    await page.load()
    expect(await findings(page)).toEqual([])
  })

  it('in Member: the list, pills with a refusal, a use with its reply, and the palette', async () => {
    await deploy()
    await page.load()
    await page.has('.entry')
    await page.click('#hidden summary')
    expect(await findings(page)).toEqual([])
    await page.tab.resize(1440, 900)
    await page.button('Search')
    await page.has('dialog.palette')
    expect(await findings(page)).toEqual([])
    await page.keys('Escape')
    await page.click('#entry-0')
    await page.click('#send')
    await page.has('.pill.wrong')
    expect(await findings(page)).toEqual([])
    await page.tab.resize(1440, 900)
    await page.set('#pill-what', 'x')
    await page.focus('#pill-hours')
    await page.has('#choices')
    expect(await findings(page)).toEqual([])
    await page.set('#pill-hours', 'Tomorrow')
    await page.click('#send')
    const reply = async (callback: object) => {
      await page.tab.act(`[...document.querySelectorAll('.feed .dashed')].at(-1)`, 'click')
      await page.set('#reply', JSON.stringify(callback))
      await page.click('#inspector button.main')
    }
    const row = (component: object) => ({ type: 1, components: [component] })
    const button = row({ type: 2, style: 1, custom_id: 'yes', label: 'Yes' })
    const menu = row({ type: 3, custom_id: 'day', options: [{ label: 'Monday', value: 'mon' }] })
    const input = row({ type: 4, style: 1, custom_id: 'why', label: 'Why' })
    await reply({ type: 4, data: { content: 'Sure?', components: [button, menu] } })
    await page.click('.feed .bubble .main')
    await page.starts('.use:last-child.chosen .used', /pressed Yes/)
    await reply({ type: 9, data: { custom_id: 'f', title: 'Form', components: [input] } })
    await page.has('.feed .modal')
    expect(await findings(page)).toEqual([])
  })

  it('in the Editor and the Plan, empty and filled', async () => {
    await deploy()
    for (const view of ['editor', 'plan']) {
      await page.load(`?view=${view}`)
      expect(await findings(page), view).toEqual([])
    }
    await page.tab.resize(1440, 900)
    await page.draft(wrong)
    await page.load('?view=editor')
    await page.has('.findings li')
    await page.click('.rule summary')
    expect(await findings(page)).toEqual([])
    await page.load('?view=editor')
    await page.set('#source', '[{"name":"ban","description":"x"}]')
    await page.load('?view=plan')
    expect(await findings(page)).toEqual([])
  })

  it('in Access, Translations and Requests', async () => {
    await deploy()
    await page.load('?view=access')
    await page.click('#cell-1-1')
    await page.has('#inspector .trace')
    expect(await findings(page)).toEqual([])
    await page.load('?view=translations&lang=es-419')
    await page.has('.hole')
    expect(await findings(page)).toEqual([])
    await page.request('PUT', `/applications/${app}/commands`, JSON.parse(wrong))
    await page.load('?view=requests')
    await page.click('.request button')
    await page.has('#inspector .problems')
    expect(await findings(page)).toEqual([])
  })
})
