import * as all0 from 'commandry'
import * as all1 from 'commandry/interactions'
import * as all2 from 'commandry/http'
import * as all3 from 'commandry/reference'
import * as gateway from 'commandry/gateway'
export const v0 = gateway.GatewayCloseCode
export const v1 = gateway.GatewayOpcode
export const v2 = gateway.createGateway(undefined as never)
export const v3 = v2.open(undefined as never, undefined as never, undefined as never)
export const v4 = v3.receive(undefined as never)
export const v5 = v3.closed()
export const v6 = v2.dispatch(undefined as never)
export const v7 = v2.listener(undefined as never)
export const v8 = v2.sessions
export const v9 = v2.sessionStartLimit(undefined as never)
export const v10 = v9.total
export const v11 = v9.remaining
export const v12 = v9.reset_after
export const v13 = v9.max_concurrency
export const v14 = v2.close()
