/** For tests of bots, of servers and of storage adapters. Needs no test runner and no assertion library. */

export { storeContract, type OpenedStore } from './testing/store-contract.ts'
export {
  entryPoint,
  messageCommand,
  option,
  sampleCommands,
  slashCommand,
  userCommand,
} from './testing/definitions.ts'
export { violating, type Violation } from './testing/violations.ts'
export { interactionFor, scene } from './testing/scene.ts'
export { people } from './testing/people.ts'
export { testClock, type TestClock } from './testing/clock.ts'
export { faultyStore, type FaultyStore } from './testing/faulty-store.ts'
export { matchers, type CommandMatchers } from './testing/matchers.ts'
export {
  assertAnswers,
  assertBreaksRule,
  assertNoWarnings,
  assertRefusedWith,
  assertValidCommand,
  assertValidCommands,
  assertVisibleTo,
} from './testing/assertions.ts'
