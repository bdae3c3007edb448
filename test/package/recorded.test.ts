/** Sessions on the page of the packed package, recorded, and run as tests of four frameworks. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPython } from '../interop/python/python.ts'
import { until } from '../support/waiting.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const cli = path('../node_modules/commandry/dist/node/cli.js')
const folder = path(`../.docs/recorded-${process.pid}`)
const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env

/** The files of a session by framework. */
const files = {
  vitest: (name: string) => `${name}.test.mjs`,
  jest: (name: string) => `${name}.spec.cjs`,
  'node:test': (name: string) => `${name}.node.mjs`,
  pytest: (name: string) => `test_${name}.py`,
}

/** The page of a service that has a bot, and its people. */
async function openSession() {
  const args = [cli, 'serve', '--gateway', '--port', '0', '--run', 'node bot.cjs']
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  const url = /http:\/\/[\d.:]+/.exec(line)![0]
  const post = async (route: string, body: object): Promise<any> => {
    const own = route.startsWith('ui/') && { 'sec-fetch-site': 'same-origin' }
    const headers = { 'content-type': 'application/json', ...own }
    const response = await fetch(`${url}/${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    expect(response.status, `${route}: ${text}`).toBe(200)
    return JSON.parse(text)
  }
  const people = (action: string, body: object) => post(`people/${action}`, body)
  const ask = (question: string, body: object = {}) => post(`ui/${question}`, body)
  await until(async () => (await people('suggest', { as: 'ada', line: '/tick' }))[0])
  const { applications, servers } = await ask('about')
  const [server] = servers
  const idOf = (name: string) => server.members.find(({ user }: any) => user.username === name).user.id
  const as = (name: string, place: object = {}) => ({
    ...{ app: applications[0].id, server: server.id, channel: server.channels[0].id },
    ...{ as: idOf(name), lang: 'en-US', ...place },
  })
  /** The message that a person sees, once it is there. */
  const sees = async (who: object, part: string) => {
    const find = async () =>
      (await ask('feed', who)).items.find(({ message }: any) => message?.content.includes(part))?.message
    return until(find)
  }
  return { ask, people, as, sees, idOf, child }
}

/** A person opens a ticket by a modal, a moderator takes it, a file is read, time passes, another person joins. */
async function openTicket({ ask, people, as, sees }: Awaited<ReturnType<typeof openSession>>): Promise<void> {
  const used = await ask('use', { ...as('ada'), type: 1, path: 'ticket', values: { topic: 'printer' } })
  const { modal } = used.reply.shown
  const values = { [modal.components[0].component.custom_id]: 'It\'s on fire, "really"' }
  await ask('act', { ...as('ada'), use: used.id, kind: 'submit', name: modal.title, values })
  const threadOf = async () =>
    (await ask('rail', as('ada'))).channels.find(({ name }: any) => name === 'printer-ada')?.id
  const inThread = { channel: await until(threadOf) }
  const first = await sees(as('grace', inThread), 'on fire')
  await sees(as('ada'), 'A moderator comes soon')
  await ask('act', { ...as('grace', inThread), message: first.id, kind: 'press', name: 'Claim' })
  await sees(as('ada', { channel: 'bot' }), 'has claimed')
  const log = { filename: 'log.txt', size: 5, base64: btoa('smoke') }
  await ask('does', { ...as('ada', inThread), verb: 'say', content: 'Here, @grace', files: [log] })
  const { id: message } = await sees(as('ada', inThread), 'characters')
  await ask('does', { ...as('grace', inThread), verb: 'react', id: message, emoji: '👍' })
  // What programs do is in the recording as well.
  await people('advance', { duration: '1h' })
  await sees(as('ada', inThread), 'Still there?')
  await people('join', { name: 'linus' })
  await sees(as('ada'), 'Welcome')
  await people('use', { as: 'linus', line: '/hello to:@ada' })
  await people('set-roles', { name: 'linus', roles: ['Moderators'] })
  await people('timeout', { name: 'linus', duration: '5m' })
  await people('say', { as: 'ada', content: 'Buy now' })
  await people('no-longer-sees', { as: 'ada', text: 'Buy now' })
  await people('pin', { as: 'alan', id: message })
  await people('leave', { name: 'linus' })
}

/** A translator uses a command in two languages, with its name in one of them. */
async function translate({ ask, people, as, idOf }: Awaited<ReturnType<typeof openSession>>): Promise<void> {
  const values = { to: idOf('alan') }
  await ask('use', { ...as('grace', { lang: 'de' }), type: 1, path: 'hello', values })
  await ask('use', { ...as('grace', { lang: 'ja' }), type: 1, path: 'hello', values })
  await people('use', { as: 'grace', line: '/hallo to:@ada', locale: 'de', channel: 'staff' })
}

const sessions = { ticket: openTicket, translation: translate }

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  cpSync(path('recorded'), folder, { recursive: true })
  const session = await openSession()
  try {
    for (const [name, play] of Object.entries(sessions)) {
      await session.ask('record', { isOn: true })
      await play(session)
      for (const [framework, fileOf] of Object.entries(files)) {
        const { code } = await session.ask('recorded', { framework })
        writeFileSync(join(folder, fileOf(name)), code)
      }
    }
  } finally {
    session.child.kill()
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (file: string) => readFileSync(join(folder, file), 'utf8')

/** The output of a runner. */
async function run(args: readonly string[], more: object = {}): Promise<string> {
  const options = { cwd: folder, env: { ...env, NO_COLOR: '1', ...more } }
  const ended = promisify(execFile)(process.execPath, args, options)
  const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

describe('a recorded session', () => {
  it('passes in Vitest', async () => {
    writeFileSync(join(folder, 'vitest.config.mjs'), "export default { test: { include: ['*.test.mjs'] } }")
    const vitest = path('../../node_modules/vitest/vitest.mjs')
    expect(await run([vitest, 'run', '--config', 'vitest.config.mjs'])).toMatch(/Tests +2 passed/)
  })

  it('passes in Jest', async () => {
    const jest = path('../node_modules/jest/bin/jest.js')
    const config = JSON.stringify({ rootDir: folder, testRegex: 'spec\\.cjs$', transform: {} })
    expect(await run([jest, '--config', config])).toMatch(/Tests: +2 passed/)
  })

  it('passes in node:test', async () => {
    const names = Object.keys(sessions).map(files['node:test'])
    expect(await run(['--test', '--test-reporter=tap', ...names])).toMatch(/^# pass 2$/m)
  })

  const python = findPython('pytest')
  it.skipIf(python === undefined)('passes in pytest', async () => {
    const PYTHONPATH = path('../node_modules/commandry/docs/python')
    const program = `${python} -m pytest -q -p no:cacheprovider`
    const printed = await run([cli, 'serve', '--gateway', '--port', '0', '--run', program], { PYTHONPATH })
    expect(printed).toMatch(/^2 passed/m)
  })

  it('has people, steps, and what was seen after each, without an id', () => {
    const steps = written('ticket.test.mjs').replace(/^[^]*\n(?=test\()/, '')
    expect(steps).not.toMatch(/\d{9}/)
    expect(steps).toMatchInlineSnapshot(`
      "test('/ticket, submit, press Claim, say, react and 8 more steps', async () => {
        const ada = bed.as('ada')
        const shown = await ada.use('/ticket topic:printer')
        expect(shown.text()).toBe('(modal)\\nTicket (#ticket-printer)\\nWhat happened?\\n[] (paragraph, #why-…)')

        const shown2 = await shown.submit({ 'What happened?': "It's on fire, \\"really\\"" })
        const adaInPrinterAda = bed.as('ada', { channel: 'printer-ada' })
        const message = await adaInPrinterAda.sees("@ada: It's on fire, \\"really\\"\\n[Claim]")
        await shown2.edited()
        expect(shown2.text()).toBe('(ephemeral)\\nOpened #printer-ada')
        const shown3 = await shown2.followedUp()
        expect(shown3.text()).toBe('(ephemeral)\\nA moderator comes soon')

        const graceInPrinterAda = bed.as('grace', { channel: 'printer-ada' })
        const shown4 = await graceInPrinterAda.press(message, 'Claim')
        expect(shown4.text()).toBe('Claimed by grace')
        const adaInDm = bed.as('ada', { channel: 'dm' })
        await adaInDm.sees('grace has claimed your ticket')

        const message2 = await adaInPrinterAda.say('Here, @grace', { files: [{ filename: 'log.txt', content: 'smoke' }] })
        await adaInPrinterAda.seesReaction(message2, '👀')
        const message3 = await adaInPrinterAda.sees('log.txt: 5 characters')

        await graceInPrinterAda.react(message3, '👍')

        await bed.advance('1h')
        await graceInPrinterAda.sees('Still there?')

        bed.server.addPerson('linus')
        const grace = bed.as('grace')
        await grace.sees('Welcome, @linus!')

        const linus = bed.as('linus')
        const shown5 = await linus.use('/hello to:@ada')
        expect(shown5.text()).toBe('Hello, @ada!')

        bed.server.setRoles('linus', ['Moderators'])

        bed.server.timeout('linus', '5m')

        await ada.say('Buy now')
        await ada.noLongerSees('Buy now')

        const alanInPrinterAda = bed.as('alan', { channel: 'printer-ada' })
        await alanInPrinterAda.pin(message3)

        bed.server.leave('linus')
      })
      "
    `)
    expect(written('translation.test.mjs').replace(/^[^]*\n(?=test\()/, '')).toMatchInlineSnapshot(`
      "test('/hello, /hello, /hello', async () => {
        const graceDe = bed.as('grace', { locale: 'de' })
        const shown = await graceDe.use('/hello to:@alan')
        expect(shown.text()).toBe('Guten Tag, @alan!')

        const graceJa = bed.as('grace', { locale: 'ja' })
        const shown2 = await graceJa.use('/hello to:@alan')
        expect(shown2.text()).toBe('Hello, @alan!')

        const graceInStaffDe = bed.as('grace', { channel: 'staff', locale: 'de' })
        const shown3 = await graceInStaffDe.use('/hello to:@ada')
        expect(shown3.text()).toBe('Guten Tag, @ada!')
      })
      "
    `)
  })
})
