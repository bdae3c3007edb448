/** Makes the steps that lead to a fault as few and as simple as possible. */
import { OptionType } from '../../model/command-types.ts'
import { fitted, isTextOption, simplest, type FuzzStage, type Use } from './planned-uses.ts'
import { chainOf, useOf, type Step } from './steps.ts'

type Steps = readonly Step[]

/** A text or a number that a person enters. */
interface Slot {
  readonly value: string | number | boolean
  /** What it is replaced with first; undefined for none. */
  readonly simple: string | number | boolean | undefined
  /** Whether any other text can be entered. */
  readonly isText: boolean
  /** The steps with another value. */
  with(value: string | number | boolean): (steps: Steps) => Steps
}

/** Changes the first use, and a second one after suggestions. */
function withUse(change: (use: Use) => Partial<Use>): (steps: Steps) => Steps {
  return (steps) =>
    steps.map((step) => (step.kind === 'use' ? { ...step, use: { ...step.use, ...change(step.use) } } : step))
}

/** Everything that a person enters in steps: values, the target of a message command, the inputs of modals. */
function slotsOf(steps: Steps, stage: FuzzStage): readonly Slot[] {
  const { values, subject, texts } = useOf(steps)
  const inUse = values.map(({ option, value }): Slot => {
    const bounds = { min: option.min_length ?? 0, max: option.max_length ?? Infinity }
    const isString = isTextOption(option) && option.type === OptionType.STRING
    return {
      value,
      simple: simplest(option, stage),
      isText: isString,
      with: (other) =>
        withUse((use) => ({
          values: use.values.map((one) =>
            one.option === option ? { option, value: isString ? fitted(String(other), bounds) : other } : one,
          ),
        })),
    }
  })
  const target: Slot = {
    value: texts[0] ?? '',
    simple: 'a',
    isText: true,
    with: (text) => withUse((use) => ({ texts: [String(text), ...use.texts.slice(1)] })),
  }
  const inModals = steps.flatMap((step, at) => {
    if (step.kind !== 'submit') return []
    const withInput = (id: string, text: string) => (all: Steps) => {
      const { values } = all[at] as typeof step
      return all.with(at, { ...step, values: { ...values, [id]: text } })
    }
    return Object.entries(step.values).flatMap(([id, value]): readonly Slot[] =>
      typeof value === 'string' && value.length > 1
        ? [{ value, simple: 'a', isText: true, with: (text) => withInput(id, String(text)) }]
        : [],
    )
  })
  return [...inUse, ...(subject.type === 3 ? [target] : []), ...inModals]
}

/**
 * The shortest steps found that still fail, in at most `budget` tries.
 *
 * @param found steps that fail
 * @param fails whether other steps still lead to the fault
 */
export async function shrink(
  found: Steps,
  stage: FuzzStage,
  fails: (steps: Steps) => Promise<boolean>,
  budget: number,
): Promise<Steps> {
  let steps = found
  let left = budget
  /** Keeps simpler steps if they still fail. */
  const keeps = async (change: (steps: Steps) => Steps): Promise<boolean> => {
    const simpler = change(steps)
    if (left-- <= 0 || !(await fails(simpler))) return false
    steps = simpler
    return true
  }
  /** Keeps the smallest number that still fails, of those from 1 to one that does. */
  const search = async (high: number, withNumber: (number: number) => (steps: Steps) => Steps) => {
    let low = 1
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (await keeps(withNumber(middle))) high = middle
      else low = middle
    }
  }
  const shorten = async (text: string, slot: Slot) => {
    let rest = [...text]
    if (rest.length > 1 && (await keeps(slot.with('a'.repeat(rest.length)))))
      return search(rest.length, (length) => slot.with('a'.repeat(length)))
    for (let size = Math.ceil(rest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < rest.length && rest.length > 1;) {
        const shorter = rest.toSpliced(at, size)
        if (shorter.length > 0 && (await keeps(slot.with(shorter.join(''))))) rest = shorter
        else at += size
      }
  }

  // What happens by itself seldom needs what the person did with the answer.
  if (steps.at(-1)!.kind === 'wait')
    await keeps((all) => all.filter(({ kind }) => kind === 'use' || kind === 'wait'))
  if (chainOf(steps).length < steps.length) await keeps(chainOf)
  const home = { ...stage.places[0]!, locale: 'en-US' as const }
  const places = [
    home,
    { ...home, locale: useOf(steps).place.locale },
    { ...useOf(steps).place, locale: home.locale },
  ]
  for (const place of places)
    if (
      JSON.stringify(useOf(steps).place) !== JSON.stringify(place) &&
      (await keeps(withUse(() => ({ place }))))
    )
      break
  const { values, focused } = useOf(steps)
  const removable = values.filter(({ option }) => option.required !== true && option.name !== focused)
  for (const some of [removable, ...removable.map((one) => [one])]) {
    const others = (use: Use) => use.values.filter(({ option }) => !some.some((one) => one.option === option))
    if (some.length > 0 && (await keeps(withUse((use) => ({ values: others(use) })))) && some === removable)
      break
  }
  for (const slot of slotsOf(steps, stage)) {
    const { value, simple } = slot
    if (value === simple || simple === undefined || (await keeps(slot.with(simple)))) continue
    if (slot.isText) await shorten(String(value), slot)
    else if (Number.isSafeInteger(value) && Number.isSafeInteger(simple)) {
      const [from, to] = [Number(simple), Number(value)]
      await search(Math.abs(to - from), (distance) => slot.with(from + Math.sign(to - from) * distance))
    }
  }
  return steps
}
