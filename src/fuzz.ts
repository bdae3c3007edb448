/** Uses every command of a bot, and shrinks each fault to one line. fast-check and ws are optional peers of this entry. */
export { fuzz, type FuzzFailure, type FuzzOptions, type FuzzReport } from './fuzz/fuzz.ts'
