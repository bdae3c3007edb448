/** Runs a whole bot: the service on this machine, and people who use the bot. Parts of a bot are tested with `commandry/testing`. */
export { testbed } from './testing/testbed/testbed.ts'
export type { Testbed } from './testing/testbed/bed.ts'
export type { TestbedOptions } from './testing/testbed/testbed-options.ts'
export type { FileToAttach, SubmittedValues } from './testing/testbed/answers/attached.ts'
export type { Shown } from './testing/testbed/answers/shown.ts'
export { TestbedError, type TestbedErrorCode } from './testing/testbed/answers/bot-watch.ts'
export type { Actor } from './testing/testbed/people/actor.ts'
export type { SayOptions, ThreadOptions, VoiceOptions } from './testing/testbed/people/channel-member.ts'
export type { Person, PersonOptions } from './testing/testbed/people/people.ts'
export type { LoggedRequest } from './testing/testbed/answers/transcript.ts'
export type {
  BanView,
  ChannelView,
  MemberView,
  MessageView,
  ServerView,
  ThreadView,
} from './testing/testbed/people/server-view.ts'
export type { BotCoverage, CommandCoverage, CoverageCounts, UseOutcome } from './testing/coverage/coverage.ts'
export type { BotAccess } from './testing/testbed/stage/bot-access.ts'
export type { RefusedAccess } from './service/world/access-log.ts'
export type { ChannelOverwrite, ServerChannel, ServerRole } from './model/server.ts'
export type { ServerInput } from './model/demo-server.ts'
export type {
  ChannelPermissions,
  ServerActions,
  TestbedServer,
} from './testing/testbed/people/server-actions.ts'
