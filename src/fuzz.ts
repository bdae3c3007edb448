/** Uses every command of a bot, and shrinks each fault to one line. fast-check and ws are optional peers of this entry. */
export {
  fuzz,
  type FuzzedCommand,
  type FuzzFailure,
  type FuzzOptions,
  type FuzzProgress,
  type FuzzReport,
} from './fuzz/fuzz.ts'
export type { FuzzCode } from './fuzz/judge.ts'
export type { FuzzedBot } from './fuzz/player.ts'
