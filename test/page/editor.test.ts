import { describe, expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { app, describePage, expectCalm, guild, post, service, who, type Service } from './open.ts'

const wrong = `[
  { "name": "Ban", "description": "Ban a member" },
  {
    "name": "remind",
    "description": "x",
    "colour": 5
  }
]`
const right = `[{ "name": "ban", "description": "Ban a member" }]`

describe('the questions of the Editor', () => {
  it('finds each problem with line, column, place and rule', async () => {
    const found = await post(service(), 'check', { text: wrong, lang: 'en-US' })
    expect(found.findings).toMatchObject([
      { line: 2, column: 13, level: 'error', code: 'name.case', place: 'command "Ban", name' },
      { line: 6, column: 5, level: 'warning', code: 'keys.unknown' },
    ])
    expect(found.findings[0].rule).toMatchObject({
      summary: expect.stringMatching(/\.$/),
      docs: 'docs/rules.md#name-case',
    })
    const one = await post(service(), 'check', { text: '{\n"name": "Ban", "description": "x" }' })
    expect(one.findings).toMatchObject([{ line: 2, column: 9, code: 'name.case' }])
    const broken = await post(service(), 'check', { text: '[\n  {,}\n]' })
    expect(broken.findings).toMatchObject([{ line: 2, column: 4, code: 'json' }])
    expect((await post(service(), 'check', { text: right })).findings).toEqual([])
  })

  it('applies edits to just the characters they are about, and ignores what is not an edit', async () => {
    const edits = [{ op: 'set', path: [0, 'name'], value: 'ban' }, { op: 'explode' }, 5]
    const text = await post(service(), 'edit', { text: wrong, edits })
    expect(text).toBe(wrong.replace('"Ban"', '"ban"'))
  })

  it('gives what is deployed as definitions that can be deployed again', async () => {
    const made = service()
    await made.registry.overwrite(globalScope(app), JSON.parse(right))
    const text = await (
      await made.ask(`/ui/deployed?q=${encodeURIComponent(JSON.stringify({ app }))}`)
    ).json()
    const { unchanged } = await made.registry.plan(globalScope(app), JSON.parse(text as string))
    expect(unchanged).toHaveLength(1)
  })
})

describe('the preview of the Editor', () => {
  const preview = async (made: Service, text: string, more: object = {}) =>
    (await post(made, 'check', { ...who, text, ...more })).preview as any[]

  it('shows commands in the language of the person, with their places, also while they are invalid', async () => {
    const text = `[{"name":"Ban","name_localizations":{"de":"Bannen"},"options":[{"type":6,"name":"user","required":true}]}]`
    const [line] = await preview(service(), text, { lang: 'de' })
    expect(line).toMatchObject({ name: '/Bannen', hidden: '', options: [{ name: 'user', required: true }] })
    expect(text.slice(line.options[0].start, line.options[0].end)).toBe(
      '{"type":6,"name":"user","required":true}',
    )
    expect(await preview(service(), '[5, {"name":5,"options":{}}]')).toMatchObject([
      { name: '/', options: [] },
    ])
  })

  it('has a line for each subcommand, and the reason why the person does not see a command', async () => {
    const sub = (name: string) => ({ type: 1, name, description: 'x' })
    const group = { type: 2, name: 'roles', description: 'x', options: [sub('add')] }
    const config = {
      name: 'config',
      description: 'x',
      default_member_permissions: '32',
      options: [sub('show'), group],
    }
    const text = JSON.stringify([config, { type: 2, name: 'Report' }])
    expect((await preview(service(), text)).map(({ name, hidden }) => [name, hidden])).toEqual([
      ['/config show', 'needs MANAGE_GUILD'],
      ['/config roles add', 'needs MANAGE_GUILD'],
      ['Report', ''],
    ])
  })
})

describePage('the Editor', (page) => {
  const write = async (text: string) => {
    await page.tab.evaluate(`{ const area = document.getElementById('source'); area.focus(); area.select() }`)
    await page.tab.type(text)
  }

  it('says what to do when it is empty, and starts from the samples', async () => {
    await page.load('?view=editor')
    await page.shows('.empty h2', 'Write or paste a definition')
    await page.shows('[role=alert], .problem')
    await page.button('Start from the samples')
    await page.tab.until(`document.querySelector('.toolbar output').textContent === '✓ valid'`)
    expectCalm(page)
  })

  it('shows issues at their lines while typing, and moves the caret to one, by keyboard', async () => {
    await page.load('?view=editor')
    await write(wrong)
    await page.tab.until(`document.querySelectorAll('.findings li').length === 2`)
    await page.starts('.findings button', /^✗ 2:13 command "Ban", name/)
    await page.shows('.gutter .error', '2\n')
    await page.focus('.finding')
    await page.keys('Enter')
    await page.tab.until(`document.activeElement.id === 'source'`)
    const caret = await page.tab.evaluate<number>(`document.activeElement.selectionStart`)
    expect(wrong.slice(caret)).toMatch(/^"Ban"/)
    expectCalm(page)
  })

  it('keeps the draft over a reload, and reverts it', async () => {
    await page.load('?view=editor')
    await write(wrong)
    await page.tab.until(`document.querySelectorAll('.findings li').length === 2`)
    await page.load('?view=editor')
    await page.tab.until(`document.getElementById('source').value.includes('"Ban"')`)
    await page.button('Revert')
    await page.tab.until(`document.getElementById('source').value === ''`)
    expectCalm(page)
  })

  it('repairs what a person chooses, and only its characters, so that undo works', async () => {
    await page.load('?view=editor')
    await write(wrong)
    await page.button('Fix it')
    await page.tab.until(`document.querySelectorAll('.findings li').length === 1`)
    await page.becomes(`document.getElementById('source').value`, wrong.replace('"Ban"', '"ban"'))
    await page.tab.evaluate(`document.execCommand('undo')`)
    await page.tab.until(`document.querySelectorAll('.findings li').length === 2`)
    await page.becomes(`document.getElementById('source').value`, wrong)
    expectCalm(page)
  })

  it('follows the caret with a preview of the command and the option', async () => {
    await page.load('?view=editor')
    const text = `[\n{"name":"ban","description":"Ban"},\n{"name":"dice","description":"Roll","options":[{"type":4,"name":"sides","description":"x"}]}\n]`
    await write(text)
    await page.starts('.preview .name', '/ban')
    await page.tab.evaluate(
      `document.getElementById('source').setSelectionRange(${text.indexOf('sides')}, ${text.indexOf('sides')})`,
    )
    await page.starts('.preview .name', '/dice')
    await page.shows('.preview .here', 'sides')
    expectCalm(page)
  })

  it('offers both repairs where there are two, and opens the rule', async () => {
    await page.load('?view=editor')
    const option =
      '"type":3,"name":"a","description":"x","autocomplete":true,"choices":[{"name":"a","value":"a"}]'
    await write(`{"name":"ban","description":"x","options":[{${option}}]}`)
    await page.shows('.findings .row button', 'Keep the choices', 'Keep autocomplete')
    await page.click('.rule summary')
    await page.starts('.rule p', 'An option has choices or autocomplete, not both.')
    await page.button('Keep autocomplete')
    await page.starts('.toolbar output', '✓ valid')
    await page.becomes(`document.getElementById('source').value.includes('choices')`, false)
    expectCalm(page)
  })

  it('offers to keep the choices or the autocomplete of an option', async () => {
    const option = {
      type: 3,
      name: 'a',
      description: 'b',
      choices: [{ name: 'c', value: 'd' }],
      autocomplete: true,
    }
    await page.load('?view=editor')
    await write(JSON.stringify({ name: 'a', description: 'b', options: [option] }))
    await page.button('Keep autocomplete')
    await page.tab.until(`document.querySelectorAll('.findings li').length === 0`)
    const { choices, ...kept } = option
    expect(JSON.parse(await page.tab.evaluate(`document.getElementById('source').value`))).toEqual({
      name: 'a',
      description: 'b',
      options: [kept],
    })
    expectCalm(page)
  })

  it('points at the place where JSON ends to be JSON', async () => {
    await page.load('?view=editor')
    await write('[\n  {,}\n]')
    await page.tab.until(`document.querySelector('.finding') !== null`)
    await page.starts('.finding', '✗ 2:4 is not valid JSON from here on')
    const disabled = `Array.from(document.querySelectorAll('button')).find((one) => one.textContent === 'Deploy…').disabled`
    await page.becomes(disabled, true)
    expectCalm(page)
  })

  it('deploys a draft with its plan first', async () => {
    await page.load('?view=editor')
    await write(right)
    await page.tab.until(`document.querySelector('.toolbar output').textContent === '✓ valid'`)
    await page.button('Deploy…')
    await page.tab.until(`document.querySelector('.plan') !== null`)
    await page.shows('.plan li', '+/ban new')
    await page.click('.foot button.main')
    await page.tab.until(`document.querySelector('.entry .name')?.textContent === '/ban'`)
    expect(await page.registry.list(globalScope(app))).toHaveLength(1)
    expectCalm(page)
  })
})

describePage('the Plan', (page) => {
  const open = async (definitions: object[]) => {
    await page.load('?view=editor')
    await page.tab.evaluate(
      `localStorage.setItem('commandry ${app}  Draft', ${JSON.stringify(JSON.stringify(definitions))})`,
    )
    await page.load('?view=editor')
    await page.tab.until(`document.querySelector('.toolbar output').textContent !== ''`)
    await page.click('nav a[href*="view=plan"]')
  }

  it('leads to the Editor when there is nothing to compare', async () => {
    await page.load('?view=plan')
    await page.shows('main h2', 'Nothing to compare yet')
    await page.button('Open the Editor')
    await page.tab.until(`document.getElementById('source') !== null`)
    expectCalm(page)
  })

  it('[2.9-09] shows what is lost first, and says so on the button', async () => {
    const [ban] = await page.registry.overwrite(globalScope(app), [
      { name: 'ban', description: 'Ban' },
      { name: 'ping', description: 'Says pong' },
      { name: 'same', description: 'Stays' },
    ])
    await page.registry.setPermissions(app, guild, ban!.id, [{ id: '5001', type: 1, permission: true }])
    await open([
      { name: 'banish', description: 'Ban' },
      { name: 'ping', description: 'Says pong at once' },
      { name: 'same', description: 'Stays' },
    ])
    await page.tab.until(`document.querySelectorAll('.plan').length === 3`)
    await page.shows(
      '.plan li',
      '-/ban deletedloses: role Moderators allowed, in Demo Serverlooks renamed to /banish Keep its id',
      /^~\/ping changeddescription.*"Says pong" → "Says pong at once"$/,
      '+/banish new',
    )
    await page.shows('.foot button.main', 'Deploy and lose 1 permission')
    await page.button('Keep its id')
    await page.tab.until(`document.querySelectorAll('.plan').length === 1`)
    await page.click('.foot button.main')
    await page.tab.until(`document.title.startsWith('Member')`)
    expect((await page.registry.get(globalScope(app), ban!.id)).name).toBe('banish')
    expectCalm(page)
  })

  it('compares with a snapshot file, which it does not deploy to', async () => {
    await page.registry.overwrite(globalScope(app), [{ name: 'ping', description: 'x' }])
    const snapshot = await page.registry.snapshot(app)
    await page.registry.overwrite(globalScope(app), [])
    await open([{ name: 'pong', description: 'x' }])
    await page.shows('.plan li', '+/pong new')
    await page.file('.toolbar input[type=file]', 'app.json', JSON.stringify(snapshot))
    await page.shows('.plan li', /^-\/ping deleted/, '+/pong new')
    await page.shows('.foot output', /^A snapshot is only compared/)
    await page.file('.toolbar input[type=file]', 'other.json', '{}')
    await page.starts('.failure p', /the file is not a snapshot/)
    await page.button('This server')
    await page.shows('.plan li', '+/pong new')
  })

  it('disables the deploy with the reason when the service would refuse it', async () => {
    await page.registry.overwrite(globalScope(app), [{ name: 'ping', description: 'x' }])
    await open([{ name: 'Ban', description: 'Ban' }])
    await page.tab.until(`document.querySelector('main .problems') !== null`)
    await page.becomes(`document.querySelector('.foot button.main').disabled`, true)
    await page.shows('.foot output', 'The service would refuse this deploy.')
    expectCalm(page)
  })
})

const onDisk = { text: right }

describePage(
  'the Editor with files of the command line',
  (page) => {
    it('opens the first file, follows what is saved to it, and leaves modules as they are', async () => {
      onDisk.text = right
      await page.load('?view=editor')
      await page.tab.until(`document.getElementById('source').value.includes('"ban"')`)
      onDisk.text = right.replace('Ban a member', 'Ban somebody')
      await page.tab.until(`document.getElementById('source').value.includes('Ban somebody')`)
      await page.set('.toolbar select', 'commands.ts')
      await page.tab.until(`document.getElementById('source').readOnly`)
      expectCalm(page)
    })

    it('keeps what is being edited when the file changes', async () => {
      onDisk.text = right
      await page.load('?view=editor')
      await page.tab.until(`document.getElementById('source').value.includes('"ban"')`)
      await page.set('#source', wrong)
      onDisk.text = right.replace('Ban a member', 'Ban somebody')
      await page.tab.until(`document.querySelectorAll('.findings li').length === 2`)
      await page.button('Revert')
      await page.tab.until(`document.getElementById('source').value.includes('Ban somebody')`)
    })
  },
  {
    files: async () => [
      { name: 'commands.json', text: onDisk.text, isReadOnly: false },
      { name: 'commands.ts', text: right, isReadOnly: true },
    ],
  },
)
