/** The gateway over any WebSocket: bots log in and receive interactions. */
export { createGateway } from './gateway/gateway.ts'
export type { Gateway, GatewayOptions, GatewaySession, SessionStartLimit } from './gateway/gateway.ts'
export type { GatewayConnection, GatewaySocket, Scheduler } from './gateway/connection.ts'
export type { Deflate } from './gateway/encoding.ts'
export { GatewayCloseCode, GatewayOpcode } from './gateway/frames.ts'
export type { GatewayApplication } from './gateway/session.ts'
export type { ServerChannel, ServerInput, ServerMember, ServerRole } from './permission/server.ts'
