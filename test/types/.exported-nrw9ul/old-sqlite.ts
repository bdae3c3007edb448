import * as all0 from 'commandry'
import * as all1 from 'commandry/interactions'
import * as all2 from 'commandry/http'
import * as all3 from 'commandry/reference'
import * as sqlite from 'commandry/storage/sqlite'
export const v0 = sqlite.sqliteStore(undefined as never)
export const v1 = v0.read(undefined as never)
export const v2 = await v1
export const v3 = v0.write(undefined as never, undefined as never, undefined as never)
export const v4 = await v3
export const v5 = v0.keys(undefined as never)
export const v6 = v0.announcements
export const v7 = v6!.listen(undefined as never)
export const v8 = await v7
export const v9 = v8()
export const v10 = v6!.announce(undefined as never)
export const v11 = await v10
