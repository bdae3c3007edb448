import { describe, expect } from 'vitest'
import { globalScope } from 'commandry'
import { describePage, describePageWith, it, post, service, type Service, who } from '../../open.ts'
import { gate } from '../../../../service/http/sockets.ts'
import { app } from '../../../../support/fixtures.ts'

const wrong = `[
  { "name": "Ban", "description": "Ban a member" },
  {
    "name": "remind",
    "description": "x",
    "colour": 5
  }
]`
/** The text in the Editor, as an expression of the page. */
const source = `document.getElementById('source').value`
const right = `[{ "name": "ban", "description": "Ban a member" }]`

describe('the questions of the Editor', () => {
  it('finds each problem with line, column, place and rule', async () => {
    const found = await post(service(), 'check', { text: wrong, lang: 'en-US' })
    expect(found.findings).toMatchObject([
      { line: 2, column: 13, level: 'error', code: 'name.case', place: '/Ban, name' },
      { line: 6, column: 5, level: 'warning', code: 'keys.unknown' },
    ])
    expect(found.findings[0].rule).toMatchObject({
      summary: expect.stringMatching(/\.$/),
      docs: 'node_modules/commandry/docs/rules.md#name-case',
    })
    const one = await post(service(), 'check', { text: '{\n"name": "Ban", "description": "x" }' })
    expect(one.findings).toMatchObject([{ line: 2, column: 9, code: 'name.case' }])
    const broken = await post(service(), 'check', { text: '[\n  {,}\n]' })
    expect(broken.findings).toMatchObject([{ line: 2, column: 4, code: 'json' }])
    expect((await post(service(), 'check', { text: right })).findings).toEqual([])
  })

  it('returns the deployed commands as definitions that can be deployed again', async ({ made }) => {
    await made.deploy(JSON.parse(right))
    const text = await post(made, 'deployed', { app })
    const { unchanged } = await made.registry.plan(globalScope(app), JSON.parse(text))
    expect(unchanged).toHaveLength(1)
  })
})

describe('the preview of the Editor', () => {
  const preview = async (made: Service, text: string, more: object = {}) =>
    (await post(made, 'check', { ...who, text, ...more })).preview as any[]

  it('shows commands in the language of the person, with their places, even while they are invalid', async () => {
    const text = `[{"name":"Ban","name_localizations":{"de":"Bannen"},"options":[{"type":6,"name":"user","required":true}]}]`
    const [line] = await preview(service(), text, { lang: 'de' })
    expect(line).toMatchObject({ name: '/Bannen', hidden: '', options: [{ name: 'user', required: true }] })
    const { start, end } = line.options[0]
    expect(text.slice(start, end)).toBe('{"type":6,"name":"user","required":true}')
    const invalid = await preview(service(), '[5, {"name":5,"options":{}}]')
    expect(invalid).toMatchObject([{ name: '/', options: [] }])
  })

  it('has a line for each subcommand, and the reason for a hidden command', async () => {
    const sub = (name: string) => ({ type: 1, name, description: 'x' })
    const group = { type: 2, name: 'roles', description: 'x', options: [sub('add')] }
    const config = { name: 'config', description: 'x', options: [sub('show'), group] }
    const text = JSON.stringify([
      { ...config, default_member_permissions: '32' },
      { type: 2, name: 'Report' },
    ])
    expect((await preview(service(), text)).map(({ name, hidden }) => [name, hidden])).toEqual([
      ['/config show', 'needs MANAGE_GUILD'],
      ['/config roles add', 'needs MANAGE_GUILD'],
      ['Report', ''],
    ])
  })
})

describePage('the Editor', (page) => {
  /** Opens the Editor and types a text. */
  const write = async (text: string) => {
    await page.load('?view=editor')
    await page.tab.evaluate(`{ const area = document.getElementById('source'); area.focus(); area.select() }`)
    await page.tab.keyboard.insertText(text)
  }

  const writeValid = async () => {
    await write(right)
    await page.starts('.toolbar output', '✓ valid')
  }

  it('offers two ways to start when it is empty, and starts from the samples', async () => {
    await page.load('?view=editor')
    await page.shows('.empty h2', 'Write or paste a definition')
    await page.shows('[role=alert], .problem')
    await page.button('Start from the samples')
    await page.starts('.toolbar output', '✓ valid')
  })

  it('shows issues at their lines while typing, and moves the caret to one, by keyboard', async () => {
    await write(wrong)
    await page.counts('.findings li', 2)
    await page.starts('.findings button', /^✗ 2:13 \/Ban, name/)
    await page.shows('.gutter .error', '2\n')
    await page.focus('.finding')
    await page.keys('Enter')
    await page.hasFocus('source')
    const caret = await page.tab.evaluate<number>(`document.activeElement.selectionStart`)
    expect(wrong.slice(caret)).toMatch(/^"Ban"/)
  })

  it('keeps the draft over a reload, and reverts it', async () => {
    await write(wrong)
    await page.counts('.findings li', 2)
    await page.load('?view=editor')
    await page.becomes(source, /"Ban"/)
    await page.button('Revert')
    await page.becomes(source, '')
  })

  it('keeps the draft over a reload after the first deploy', async () => {
    await writeValid()
    await page.deploy(JSON.parse(right))
    await page.becomes('location.search', /app=/)
    await page.load('?view=editor')
    await page.becomes(source, right)
  })

  it('shows why a source cannot be loaded, and keeps the text of the other one', async () => {
    await page.open(JSON.parse(right), '?view=editor')
    await page.tab.context().setOffline(true)
    await page.set('.toolbar select', 'Deployed')
    await page.starts('main .failure p', 'Failed to fetch')
    await page.set('.toolbar select', 'Draft')
    await page.set('#source', wrong)
    await page.tab.context().setOffline(false)
    await page.set('.toolbar select', 'Deployed')
    await page.click('main .failure button')
    await page.becomes(source, /"ban"/)
    await page.set('.toolbar select', 'Draft')
    await page.becomes(source, wrong)
    page.complains(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  })

  it('edits a definition where the browser refuses to store anything', async () => {
    await page.tab.addInitScript(
      `Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })`,
    )
    await writeValid()
    await page.becomes(source, right)
  })

  it('fixes only the chosen characters, so that undo works', async () => {
    await write(wrong)
    await page.button('Fix it')
    await page.counts('.findings li', 1)
    await page.becomes(source, wrong.replace('"Ban"', '"ban"'))
    await page.tab.evaluate(`document.execCommand('undo')`)
    await page.counts('.findings li', 2)
    await page.becomes(source, wrong)
  })

  it('follows the caret with a preview of the command and the option', async () => {
    const text = `[\n{"name":"ban","description":"Ban"},\n{"name":"dice","description":"Roll","options":[{"type":4,"name":"sides","description":"x"}]}\n]`
    await write(text)
    await page.starts('.preview .name', '/ban')
    const at = text.indexOf('sides')
    await page.tab.evaluate(`document.getElementById('source').setSelectionRange(${at}, ${at})`)
    await page.starts('.preview .name', '/dice')
    await page.shows('.preview .here', 'sides')
  })

  it('offers both fixes where there are two, opens the rule, and applies the chosen fix', async () => {
    const option =
      '"type":3,"name":"a","description":"x","autocomplete":true,"choices":[{"name":"a","value":"a"}]'
    await write(`{"name":"ban","description":"x","options":[{${option}}]}`)
    await page.shows('.findings .row button', 'Keep the choices', 'Keep autocomplete')
    await page.click('.rule summary')
    await page.starts('.rule p', 'An option has choices or autocomplete, not both.')
    await page.button('Keep autocomplete')
    await page.starts('.toolbar output', '✓ valid')
    await page.shows('.findings li')
    const kept = { type: 3, name: 'a', description: 'x', autocomplete: true }
    const text = await page.tab.evaluate<string>(source)
    expect(JSON.parse(text)).toEqual({ name: 'ban', description: 'x', options: [kept] })
  })

  it('points at the place where the JSON becomes invalid', async () => {
    await write('[\n  {,}\n]')
    await page.starts('.finding', '✗ 2:4 is not valid JSON from here on')
    const disabled = `Array.from(document.querySelectorAll('button')).find((one) => one.textContent === 'Deploy…').disabled`
    await page.becomes(disabled, true)
  })

  it('keeps the open source and scope in the address, so that a reload shows the same text', async () => {
    await page.open(JSON.parse(right), '?view=editor')
    await page.set('.toolbar select', 'Deployed')
    await page.becomes(source, /"ban"/)
    await page.becomes('location.search', /source=Deployed/)
    await page.set('#source', wrong)
    await page.tab.reload()
    await page.becomes(source, wrong)
    await page.tab.goBack()
    await page.becomes(source, '')
    await page.load('?view=editor&source=other.json')
    await page.starts('main [role=status]', 'There is no source other.json; you see Draft.')
  })

  it('keeps a text that was emptied over a reload', async () => {
    await page.open(JSON.parse(right), '?view=editor&source=Deployed')
    await page.becomes(source, /"ban"/)
    await page.set('#source', '')
    await page.load('?view=editor&source=Deployed')
    await page.becomes(`document.querySelector('.toolbar')?.textContent.includes('Revert')`, true)
    await page.becomes(source, '')
  })

  it('offers Revert only once it has what it reverts to', async () => {
    await page.open(JSON.parse(right), '?view=editor&source=Deployed')
    await page.becomes(source, /"ban"/)
    await page.set('#source', wrong)
    const slow = gate()
    await page.tab.route('**/ui/deployed', (route) => slow.passed.then(() => route.continue()))
    await page.load('?view=editor&source=Deployed')
    await page.becomes(source, wrong)
    const hasRevert = `document.querySelector('.toolbar').textContent.includes('Revert')`
    await page.becomes(hasRevert, false)
    slow.open()
    await page.becomes(hasRevert, true)
    await page.button('Revert')
    await page.becomes(source, /"description": "Ban a member"/)
  })

  it('takes the text of another view as typing does, so that Ctrl+Z brings back the one before', async () => {
    await writeValid()
    await page.request('PUT', `/applications/${app}/commands`, [{ name: 'other', description: 'x' }])
    await page.load('?view=requests')
    await page.click('.request button')
    await page.button('Open in Editor')
    await page.becomes(source, /"other"/)
    await page.keys('Control+z')
    await page.becomes(source, right)
  })

  it('takes a dropped file as the draft, which Ctrl+Z takes back', async () => {
    await writeValid()
    expect(await page.drop('#source', 'new.json', wrong)).toBe(true)
    await page.becomes(source, wrong)
    await page.keys('Control+z')
    await page.becomes(source, right)
    // Elsewhere a file is refused, and the browser does not open it in place of the page.
    expect(await page.drop('header', 'new.json', '[]')).toBe(true)
    await page.becomes(source, right)
  })

  it('rewrites a pasted object of JavaScript as JSON', async () => {
    await write(`export default [\n  { name: 'ban', description: "Ban a member", }, // one\n];`)
    await page.starts('.finding', /is written as in JavaScript; JSON has double quotes/)
    await page.button('Write it as JSON')
    await page.starts('.toolbar output', '✓ valid')
    await page.becomes(source, /"name": "ban"/)
    await page.keys('Control+z')
    await page.becomes(source, /export default/)
  })

  it('says that builders are JavaScript, which serve reads', async () => {
    await write(`new SlashCommandBuilder().setName('ban').setDescription('Ban a member')`)
    await page.starts(
      '.finding',
      /is JavaScript; write JSON here, or give the module to "commandry serve FILE"/,
    )
  })

  it('shows the plan of a draft before it is deployed', async () => {
    await writeValid()
    await page.button('Deploy…')
    await page.shows('.plan li', '+/ban new')
    await page.click('.foot button.main')
    await page.starts('.entry .name', '/ban')
    expect(await page.registry.list(globalScope(app))).toHaveLength(1)
  })
})

const ping = `[{ "name": "ping", "description": "Says pong" }]`
const onDisk = { text: right, errors: [] as { line: number; text: string }[] }

const options = {
  files: async () => [
    { name: 'commands.json', text: onDisk.text, isReadOnly: false, errors: [] },
    { name: 'commands.ts', text: ping, isReadOnly: true, errors: onDisk.errors },
  ],
}

describePageWith(options, 'the Editor with files of the command line', (page) => {
  /** Opens all files as one set, and then the first of them. */
  const openFile = async () => {
    onDisk.text = right
    await page.load('?view=editor')
    await page.becomes(source, /"ban"[^]*"ping"/)
    await page.set('.toolbar select', 'commands.json')
    await page.becomes(source, /"ban"/)
  }

  it('opens all files as one set, which a deploy of a single file keeps', async () => {
    await page.deploy([...JSON.parse(right), ...JSON.parse(ping)])
    await openFile()
    await page.set('#source', right.replace('Ban a member', 'Ban somebody'))
    await page.button('Deploy…')
    await page.shows('.plan li', /^~\/ban changed/)
    await page.starts('.toolbar h2', /^commands.json and the other files \(2 commands\)/)
  })

  it('keeps the id of a renamed command in the text of its file alone', async () => {
    await page.deploy([...JSON.parse(right), ...JSON.parse(ping)])
    await openFile()
    await page.set('#source', right.replace('"ban"', '"banish"'))
    await page.button('Deploy…')
    await page.button('Keep its id')
    await page.shows('.plan li', /^~.*banish/)
  })

  it('announces errors of files above every view, and opens the line', async () => {
    onDisk.errors = [{ line: 1, text: '/ping, description: is missing' }]
    await page.open(JSON.parse(right) as object[])
    await page.starts('.notice', /1 error in your files\. commands\.ts:1 \/ping, description: is missing/)
    await page.button('Open the line')
    await page.hasFocus('source')
    await page.becomes(source, /"ping"/)
    onDisk.errors = []
  })

  it('follows changes of a file on disk, and opens modules read-only', async () => {
    await openFile()
    onDisk.text = right.replace('Ban a member', 'Ban somebody')
    await page.becomes(source, /Ban somebody/)
    await page.set('.toolbar select', 'commands.ts')
    await page.until(`document.getElementById('source').readOnly`)
  })

  it('offers no repair of a read-only text', async () => {
    await openFile()
    onDisk.text = wrong
    await page.counts('.findings .row button', 1)
    await page.set('.toolbar select', 'All files')
    await page.counts('.findings .row button', 0)
    await page.counts('.findings li', 2)
    await page.until(`!document.querySelector('.toolbar').textContent.includes('Fix all')`)
  })

  it('keeps an edited text when the file changes', async () => {
    await openFile()
    await page.set('#source', wrong)
    onDisk.text = right.replace('Ban a member', 'Ban somebody')
    await page.counts('.findings li', 2)
    await page.button('Revert')
    await page.becomes(source, /Ban somebody/)
  })
})
