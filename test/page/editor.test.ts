import { describe, expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { app, describePage, expectCalm, guild, post, service } from './open.ts'

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
    expect(found.findings[0].rule).toMatch(/\.$/)
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

describePage('the Editor', (page) => {
  const write = async (text: string) => {
    await page.tab.evaluate(`{ const area = document.getElementById('source'); area.focus(); area.select() }`)
    await page.tab.type(text)
  }

  it('says what to do when it is empty, and starts from the samples', async () => {
    await page.load('?view=editor')
    expect(await page.texts('.empty h2')).toEqual(['Write or paste a definition'])
    expect(await page.texts('[role=alert], .problem')).toEqual([])
    await page.button('Start from the samples')
    await page.tab.until(`document.querySelector('.toolbar output').textContent === '✓ valid'`)
    expectCalm(page)
  })

  it('shows issues at their lines while typing, and moves the caret to one, by keyboard', async () => {
    await page.load('?view=editor')
    await write(wrong)
    await page.tab.until(`document.querySelectorAll('.findings li').length === 2`)
    expect((await page.texts('.findings button'))[0]).toMatch(/^✗ 2:13 command "Ban", name/)
    expect(await page.texts('.gutter .error')).toEqual(['2\n'])
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
    expect(await page.tab.evaluate(`document.getElementById('source').value`)).toBe(
      wrong.replace('"Ban"', '"ban"'),
    )
    await page.tab.evaluate(`document.execCommand('undo')`)
    await page.tab.until(`document.querySelectorAll('.findings li').length === 2`)
    expect(await page.tab.evaluate(`document.getElementById('source').value`)).toBe(wrong)
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
    expect((await page.texts('.finding'))[0]).toBe('✗ 2:4 is not valid JSON from here on')
    const disabled = `Array.from(document.querySelectorAll('button')).find((one) => one.textContent === 'Deploy…').disabled`
    expect(await page.tab.evaluate(disabled)).toBe(true)
    expectCalm(page)
  })

  it('deploys a draft with its plan first', async () => {
    await page.load('?view=editor')
    await write(right)
    await page.tab.until(`document.querySelector('.toolbar output').textContent === '✓ valid'`)
    await page.button('Deploy…')
    await page.tab.until(`document.querySelector('.plan') !== null`)
    expect(await page.texts('.plan li')).toEqual(['+/ban new'])
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
    expect(await page.texts('main h2')).toEqual(['Nothing to compare yet'])
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
    expect(await page.texts('.plan li')).toEqual([
      '-/ban deletedloses: role Moderators allowed, in Demo Server',
      expect.stringMatching(/^~\/ping changeddescription.*"Says pong" → "Says pong at once"$/),
      '+/banish new',
    ])
    expect(await page.texts('.foot button.main')).toEqual(['Deploy and lose 1 permission'])
    await page.button('Keep its id')
    await page.tab.until(`document.querySelectorAll('.plan').length === 1`)
    await page.click('.foot button.main')
    await page.tab.until(`document.title.startsWith('Member')`)
    expect((await page.registry.get(globalScope(app), ban!.id)).name).toBe('banish')
    expectCalm(page)
  })

  it('disables the deploy with the reason when the service would refuse it', async () => {
    await page.registry.overwrite(globalScope(app), [{ name: 'ping', description: 'x' }])
    await open([{ name: 'Ban', description: 'Ban' }])
    await page.tab.until(`document.querySelector('main .problems') !== null`)
    expect(await page.tab.evaluate(`document.querySelector('.foot button.main').disabled`)).toBe(true)
    expect(await page.texts('.foot output')).toEqual(['The service would refuse this deploy.'])
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
