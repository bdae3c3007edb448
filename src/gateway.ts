/** The gateway over any WebSocket: bots log in and receive interactions. */
export { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts'
export type { GatewayConnection, GatewaySocket, Scheduler } from './gateway/connection.ts'
export type { Deflate } from './gateway/encoding.ts'
export { GatewayCloseCode, GatewayOpcode } from './gateway/frames.ts'

export type { ServerInput } from './world/demo-server.ts'
