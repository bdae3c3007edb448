import * as all0 from 'commandry'
import * as all1 from 'commandry/interactions'
import * as all2 from 'commandry/http'
import * as all3 from 'commandry/reference'
import * as coverage from 'commandry/coverage'
export const v0 = coverage.coverageText(undefined as never)
export const v1 = coverage.mergeCoverage(undefined as never)
export const v2 = v1.version
export const v3 = v1.commands
export const v4 = v1.components
export const v5 = v1.refusals
export const v6 = new coverage.CoverageReporter()
export const v7 = v6.onTestRunEnd()
export const v8 = v6.onRunComplete()
export const v9 = v6._transform(undefined as never, undefined as never, undefined as never)
export const v10 = v6._flush(undefined as never)
