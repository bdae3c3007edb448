/** The gateway over any WebSocket: bots log in and receive interactions. */
export { createGateway, type Gateway } from './gateway/gateway.ts'
export type { GatewayConnection } from './gateway/connection.ts'
export type { GatewayOptions, Scheduler } from './gateway/session.ts'
export { GatewayCloseCode, GatewayOpcode, type Deflate, type GatewaySocket } from './gateway/frames.ts'

export type { ServerInput } from './server/demo-server.ts'
