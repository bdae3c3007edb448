import * as text from 'commandry/storage/text'
export const v0 = text.keyPages(undefined as never, undefined as never)
export const v1 = text.textStore(undefined as never)
export const v2 = v1.read(undefined as never)
export const v3 = await v2
export const v4 = v1.write(undefined as never, undefined as never, undefined as never)
export const v5 = await v4
export const v6 = v1.keys(undefined as never)
export const v7 = v1.announcements
export const v8 = v7!.listen(undefined as never)
export const v9 = await v8
export const v10 = v9()
export const v11 = v7!.announce(undefined as never)
export const v12 = await v11
