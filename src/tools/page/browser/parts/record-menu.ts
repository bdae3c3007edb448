/** The recording of the service: its steps as a test, and as a scene. */
import { counted } from '../../../../core/text.ts'
import { ask, Source } from './ask.ts'
import { action, openPalette } from './palette.ts'
import { copy, debounce } from './parts.ts'
import { who } from './place.ts'

const recording = new Source('record', false)

const state = () => recording.ask({}) ?? { isOn: false, steps: 0, isFull: false }

/** Loads the number of steps again. */
export const refreshRecording = debounce(() => state().isOn && recording.retry(), 50)

async function record(isOn: boolean): Promise<void> {
  recording.value = await ask('record', { isOn })
}

/** Whether there is a recording that can be kept. */
export const hasSteps = (): boolean => state().steps > 0

/** Asks for a name, under which the recording is played at each save from then on. */
export function keepAsScene(): void {
  const keep = (name: string) => action('Scene', `Keep as “${name}”`, () => ask('scene', { ...who(), name }))
  openPalette(
    (typed) => (typed.trim() === '' ? [] : [keep(typed.trim())]),
    'Name of the scene',
    'A name such as ban twice',
  )
}

export function recordActions() {
  const { isOn, steps } = state()
  const copyAs = (framework: string) =>
    action('Copy as test', framework, async () => copy(await ask('recorded', { framework })))
  return [
    ...(steps > 0 ? [action('Scene', 'Keep as a scene…', keepAsScene)] : []),
    ...(steps > 0 ? ['vitest', 'jest', 'node:test', 'pytest'].map(copyAs) : []),
    action('Recording', isOn ? 'Stop' : 'Record', () => record(!isOn)),
  ]
}

/** What the button of the bar says. */
export function recordingLabel(): string {
  const { isOn, steps, isFull } = state()
  if (!isOn && steps === 0) return 'Record'
  return `${isOn ? '●' : '■'} ${isFull ? 'Full: ' : ''}${counted(steps, 'step')}`
}

/** Starts the first recording; later there is something to choose. */
export function startFirst(): Promise<void> | undefined {
  const { isOn, steps } = state()
  return isOn || steps > 0 ? undefined : record(true)
}
