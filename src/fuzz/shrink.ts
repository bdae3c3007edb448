/** Makes the steps that lead to a fault as few and as simple as possible. */
import { OptionType } from '../command/types.ts'
import { fitted, isText, simplest, type Given, type Stage } from './plan.ts'
import { chainOf, modalTexts, useOf, withUse, type Shortenable, type Step } from './steps.ts'

/** @returns whether the steps still lead to the fault */
export type Fails = (steps: readonly Step[]) => Promise<boolean>

class Shrinking {
  steps: readonly Step[]
  readonly #fails: Fails
  #left: number

  constructor(steps: readonly Step[], fails: Fails, budget: number) {
    this.steps = steps
    this.#fails = fails
    this.#left = budget
  }

  /** Keeps simpler steps if they still fail. */
  async try(steps: readonly Step[]): Promise<boolean> {
    if (this.#left <= 0) return false
    this.#left--
    const fails = await this.#fails(steps)
    if (fails) this.steps = steps
    return fails
  }

  /** Keeps the shortest text that still fails. */
  async shorten({ text, with: replaced }: Shortenable, simple: string): Promise<void> {
    if (text === simple || (await this.try(replaced(simple)))) return
    const characters = [...text]
    if (characters.length > 1 && (await this.try(replaced('a'.repeat(characters.length)))))
      return this.#search(characters.length, (length) => replaced('a'.repeat(length)))
    let rest = characters
    for (let size = Math.ceil(rest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < rest.length && rest.length > 1;) {
        const shorter = [...rest.slice(0, at), ...rest.slice(at + size)]
        if (shorter.length > 0 && (await this.try(replaced(shorter.join(''))))) rest = shorter
        else at += size
      }
    }
  }

  /** Keeps the smallest number that still fails, of those from 1 to one that does. */
  async #search(high: number, withNumber: (number: number) => readonly Step[]): Promise<void> {
    let low = 1
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (await this.try(withNumber(middle))) high = middle
      else low = middle
    }
  }

  /** Keeps the number nearest to a simple one that still fails. */
  async approach(
    value: number,
    simple: number,
    withNumber: (number: number) => readonly Step[],
  ): Promise<void> {
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(simple)) return
    const sign = value < simple ? -1 : 1
    await this.#search(Math.abs(value - simple), (distance) => withNumber(simple + sign * distance))
  }
}

/**
 * The shortest steps found that still fail, in at most `budget` tries.
 *
 * @param steps they fail
 */
export async function shrink(
  steps: readonly Step[],
  stage: Stage,
  fails: Fails,
  budget: number,
): Promise<readonly Step[]> {
  const shrinking = new Shrinking(steps, fails, budget)
  const chain = chainOf(steps)
  if (chain.length < steps.length) await shrinking.try(chain)
  const use = () => useOf(shrinking.steps)
  const [home] = stage.places
  const plain = { ...home!, locale: 'en-US' as const }
  const change = (more: Parameters<typeof withUse>[1]) => shrinking.try(withUse(shrinking.steps, more))
  const { place, values } = use()
  const isElsewhere = place.as !== plain.as || place.channel !== plain.channel
  if ((isElsewhere || place.locale !== 'en-US') && !(await change({ place: plain }))) {
    if (isElsewhere) await change({ place: { ...plain, locale: place.locale } })
    if (use().place.locale !== 'en-US') await change({ place: { ...place, locale: 'en-US' } })
  }
  const removable = values.filter(({ option }) => option.required !== true && option.name !== use().focused)
  const without = (some: readonly Given[]) => ({
    values: use().values.filter(({ option }) => !some.some((one) => one.option === option)),
  })
  if (removable.length > 0 && !(await change(without(removable))) && removable.length > 1)
    for (const one of removable) await change(without([one]))
  for (const { option, value } of use().values) await simplify(shrinking, { option, value }, stage)
  for (const text of modalTexts(shrinking.steps)) await shrinking.shorten(text, 'a')
  return shrinking.steps
}

async function simplify(shrinking: Shrinking, { option, value }: Given, stage: Stage): Promise<void> {
  const simple = simplest(option, stage)
  const replaced = (other: Given['value']) =>
    withUse(shrinking.steps, {
      values: useOf(shrinking.steps).values.map((one) =>
        one.option === option ? { option, value: other } : one,
      ),
    })
  if (isText(option) && option.type === OptionType.STRING) {
    const bounds = { min: option.min_length ?? 0, max: option.max_length ?? Infinity }
    const shortened = { text: String(value), with: (text: string) => replaced(fitted(text, bounds)) }
    return shrinking.shorten(shortened, String(simple))
  }
  if (value === simple || simple === undefined || (await shrinking.try(replaced(simple)))) return
  const hasChoices = (option.choices ?? []).length > 0
  if (typeof value === 'number' && typeof simple === 'number' && !hasChoices)
    await shrinking.approach(value, simple, replaced)
}
