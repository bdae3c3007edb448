/** For tests of bots, of servers and of storage adapters. Needs no test runner and no assertion library. */

export {
  storeContract,
  storePromises,
  type OpenedStore,
  type StoreContractOptions,
} from './testing/store-contract.ts'
export {
  entryPoint,
  messageCommand,
  option,
  sampleCommands,
  slashCommand,
  userCommand,
  type Builder,
  type ContextMenuFields,
  type EntryPointFields,
  type OptionFields,
  type SlashFields,
  type With,
} from './testing/definitions.ts'
export {
  violating,
  type SubjectOf,
  type ViolatingBodies,
  type Violation,
  type ViolationOn,
} from './testing/violations.ts'
export { interactionFor, scene, type InteractionFixture, type InteractionOf } from './testing/scene.ts'
export { people, type MemberFixture, type ViewerFixture } from './testing/people.ts'
export { testClock, type TestClock } from './testing/clock.ts'
export { faultyStore, type FaultyStore, type StoreFault } from './testing/faulty-store.ts'
export {
  matchers,
  type CommandMatchers,
  type RefusalCode,
  type ValidityExpectation,
  type Verdict,
} from './testing/matchers.ts'
export {
  assertAnswers,
  assertBreaksRule,
  assertNoWarnings,
  assertRefusedWith,
  assertValidCommand,
  assertValidCommands,
  assertVisibleTo,
} from './testing/assertions.ts'
