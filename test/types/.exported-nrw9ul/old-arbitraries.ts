import * as all0 from 'commandry'
import * as all1 from 'commandry/interactions'
import * as all2 from 'commandry/http'
import * as all3 from 'commandry/reference'
import * as arbitraries from 'commandry/arbitraries'
export const v0 = arbitraries.brokenCommand()
export const v1 = arbitraries.choice(undefined as never)
export const v2 = arbitraries.command()
export const v3 = arbitraries.commandSet()
export const v4 = arbitraries.commandUse(undefined as never)
export const v5 = arbitraries.contextCommand()
export const v6 = arbitraries.entryPointCommand()
export const v7 = arbitraries.localizations(undefined as never)
export const v8 = arbitraries.nestedOptions()
export const v9 = arbitraries.optionValue(undefined as never)
export const v10 = arbitraries.permissions()
export const v11 = arbitraries.slashCommand()
export const v12 = arbitraries.snowflake()
export const v13 = arbitraries.text(undefined as never)
export const v14 = arbitraries.valueOptions()
