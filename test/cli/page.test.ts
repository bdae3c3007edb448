import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  applicationDirectory,
  CommandRegistry,
  globalScope,
  guildScope,
  memoryStore,
  type Store,
} from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { serve, type Serving } from 'commandry/node'
import { page, pagePolicy } from '../../src/cli/page.ts'
import { withUi, type UiOptions } from '../../src/cli/ui.ts'
import { exchangeOf, handlerOf } from '../../src/http/handler.ts'
import { Browser, findChromium, Tab } from '../support/browser.ts'
import { buildProgram, files, start } from './program.ts'

const app = '1001'
const guild = '2001'
const everywhere = globalScope(app)

interface Service {
  readonly registry: CommandRegistry
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  readonly handler: (request: Request) => Promise<Response>
}

/** A service with the page, as `commandry serve` puts it together. */
function service(applications: UiOptions['applications'] = [], store: Store = memoryStore()): Service {
  const registry = new CommandRegistry({
    store,
    ...(applications.length > 0 && { applications: applicationDirectory(applications) }),
  })
  const api = createHandler({ registry, authenticate: openAccess() })
  const handler = handlerOf(withUi(exchangeOf(api)!, { registry, store, applications }))
  const ask = (path: string, init: RequestInit = {}) =>
    handler(
      new Request(`http://localhost${path}`, { ...init, headers: { host: 'localhost', ...init.headers } }),
    )
  return { registry, handler, ask }
}

const viewer = {
  application: app,
  place: 'guild',
  guild,
  channel: '10',
  user: '100',
  roles: [] as string[],
  permissions: ['USE_APPLICATION_COMMANDS'],
  locale: 'en-US',
  adult: true,
  installed: [0, 1],
}
const question = (name: string, query: unknown) =>
  `/ui/${name}?q=${encodeURIComponent(JSON.stringify(query))}`

const hostile = '<img src=x onerror=alert(1)>'
const commands = [
  {
    name: 'ban',
    description: 'Ban a member',
    name_localizations: { de: 'bannen', ar: 'حظر' },
    description_localizations: { de: 'Ein Mitglied bannen' },
    options: [{ type: 6, name: 'member', description: 'Whom', required: true }],
  },
  {
    name: 'permissions',
    description: 'Permissions',
    options: [{ type: 1, name: 'get', description: 'Show them' }],
  },
  { name: 'admin', description: 'For administrators', default_member_permissions: '0' },
  { type: 2, name: hostile },
]

describe('the questions of the page', () => {
  it('the page is one document that loads nothing, and says so to the browser', async () => {
    const { ask } = service()
    const response = await ask('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toBe(pagePolicy)
    expect(pagePolicy).not.toContain('unsafe')
    expect(await response.text()).toBe(page)
    const linked = Array.from(page.matchAll(/(?:src|href)=["']?([^"'\s>]+)/g), ([, target]) => target)
    expect(linked.filter((target) => !/^(#|data:)/.test(target!))).toEqual([])
    expect(page).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\beval\b/)
  })

  it('answers this machine by its own names only', async () => {
    const { ask } = service()
    for (const [host, status] of [
      ['localhost', 200],
      ['localhost:8787', 200],
      ['127.0.0.1:8787', 200],
      ['[::1]:8787', 200],
      ['evil.example', 404],
      ['localhost.evil.example', 404],
      ['127.0.0.1.evil.example', 404],
    ] as const) {
      expect((await ask('/', { headers: { host } })).status, host).toBe(status)
      expect((await ask('/ui/about', { headers: { host } })).status, host).toBe(status)
    }
  })

  it('only reads, and leaves every other path to the service', async () => {
    const { ask } = service()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const path of ['/', '/ui/picker']) expect((await ask(path, { method })).status).toBe(405)
    }
    expect(await (await ask('/', { method: 'HEAD' })).text()).toBe('')
    expect((await ask('/ui/nothing')).status).toBe(404)
    expect((await ask('/nothing')).status).toBe(404)
    const list = await ask(`/api/v10/applications/${app}/commands`, { headers: { authorization: 'Bot x' } })
    expect(await list.json()).toEqual([])
  })

  it('suggests the applications and guilds it knows, and with a configuration no others', async () => {
    const store = memoryStore()
    const open = service([], store)
    await open.registry.upsert(everywhere, commands[0])
    await open.registry.upsert(guildScope(app, guild), commands[1])
    await open.registry.upsert(globalScope('1002'), commands[0])
    const about = async ({ ask }: Service) => (await (await ask('/ui/about')).json()) as any
    expect((await about(open)).applications).toEqual([
      { id: app, guilds: [guild] },
      { id: '1002', guilds: [] },
    ])
    const configured = service([{ id: app, guilds: ['2009'] }], store)
    expect((await about(configured)).applications).toEqual([{ id: app, guilds: ['2009', guild] }])
    expect((await about(open)).locales).toHaveLength(34)
  })

  it('[2.9-07] [2.10-02] tells what one person sees, and of the rest why not', async () => {
    const { ask, registry } = service()
    await registry.overwrite(everywhere, commands)
    const answer = async (over: object) =>
      (await (await ask(question('picker', { ...viewer, ...over }))).json()) as any
    const german = await answer({ locale: 'de' })
    expect(german.entries.map(({ name }: any) => name)).toEqual(['bannen', 'permissions get', hostile])
    expect(german.hidden).toMatchObject([{ name: 'admin', why: [expect.stringContaining('administrators')] }])
    expect(german.hidden[0].trace.at(-1).outcome).toBe('denied')
    expect((await answer({ permissions: ['ADMINISTRATOR'] })).hidden).toEqual([])
    expect((await answer({ permissions: [] })).entries).toEqual([])
    expect((await answer({ search: 'bann', locale: 'de' })).entries).toHaveLength(1)
    expect((await answer({ place: 'bot' })).hidden).toEqual([])
    expect((await answer({ place: 'group' })).entries).toEqual([])
  })

  it('[8-04] [2.10-05] tells the size of a command, its texts with their holes, and its permissions', async () => {
    const { ask, registry } = service()
    const [ban] = await registry.overwrite(everywhere, commands)
    await registry.setPermissions(app, guild, ban!.id, [{ id: guild, type: 1, permission: false }])
    await registry.setPermissions(app, guild, app, [{ id: '2000', type: 3, permission: true }])
    const response = await ask(question('command', { ...viewer, command: ban!.id }))
    const answer = (await response.json()) as any
    expect(answer).toMatchObject({
      size: 6 + 19 + 6 + 4,
      most: 8000,
      why: [expect.stringContaining('@everyone')],
    })
    expect(answer.locales).toEqual([
      { locale: 'de', texts: 4, translated: 2 },
      { locale: 'ar', texts: 4, translated: 1 },
    ])
    expect(answer.texts[1]).toEqual({
      label: 'description',
      text: 'Ban a member',
      cells: [
        { text: 'Ein Mitglied bannen', from: 'de' },
        { text: 'Ban a member', from: null },
      ],
    })
    expect(answer.permissions).toEqual([
      { of: 'this command', entries: [{ target: 'Everyone', id: guild, permission: false }] },
      { of: 'the whole app', entries: [{ target: 'All channels', id: '2000', permission: true }] },
    ])
  })

  it('[1-03] [2.11-08] an app is installed only where and as its directory says, whatever is ticked', async () => {
    const applications = [
      { id: app, flags: 131072, guilds: [guild, '2002'] },
      { id: '1002', integration_types: [0, 1] as const, guilds: [] },
    ]
    const { ask, registry } = service(applications)
    for (const { id } of applications) {
      await registry.overwrite(globalScope(id), [{ name: 'ping', description: 'Says pong' }])
    }
    await registry.enableActivities(app)
    const [ping] = await registry.list(everywhere)
    const answer = async (name: string, over: object) =>
      (await (await ask(question(name, { ...viewer, ...over }))).json()) as any
    const shown = async (over: object) => {
      const { entries, installable } = await answer('picker', over)
      return [entries.map(({ name }: any) => name), installable]
    }
    expect(await shown({})).toEqual([['ping', 'Launch'], [0]])
    expect(await shown({ guild: '2003' })).toEqual([[], []])
    expect(await shown({ installed: [] })).toEqual([[], [0]])
    expect(await shown({ application: '1002' })).toEqual([['ping'], [1]])
    expect(await shown({ application: '1002', installed: [0] })).toEqual([[], [1]])
    expect(await shown({ application: '1002', place: 'bot', installed: [0] })).toEqual([['ping'], [0, 1]])
    const elsewhere = await answer('command', { guild: '2003', command: ping!.id })
    expect(elsewhere.why).toEqual([expect.stringContaining('installed')])
    expect(elsewhere.installable).toEqual([])
    // As the registry answers by itself.
    const { commands: known } = await registry.commandsFor({
      ...{ applicationId: app, guildId: '2003', channel: { id: '10' }, locale: 'en-US' },
      member: { user: { id: '100' }, roles: [], permissions: '8' },
    })
    expect(known).toEqual([])
  })

  it('tells what is wrong with a question, whatever is asked', async () => {
    const { ask } = service()
    const wrong = [
      '/ui/picker',
      '/ui/picker?q={',
      '/ui/picker?q=null',
      '/ui/picker?q=[]',
      question('picker', { ...viewer, application: 'x' }),
      question('picker', { ...viewer, guild: '' }),
      question('picker', { ...viewer, channel: 5 }),
      question('picker', { ...viewer, user: '' }),
      question('command', viewer),
      question('command', { ...viewer, command: '5' }),
      question('mentions', {}),
    ]
    for (const path of wrong) {
      const response = await ask(path)
      expect(response.status, path).toBe(400)
      expect(((await response.json()) as { message: string }).message).toMatch(/\w/)
    }
    expect(
      (await ask(question('picker', { ...viewer, roles: [5, {}], permissions: 'x', locale: {} }))).status,
    ).toBe(200)
  })
})

describe('commandry serve', () => {
  it('has the page on this machine, and not when it lets others connect', async () => {
    const program = await buildProgram()
    const directory = await files({ 'open.json': { applications: [], tokens: [] } })
    for (const [args, expected] of [
      [[], 200],
      [['--host', '0.0.0.0', '--config', join(directory, 'open.json')], 404],
    ] as const) {
      const running = start(program, ['serve', '--port', '0', ...args])
      const port = /:([0-9]+)\//.exec(await running.firstLine)![1]
      const response = await fetch(`http://127.0.0.1:${port}/`)
      expect(response.status).toBe(expected)
      if (expected === 200) expect(await response.text()).toBe(page)
      expect((await fetch(`http://127.0.0.1:${port}/ui/about`)).status).toBe(expected)
      running.child.kill('SIGTERM')
      expect((await running.ended).code).toBe(0)
    }
  })
})

const chromium = findChromium()
const missing = chromium === undefined && process.env['REQUIRE_SERVERS'] === undefined
const title = `the page in Chromium${missing ? ' (skipped: there is none on the path, nor in CHROMIUM)' : ''}`

describe.skipIf(missing)(title, () => {
  let browser: Browser
  let serving: Serving
  let registry: CommandRegistry
  let tab: Tab
  const names = () =>
    tab.evaluate<string[]>(`Array.from(document.querySelectorAll('#shown .name'), (one) => one.textContent)`)
  const hiddenNames = () =>
    tab.evaluate<string[]>(`Array.from(document.querySelectorAll('#hidden .name'), (one) => one.textContent)`)
  const set = (name: string, value: string) =>
    tab.evaluate(`{
      const field = document.querySelector('#viewer').elements[${JSON.stringify(name)}]
      field.value = ${JSON.stringify(value)}
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }`)
  const tick = (name: string, value: string) =>
    tab.evaluate(`document.querySelector('input[name=${name}][value="${value}"]').click()`)

  beforeAll(async () => {
    if (chromium === undefined) throw new Error('REQUIRE_SERVERS asks for a Chromium, and there is none')
    browser = await Browser.launch(chromium)
  })
  afterAll(() => browser?.close())

  beforeEach(async () => {
    const made = service()
    registry = made.registry
    serving = await serve({ handler: made.handler })
    tab = await Tab.open(browser)
    return () => serving.close()
  })

  async function open(url = serving.url): Promise<void> {
    await tab.goto(`${url}/`)
    await tab.until('document.documentElement.dataset.ready !== undefined')
  }

  it('loads without a complaint and without anything from elsewhere', async () => {
    await registry.overwrite(everywhere, commands)
    await registry.upsert(guildScope(app, guild), { name: 'local', description: 'Here only' })
    await open()
    expect(await names()).toEqual(['/ban', '/local', '/permissions get', hostile])
    expect(await hiddenNames()).toEqual(['/admin'])
    expect(tab.complaints).toEqual([])
    expect(tab.requests.filter((url) => !url.startsWith(serving.url) && !url.startsWith('data:'))).toEqual([])
    // What a command is called is text, not markup.
    expect(await tab.evaluate(`document.querySelectorAll('img').length`)).toBe(0)
  })

  it('says what is to be done when there is nothing yet', async () => {
    await tab.goto(`${serving.url}/`)
    await tab.until(`!document.querySelector('#failure').hidden`)
    expect(await tab.evaluate(`document.querySelector('#failure').textContent`)).toMatch(/application/)
    expect(tab.complaints).toEqual([])
  })

  it('[2.10-02] another language changes the names, and the person is remembered when the page is loaded again', async () => {
    await registry.overwrite(everywhere, commands)
    await open()
    await set('locale', 'de')
    await tab.until(`document.querySelector('#shown .name').textContent === '/bannen'`)
    expect(await names()).toEqual(['/bannen', '/permissions get', hostile])
    expect(await tab.evaluate(`document.querySelector('#shown bdi').lang`)).toBe('de')
    await tab.send('Page.reload')
    await tab.until(`document.querySelector('#shown .name').textContent === '/bannen'`)
    expect(tab.complaints).toEqual([])
  })

  it('[2.9-07] [2.9-08] what a role is denied is hidden from those who have it, with the step that decided', async () => {
    const [ban] = await registry.overwrite(everywhere, commands)
    await registry.upsert(guildScope(app, guild), { name: 'local', description: 'Here only' })
    await registry.setPermissions(app, guild, ban!.id, [{ id: '4001', type: 1, permission: false }])
    await open()
    expect(await names()).toContain('/ban')
    await tick('role', '4001')
    await tab.until(`document.querySelectorAll('#hidden .name').length === 2`)
    expect(await names()).not.toContain('/ban')
    expect(await hiddenNames()).toEqual(['/admin', '/ban'])
    const decided = `document.querySelector('#hidden [data-id="${ban!.id}"] .denied').textContent`
    expect(await tab.evaluate(decided)).toContain("The command's entry for role 4001 denies it.")
    await tick('permission', 'ADMINISTRATOR')
    await tab.until(`document.querySelectorAll('#hidden .name').length === 0`)
    expect(await names()).toContain('/ban')
    expect(tab.complaints).toEqual([])
  })

  it('[2.8-03] [2.8-05] a DM asks for no permissions and shows what is for DMs', async () => {
    await registry.overwrite(everywhere, [
      ...commands,
      { name: 'group', description: 'Groups', contexts: [2] },
    ])
    await open()
    await tick('place', 'group')
    await tab.until(`document.querySelector('#shown .name')?.textContent === '/group'`)
    expect(await names()).toEqual(['/group'])
    expect(await tab.evaluate(`document.querySelector('#channel').closest('[data-in]').hidden`)).toBe(true)
  })

  it('is used with the keyboard alone: search, choose, read, and back', async () => {
    await registry.overwrite(everywhere, commands)
    await open()
    await tab.evaluate('document.body.focus()')
    await tab.press('/', 'Slash')
    await tab.type('perm')
    await tab.until(`document.querySelectorAll('#shown .name').length === 1`)
    await tab.press('ArrowDown')
    expect(await tab.evaluate('document.activeElement.className')).toContain('entry')
    await tab.press('Enter')
    await tab.until(`document.querySelector('#command h2')?.textContent === '/permissions'`)
    await tab.until(`document.activeElement.matches('#command h2')`)
    await tab.press('ArrowDown')
    await tab.evaluate('history.back()')
    await tab.until(`!document.querySelector('#picker').hidden`)
    expect(tab.complaints).toEqual([])
  })

  it('[2.10-05] [8-04] shows a command by itself: its size, the holes in its texts, who may', async () => {
    const [ban] = await registry.overwrite(everywhere, commands)
    await registry.setPermissions(app, '1', ban!.id, [{ id: '1', type: 1, permission: false }])
    await open()
    await tab.evaluate(`document.querySelector('#hidden [data-id="${ban!.id}"] a').click()`)
    await tab.until(`document.querySelector('#command h2')?.textContent === '/ban'`)
    const page = await tab.evaluate<string>(`document.querySelector('#command').innerText`)
    expect(page).toContain('35 of 8,000 characters')
    expect(page).toContain('Hidden from this person.')
    expect(page).toContain('Everyone')
    expect(await tab.evaluate(`document.querySelectorAll('#command td.hole').length`)).toBe(5)
    expect(tab.complaints).toEqual([])
  })

  it('[1-03] [2.11-08] the boxes of how the app is installed go with the place, and what is left out by hand stays so', async () => {
    const made = service([{ id: app, guilds: [guild, '2002'] }])
    await made.registry.overwrite(everywhere, [{ name: 'ping', description: 'Says pong' }])
    const configured = await serve({ handler: made.handler })
    try {
      await open(configured.url)
      const boxes = () =>
        tab.evaluate<[boolean, boolean][]>(
          `Array.from(document.querySelectorAll('input[name=installed]'), (box) => [box.checked, box.disabled])`,
        )
      expect(await names()).toEqual(['/ping'])
      expect(await boxes()).toEqual([
        [true, false],
        [false, true],
      ])
      await set('guild', '2003')
      await tab.until(`document.querySelectorAll('#hidden .name').length === 1`)
      expect(await names()).toEqual([])
      expect(await boxes()).toEqual([
        [false, true],
        [false, true],
      ])
      await set('guild', '2002')
      await tab.until(`document.querySelectorAll('#shown .name').length === 1`)
      await tick('installed', '0')
      await tab.until(`document.querySelectorAll('#hidden .name').length === 1`)
      await set('guild', guild)
      const address = await tab.evaluate<string>('location.href')
      await tab.goto('about:blank')
      await tab.goto(address)
      await tab.until('document.documentElement.dataset.ready !== undefined')
      expect(await names()).toEqual([])
      expect((await boxes())[0]).toEqual([false, false])
      await tick('installed', '0')
      await tab.until(`document.querySelectorAll('#shown .name').length === 1`)
      expect(tab.complaints).toEqual([])
    } finally {
      await configured.close()
    }
  })

  it('a role that is ticked with the keyboard keeps it while other roles arrive', async () => {
    const [ban] = await registry.overwrite(everywhere, commands)
    await registry.upsert(guildScope(app, guild), { name: 'local', description: 'Here only' })
    await registry.setPermissions(app, guild, ban!.id, [{ id: '4001', type: 1, permission: false }])
    await open()
    await tab.evaluate(`document.querySelector('input[name=role][value="4001"]').focus()`)
    await registry.setPermissions(app, guild, app, [{ id: '4002', type: 1, permission: true }])
    await tab.press(' ', 'Space')
    await tab.until(`document.querySelectorAll('input[name=role]').length === 2`)
    await tab.until(`document.querySelectorAll('#hidden .name').length === 2`)
    const held = `[document.activeElement.name, document.activeElement.value, document.activeElement.checked]`
    expect(await tab.evaluate(held)).toEqual(['role', '4001', true])
    expect(tab.complaints).toEqual([])
  })

  it('coming back to the window leaves the keyboard where it was when nothing has changed', async () => {
    await registry.overwrite(everywhere, commands)
    await open()
    await tab.evaluate(`document.querySelector('#shown .entry').focus()`)
    const turn = await tab.evaluate<string>('document.documentElement.dataset.ready')
    await tab.evaluate(`window.dispatchEvent(new Event('focus'))`)
    await tab.until(`document.documentElement.dataset.ready !== '${turn}'`)
    expect(await tab.evaluate('document.activeElement.className')).toContain('entry')
    await registry.upsert(everywhere, { name: 'new', description: 'New' })
    await tab.evaluate(`window.dispatchEvent(new Event('focus'))`)
    await tab.until(`document.querySelector('#shown').textContent.includes('/new')`)
  })

  it('what is wider than a narrow screen is a region with a name that the keyboard can scroll', async () => {
    const [ban] = await registry.overwrite(everywhere, commands)
    await registry.setPermissions(app, '1', ban!.id, [
      { id: '9007199254740993000', type: 1, permission: false },
    ])
    tab = await Tab.open(browser, 360, 740)
    await open()
    await tab.evaluate(`document.querySelector('#shown [data-id="${ban!.id}"]').click()`)
    await tab.until(`document.querySelector('#command h2')?.textContent === '/ban'`)
    const wide = `Array.from(document.querySelectorAll('.scroll'), (one) =>
      [one.getAttribute('aria-label'), one.getAttribute('role'), one.tabIndex, one.scrollWidth > one.clientWidth])`
    expect(await tab.evaluate(wide)).toEqual([
      ['Localizations', 'region', 0, true],
      ['Permissions', 'region', 0, true],
    ])
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })

  it('every field has a label, and texts are readable in light and dark', async () => {
    await registry.overwrite(everywhere, commands)
    await open()
    const nameless = `Array.from(document.querySelectorAll('input, select, button')).filter((field) =>
      (field.labels?.length ?? 0) === 0 && field.textContent.trim() === '').map((field) => field.outerHTML)`
    expect(await tab.evaluate(nameless)).toEqual([])
    for (const scheme of ['light', 'dark'] as const) {
      await tab.prefer(scheme)
      expect(await tab.evaluate(faint), scheme).toEqual([])
    }
  })
})

/** The texts of a page whose contrast with what is behind them is less than 4.5 to 1 (WCAG 2.2, AA). */
const faint = `(() => {
  const parse = (color) => color.match(/[0-9.]+/g).map(Number)
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0)
  const behind = (node) => {
    for (let at = node; at !== null; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor)
      if (color[3] !== 0) return color
    }
    return [255, 255, 255]
  }
  document.getAnimations().forEach((animation) => animation.finish())
  const found = []
  for (const node of document.querySelectorAll('body *')) {
    const own = Array.from(node.childNodes).some((child) => child.nodeType === 3 && child.textContent.trim() !== '')
    if (!own || node.closest('script, datalist, select, .quiet') !== null || node.offsetParent === null) continue
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x)
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push(node.outerHTML.slice(0, 120))
  }
  return found
})()`
