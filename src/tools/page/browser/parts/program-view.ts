/** The program that the service has started: whether it runs, and its last words when it does not. */
import { endOfProcess } from '../../../../core/text.ts'
import { ask, Source } from './ask.ts'
import { h, type Child } from './dom.ts'
import { button } from './parts.ts'
import { about } from './place.ts'

const program = new Source('program', false)

export const refreshProgram = (): void => program.retry()

const startAgain = () => ask('restart')

/** Whether the bot of an application is there; null where none can log in. */
export function isOnline(app: string): boolean | null {
  if (about.online === null) return null
  return about.online.includes(app)
}

/** The program in a word, for the bar. */
export function programState(): Child {
  const state = program.value
  if (!state) return null
  const { phase, starts, why, isBot } = state
  const words = {
    ended: endOfProcess(state.code),
    starting: 'starting…',
    running: 'running',
    online: 'online',
    offline: 'offline',
  }
  const kind = { ended: 'no', offline: 'no', online: 'yes', running: 'yes', starting: 'hint' }[phase]
  const name = isBot ? 'bot' : 'program'
  const title = `Started ${starts === 1 ? 'once' : `${starts} times`}${why && `, last time: ${why}`}`
  return h`<span class="row state" role="group" aria-label="The ${name}" key="program">
    <span class=${kind} title=${title}><span aria-hidden="true">● </span>${name} ${words[phase]}</span>
    ${button('↻', startAgain, { class: 'quiet', 'aria-label': `Start the ${name} again`, title: `Start the ${name} again`, tabindex: -1 })}</span>`
}

/** The message of the last error in an output, and its first line of the stack; without one, the last line. */
function causeIn(output: string): string {
  const lines = output.split('\n')
  const at = lines.findLastIndex((line) => /^\S*(?:Error|Exception)\b/.test(line))
  if (at < 0) return lines.at(-1)!
  const frame =
    lines.slice(at).find((line) => /^ +at /.test(line)) ?? lines.findLast((line) => /^ +File "/.test(line))
  return [lines[at], frame].filter((line) => line !== undefined).join('\n')
}

/** Above every view, while the program does not run: why, and what helps. */
export function programNotice(): Child {
  const state = program.ask({})
  if (!state || state.phase !== 'ended') return null
  const { code, isBot, isWatching, lines } = state
  const next = isBot
    ? isWatching && ' It starts again when you save one of its files.'
    : ' The service stays until you end it with Ctrl C.'
  return h`<div class="notice ${code !== 0 && 'bad'}" role="alert" key="program">
    <div class="last"><p>The ${isBot ? 'bot' : 'program'} ${endOfProcess(state.code)}.${next}</p>
      ${lines !== '' && h`<pre class="cause">${causeIn(lines)}</pre>`}
      ${lines !== '' && h`<details><summary>Last lines of the output</summary><pre tabindex="0" aria-label="Last lines of the output">${lines}</pre></details>`}</div>
    ${button('Start again', startAgain, { class: 'main' })}
  </div>`
}
