import { expect, it } from 'vitest'
import { poller } from '../../src/core/poller.ts'

/** A poller whose turns a test counts. */
function counted(pause: () => number, turn: () => Promise<unknown> = async () => undefined) {
  const state = { isNeeded: true, turns: 0, reached: () => {} }
  const loop = poller({
    isNeeded: () => state.isNeeded,
    turn: () => (state.turns++, state.reached(), turn()),
    pause,
  })
  /** Resolves at the next turn. */
  const next = () => new Promise<void>((resolve) => (state.reached = resolve))
  return { state, loop, next }
}

/** Resolves after turns of another poller, which began later: by then this one has taken those that were due. */
async function ticks(count: number): Promise<void> {
  const other = counted(() => 5)
  for (let turns = 0; turns < count; turns++) {
    const next = other.next()
    if (turns === 0) other.loop.wake(5)
    await next
  }
  other.state.isNeeded = false
}

it('runs one loop however often it is woken, also while a turn goes on', async () => {
  let end = () => {}
  const { state, loop, next } = counted(
    () => 1e6,
    () => new Promise<void>((resolve) => (end = resolve)),
  )
  const first = next()
  for (let i = 0; i < 1_000; i++) loop.wake(0)
  await first
  for (let i = 0; i < 1_000; i++) loop.wake(5)
  await ticks(3)
  expect(state.turns).toBe(1)
  const second = next()
  end()
  await second
  // The next turn is planned in a thousand seconds.
  end()
  await ticks(3)
  expect(state.turns).toBe(2)
  state.isNeeded = false
  loop.wake(0)
})

it('ends without a turn when nothing needs it, and begins again when it is woken', async () => {
  const { state, loop, next } = counted(() => 1)
  state.isNeeded = false
  loop.wake(0)
  await ticks(2)
  expect(state.turns).toBe(0)
  state.isNeeded = true
  loop.wake(0)
  await next()
  state.isNeeded = false
  await ticks(2)
  const { turns } = state
  await ticks(3)
  expect(state.turns).toBe(turns)
})

it('takes a turn sooner when it is woken, never later, and goes on after one that fails', async () => {
  let pause = 1e6
  const { state, loop, next } = counted(
    () => pause,
    () => Promise.reject(new Error('down')),
  )
  loop.wake(1e6)
  const first = next()
  loop.wake(0)
  await first
  pause = 1
  const second = next()
  loop.wake(0)
  loop.wake(1e6)
  await second
  await next()
  state.isNeeded = false
})
