/** What a testbed is opened with. */
import {
  anId,
  argument,
  aString,
  listArgument,
  optionsOf,
  optionsReader,
  isHttpAddress,
} from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { isDay } from '../../core/platform-day.ts'
import { isObject } from '../../core/json.ts'
import type { DefinitionBuilder } from '../../commands/definition/builder.ts'
import type { CommandBody } from '../../model/command-definition.ts'
import type { ServerInput } from '../../model/demo-server.ts'
import { aSocketModule, type WebSocketModule } from '../../service/node/gateway-sockets.ts'
import type { RouteHandler } from './routes/test-routes.ts'

/** The options of `testbed`; all are optional. */
export interface TestbedOptions {
  /** Commands to deploy at the start. Default: none, because the bot deploys its own. */
  readonly commands?: readonly (CommandBody | Widened<CommandBody> | DefinitionBuilder)[]
  /** The servers; the bot is in those without `bot: false`. Default: the demo server, with Ada, Grace and Alan. */
  readonly servers?: readonly ServerInput[]
  /** A bot that receives interactions over HTTP: the URL of its endpoint, or its handler. Default: a gateway. */
  readonly endpoint?: string | URL | ((request: Request) => Response | Promise<Response>)
  /** The id of the application. Default: `scene.applicationId`. */
  readonly applicationId?: string
  /**
   * Bits of `ApplicationFlag`: EMBEDDED for a bot with an Activity, whose entry point is then there from the start, and the
   * privileged intents that the application has. Default: every privileged intent.
   */
  readonly flags?: number
  /**
   * The roles of the bot by name or id, which decide what it may do. Default: a role above all others that may do
   * everything.
   */
  readonly bot?: { readonly roles: readonly string[] }
  /** Handlers of routes such as `PUT /guilds/:guild/bans/:user`, as of `on`; `reset` keeps them. */
  readonly routes?: { readonly [route: string]: RouteHandler }
  /** Milliseconds of real time to wait for the bot. Default 3000. */
  readonly timeout?: number
  /**
   * Milliseconds of real time in which the bot must have sent nothing before a person acts: for a bot that awaits what
   * cannot be seen before it listens. Default 0.
   */
  readonly pace?: number
  /** The day of Discord, such as `2026-11-15`; docs/platform.md has what changed. Default: today. */
  readonly discord?: string
  /** The module `ws`, which the gateway requires. Default: the installed one. */
  readonly ws?: WebSocketModule
}

/** What the compiler makes of an object in a variable: `type` is a number, and no longer 3. */
type Widened<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends object
      ? { readonly [Key in keyof T]: Widened<T[Key]> }
      : T

export const checkedTestbedOptions = /* @__PURE__ */ optionsOf<TestbedOptions>('testbed', {
  // The registry and the servers report their problems themselves.
  commands: optional(argument('a list of commands', Array.isArray)),
  servers: optional(argument('a list of servers', Array.isArray)),
  endpoint: optional(
    argument(
      'an address of http:// or https://, or a handler',
      (value) => typeof value === 'function' || isHttpAddress(value),
    ),
  ),
  applicationId: optional(anId),
  flags: optional(argument('a whole number', Number.isSafeInteger)),
  bot: optional(optionsReader<{ readonly roles: readonly string[] }>({ roles: listArgument(aString) })),
  routes: optional(argument('an object of handlers by route', isObject)),
  timeout: optional(argument('a number of milliseconds', (value) => typeof value === 'number' && value > 0)),
  pace: optional(argument('a number of milliseconds', (value) => typeof value === 'number' && value >= 0)),
  discord: optional(argument('a day such as "2026-11-16"', isDay)),
  ws: optional(aSocketModule),
})
