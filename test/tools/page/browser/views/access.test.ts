import { describe, expect } from 'vitest'
import { describePage, describePageWith, it, post, who } from '../../open.ts'
import { demoServer } from '../../../../support/worlds.ts'
import { gate } from '../../../../service/http/sockets.ts'
import { app, demoGuild as guild } from '../../../../support/fixtures.ts'

const commands = [
  { name: 'ban', description: 'Ban', default_member_permissions: '4' },
  { name: 'ping', description: 'Says pong' },
  { name: 'dice', description: 'Roll', nsfw: true },
]

describe('the questions of Access', () => {
  it('[2.9-07] [2.9-08] has five kinds of cells, by roles, people and channels', async ({ made }) => {
    const [ban, ping] = await made.deploy(commands)
    await made.registry.setPermissions(app, guild, ping!.id, [
      { id: '100000000000005001', type: 1, permission: false },
    ])
    await made.registry.setPermissions(app, guild, ban!.id, [
      { id: '100000000000003001', type: 2, permission: true },
    ])
    const cells = async (by: string) => {
      const { columns, rows } = await post(made, 'access', { ...who, by })
      return [columns.map(({ name }: any) => name), ...rows.map(({ cells }: any) => cells)]
    }
    expect(await cells('roles')).toEqual([
      ['@everyone', 'Moderators', 'Administrators'],
      ['allowed', 'allowed', 'allowed'],
      ['lacks', 'allowed', 'allowed'],
      ['allowed', 'denied', 'allowed'],
      ['unavailable', 'unavailable', 'unavailable'],
    ])
    expect(await cells('people')).toEqual([
      ['Ada', 'Grace', 'Alan'],
      ['allowed', 'allowed', 'allowed'],
      ['override', 'allowed', 'allowed'],
      ['allowed', 'denied', 'allowed'],
      ['unavailable', 'unavailable', 'unavailable'],
    ])
    expect((await cells('channels')).at(-1)).toEqual(['unavailable', 'unavailable', 'allowed'])
  })

  it('decides with staged overrides, and writes nothing', async ({ made }) => {
    const [ban] = await made.deploy(commands)
    const staged = [{ id: ban!.id, permissions: [{ id: guild, type: 1, permission: true }] }]
    const { rows, selected } = await post(made, 'access', { ...who, staged, sel: `${ban!.id}.${guild}` })
    expect(rows[1].cells).toEqual(['override', 'override', 'allowed'])
    expect(selected.trace.at(-1)).toMatchObject({ name: 'Command overrides', outcome: 'allowed' })
    expect(await made.registry.listPermissions(app, guild)).toEqual([])
  })
})

describePage('the Access view', (page) => {
  /** Allows /ban for @everyone, by keyboard. */
  const stageBan = async () => {
    await page.focus('#cell-0-0')
    await page.keys('ArrowDown')
    await page.hasFocus('cell-1-0')
    await page.keys(' ')
    await page.shows('.staged', '✓allowed by an override, staged')
  }

  it('shows the matrix with words for screen readers, and the reason for a cell', async () => {
    await page.open(commands, '?view=access')
    await page.shows('tbody th', 'App-wide', '/banneeds BAN_MEMBERS', '/ping', '/diceage-restricted')
    const cells = ['–lacks the permission', '✓allowed', '✓allowed']
    await page.shows('tbody tr:nth-child(2) td', ...cells)
    await page.click('#cell-1-0')
    await page.has('#inspector .trace .denied')
    await page.shows('#inspector h2', '/ban for @everyone')
    await page.becomes('location.search', /sel=\d+\.100000000000002001/)
  })

  it('shows what a command requires at each width, in rows of one height', async () => {
    await page.open(commands, '?view=access')
    const rows = `[...document.querySelectorAll('tbody tr')]`
    for (const [width, height] of [
      [1280, 800],
      [640, 400],
      [375, 812],
    ] as const) {
      await page.resize(width, height)
      await page.becomes(`new Set(${rows}.map((row) => Math.round(row.clientHeight))).size`, 1)
      const note = `document.querySelector('.note:not(:empty)').getBoundingClientRect()`
      await page.becomes(`${note}.right < innerWidth && ${note}.width > 60`, true)
    }
  })

  it('[4.3-03] stages an override with the keyboard alone and writes it through the public route', async () => {
    const [ban] = await page.open(commands, '?view=access')
    await stageBan()
    expect(await page.registry.listPermissions(app, guild)).toEqual([])
    await page.shows('nav .badge', '1')
    await page.button('Apply…')
    await page.shows('section li', '/ban: @everyone allowed')
    await page.click('section button.main')
    await page.counts('section', 0)
    expect(await page.registry.getPermissions(app, guild, ban!.id)).toMatchObject({
      permissions: [{ id: guild, type: 1, permission: true }],
    })
  })

  it('stages several overrides of a command beside those that it has, and takes each back', async () => {
    const [ban] = await page.deploy(commands)
    await page.registry.setPermissions(app, guild, ban!.id, [
      { id: '100000000000005002', type: 1, permission: false },
    ])
    await page.load('?view=access')
    await stageBan()
    await page.keys('ArrowRight')
    await page.hasFocus('cell-1-1')
    await page.keys(' ')
    await page.shows('.staged', /./, /./)
    const slow = gate()
    await page.tab.route('**/ui/access', (route) => slow.passed.then(() => route.continue()))
    await page.keys(' ')
    await page.counts('.staged', 1)
    await page.button('Apply…')
    await page.click('section button.main')
    slow.open()
    await page.counts('.staged', 0)
    const { permissions } = await page.registry.getPermissions(app, guild, ban!.id)
    expect(permissions.map(({ id, permission }) => [id, permission])).toEqual([
      ['100000000000005002', false],
      [guild, true],
    ])
  })

  it('stages the cell that has the focus, however the focus came there', async () => {
    await page.open(commands, '?view=access')
    await page.focus('#cell-2-0')
    await page.keys(' ')
    await page.button('Apply…')
    await page.shows('section li', '/ping: @everyone denied')
  })

  it('stages the command of the focused cell after a filter has moved its row', async () => {
    await page.open(commands, '?view=access')
    await page.click('#cell-2-0')
    await page.set('.toolbar input', 'ping')
    await page.shows('tbody th', '/ping')
    await page.focus('[role=gridcell] button')
    await page.keys(' ')
    await page.button('Apply…')
    await page.shows('section li', '/ping: @everyone denied')
  })

  it('keeps staged overrides over a reload, and undoes each with Ctrl+Z', async () => {
    await page.open(commands, '?view=access')
    await stageBan()
    await page.keys('ArrowRight', ' ')
    await page.counts('.staged', 2)
    await page.keys('Control+z')
    await page.shows('.staged', '✓allowed by an override, staged')
    await page.load('?view=access')
    await page.shows('.staged', '✓allowed by an override, staged')
    await page.button('Discard')
    await page.counts('.staged', 0)
    await page.focus('#cell-1-0')
    await page.keys('Control+z')
    await page.counts('.staged', 1)
    await page.keys(' ')
    await page.counts('.staged', 0)
    await page.load('?view=access')
    await page.has('[role=grid]')
    await page.counts('.staged', 0)
  })

  it('writes once when Apply is pressed twice, and then the focus is on the cell', async () => {
    await page.open(commands, '?view=access')
    await stageBan()
    await page.button('Apply…')
    const slow = gate()
    await page.tab.route('**/permissions', (route) => slow.passed.then(() => route.continue()))
    const written = () => page.requests.filter((url) => url.endsWith('/permissions')).length
    await page.click('section button.main')
    await expect.poll(written).toBe(1)
    await page.focus('section button.main')
    await page.keys('Enter', 'Enter')
    slow.open()
    await page.counts('section', 0)
    await page.hasFocus('cell-1-0')
    expect(written()).toBe(1)
  })

  it('keeps what was not written when the service refuses', async () => {
    await page.open(commands, '?view=access')
    await stageBan()
    await page.button('Apply…')
    await page.tab.route('**/permissions', (route) => route.abort())
    await page.click('section button.main')
    await page.starts('.notice', /Not connected: nothing was written/)
    await page.counts('.staged', 1)
    page.complains(/ERR_FAILED/)
  })

  it('takes back what the last Apply wrote, unless somebody has changed it since', async () => {
    const [ban] = await page.deploy(commands)
    const before = [{ id: '100000000000005002', type: 1, permission: false }] as const
    await page.registry.setPermissions(app, guild, ban!.id, before)
    const entries = async () => (await page.registry.getPermissions(app, guild, ban!.id)).permissions
    await page.load('?view=access')
    const apply = async () => {
      await stageBan()
      await page.button('Apply…')
      await page.click('section button.main')
      await page.counts('.staged', 0)
    }
    await apply()
    expect(await entries()).toHaveLength(2)
    await page.load('?view=access')
    await page.button('Take back the last Apply')
    await page.hasFocus('cell-0-0')
    expect(await entries()).toEqual(before)
    await page.shows('.toolbar button')
    // The next override begins with what the cell shows.
    await page.becomes(`document.getElementById('cell-1-0').textContent`, /lacks the permission/)
    await apply()
    await page.registry.setPermissions(app, guild, ban!.id, [])
    await page.button('Take back the last Apply')
    await page.starts('.notice', /\/ban has other permissions by now/)
    expect(await page.registry.listPermissions(app, guild)).toEqual([])
  })

  it('names the next step when the filter leaves nothing or the place is a DM', async () => {
    await page.open(commands, '?view=access')
    await page.set('.toolbar select', 'people')
    await page.starts('thead', /Grace/)
    await page.set('.toolbar input', 'nothing')
    await page.starts('main h2', 'No command fits')
    await page.button('Show all')
    await page.has('[role=grid]')
    await page.load('?view=access&channel=bot')
    await page.shows('main h2', 'Direct messages have no permissions')
  })
})

const servers = [demoServer(guild), { id: '100000000000002002', name: 'Other' }]
describePageWith({ servers }, 'the Access view with two servers', (page) => {
  it('keeps staged overrides with their server', async () => {
    await page.open([{ name: 'ping', description: 'x' }], '?view=access')
    await page.focus('#cell-0-0')
    await page.keys(' ')
    await page.shows('nav .badge', '1')
    await page.click('.who summary')
    await page.set(`select[title="${guild}"]`, '100000000000002002')
    await page.shows('nav .badge')
    await page.counts('.staged', 0)
    await page.set('select[title="100000000000002002"]', guild)
    await page.shows('nav .badge', '1')
  })
})
