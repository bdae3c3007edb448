/** The recording of the service: starting it, and its steps as a test. */
import { recordedTest } from '../../../../testing/recording/recorded-test.ts'
import { frameworks, type FrameworkName } from '../../../../testing/test-code/frameworks.ts'
import type { Context, Query } from '../../query.ts'

/** Starts the recording anew, or stops it; without `isOn` it stays as it is. */
export function record(query: Query, { recording }: Context) {
  const isOn = query.value('isOn')
  if (isOn === true) recording.start()
  if (isOn === false) recording.stop()
  return recording.state
}

/** The steps of the recording as a test. */
export function recorded(query: Query, { recording, session, ...context }: Context) {
  const { configuredServers: servers = context.servers } = context
  const framework = query.text('framework')
  if (!Object.hasOwn(frameworks, framework))
    throw new TypeError(`framework: expected ${Object.keys(frameworks).join(', ')}`)
  const { endpoint } = session
  return recordedTest(recording.steps, framework as FrameworkName, {
    header: 'Recorded with "commandry serve".',
    deployed: recording.command,
    ...(servers.length > 0 && { servers }),
    ...(endpoint !== null && { endpoint: String(endpoint.url) }),
  })
}
