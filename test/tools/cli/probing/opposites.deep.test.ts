import { it } from 'vitest'
import { expectFound, rows } from './plant.ts'

// The numbers of each two rows differ in a bit, so each row is found by itself.
const bits = Array.from({ length: Math.ceil(Math.log2(rows.length + 1)) }, (_, bit) => bit)

it.each(bits)('commandry vectors --against discord finds the opposite decisions of rows by bit %i', (bit) =>
  expectFound((index) => (((index + 1) >> bit) & 1) === 1),
)
