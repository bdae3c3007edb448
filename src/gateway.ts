/** The gateway over any WebSocket: bots log in and receive interactions. */
export { createGateway, type Gateway, type GatewaySession } from './service/gateway/gateway.ts'
export type { GatewayConnection } from './service/gateway/connection.ts'
export type { GatewayOptions, Scheduler, SessionStartLimit } from './service/gateway/gateway-session.ts'
export {
  GatewayCloseCode,
  GatewayOpcode,
  type Deflate,
  type GatewaySocket,
} from './service/gateway/frames.ts'

export type { ServerInput } from './model/demo-server.ts'
