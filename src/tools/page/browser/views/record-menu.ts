/** The recording of the service, and its steps as a test. */
import { counted } from '../../../../core/text.ts'
import { ask, Source } from '../parts/ask.ts'
import { copy, debounce } from '../parts/parts.ts'

const recording = new Source('record', false)

const state = () => recording.ask({}) ?? { isOn: false, steps: 0, isFull: false }

/** Loads the number of steps again. */
export const refreshRecording = debounce(() => state().isOn && recording.retry(), 50)

async function record(isOn: boolean): Promise<void> {
  recording.value = await ask('record', { isOn })
}

export function recordActions() {
  const { isOn, steps } = state()
  const copyAs = (framework: string) => ({
    kind: 'Copy as test',
    label: framework,
    run: async () => copy(await ask('recorded', { framework })),
  })
  return [
    ...(steps > 0 ? ['vitest', 'jest', 'node:test', 'pytest'].map(copyAs) : []),
    { kind: 'Recording', label: isOn ? 'Stop' : 'Record', run: () => record(!isOn) },
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
