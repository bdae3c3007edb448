import { expect, it } from 'vitest'
import { Recording } from '../../../../src/testing/recording/recording.ts'
import { ChannelMember } from '../../../../src/testing/testbed/people/channel-member.ts'
import { People, worldOf } from '../../../../src/testing/testbed/people/people.ts'
import { permissions } from 'commandry'
import { demo, SERVER } from './bed.ts'

it('an act that is refused to a person is a step with its code', async () => {
  const world = worldOf(
    [
      {
        ...demo,
        roles: [
          {
            ...demo.roles[0],
            permissions: permissions('VIEW_CHANNEL', 'SEND_MESSAGES', 'READ_MESSAGE_HISTORY'),
          },
          ...demo.roles.slice(1),
        ],
      } as never,
    ],
    { now: () => 1_700_000_000_000 },
  )
  const people = new People(world)
  const quiet = { add: () => () => {}, subscribe: () => () => {} }
  const session = { ...quiet, messages: { ...quiet, live: () => undefined, files: { at: () => undefined } } }
  const recording = new Recording({ session: session as never, people })
  recording.start()
  const { person } = people.find('ada', SERVER)
  const by = { applicationId: '1', serverId: SERVER, person, options: { channel: 'general' } }
  const ada = new ChannelMember(people, by as never, ({ id }: { id: string }) => world.findMessage(id)!)
  const said = await ada.say('hello')
  expect(() => ada.do('pin', said)).toThrow('ada lacks PIN_MESSAGES in #general of Demo Server')
  expect(() => ada.do('startThread', 'help')).toThrow('CREATE_PUBLIC_THREADS')
  expect(recording.test('vitest', {} as never)).toContain(
    "await expect(ada.pin(message)).rejects.toMatchObject({ code: 'permission_denied' })",
  )
})
