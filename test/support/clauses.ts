/** The clauses of the specification that this project has numbered. */
export const clauses = [
  ...numbered('1', 6),
  ...numbered('2.1', 25),
  ...numbered('2.2', 1),
  ...numbered('2.3', 3),
  ...numbered('2.4', 13),
  ...numbered('2.5', 3),
  ...numbered('2.6', 4),
  ...numbered('2.7', 4),
  ...numbered('2.8', 6),
  ...numbered('2.9', 10),
  ...numbered('2.10', 11),
  ...numbered('2.11', 11),
  ...numbered('2.12', 7),
  ...numbered('4.1', 7),
  ...numbered('4.2', 7),
  ...numbered('4.3', 4),
  ...numbered('4.4', 2),
  ...numbered('5', 4),
  ...numbered('6', 4),
  ...numbered('7', 1),
  ...numbered('8', 5),
  ...numbered('9', 3),
]

function numbered(section: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${section}-${String(i + 1).padStart(2, '0')}`)
}
