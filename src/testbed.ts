/** A bot's test: the service on this machine, and people who use the bot. */
export { testbed, type Testbed, type TestbedOptions } from './testbed/testbed.ts'
export type { Shown } from './testbed/shown.ts'
export { TestbedError, type TestbedErrorCode } from './testbed/bot-watch.ts'
export type { Person, PersonOptions } from './testbed/people.ts'
export type { LoggedRequest } from './testbed/transcript.ts'
export type { MessageView, ServerView } from './testbed/view.ts'
