import { expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { describePage } from '../../open.ts'
import { app, guild } from '../../../../support/fixtures.ts'

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

  it('[2.9-09] shows lost permissions first, and counts them on the button', async () => {
    const [ban] = await page.deploy(named('ban', 'ping', 'same'))
    await page.registry.setPermissions(app, guild, ban!.id, [{ id: '5001', type: 1, permission: true }])
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

  it('disables the deploy with the reason when the service would refuse it', async () => {
    await page.deploy(named('ping'))
    await open(named('Ban'))
    await page.has('main .problems')
    await page.becomes(`${button}.disabled`, true)
    await page.shows('.foot output', 'The service would refuse this deploy.')
  })
})
