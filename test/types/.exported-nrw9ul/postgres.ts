import * as postgres from 'commandry/storage/postgres'
export const v0 = postgres.postgresStore(undefined as never)
export const v1 = v0.migrate()
export const v2 = await v1
export const v3 = v0.read(undefined as never)
export const v4 = await v3
export const v5 = v0.write(undefined as never, undefined as never, undefined as never)
export const v6 = await v5
export const v7 = v0.keys(undefined as never)
export const v8 = v0.announcements
export const v9 = v8!.listen(undefined as never)
export const v10 = await v9
export const v11 = v10()
export const v12 = v8!.announce(undefined as never)
export const v13 = await v12
