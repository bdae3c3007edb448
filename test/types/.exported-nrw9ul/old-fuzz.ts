import * as all0 from 'commandry'
import * as all1 from 'commandry/interactions'
import * as all2 from 'commandry/http'
import * as all3 from 'commandry/reference'
import * as fuzz from 'commandry/fuzz'
export const v0 = fuzz.fuzz(undefined as never)
export const v1 = await v0
export const v2 = v1.version
export const v3 = v1.ok
export const v4 = v1.seed
export const v5 = v1.uses
export const v6 = v1.commands
export const v7 = v1.failures
export const v8 = v1.warnings
export const v9 = v1.schedules
export const v10 = v1.endpoint
export const v11 = v10!.url
export const v12 = v10!.problems
export const v13 = v10!.forged
export const v14 = v10!.error
export const v15 = v1.not_seen
export const v16 = v1.missing_intents
export const v17 = v1.in_two_scopes
