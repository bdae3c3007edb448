/**
 * Checks whether a concurrent history has an equivalent sequential order: the search of Wing and Gong,
 * with a cache of visited states.
 */

export interface Operation<Input = unknown, Output = unknown> {
  readonly input: Input
  /** `undefined` when the outcome is unknown: it may take effect at any later time, or never. */
  readonly output: Output | undefined
  /** Times of one common clock; the operation took effect between the two. */
  readonly start: number
  readonly end: number
}

export interface SequentialModel<State, Input, Output> {
  readonly initial: State
  /** The state after an operation with this output, or `undefined` when the output is impossible in this state. */
  step(state: State, input: Input, output: Output | undefined): State | undefined
  /** A key of a state; states with equal keys are equal. */
  key(state: State): string
}

export type Verdict<Input, Output> =
  | { readonly linearizable: true }
  /** The operations that could not come next at the furthest point of the search, and that point. */
  | {
      readonly linearizable: false
      readonly placed: number
      readonly stuck: readonly Operation<Input, Output>[]
    }

interface Step<State> {
  readonly state: State
  readonly index: number
}

/** Searches for an order of the operations that agrees with their times and with the model. */
export function linearizable<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): Verdict<Input, Output> {
  const operations = [...history].sort((a, b) => a.start - b.start)
  const done: boolean[] = operations.map(() => false)
  const seen = new Set<string>()
  const path: Step<State>[] = []
  let state = model.initial
  let left = operations.filter(({ output }) => output !== undefined).length
  let first = 0
  let from = 0
  let furthest = -1
  let stuck: readonly Operation<Input, Output>[] = []

  // An operation may come next if it began before every remaining one ended.
  function candidates(): number[] {
    const found: number[] = []
    let horizon = Infinity
    for (let i = first; i < operations.length; i++) {
      const { start, end, output } = operations[i]!
      if (done[i]) continue
      if (start > horizon) break
      found.push(i)
      if (output !== undefined) horizon = Math.min(horizon, end)
    }
    return found.filter((i) => operations[i]!.start <= horizon)
  }

  function place(): string {
    const beyond: number[] = []
    for (let i = first; i < operations.length && operations[i]!.start <= latest; i++)
      if (done[i]) beyond.push(i)
    return `${first};${beyond.join()};${model.key(state)}`
  }
  let latest = -Infinity

  for (;;) {
    if (left === 0) return { linearizable: true }
    const open = candidates()
    if (path.length > furthest) {
      furthest = path.length
      stuck = open.map((i) => operations[i]!)
    }
    let moved = false
    for (const i of open) {
      if (i < from) continue
      const { input, output, start } = operations[i]!
      const next = model.step(state, input, output)
      if (next === undefined) continue
      const before = { state, first, latest }
      done[i] = true
      while (done[first]) first++
      state = next
      latest = Math.max(latest, start)
      const here = place()
      if (seen.has(here)) {
        done[i] = false
        ;({ state, first, latest } = before)
        continue
      }
      seen.add(here)
      path.push({ state: before.state, index: i })
      if (output !== undefined) left--
      from = 0
      moved = true
      break
    }
    if (moved) continue
    const last = path.pop()
    if (last === undefined) return { linearizable: false, placed: furthest, stuck }
    done[last.index] = false
    if (operations[last.index]!.output !== undefined) left++
    first = Math.min(first, last.index)
    state = last.state
    from = last.index + 1
  }
}

// --- A register with compare-and-set: what a store promises of one document --------------------------------------

export type RegisterInput =
  | { readonly kind: 'read' }
  /** A `value` of null removes. */
  | { readonly kind: 'write'; readonly expected: string | null; readonly value: number | null }

export type RegisterOutput =
  | { readonly kind: 'found'; readonly revision: string | null; readonly value: number | null }
  | { readonly kind: 'written'; readonly revision: string }
  | { readonly kind: 'refused' }

interface RegisterState {
  /** `?` stands for the revision of a write whose answer never came. */
  readonly revision: string | null
  readonly value: number | null
}

export const register: SequentialModel<RegisterState, RegisterInput, RegisterOutput> = {
  initial: { revision: null, value: null },
  step(state, input, output) {
    const unsure = state.revision === '?'
    if (input.kind === 'read') {
      if (output === undefined) return state
      if (output.kind !== 'found' || output.value !== state.value) return undefined
      if (unsure) return { revision: output.revision, value: state.value }
      return output.revision === state.revision ? state : undefined
    }
    // No writer can expect an unknown revision.
    const fits = !unsure && input.expected === state.revision
    if (output?.kind === 'refused') return fits ? undefined : state
    if (!fits) return undefined
    const revision = output?.kind === 'written' ? output.revision : '?'
    return { revision: input.value === null ? null : revision, value: input.value }
  },
  key: ({ revision, value }) => `${revision} ${value}`,
}
