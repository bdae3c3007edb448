/** Checks the parts without running a bot: definitions, handlers and stores, with any test runner. A whole bot runs with `commandry/testbed`. */

export { storeContract, type OpenedStore, type Outage } from './testing/store-contract/store-contract.ts'
export {
  entryPoint,
  messageCommand,
  option,
  sampleCommands,
  slashCommand,
  userCommand,
  type Builder,
} from './testing/samples/definitions.ts'
export { violating, type Violation } from './testing/samples/violations.ts'
export { interactionFor, scene } from './testing/samples/scene.ts'
export { people, type MemberFixture, type ViewerFixture } from './testing/samples/member-fixtures.ts'
export { testClock, type TestClock } from './testing/samples/test-clock.ts'
export { faultyStore, type FaultyStore, type StoreFault } from './testing/store-contract/faulty-store.ts'
export {
  matchers,
  type CommandMatchers,
  type ValidityExpectation,
  type Verdict,
} from './testing/matchers/matchers.ts'
export {
  assertAnswers,
  assertBreaksRule,
  assertNoWarnings,
  assertRefusedWith,
  assertValidCommand,
  assertValidCommands,
  assertVisibleTo,
} from './testing/matchers/assertions.ts'
