/** The recording of the service: starting it, and its steps as a test. */
import type { FrameworkName } from '../../../testing/test-code/frameworks.ts'
import { NAMELESS_APPLICATION } from '../../../service/http/placeholder-token.ts'
import type { Context, Query } from './query.ts'

const frameworks: readonly FrameworkName[] = ['vitest', 'jest', 'node:test', 'pytest']

/** Starts the recording anew, or stops it; without `isOn` it stays as it is. */
export function record(query: Query, { recording }: Context) {
  const isOn = query.value('isOn')
  if (isOn === true) recording?.start()
  if (isOn === false) recording?.stop()
  return recording?.state ?? { isOn: false, steps: 0, isFull: false }
}

/** The steps of the recording as a test; empty without a recording. */
export function recorded(query: Query, { recording, session, ...context }: Context): string {
  const { configuredServers: servers = context.servers } = context
  const framework = frameworks.find((name) => name === query.text('framework'))
  if (framework === undefined) throw new TypeError(`framework: expected ${frameworks.join(', ')}`)
  const { endpoint } = session
  const [applicationId] = context.bots?.online ?? []
  const isNamed = applicationId !== NAMELESS_APPLICATION
  const setup = {
    header: 'Recorded with "commandry serve".',
    ...(servers.length > 0 && { servers }),
    ...(endpoint !== null && { endpoint: String(endpoint.url) }),
    // The program has logged a bot in.
    ...(applicationId !== undefined && { program: context.program, ...(isNamed && { applicationId }) }),
  }
  return recording?.test(framework, setup) ?? ''
}
