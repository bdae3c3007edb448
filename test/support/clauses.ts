import { words } from './words.ts'

/** The last clause of each section of the specification that this project has numbered. */
const last = words(`
  1-07 2.1-26 2.2-01 2.3-03 2.4-14 2.5-03 2.6-05 2.7-04 2.8-07 2.9-10 2.10-11 2.11-17 2.12-08
  4.1-07 4.2-07 4.3-04 4.4-02 5-06 6-07 7-01 8-05 9-04
`)

/** The clauses in order: `2.4-08`. */
export const clauses = last.flatMap((id) => {
  const [section, count] = id.split('-')
  return Array.from({ length: Number(count) }, (_, i) => `${section}-${String(i + 1).padStart(2, '0')}`)
})
