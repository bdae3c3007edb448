/** A bot's test: the service on this machine, and people who use the bot. */
export { testbed, type Testbed, type TestbedOptions } from './testbed/testbed.ts'
export { TestbedError, type Shown, type TestbedErrorCode } from './testbed/shown.ts'
export type { Person, PersonOptions } from './testbed/cast.ts'
export type { ChannelPermissions, ServerOption } from './testbed/changes.ts'
export type { Actor, Launched, MessageTarget, Suggestion, UseValue } from './testbed/clients.ts'
export type { LoggedRequest } from './testbed/transcript.ts'
export type { RouteHandler, RouteOptions, RouteRequest } from './testbed/routes.ts'
export type { BanView, ChannelView, MemberView, MessageView, ServerView } from './testbed/view.ts'
