import { it } from 'vitest'
import { describePage } from '../../open.ts'
import { app } from '../../../../support/fixtures.ts'

const path = `/applications/${app}/commands`

describePage('the Requests view', (page) => {
  /** Shows an accepted and a refused deploy. */
  const showRefused = async () => {
    await page.request('PUT', path, [{ name: 'ping', description: 'x' }])
    await page.request('PUT', path, [{ name: 'Ping', description: 'x' }])
    await page.load('?view=requests')
    await page.counts('.request', 2)
  }

  it('shows the address of the service, and requests as they arrive', async () => {
    await page.load('?view=requests')
    await page.shows('main h2', 'No requests yet')
    await page.request('PUT', path, [{ name: 'ping', description: 'Says pong' }])
    await page.starts('.request .summary', '+1 ~0 -0')
    await page.shows('.events', 'command_created /ping')
  })

  it('shows a request that arrives while another one is loaded', async () => {
    await page.load('?view=requests')
    // The first answer arrives when the page is clicked.
    await page.tab.evaluate(`{
      const { fetch } = window
      let isFirst = true
      window.fetch = async (...request) => {
        const response = await fetch(...request)
        if (isFirst && request[0].includes('/ui/requests')) {
          isFirst = false
          // Noted in the document, which is what until() looks at.
          document.body.dataset.isHeld = 'yes'
          await new Promise((resolve) => (document.body.onclick = resolve))
        }
        return response
      }
      const stream = new EventSource('/ui/changes')
      stream.onmessage = () => (document.body.dataset.changes = Number(document.body.dataset.changes ?? 0) + 1)
      new Promise((resolve) => (stream.onopen = resolve))
    }`)
    await page.request('GET', path)
    await page.until(`document.body.dataset.isHeld === 'yes' && document.body.dataset.changes === '1'`)
    await page.request('GET', path)
    await page.until(`document.body.dataset.changes === '2'`)
    await page.click('body')
    await page.counts('.request', 2)
  })

  it('shows the requests of a service that was started again, which counts them anew', async () => {
    const old = { id: 100, time: 0, method: 'GET', path: '/old', status: 200, events: [], codes: [] }
    await page.tab.addInitScript(`{
      const { fetch } = window
      let isOld = true
      window.fetch = async (...request) => {
        const response = await fetch(...request)
        if (!isOld || !request[0].includes('/ui/requests')) return response
        isOld = false
        return new Response(${JSON.stringify(JSON.stringify([old]))})
      }
    }`)
    await page.load('?view=requests')
    await page.request('GET', path)
    await page.shows('.request .path', `/api/v10${path}`)
  })

  it('opens a refused request at its fault, with field and rule, by keyboard', async () => {
    await showRefused()
    await page.focus('.request button')
    await page.keys('Enter')
    await page.starts('#inspector .problems li', /^\/Ping, name: .* name\.case/)
    await page.focus('#tab-Verdict')
    await page.keys('ArrowRight')
    await page.shows('.fault', /"Ping"/)
    await page.starts('.toolbar output', '1 failed of 2')
  })

  it('filters, pauses without losing anything, and clears', async () => {
    await page.request('PUT', path, [{ name: 'ping', description: 'x' }])
    await page.request('GET', '/nothing')
    await page.load('?view=requests')
    await page.counts('.request', 2)
    await page.set('.toolbar input', 'status:4xx')
    await page.counts('.request', 1)
    await page.set('.toolbar input', 'method:DELETE')
    await page.starts('main h2', 'No request fits the filter')
    await page.button('Show all')
    await page.button('Pause')
    await page.request('GET', '/nothing')
    await page.until(`document.querySelector('.toolbar').textContent.includes('1 new')`)
    await page.shows('.request', /./, /./)
    await page.button('Resume')
    await page.counts('.request', 3)
    await page.button('Clear')
    await page.starts('main h2', 'No requests yet')
  })

  it('filters by rule, exports, opens the file again, and opens a body in the Editor', async () => {
    await showRefused()
    await page.set('.toolbar input[type=search]', 'status:4xx code:name.case')
    await page.shows('.request .summary', '1 issue')
    const saved = JSON.stringify(await page.answer('exchanges'))
    await page.button('Clear')
    await page.file('.toolbar input[type=file]', 'saved.json', saved)
    await page.starts('.toolbar b', 'saved.json')
    await page.shows('.toolbar output', '1 failed of 2')
    await page.click('.request button')
    await page.starts('#inspector .problems li', /name\.case/)
    await page.button('Open in Editor')
    await page.until(`document.getElementById('source')?.value.includes('"Ping"')`)
    await page.starts('.finding', /^✗ 3:13 \/Ping, name/)
  })

  it('keeps the columns of a row apart at each width', async () => {
    await page.load('?view=requests')
    const row = {
      ...{
        id: 1,
        time: 0,
        direction: 'out',
        method: 'GATEWAY',
        path: 'gateway  /ban user:@alan',
        status: 200,
      },
      ...{ milliseconds: 1234, credential: 'Bearer', summary: 'permissions', events: [], changes: [] },
      ...{ request: '', response: '' },
    }
    await page.file('.toolbar input[type=file]', 'saved.json', JSON.stringify([row]))
    const cells = `[...document.querySelectorAll('.request button > *')].filter((one) => one.checkVisibility())`
    for (const [width, height] of [
      [1280, 800],
      [640, 800],
      [640, 400],
      [375, 812],
    ] as const) {
      await page.resize(width, height)
      await page.becomes(
        `${cells}.filter((one) => !one.matches('.path, .summary') && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)`,
        [],
      )
      await page.becomes(`document.querySelector('.request .path').clientWidth > 60`, true)
    }
  })

  it('names the problem of a file that is not an export', async () => {
    await page.load('?view=requests')
    await page.file('.toolbar input[type=file]', 'wrong.json', '{}')
    await page.starts('.notice', /^wrong.json cannot be opened: expected a list/)
  })
})
