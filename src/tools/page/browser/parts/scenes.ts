/** The scenes: recordings with a name, each with whether it holds or what differs. */
import { counted } from '../../../../core/text.ts'
import type { Answer } from '../../questions/questions.ts'
import { ask, service, Source } from './ask.ts'
import { h, type Child } from './dom.ts'
import { badges } from './frame.ts'
import { button, showModal } from './parts.ts'
import { hasSteps, keepAsScene } from './record-menu.ts'

const scenes = new Source('scenes', false)

type Scene = NonNullable<Answer<'scenes'>>['scenes'][number]

/** The file of the scene that is open; empty for none. */
const state = { open: '' }

export const refreshScenes = (): void => scenes.retry()

const all = (): readonly Scene[] => scenes.value?.scenes ?? []

const isWrong = ({ phase }: Scene): boolean => phase === 'differs' || phase === 'failed'

const countWrong = (): number => all().filter(isWrong).length

badges.member = countWrong

/** What a deploy would break, in words; empty for nothing. */
export function scenesInWords(): string {
  const count = countWrong()
  return count === 0 ? '' : `${counted(count, 'scene')} ${count === 1 ? 'does' : 'do'} not hold`
}

const play = (file = '') => ask('play', { file })

const marks = {
  waiting: ['·', 'hint', 'waits'],
  playing: ['▸', 'hint', 'plays…'],
  holds: ['✓', 'yes', 'holds'],
  differs: ['✗', 'no', 'differs'],
  failed: ['!', 'no', 'failed'],
} as const

function sceneItem(scene: Scene): Child {
  const { file, name, phase, difference } = scene
  const [mark, kind, word] = marks[phase]
  const open = () => (state.open = file)
  return h`<li key=${file}><button type="button" class="scene" onclick=${open} title=${difference}>
    <span class="mark ${kind}" aria-hidden="true">${mark}</span><span class="name" dir="auto">${name}</span>
    <span class=${isWrong(scene) ? 'hint what' : 'hidden'}>${difference || word}</span></button></li>`
}

/** The part of the rail; nothing where there is neither a scene nor a recording. */
export function drawScenes(): Child {
  const found = service.isInPage ? null : scenes.ask({})
  if (found === undefined || (all().length === 0 && !hasSteps())) return null
  if (found === null)
    return (
      !service.isInPage &&
      h`<h2>Scenes</h2><p class="hint rest">A recording is kept as a scene where the service starts the bot: <code>commandry serve -- node bot.js</code>. Answers written by hand have nothing to play.</p>`
    )
  const { leftOut } = found
  return h`
    <h2>Scenes</h2>
    <ul aria-label="Scenes">${all().map(sceneItem)}</ul>
    ${leftOut > 0 && h`<p class="hint rest">${counted(leftOut, 'more file')}: not played</p>`}
    ${hasSteps() && button('+ From recording', keepAsScene, { class: 'quiet dashed', key: 'keep', tabindex: -1 })}
    ${all().length > 0 && button('↻ Play all', () => play(), { class: 'quiet dashed', key: 'play', tabindex: -1 })}`
}

const texts = (title: string, value: string, kind = ''): Child =>
  h`<h3>${title}</h3><pre tabindex="0" class=${kind} aria-label=${title}>${value}</pre>`

/** All of the scene that is open. */
export function sceneDialog(): Child {
  const scene = all().find(({ file }) => file === state.open)
  if (scene === undefined) return null
  const { file, name, phase, difference, step, line, expected, seen, output } = scene
  const close = () => (state.open = '')
  const [, kind, word] = marks[phase]
  return h`<dialog class="modal scene-shown" aria-labelledby="scene-title" key="scene ${file}" mounted=${showModal} onclose=${close}>
    <div class="form">
      <h2 id="scene-title" dir="auto">${name}</h2>
      <p class=${kind} role="status">${difference === '' ? `This scene ${word}.` : difference}</p>
      <p class="hint"><code>${file}${line > 0 && `:${line}`}</code>${step !== '' && ' after '}${step !== '' && h`<b class="line" dir="auto">${step}</b>`}</p>
      ${expected !== null && texts('Expected', expected)}
      ${seen !== null && texts('Seen', seen, 'fault')}
      ${output !== '' && texts('More, and what the bot wrote', output)}
      <div class="row">${button('Play again', () => play(file), { class: 'main' })}${button('Close', close, { class: 'quiet' })}</div>
    </div>
  </dialog>`
}
