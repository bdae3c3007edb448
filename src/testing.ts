/** For tests of bots, of servers and of storage adapters. Needs no test runner and no assertion library. */

export { storeContract, type OpenedStore } from './testing/store-contract/store-contract.ts'
export {
  entryPoint,
  messageCommand,
  option,
  sampleCommands,
  slashCommand,
  userCommand,
} from './testing/samples/definitions.ts'
export { violating, type Violation } from './testing/samples/violations.ts'
export { interactionFor, scene } from './testing/samples/scene.ts'
export { people } from './testing/samples/people.ts'
export { testClock, type TestClock } from './testing/samples/test-clock.ts'
export { faultyStore, type FaultyStore } from './testing/store-contract/faulty-store.ts'
export { matchers, type CommandMatchers } from './testing/matchers/matchers.ts'
export {
  assertAnswers,
  assertBreaksRule,
  assertNoWarnings,
  assertRefusedWith,
  assertValidCommand,
  assertValidCommands,
  assertVisibleTo,
} from './testing/matchers/assertions.ts'
