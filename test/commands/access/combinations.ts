type Lists = Readonly<Record<string, readonly unknown[]>>
type Combination<T extends Lists> = { -readonly [Name in keyof T]: T[Name][number] }

/** Every combination of one value from each list. */
export function combinations<const T extends Lists>(lists: T): Combination<T>[] {
  return Object.entries(lists).reduce<object[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as Combination<T>[]
}
