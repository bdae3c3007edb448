/** The recording of the service: starting it, its steps as a test, and as a scene that is played at each save. */
import type { FrameworkName } from '../../../testing/test-code/frameworks.ts'
import { printable } from '../../../core/text.ts'
import { javaScript } from '../../../testing/test-code/language.ts'
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
export function recorded(query: Query, context: Context): string {
  const framework = frameworks.find((name) => name === query.text('framework'))
  if (framework === undefined) throw new TypeError(`framework: expected ${frameworks.join(', ')}`)
  return context.recording?.test(framework, setupOf(context, context.bots?.online[0])) ?? ''
}

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
  const { configuredServers: servers = context.servers, deploys = [] } = context
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

/** The scenes, and how many files are not played; null where none can be played. */
export const scenes = (_query: Query, context: Context) => context.scenes?.state ?? null

const NO_SCENES =
  'Scenes are played with a bot that the service starts and that logs in: commandry serve -- node bot.js. Answers that are written by hand have no scene to play.'

/** Keeps the steps of the recording as a scene with a name. */
export async function scene(query: Query, context: Context): Promise<null> {
  const { scenes, recording, bots } = context
  if (scenes === undefined) throw new TypeError(NO_SCENES)
  if (recording === undefined || recording.state.steps === 0)
    throw new TypeError('The recording has no steps: press Record, and do what the scene shows')
  // The bot may have ended meanwhile.
  const applicationId = bots?.online[0] ?? query.id('app')
  await scenes.add(query.text('name'), (title) =>
    recording.test('node:test', { ...setupOf(context, applicationId), title }),
  )
  return null
}

/** Plays one scene again, by its file, or all of them. */
export function play(query: Query, { scenes }: Context): null {
  const file = query.text('file')
  scenes?.play(file === '' ? undefined : file)
  return null
}
