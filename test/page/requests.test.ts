import { expect, it } from 'vitest'
import { app, describePage, expectCalm } from './open.ts'

const path = `/applications/${app}/commands`

describePage('the Requests view', (page) => {
  it('says where requests go, and shows them as they come without a reload', async () => {
    await page.load('?view=requests')
    expect(await page.texts('main h2')).toEqual(['No requests yet'])
    await page.request('PUT', path, [{ name: 'ping', description: 'Says pong' }])
    // The first deploy opens Member, maybe before the row is drawn; going back shows the row.
    await page.tab.until(`location.search.includes('view=member')`)
    await page.tab.evaluate('history.back()')
    await page.tab.until(`document.querySelector('.events') !== null`)
    expect((await page.texts('.request .summary'))[0]).toBe('+1 ~0 -0')
    expect(await page.texts('.events')).toEqual(['command_created /ping'])
    expectCalm(page)
  })

  it('opens a refused request at its fault, with field and rule, by keyboard', async () => {
    await page.request('PUT', path, [{ name: 'ping', description: 'x' }])
    await page.request('PUT', path, [{ name: 'Ping', description: 'x' }])
    await page.load('?view=requests')
    await page.tab.until(`document.querySelectorAll('.request').length === 2`)
    await page.focus('.request button')
    await page.keys('Enter')
    await page.tab.until(`document.querySelector('#inspector .problems') !== null`)
    expect((await page.texts('#inspector .problems li'))[0]).toMatch(/^command "Ping", name: .* name\.case$/)
    await page.focus('#tab-Verdict')
    await page.keys('ArrowRight')
    await page.tab.until(`document.querySelector('.fault') !== null`)
    expect(await page.texts('.fault')).toEqual([expect.stringContaining('"Ping"')])
    expect((await page.texts('.toolbar output'))[0]).toBe('1 failed of 2')
    expectCalm(page)
  })

  it('filters, pauses without losing anything, and clears', async () => {
    await page.request('PUT', path, [{ name: 'ping', description: 'x' }])
    await page.request('GET', '/nothing')
    await page.load('?view=requests')
    await page.tab.until(`document.querySelectorAll('.request').length === 2`)
    await page.set('.toolbar input', 'status:4xx')
    await page.tab.until(`document.querySelectorAll('.request').length === 1`)
    await page.set('.toolbar input', 'method:DELETE')
    await page.tab.until(`document.querySelector('main h2')?.textContent === 'No request fits the filter'`)
    await page.button('Show all')
    await page.button('Pause')
    await page.request('GET', '/nothing')
    await page.tab.until(`document.querySelector('.toolbar').textContent.includes('1 new')`)
    expect(await page.texts('.request')).toHaveLength(2)
    await page.button('Resume')
    await page.tab.until(`document.querySelectorAll('.request').length === 3`)
    await page.button('Clear')
    await page.tab.until(`document.querySelector('main h2')?.textContent === 'No requests yet'`)
    expectCalm(page)
  })
})
