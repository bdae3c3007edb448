import { describe, expect, it } from 'vitest'

/** A function with options, and invalid values of each option, by its name. The tests find a missing row. */
export type OptionsCase = readonly [
  caller: string,
  label: string,
  rows: Readonly<Record<string, readonly unknown[]>>,
  call: (given: any) => unknown,
]

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    return error
  }
}

export function describeOptions(options: readonly OptionsCase[]): void {
  describe.each(options)('the options of %s', (caller, label, rows, call) => {
    it('are all known', async () => {
      const error = (await errorOf(() => call({ qqqqqqqqqqqq: 1 }))) as Error
      const prefix = `${caller}: unknown option "qqqqqqqqqqqq"; expected `
      expect(error.message.slice(0, prefix.length)).toBe(prefix)
      expect(error.message.slice(prefix.length).split(', ').sort()).toEqual(Object.keys(rows).sort())
    })

    it.each(Object.entries(rows))('refuse invalid values of %s', async (name, values) => {
      for (const value of values) {
        const error = await errorOf(() => call({ [name]: value }))
        expect(error).toBeInstanceOf(TypeError)
        expect((error as Error).message.replace(/\[\d+\]/g, '[]')).toMatch(
          new RegExp(
            `^${`${label}${name}`.replace(/\[\d+\]/g, '[]').replace(/[.[\]]/g, '\\$&')}.*: expected `,
          ),
        )
      }
    })
  })
}
