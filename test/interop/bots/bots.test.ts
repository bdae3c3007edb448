/** Real bots log in, deploy and answer, and users see their messages. */
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { globalScope } from 'commandry'
import { testbed, type Testbed } from 'commandry/testbed'
import { redirectInFolder, python, startBot } from './bot-program.ts'

const { redirect } = redirectInFolder()

const direct = ['discordjs.mjs', 'oceanic.mjs', 'dysnomia.mjs', 'discordeno.mjs']
const redirected = [...direct, 'eris.mjs', 'seyfert.mjs']
if (python !== undefined) direct.push('discordpy.py')

let bed: Testbed
let program: ReturnType<typeof startBot>

/**
 * Starts a bot, and resolves once its commands are deployed.
 *
 * @param redirect leads its connections from the real addresses to the testbed; without it, the bot is given our addresses
 */
async function start(file: string, redirect?: string): Promise<void> {
  bed = await testbed({ ws: { WebSocketServer } })
  program = startBot(bed, file, redirect === undefined, redirect)
  await expect.poll(program.output).toContain('ready')
}

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(program.output(), bed.transcript())
  const gone = once(program.child, 'close')
  program.child.kill()
  await gone
  await bed.close()
})

describe.each([
  ...direct.map((file) => [file, 'our addresses', undefined] as const),
  ...redirected.map((file) => [file, 'the real addresses', redirect] as const),
])('%s at %s', (script, _, redirect) => {
  it('logs in, deploys and answers in every way', async () => {
    await start(script, redirect)
    const ada = bed.as('member')
    expect(await bed.registry.list(globalScope(bed.applicationId))).toHaveLength(11)

    expect(await ada.use('/ping')).toMatchObject({ kind: 'message', content: 'pong', ephemeral: false })
    expect(await ada.use('/secret')).toMatchObject({ content: 'psst', ephemeral: true })

    const slow = await ada.use('/slow')
    await expect.poll(() => slow.content).toBe('done after working')

    const more = await ada.use('/more')
    expect([more.content, (await more.followedUp()).content]).toEqual(['first', 'second'])

    const file = await ada.use('/file')
    expect(file.message!.attachments).toMatchObject([{ filename: 'hello.txt', size: 11 }])

    const gone = await ada.use('/gone')
    await expect.poll(() => gone.deleted).toBe(true)

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
    expect(program.output()).not.toMatch(/error/i)
  })

  it('answers thirty concurrent uses and reconnects after its connection breaks', async () => {
    await start(script, redirect)
    const people = ['member', 'moderator', 'administrator'].map((name) => bed.as(name))
    const uses = Array.from({ length: 30 }, (_, index) =>
      people[index % 3]!.use('/find', { query: `n${index}` }),
    )
    expect((await Promise.all(uses)).map(({ content }) => content)).toEqual(
      Array.from({ length: 30 }, (_, index) => `found n${index}`),
    )
    bed.drop()
    await expect.poll(() => bed.transcript()).toContain('"t":"RESUMED"')
    expect(await people[0]!.use('/ping')).toMatchObject({ content: 'pong' })
  })
})

if (python === undefined) it.skip('discord.py (skipped: python3-discord is missing)')
