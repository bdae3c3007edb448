/** Uses every command of a bot, and shrinks each fault to one line. fast-check and ws are optional peers of this entry. */
export { fuzz } from './testing/fuzz/fuzz.ts'
export type { FuzzOptions } from './testing/fuzz/fuzz-options.ts'
export type {
  FuzzedCommand,
  FuzzedEndpoint,
  FuzzFailure,
  FuzzReport,
  FuzzWarning,
} from './testing/fuzz/fuzz-report.ts'
export type { NotSeen } from './model/not-seen.ts'
