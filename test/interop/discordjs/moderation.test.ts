/** A moderation bot with discord.js, tested without a stub: each command by its effect. */
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { testbed, type Shown } from 'commandry/testbed'
import { commands, startBot } from '../bots/moderation.mjs'

const bed = await testbed({ commands, ws: { WebSocketServer } })
const errors: unknown[] = []
const client = await startBot(bed, (error: unknown) => errors.push(error))

afterEach(() => {
  expect(errors.splice(0)).toEqual([])
})
afterAll(async () => {
  await client.destroy()
  await bed.close()
})

const use = (line: string, as = 'grace') => bed.as(as).use(line)
const memberOf = (name: string) => bed.server.members.find(({ username }) => username === name)
const messages = () => bed.channel('general').messages
const contents = () => messages().map(({ content }) => content)

describe('a moderation bot', () => {
  it('bans with a reason, and unbans', async () => {
    bed.server.addPerson('spammer')
    expect((await use('/ban user:@spammer reason:spam')).content).toBe('Banned spammer')
    expect(bed.server.bans).toMatchObject([{ username: 'spammer', reason: 'spam' }])
    expect(memberOf('spammer')).toBeUndefined()
    await bed.as('grace').use('unban', { user: bed.person('spammer') })
    expect(bed.server.bans).toEqual([])
    bed.server.addPerson('spammer')
  })

  it('kicks', async () => {
    await use('/kick user:@spammer')
    expect(memberOf('spammer')).toBeUndefined()
    bed.server.addPerson('spammer')
  })

  it('times out until the timeout ends', async () => {
    await use('/timeout user:@spammer minutes:5')
    expect(memberOf('spammer')!.timeout).toMatch(/^\d{4}-/)
    await expect(use('/roles', 'spammer')).rejects.toMatchObject({ code: 'permission_denied' })
    bed.server.timeout('spammer', null)
    await use('/roles', 'spammer')
  })

  it('adds and removes roles, and renames', async () => {
    await use('/role-add user:@ada role:@Moderators')
    expect(memberOf('ada')!.roles).toEqual(['Moderators'])
    expect((await use('/userinfo user:@ada')).content).toBe('ada (no nickname): @everyone, Moderators')
    await use('/role-remove user:@ada role:@Moderators')
    await use('/nick user:@ada name:Countess')
    expect(memberOf('ada')).toMatchObject({ roles: [], nick: 'Countess' })
    expect((await use('/userinfo user:@ada')).content).toBe('ada (Countess): @everyone')
  })

  it('lists the roles', async () => {
    expect((await use('/roles')).content.split('\n')).toEqual(
      expect.arrayContaining(['@everyone', 'Moderators', 'Administrators']),
    )
  })

  it('sends, edits, reacts and deletes, and purges', async () => {
    await (await use('/purge count:100')).edited()
    expect(messages()).toEqual([])
    await use('/say text:Hello')
    expect(messages()).toMatchObject([{ author: 'testbed', content: 'Hello' }])
    await use('/edit text:Goodbye')
    expect(messages()).toMatchObject([{ content: 'Goodbye', edited: true }])
    await bed.as('ada').say('No!')
    await use('/react')
    expect(messages()[1]).toMatchObject({ author: 'ada', reactions: { '👍': ['testbed'] } })
    await use('/delete')
    expect(contents()).toEqual(['No!'])
    await bed.as('ada').say('Really!')
    expect(await (await use('/purge count:2')).edited()).toMatchObject({ content: 'Deleted 2' })
    expect(messages()).toEqual([])
  })

  it('is pressed by others on a message of its own', async () => {
    await use('/say text:Agree?')
    const [message] = messages()
    await bed.as('alan').press(message!, 'OK')
    await expect.poll(contents).toEqual(['alan agreed'])
    await expect(bed.as('ada').press(message!, 'OK')).rejects.toMatchObject({ code: 'unknown_component' })
  })

  it('writes to a person, and warns in an embed', async () => {
    await use('/dm user:@ada text:Please stop')
    expect(bed.directMessages('ada')).toMatchObject([{ author: 'testbed', content: 'Please stop' }])
    const { text } = await use('/warn user:@ada reason:spam')
    expect(text()).toBe('| Warning\n| @ada, please stop\n| Reason: spam\n| <time>')
  })

  it('gives a channel a topic, and locks it', async () => {
    await use('/topic text:Tea')
    expect(bed.channel('general').topic).toBe('Tea')
    await use('/lock')
    await expect(bed.as('ada').say('Hello?')).rejects.toMatchObject({ code: 'permission_denied' })
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: null })
    await bed.as('ada').say('Thanks')
  })

  it('counts the votes of others', async () => {
    const poll = await use('/poll question:Tea?')
    const vote = async (name: string, label: string) => (await bed.as(name).press(poll, label)).content
    expect(await vote('grace', 'Yes')).toBe('You may not vote in your own poll')
    expect(await vote('ada', 'Yes')).toBe('You voted yes')
    expect(await vote('alan', 'No')).toBe('You voted no')
    await expect.poll(() => poll.content).toBe('ada: yes, alan: no')
  })

  it('asks in a modal and in a user menu', async () => {
    const form = await use('/report', 'ada')
    expect(await form.submit({ why: 'Rude' })).toMatchObject({ content: 'Reported: Rude', ephemeral: true })
    const menu: Shown = await use('/inspect', 'ada')
    await menu.choose('inspect', '@alan')
    expect(menu.content).toBe('Alan has 1 roles')
  })

  it('suggests, and answers late', async () => {
    const suggested = await bed.as('ada').suggestions('/tag name:r')
    expect(suggested.map((one) => one.name)).toEqual(['rules', 'roles'])
    expect((await use('/tag name:rules')).content).toBe('Tag rules')
    const slow = await use('/slow')
    await slow.edited()
    expect([slow.content, (await slow.followedUp()).content]).toEqual(['Done', 'And more'])
  })

  it('has commands in the menus of people and messages', async () => {
    expect((await bed.as('ada').useOn('Avatar', 'alan')).content).toBe('Alan has no picture')
    const said = await bed.as('ada').say('Read the rules')
    await bed.as('grace').useOn('Pin', said)
    expect(messages().find(({ pinned }) => pinned)).toMatchObject({
      author: 'ada',
      content: 'Read the rules',
    })
  })

  it('opens a case as a thread with a file, and reads the audit log', async () => {
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES_IN_THREADS: true })
    await use('/case user:@ada reason:spam')
    expect(bed.server.threads).toMatchObject([{ name: 'case-ada', members: ['testbed', 'ada'] }])
    await bed.as('ada', { channel: 'case-ada' }).say('Sorry')
    expect(bed.channel('case-ada').messages).toMatchObject([
      { content: 'spam', files: ['case.txt'], pinned: true },
      { author: 'testbed' },
      { author: 'ada', content: 'Sorry' },
    ])
    const shown = await use('/log')
    expect(shown.content.split('\n')[1]).toBe('ThreadCreate by testbed: spam')
  })

  it('hears of joins and messages', async () => {
    const eve = bed.server.addPerson('eve')
    await expect.poll(contents).toContain(`Welcome, <@${eve.id}>!`)
    await bed.as('eve').say('!ping')
    await expect.poll(() => messages().at(-1)).toMatchObject({ author: 'testbed', content: 'pong' })
  })
})

it('cannot do what its roles do not allow', async () => {
  // The bot does not answer a use that fails.
  await using weak = await testbed({ commands, bot: { roles: [] }, ws: { WebSocketServer }, timeout: 3_000 })
  const failed: any[] = []
  const bot = await startBot(weak, (error: any) => failed.push(error))
  const shown = await weak.as('grace').use('/ban user:@ada')
  expect(shown).toMatchObject({ content: 'I cannot ban them', ephemeral: true })
  expect(BigInt((shown.interaction as any).app_permissions) & 4n).toBe(0n)
  await expect(weak.as('grace').use('/nick user:@ada name:Countess')).rejects.toThrow()
  expect(failed).toMatchObject([{ code: 50013 }])
  await bot.destroy()
})
