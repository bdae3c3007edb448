import { expect, it } from 'vitest'
import { globalScope, guildScope } from 'commandry'
import { buildProgram, directoryOf, start } from '../../cli/program.ts'
import { describePage, service } from '../open.ts'
import { join } from 'node:path'
import { app } from '../../../support/fixtures.ts'

const ping = { name: 'ping', description: 'Says pong', name_localizations: { de: 'klingeln' } }

it('commandry serve serves the page to this machine only', async () => {
  const program = await buildProgram()
  const directory = await directoryOf({ 'open.json': { applications: [], tokens: [] } })
  for (const [args, expected] of [
    [[], 200],
    [['--host', '0.0.0.0', '--config', join(directory, 'open.json')], 404],
  ] as const) {
    const running = start(program, ['serve', '--port', '0', ...args])
    const port = /:([0-9]+)\//.exec(await running.firstLine)![1]
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.status).toBe(expected)
    if (expected === 200) expect(await response.text()).toBe(await (await service().ask('/')).text())
    // An open stream does not keep the server from closing.
    const stream = await fetch(`http://127.0.0.1:${port}/ui/changes`)
    expect(stream.status).toBe(expected)
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    await stream.body?.cancel().catch(() => {})
  }
})

describePage('the shell of the page', (page) => {
  const openPalette = async () => {
    await page.keys('Control+k')
    await page.becomes(`document.activeElement.getAttribute('aria-controls')`, 'actions')
  }

  it('opens without errors, offers three ways to start, and shows the first deploy', async () => {
    await page.load()
    await page.shows('main h2', 'Nothing deployed yet')
    await page.shows('[role=alert]')
    const ways = ['Load the sample commands', 'Copy the REST line for discord.js', 'Paste a definition']
    await page.shows('.ways button', ...ways)
    await page.request('PUT', `/applications/1005/commands`, [ping])
    await page.starts('.entry .name', '/ping')
    await page.becomes('location.search', /app=1005/)
    await page.tab.reload()
    await page.starts('.entry .name', '/ping')
  })

  it('ignores an empty application in the address and chooses the only one there is', async () => {
    await page.open([ping], '?view=member&app=')
    await page.starts('.entry .name', '/ping')
    await page.shows('.notice')
  })

  it('shows above the view why an action fails', async () => {
    await page.open([ping], '?view=requests')
    await page.has('.toolbar')
    await page.tab.context().setOffline(true)
    await page.button('Export')
    await page.starts('.notice:not(.bad)', /^Failed to fetch/)
    await page.tab.context().setOffline(false)
    page.complains(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  })

  it('loads the sample commands with one click', async () => {
    await page.load()
    await page.click('.ways button')
    await page.until(`document.querySelectorAll('.entry').length > 3`)
    expect(await page.registry.list(globalScope(app))).toHaveLength(8)
  })

  it('replaces unknown values of a link with defaults, and names them', async () => {
    await page.open([ping], '?view=nowhere&as=77&lang=xx&channel=100000000000004002')
    await page.starts('.notice', /view nowhere, person 77, language xx/)
    const query = new URLSearchParams(await page.tab.evaluate<string>('location.search'))
    const repaired = {
      view: 'member',
      as: '100000000000003001',
      lang: 'en-US',
      channel: '100000000000004002',
    }
    expect(Object.fromEntries(query)).toMatchObject(repaired)
  })

  it('keeps person, place, language and view in the address, and goes back and forward', async () => {
    await page.deploy([ping])
    await page.registry.upsert(guildScope(app, '100000000000002009'), { type: 2, name: 'Local' })
    await page.load()
    await page.set('.who select[title="en-US"]', 'de')
    await page.starts('.entry .name', '/klingeln')
    await page.becomes(`document.querySelector('.entry bdi').lang`, 'de')
    await page.click('nav a[href*="view=requests"]')
    await page.until(`document.title.startsWith('Requests')`)
    await page.tab.evaluate('history.back()')
    await page.starts('.entry .name', '/klingeln')
    await page.tab.evaluate('history.back()')
    await page.starts('.entry .name', '/ping')
  })

  it('finds views, people and languages in the palette, with the keyboard alone', async () => {
    await page.open([ping])
    await openPalette()
    await page.keys("'deutsch'")
    await page.counts('#actions li', 1)
    await page.keys('Enter')
    await page.starts('.entry .name', '/klingeln')
    await page.becomes(`document.querySelector('dialog')`, null)
  })

  it('takes a command from the palette in every view', async () => {
    await page.open([ping], '?view=editor')
    await openPalette()
    await page.keys("'/ping'")
    await page.counts('#actions li', 1)
    await page.keys('Enter')
    await page.hasFocus('send')
    await page.becomes('location.search', /view=member/)
  })

  it('moves the focus to the composer on a slash, until that is turned off', async () => {
    await page.open([ping])
    await page.has('.entry')
    await page.keys('/')
    await page.hasFocus('composer')
    await openPalette()
    await page.keys("'shortcut'", 'Enter')
    await page.counts('dialog', 0)
    await page.tab.evaluate('document.activeElement.blur()')
    await page.keys('/')
    await page.becomes('document.activeElement === document.body', true)
  })

  it('reaches the view in at most 8 tab stops, and starts it in the first 100 pixels of a phone', async () => {
    await page.open([ping])
    let stops = 0
    for (; stops < 20; stops++) {
      await page.keys('Tab')
      if (await page.tab.evaluate(`document.activeElement.closest('main') !== null`)) break
    }
    expect(stops).toBeLessThanOrEqual(8)
    await page.resize(390, 844)
    await page.has('.views-menu')
    expect(
      await page.tab.evaluate(`document.querySelector('main').getBoundingClientRect().top`),
    ).toBeLessThan(100)
    await page.becomes('document.documentElement.scrollWidth', 390)
  })

  it('puts the work area first in a low window, as at 200 % zoom', async () => {
    await page.deploy([{ name: 'ban', description: 'x' }])
    await page.resize(640, 400)
    const top = (selector: string) => `document.querySelector('${selector}').getBoundingClientRect().top`
    const areas = {
      translations: '.texts textarea',
      editor: '#source',
      access: 'tbody tr',
      requests: '.request',
    }
    for (const [view, selector] of Object.entries(areas)) {
      if (view === 'requests') await page.request('GET', `/applications/${app}/commands`)
      await page.load(`?view=${view}&source=Deployed`)
      await page.has(selector)
      await page.becomes(`${top(selector)} < 180`, true)
      await page.becomes(`document.documentElement.scrollHeight <= innerHeight`, true)
    }
    await page.keys('Control+k')
    await page.has('.palette')
    await page.becomes(
      `document.querySelector('.palette').getBoundingClientRect().bottom <= innerHeight`,
      true,
    )
  })

  it('names a language once in the palette where both of its names are the same', async () => {
    await page.deploy([{ name: 'ban', description: 'x' }])
    await page.load()
    await page.keys('Control+k', "'English, UK'")
    await page.shows('.palette li span:first-child', 'English, UK')
  })

  it('closes the drawer of a phone when a person is opened beside from it', async () => {
    await page.deploy([{ name: 'ban', description: 'x' }])
    await page.resize(375, 812)
    await page.load()
    await page.click('.opener')
    await page.click('dialog.rail .person-row:nth-child(2) .more')
    await page.shows('.palette h2', 'Grace')
    await page.keys("'beside'", 'Enter')
    await page.counts('.pane', 2)
    await page.counts('dialog', 0)
  })

  it('shows that the server is gone, and stays readable', async () => {
    await page.open([ping])
    await page.has('.entry')
    await page.tab.context().setOffline(true)
    await page.tab.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.has('.notice.bad')
    await page.shows('.entry .name', '/ping')
    await page.tab.context().setOffline(false)
    await page.counts('.notice.bad', 0)
    page.complains(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  })
})
