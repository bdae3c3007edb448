/** The clock of the bot in the bar: what it shows, and what moves it. */
import { ask, Source } from './ask.ts'
import { announce, draw, h, typed, type Child } from './dom.ts'
import { button, clockTime } from './parts.ts'

const clock = new Source('clock')

const state = {
  /** What is asked, and where the clock of the browser was when the answer came. */
  known: clock.value,
  at: 0,
  typed: '',
  isMoving: false,
  timer: 0,
}

/** The time of the bot, in milliseconds since 1970. */
export const botTime = (): number => Date.now() + (state.known === undefined ? 0 : state.known.now - state.at)

/** Draws the page when the clock shows another minute. */
function tick(): void {
  clearTimeout(state.timer)
  state.timer = window.setTimeout(draw, 60_000 - (botTime() % 60_000))
}

const spans = { '1m': '+1 min', '15m': '+15 min', '1h': '+1 hour', '1d': '+1 day' }

async function move(duration: string): Promise<void> {
  state.isMoving = true
  try {
    clock.value = await ask('advance', { duration })
    announce(`The clock was moved by ${duration}`)
  } finally {
    state.isMoving = false
  }
}

const HOW = 'commandry serve -- node bot.js'

/** The clock of the service, which the page follows from its first drawing on. */
function known() {
  const found = clock.ask({})
  if (found !== undefined && found !== state.known) Object.assign(state, { known: found, at: Date.now() })
  tick()
  return found
}

export function clockMenu(): Child {
  const found = known()
  const { isMoving } = state
  const onsubmit = (event: Event) => {
    event.preventDefault()
    return move(state.typed)
  }
  const moves = Object.entries(spans).map(([span, label]) =>
    button(label, () => move(span), { disabled: isMoving }),
  )
  const mover = h`<div class="row">${moves}</div>
    <form class="row" onsubmit=${onsubmit}>
      <input aria-label="Duration" placeholder="90s, 15m, 2h or 3d" size="14" value=${state.typed} oninput=${typed((text) => (state.typed = text))} />
      <button disabled=${isMoving || state.typed === ''}>Move</button>
    </form>
    <p class="hint">The clocks of the service and of the bot move together.</p>`
  const how = h`<p class="hint">To move the clock of your bot, start it with <code>${HOW}</code></p>`
  return found?.movesBots === true ? mover : how
}

/** Beside the clock where it can be moved: the most common move. */
export const quickMove = (): Child =>
  known()?.movesBots === true &&
  button('+15 min', () => move('15m'), { class: 'quiet', disabled: state.isMoving, key: 'quick' })

/** The time in the bar. */
export const clockText = (): string => clockTime(botTime()).slice(0, 5)
