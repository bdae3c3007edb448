/** The recording of the service: starting it, its steps as a test, and as a test that is run at each save. */
import type { FrameworkName } from '../../../testing/test-code/frameworks.ts'
import { printable } from '../../../core/text.ts'
import { DEMO_SERVER_ID } from '../../../model/demo-server.ts'
import { javaScript } from '../../../testing/test-code/language.ts'
import { NAMELESS_APPLICATION } from '../../../service/http/placeholder-token.ts'
import { noteOn, type Context, type Query } from './query.ts'

const frameworks: readonly FrameworkName[] = ['vitest', 'jest', 'node:test', 'pytest']

/** Starts the recording anew, or stops it; without `isOn` it stays as it is. */
export function record(query: Query, { recording }: Context) {
  const isOn = query.value('isOn')
  if (isOn === true) recording?.start()
  if (isOn === false) recording?.stop()
  return recording?.state ?? { isOn: false, steps: 0, isFull: false }
}

/** The steps of the recording as a test, and how it ended when it was run once; empty without a recording. */
export async function recorded(query: Query, context: Context) {
  const framework = frameworks.find((name) => name === query.text('framework'))
  if (framework === undefined) throw new TypeError(`framework: expected ${frameworks.join(', ')}`)
  const { recording, tests, bots } = context
  const write = recording?.writer(setupOf(context, bots?.online[0]))
  if (write === undefined || tests === undefined) return { code: write?.(framework) ?? '', result: NOT_RUN }
  // The same steps and checks, in the framework that every Node has.
  const checked = write('node:test')
  const failure = await tests.check(checked)
  if (failure === null) return { code: write(framework), result: 'It passes with a new bot.' }
  const note = noteOn(failure, checked)
  const code = write(framework, { note })
  const line = code.split('\n').findIndex((one) => one.includes(note.text)) + 1
  return { code, result: `It fails with a new bot. Line ${line}: ${failure.text}` }
}

const NOT_RUN =
  'It was not run: the service runs tests with bots that it starts, as in commandry serve -- node bot.js'

/** Deploys the commands of files as they are when the test runs. */
function deployLines(files: readonly string[]): readonly string[] {
  const words = ['--no', 'commandry', 'deploy', ...files].map((word) => javaScript.value(word))
  return [
    `// The commands of ${files.map((file) => printable(file)).join(' and ')}, as "serve" deploys them.`,
    `const to = ['--to', new URL(bed.rest).origin, '--application', bed.applicationId, '--yes']`,
    `const { spawn } = await import('node:child_process')`,
    `const deploying = spawn('npx', [${words.join(', ')}, ...to], {`,
    `  ...{ stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },`,
    `  env: { ...process.env, COMMANDRY_TOKEN: bed.token },`,
    `})`,
    `await new Promise((resolve) => deploying.once('close', resolve))`,
  ]
}

/** @param applicationId the bot that has logged in; undefined for none */
function setupOf({ session, ...context }: Context, applicationId: string | undefined) {
  const { configuredServers = context.servers, deploys = [] } = context
  // The server of a program has an owner, and the id in its environment.
  const others = context.servers.filter(({ id, owner_id }) => id !== DEMO_SERVER_ID || owner_id)
  const named = others.map(({ id, name, owner_id }) => ({ id, name, ...(owner_id && { owner_id }) }))
  const servers = configuredServers.length > 0 ? configuredServers : named
  const { endpoint } = session
  const isNamed = applicationId !== NAMELESS_APPLICATION
  return {
    header: 'Recorded with "commandry serve".',
    ...(servers.length > 0 && { servers }),
    ...(deploys.length > 0 && { started: deployLines(deploys) }),
    ...(endpoint !== null && { endpoint: String(endpoint.url) }),
    // The program has logged a bot in.
    ...(applicationId !== undefined && { program: context.program, ...(isNamed && { applicationId }) }),
  }
}

/** The recorded tests; null where none can be run. */
export const tests = (_query: Query, context: Context) => context.tests?.state ?? null

const NO_TESTS =
  'Recorded tests are run with a bot that the service starts and that logs in: commandry serve -- node bot.js'

/** Keeps the steps of the recording as a test with a name. */
export async function keep(query: Query, context: Context): Promise<null> {
  const { tests, recording, bots } = context
  if (tests === undefined) throw new TypeError(NO_TESTS)
  if (recording === undefined || recording.state.steps === 0)
    throw new TypeError('The recording has no steps: press Record, and do what the test shows')
  // The bot may have ended meanwhile.
  const applicationId = bots?.online[0] ?? query.id('app')
  const write = recording.writer(setupOf(context, applicationId))
  await tests.add(query.text('name'), (title, note) => write('node:test', { title, ...(note && { note }) }))
  return null
}

/** Runs one recorded test again, by its file, or all of them. */
export function runTests(query: Query, { tests }: Context): null {
  const file = query.text('file')
  tests?.run(file === '' ? undefined : file)
  return null
}
