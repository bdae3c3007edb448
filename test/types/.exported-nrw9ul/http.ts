import * as http from 'commandry/http'
export const v0 = http.createHandler(undefined as never)
export const v1 = v0(undefined as never)
export const v2 = await v1
export const v3 = http.openAccess()
export const v4 = v3(undefined as never, undefined as never)
export const v5 = await v4!
export const v6 = http.openApiDocument()
export const v7 = http.restFetch(undefined as never)
export const v8 = v7(undefined as never)
export const v9 = await v8
export const v10 = http.toErrorBody(undefined as never)
export const v11 = v10.message
export const v12 = v10.code
export const v13 = v10.errors
export const v14 = http.tokenDirectory(undefined as never)
