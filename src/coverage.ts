/** What tests have used of a bot, added up over files and printed by a reporter of Vitest or node:test. */
export { coverageText, mergeCoverage } from './testing/coverage/coverage.ts'
export { CoverageReporter, default } from './testing/coverage/reporter.ts'
export type { BotCoverage, CommandCoverage, CoverageCounts, UseOutcome } from './testing/coverage/coverage.ts'
