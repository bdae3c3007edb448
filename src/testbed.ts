/** A bot's test: the service on this machine, and people who use the bot. */
export { testbed, type Testbed, type TestbedOptions } from './testing/testbed/testbed.ts'
export type { Shown } from './testing/testbed/answers/shown.ts'
export { TestbedError, type TestbedErrorCode } from './testing/testbed/answers/bot-watch.ts'
export type { Person, PersonOptions } from './testing/testbed/people/people.ts'
export type { LoggedRequest } from './testing/testbed/answers/transcript.ts'
export type { MessageView, ServerView } from './testing/testbed/people/server-view.ts'
