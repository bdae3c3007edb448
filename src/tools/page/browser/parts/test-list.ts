/** The scenes, which are recorded tests, each with whether it passes or what differs. */
import { counted } from '../../../../core/text.ts'
import type { Answer } from '../../questions/questions.ts'
import { ask, service, Source } from './ask.ts'
import { h, type Child } from './dom.ts'
import { badges } from './frame.ts'
import { button, showModal } from './parts.ts'
import { hasSteps, keepAsTest } from './record-menu.ts'

const tests = new Source('tests', false)

type Test = NonNullable<Answer<'tests'>>[number]

/** The file of the test that is open; empty for none. */
const state = { open: '' }

export const refreshTests = (): void => tests.retry()

const all = (): readonly Test[] => tests.value ?? []

const countFailures = (): number => all().filter(({ failure }) => failure !== null).length

badges.member = countFailures

/** What a deploy would break, in words. */
export const drawFailures = (): Child =>
  countFailures() > 0 && h`<span class="no">${counted(countFailures(), 'failing scene')}</span>`

const run = (file = '') => ask('runTests', { file })

const marks = {
  waiting: ['·', 'hint', 'runs'],
  passes: ['✓', 'yes', 'passes'],
  fails: ['✗', 'no', 'fails'],
} as const

/** What differs, else the phase in a word. */
function outcomeOf({ phase, failure }: Test): string {
  if (failure === null) return marks[phase][2]
  return failure.line === 0 ? failure.text : `Line ${failure.line}: ${failure.text}`
}

function testItem(test: Test): Child {
  const { file, name, phase } = test
  const [mark, kind] = marks[phase]
  const open = () => (state.open = file)
  return h`<li key=${file}><button type="button" class="test" onclick=${open} title=${outcomeOf(test)}>
    <span class="mark ${kind}" aria-hidden="true">${mark}</span><span class="name" dir="auto">${name}</span>
    <span class=${phase === 'fails' ? 'hint what' : 'hidden'}>${outcomeOf(test)}</span></button></li>`
}

/** The part of the rail; absent without a test and a recording. */
export function drawTests(): Child {
  const found = service.isInPage ? null : tests.ask({})
  if (!found || (found.length === 0 && !hasSteps())) return null
  return h`
    <h2>Scenes</h2>
    <ul aria-label="Scenes">${found.map(testItem)}</ul>
    ${hasSteps() && button('+ From recording', keepAsTest, { class: 'quiet dashed', key: 'keep', tabindex: -1 })}
    ${found.length > 0 && button('↻ Run all', () => run(), { class: 'quiet dashed', key: 'run', tabindex: -1 })}`
}

const texts = (title: string, value: string, kind = ''): Child =>
  h`<h3>${title}</h3><pre tabindex="0" class=${kind} aria-label=${title}>${value}</pre>`

/** All of the test that is open. */
export function testDialog(): Child {
  const test = all().find(({ file }) => file === state.open)
  if (test === undefined) return null
  const { file, name, phase, failure } = test
  const { line = 0, step = '', actual = null, expected = null, output = '' } = failure ?? {}
  const close = () => (state.open = '')
  return h`<dialog class="modal test-shown" aria-labelledby="test-title" key="test ${file}" mounted=${showModal} onclose=${close}>
    <div class="form">
      <h2 id="test-title" dir="auto">${name}</h2>
      <p class=${marks[phase][1]} role="status">${outcomeOf(test)}</p>
      <p class="hint"><code>${file}${line > 0 && `:${line}`}</code></p>
      ${step !== '' && texts('Step', step)}
      ${expected !== null && texts('Expected', expected)}
      ${actual !== null && texts('Got', actual, 'fault')}
      ${output !== '' && texts('More, and what the bot wrote', output)}
      <div class="row">${button('Run again', () => run(file), { class: 'main' })}${button('Close', close, { class: 'quiet' })}</div>
    </div>
  </dialog>`
}
