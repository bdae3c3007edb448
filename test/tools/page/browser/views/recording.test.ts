import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { permissions } from 'commandry'
import { describePage, it, post, postTo, service, who } from '../../open.ts'
import { app, demoGuild as guild } from '../../../../support/fixtures.ts'
import { hosted } from '../../../../support/hosted.ts'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const again = [{ type: 1, components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }] }]
const roll = {
  name: 'roll',
  description: 'Rolls a die',
  name_localizations: { de: 'wurf' },
  options: [{ type: 4, name: 'sides', description: 'How many', required: true, max_value: 20 }],
}

/** A bot that takes any signature, as its key differs between the page and the test. */
const startBot = () =>
  hosted(async (request) => {
    const { type, data, locale, member } = (await request.json()) as any
    if (type === 1) return Response.json({ type: 1 })
    const content =
      type === 3 ? `${member.user.username} rolled again` : locale === 'de' ? 'Eine Vier' : 'A four'
    return Response.json({
      type: type === 3 ? 7 : 4,
      data: { content, components: again, custom: data.name },
    })
  })

/** What Vitest prints of a test that deploys the command. */
async function runInVitest(text: string): Promise<string> {
  const folder = join(root, `test/.docs/recording-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const deploy = `await bed.registry.overwrite({ kind: 'global', applicationId: bed.applicationId }, [${JSON.stringify(roll)}])`
  writeFileSync(join(folder, 'a.test.mjs'), text.replace(/\/\/ Deploy the commands.*/, deploy))
  const alias = `[{ find: /^commandry\\/(.*)$/, replacement: ${JSON.stringify(join(root, 'src/$1.ts'))} }]`
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default { resolve: { alias: ${alias} } }`)
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.config.mjs']
  const { VITEST: _, ...env } = process.env
  const options = { cwd: folder, env: { ...env, NO_COLOR: '1' } }
  try {
    const ended = promisify(execFile)(process.execPath, args, options)
    const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error)
    return stdout + stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the recording', () => {
  const useRoll = { ...who, type: 1, path: 'roll', label: '/roll' }

  it('has the steps from its start to its end, for every page that asks', async ({ made }) => {
    await made.deploy([roll])
    await post(made, 'connect', { app, url: await startBot() })
    const use = (sides: number, more = {}) => post(made, 'use', { ...useRoll, values: { sides }, ...more })
    await use(4)
    expect(await post(made, 'record')).toEqual({ isOn: false, steps: 0, isFull: false })
    await post(made, 'record', { isOn: true })
    await use(6, { lang: 'de' })
    await use(21)
    await post(made, 'does', { ...who, verb: 'say', content: 'Hi' })
    expect(await post(made, 'record')).toEqual({ isOn: true, steps: 3, isFull: false })
    await post(made, 'record', { isOn: false })
    await use(8)
    const { code: text } = await post(made, 'recorded', { framework: 'node:test' })
    expect(text.slice(text.indexOf('test('))).toMatchInlineSnapshot(`
      "test('/roll, /roll, say', async () => {
        const adaDe = bed.as('ada', { locale: 'de' })
        const shown = await adaDe.use('/roll sides:6')
        assert.equal(shown.text(), 'Eine Vier\\n[Again]')

        const ada = bed.as('ada')
        await assert.rejects(ada.use('/roll sides:21'), { code: 'invalid_options' })

        await ada.say('Hi')
      })
      "
    `)
    await post(made, 'record', { isOn: true })
    expect(await post(made, 'record')).toMatchObject({ steps: 0 })
  })

  it('has the acts that are refused to a person, with their codes', async () => {
    const roles = [
      { id: guild, name: '@everyone', permissions: permissions('VIEW_CHANNEL', 'SEND_MESSAGES') },
    ]
    const members = [{ user: { id: who.as, username: 'ada' } }]
    const channels = [
      { id: who.channel, name: 'general', type: 0 },
      { id: '100000000000004005', name: 'Lounge', type: 2 },
    ]
    const made = service({ servers: [{ id: guild, name: 'Ours', owner_id: '1', channels, roles, members }] })
    const does = async (verb: string, fields: object) =>
      (await postTo(made, 'does', { ...who, verb, ...fields })).json()
    await post(made, 'record', { isOn: true })
    const { id } = await does('say', { content: 'hello' })
    expect(await does('pin', { id })).toEqual({ message: 'ada lacks PIN_MESSAGES in #general of Ours' })
    expect((await does('startThread', { name: 'help' })).message).toContain('CREATE_PUBLIC_THREADS')
    expect((await does('joinVoice', { voice: 'Lounge' })).message).toContain('CONNECT in #Lounge')
    expect((await does('say', { content: 'x'.repeat(2_001) })).message).toContain('2000 or fewer')
    const { code: text } = await post(made, 'recorded', { framework: 'vitest' })
    expect(text.slice(text.indexOf('const message ='), text.indexOf('x'.repeat(100)))).toMatchInlineSnapshot(`
      "const message = await ada.say('hello')

        await expect(ada.pin(message)).rejects.toMatchObject({ code: 'permission_denied' })

        await expect(ada.startThread('help')).rejects.toMatchObject({ code: 'permission_denied' })

        await expect(ada.joinVoice('Lounge')).rejects.toMatchObject({ code: 'permission_denied' })

        await expect(ada.say('x'.repeat(2001))).rejects.toMatchObject({ code: 'invalid' })
      })"
    `)
  })

  it('ends when it is full', async ({ made }) => {
    await post(made, 'record', { isOn: true })
    for (let count = 0; count < 1_200; count++)
      await post(made, 'does', { ...who, verb: 'say', content: 'x'.repeat(2_000) })
    expect(await post(made, 'record')).toMatchObject({ isOn: false, isFull: true })
  })

  it('refuses another framework, and names them', async ({ made }) => {
    const response = await postTo(made, 'recorded', { framework: 'mocha' })
    expect([response.status, await response.json()]).toEqual([
      400,
      { message: 'framework: expected vitest, jest, node:test, pytest' },
    ])
  })
})

describePage('Record', (page) => {
  it('writes what two people did as a test that passes', async () => {
    const url = await startBot()
    await page.open([roll])
    const connect = JSON.stringify({ app, url })
    await page.tab.evaluate(`fetch('/ui/connect', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(connect)},
    }).then((response) => response.json())`)
    await page.button('Record')
    await page.becomes(`document.querySelector('.bar').textContent.includes('● 0 steps')`, true)
    await page.keys('/', "'ro'", 'Enter')
    await page.hasFocus('pill-sides')
    await page.keys("'6'", 'Enter')
    await page.starts('.message .bubble', /A four/)
    // A reload changes nothing of it.
    await page.load()
    await page.button('● 1 step')
    await page.keys('Escape')
    await page.click('#person-100000000000003002')
    await page.button('Again')
    await page.starts('.message .bubble', /grace rolled again/)
    await page.tab.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text }')
    await page.button('● 2 steps')
    await page.keys("'vitest'", 'Enter')
    await page.until('window.copied')
    const text = await page.tab.evaluate<string>('window.copied')
    expect(text.slice(text.indexOf('test('))).toMatchInlineSnapshot(`
      "test('/roll, press Again', async () => {
        const ada = bed.as('ada')
        const shown = await ada.use('/roll sides:6')
        expect(shown.text()).toBe('A four\\n[Again]')

        const grace = bed.as('grace')
        const shown2 = await grace.press(shown, 'Again')
        expect(shown2.text()).toBe('grace rolled again\\n[Again]')
      })
      "
    `)
    expect(await runInVitest(text)).toMatch(/Tests +1 passed/)
    await page.button('● 2 steps')
    await page.keys("'stop'", 'Enter')
    await page.until(`document.querySelector('.bar').textContent.includes('■ 2 steps')`)
    // What a new recording would lose is named.
    await page.button('■ 2 steps')
    await page.keys("'again'")
    await page.shows('.palette li', 'Record again and forget the 2 stepsRecording')
  })
})
