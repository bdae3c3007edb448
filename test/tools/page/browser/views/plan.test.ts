import { expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { describePage } from '../../open.ts'
import { gate } from '../../../../service/http/sockets.ts'
import { app, demoGuild as guild } from '../../../../support/fixtures.ts'

const named = (...names: readonly string[]) => names.map((name) => ({ name, description: 'x' }))

describePage('the Plan', (page) => {
  const button = `document.querySelector('.foot button.main')`
  const open = async (definitions: object[]) => {
    await page.load('?view=editor')
    await page.draft(JSON.stringify(definitions))
    await page.load('?view=plan')
  }

  it('offers the Editor when there is nothing to compare', async () => {
    await page.load('?view=plan')
    await page.shows('main h2', 'Nothing to compare yet')
    await page.button('Open the Editor')
    await page.has('#source')
  })

  it('deploys once when Deploy is pressed twice, which ends the draft of what is deployed', async () => {
    await page.deploy(named('ban', 'ping'))
    await page.load('?view=editor&source=Deployed')
    await page.becomes(`document.getElementById('source').value`, /"ban"/)
    await page.set('#source', JSON.stringify(named('ban', 'dice', 'ping')))
    await page.button('Deploy…')
    await page.becomes(`${button}.disabled`, false)
    const slow = gate()
    await page.tab.route('**/commands', (route) => slow.passed.then(() => route.continue()))
    const written = () => page.requests.filter((url) => url.endsWith('/commands')).length
    await page.click('.foot button.main')
    await expect.poll(written).toBe(1)
    await page.focus('.foot button.main')
    await page.keys('Enter')
    slow.open()
    await page.shows('.entry .name', '/ban', '/dice', '/ping')
    expect(written()).toBe(1)
    // The text is that of the service from now on.
    await page.deploy(named('other'))
    await page.load('?view=editor&source=Deployed')
    await page.becomes(`document.getElementById('source').value`, /"other"/)
  })

  it('shows the plan of a dropped file, and compares with a dropped snapshot', async () => {
    await page.deploy(named('ban', 'ping'))
    await page.load('?view=plan')
    await page.shows('main h2', 'Nothing to compare yet')
    const snapshot = await page.registry.snapshot(app)
    expect(await page.drop('main .content', 'new.json', JSON.stringify(named('ban', 'dice')))).toBe(true)
    await page.shows('.plan b:last-of-type', '/ping', '/dice')
    await page.deploy(named('ban', 'dice'))
    await page.starts('.foot output', 'Nothing would change.')
    await page.drop('main .content', 'before.json', JSON.stringify(snapshot))
    await page.starts('.toolbar .hint', 'compared with before.json')
  })

  it('[2.9-09] shows lost permissions first, and counts them on the button', async () => {
    const [ban] = await page.deploy(named('ban', 'ping', 'same'))
    await page.registry.setPermissions(app, guild, ban!.id, [
      { id: '100000000000005001', type: 1, permission: true },
    ])
    await open([...named('banish', 'same'), { name: 'ping', description: 'y' }])
    await page.counts('.plan', 3)
    await page.shows(
      '.plan li',
      '-/ban deletedloses: role Moderators allowed, in Demo Serverlooks renamed to /banish Keep its id',
      /^~\/ping changeddescription.*"x" → "y"$/,
      '+/banish new',
    )
    await page.shows('.foot button.main', 'Deploy and lose 1 permission')
    await page.button('Keep its id')
    await page.counts('.plan', 1)
    await page.click('.foot button.main')
    await page.until(`document.title.startsWith('Member')`)
    expect((await page.registry.get(globalScope(app), ban!.id)).name).toBe('banish')
  })

  it('compares with a snapshot file, which it does not deploy to', async () => {
    await page.deploy(named('ping'))
    const snapshot = await page.registry.snapshot(app)
    await page.deploy([])
    await open(named('pong'))
    await page.shows('.plan li', '+/pong new')
    await page.file('.toolbar input[type=file]', 'app.json', JSON.stringify(snapshot))
    await page.shows('.plan li', /^-\/ping deleted/, '+/pong new')
    await page.shows('.foot output', /^A snapshot is only compared/)
    await page.file('.toolbar input[type=file]', 'other.json', '{}')
    await page.starts('.failure p', /the file is not a snapshot/)
    await page.button('This server')
    await page.shows('.plan li', '+/pong new')
    page.complains(/status of 400/)
  })

  it('asks with the number before more commands are deleted than kept', async () => {
    await page.deploy(named('ban', 'kick', 'ping'))
    await open(named('ping'))
    await page.counts('.plan li', 2)
    await page.becomes(`${button}.disabled`, true)
    await page.shows('.foot .check', 'Delete 2 commands')
    await page.click('.foot .check input')
    await page.becomes(`${button}.disabled`, false)
    await page.click('.foot button.main')
    await page.until(`document.title.startsWith('Member')`)
    expect(await page.registry.list(globalScope(app))).toHaveLength(1)
  })

  it('folds a long list to its first names, so that the other changes are in sight', async () => {
    await page.deploy(named('ping', ...Array.from({ length: 20 }, (_, index) => `old${index + 10}`)))
    await open(named('ping', 'new'))
    await page.starts(
      'main details summary',
      '20 deleted: /old10, /old11, /old12, /old13, /old14, /old15, /old16, /old17 and 12 more',
    )
    await page.click('main details summary')
    await page.counts('main details .plan > li', 20)
  })

  it('disables the deploy with the reason when the service would refuse it', async () => {
    await page.deploy(named('ping'))
    await open(named('Ban'))
    await page.has('main .problems')
    await page.becomes(`${button}.disabled`, true)
    await page.shows('.foot output', 'The service would refuse this deploy.')
  })
})
