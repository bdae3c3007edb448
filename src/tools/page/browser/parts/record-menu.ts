/** The recording of the service: its steps as a test, copied or kept. */
import { counted } from '../../../../core/text.ts'
import { ask, Source } from './ask.ts'
import { notify } from './dom.ts'
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

/** Asks for a name, under which the recording is run now and at each save. */
export function keepAsTest(): void {
  const keep = (name: string) => action('Scene', `Keep as “${name}”`, () => ask('keep', { ...who(), name }))
  openPalette(
    (typed) => (typed.trim() === '' ? [] : [keep(typed.trim())]),
    'Name of the scene',
    'A name such as ban twice',
  )
}

/** Copies the test, once the service has run it with a new bot. */
async function copyAs(framework: string): Promise<void> {
  notify('The test runs once with a new bot…')
  const { code, result } = await ask('recorded', { framework })
  const copied = (await copy(code))
    ? 'Copied.'
    : 'Not copied: the browser copies soon after a click only. Choose it again.'
  notify(`${copied} ${result}`)
}

export function recordActions() {
  const { isOn, steps } = state()
  const start = steps > 0 ? `Record again and forget the ${counted(steps, 'step')}` : 'Record'
  const copyAction = (framework: string) => action('Copy as test', framework, () => copyAs(framework))
  return [
    ...(steps > 0 ? [action('Scene', 'Keep as a scene…', keepAsTest)] : []),
    ...(steps > 0 ? ['vitest', 'jest', 'node:test', 'pytest'].map(copyAction) : []),
    action('Recording', isOn ? 'Stop' : start, () => record(!isOn)),
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
