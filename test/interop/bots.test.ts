/** Real bots log in, deploy and answer, and users see their messages. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { globalScope } from 'commandry'
import { testbed, type Testbed } from 'commandry/testbed'
import { findPython } from './python.ts'
import { buildRedirect } from './redirect-build.ts'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'bots-'))
let redirect: string

beforeAll(async () => {
  redirect = await buildRedirect(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const python = findPython('discord')

interface Bot {
  readonly name: string
  readonly file: string
  /** Whether commandry/redirect redirects its connections, so that it uses the real addresses. */
  readonly isRedirected: boolean
}

const javascript = (file: string, isRedirected: boolean): Bot => ({
  name: `${file} ${isRedirected ? 'at the real addresses' : 'at our addresses'}`,
  file: `${file}.mjs`,
  isRedirected,
})

const bots: readonly Bot[] = [
  ...['discordjs', 'oceanic', 'dysnomia', 'discordeno'].map((file) => javascript(file, false)),
  ...['discordjs', 'oceanic', 'eris', 'dysnomia', 'seyfert', 'discordeno'].map((file) =>
    javascript(file, true),
  ),
  ...(python === undefined
    ? []
    : [{ name: 'discord.py at our addresses', file: 'discordpy.py', isRedirected: false }]),
]

let bed: Testbed
let child: ChildProcess
let output = ''

/** Starts a bot, and resolves once its commands are deployed. */
async function start({ file, isRedirected }: Bot): Promise<void> {
  bed = await testbed({ ws: { WebSocketServer } })
  const url = bed.rest.replace(/\/api$/, '')
  const addresses = isRedirected ? { COMMANDRY_URL: url } : { BOT_REST: bed.rest, BOT_GATEWAY: bed.gateway }
  const env = { ...process.env, ...addresses, BOT_TOKEN: bed.token, BOT_APPLICATION: bed.applicationId }
  const script = source(`bots/${file}`)
  child = file.endsWith('.py')
    ? spawn(python!, [script], { env })
    : spawn(process.execPath, [...(isRedirected ? ['--require', redirect] : []), script], { env })
  output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (output += String(data)))
  await expect.poll(() => output, { timeout: 20_000 }).toContain('ready')
}

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(output, bed.transcript())
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill()
  await gone
  await bed.close()
})

describe.each(bots)('$name', (bot) => {
  it('logs in, deploys and answers in every way', async () => {
    await start(bot)
    const ada = bed.as('member')
    expect(await bed.registry.list(globalScope(bed.applicationId))).toHaveLength(11)

    expect(await ada.use('/ping')).toMatchObject({ kind: 'message', content: 'pong', ephemeral: false })
    expect(await ada.use('/secret')).toMatchObject({ content: 'psst', ephemeral: true })

    const slow = await ada.use('/slow')
    await expect.poll(() => slow.content, { timeout: 15_000 }).toBe('done after working')

    const more = await ada.use('/more')
    expect([more.content, (await more.followedUp()).content]).toEqual(['first', 'second'])

    const file = await ada.use('/file')
    expect(file.message!.attachments).toMatchObject([{ filename: 'hello.txt', size: 11 }])

    const gone = await ada.use('/gone')
    await expect.poll(() => gone.deleted, { timeout: 15_000 }).toBe(true)

    expect(await ada.suggestions('/find query:ap')).toEqual([
      { kind: 'choice', name: 'apple', value: 'apple' },
      { kind: 'choice', name: 'apricot', value: 'apricot' },
    ])
    expect(await ada.use('/find query:apple')).toMatchObject({ content: 'found apple' })

    const form = await ada.use('/form')
    expect([form.kind, form.modal!.title]).toEqual(['modal', 'Form'])
    expect(await form.submit({ name: 'Ada' })).toMatchObject({ content: 'Hello, Ada' })

    const button = await ada.use('/button')
    await button.press('Undo')
    expect([button.content, button.message!.components]).toEqual(['undone', []])

    expect(await ada.useOn('Greet', bed.people.alan!)).toMatchObject({ content: 'Hello, alan' })
    expect(await ada.use('/config role set user:@alan channel:#general role:@Moderators')).toMatchObject({
      content: 'role set alan general Moderators',
    })
    expect(output).not.toMatch(/error/i)
  })

  it('answers thirty concurrent uses and reconnects after its connection breaks', async () => {
    await start(bot)
    const people = ['member', 'moderator', 'administrator'].map((name) => bed.as(name))
    const uses = Array.from({ length: 30 }, (_, index) =>
      people[index % 3]!.use('/find', { query: `n${index}` }),
    )
    expect((await Promise.all(uses)).map(({ content }) => content)).toEqual(
      Array.from({ length: 30 }, (_, index) => `found n${index}`),
    )
    bed.drop()
    await expect.poll(() => bed.transcript(), { timeout: 20_000 }).toContain('"t":"RESUMED"')
    expect(await people[0]!.use('/ping')).toMatchObject({ content: 'pong' })
  })
})

if (python === undefined) it.skip('discord.py (skipped: python3-discord is missing)')
