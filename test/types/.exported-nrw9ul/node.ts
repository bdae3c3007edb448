import * as node from 'commandry/node'
export const v0 = node.requestListener(undefined as never)
export const v1 = v0(undefined as never, undefined as never)
export const v2 = node.serve(undefined as never)
export const v3 = await v2
export const v4 = v3.url
export const v5 = v3.port
export const v6 = v3.close()
export const v7 = await v6
