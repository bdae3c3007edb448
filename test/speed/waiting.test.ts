/**
 * What people wait for, in processor time against the least that does the same. Limits are twice the goals of
 * docs/performance.md, so that only a library that is loaded without need fails.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { median } from '../bench/contest.ts'
import { commandLines, inProcesses, processorAtExit } from '../bench/programs.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const built = path('../node_modules/commandry/dist/node')
const folder = mkdtempSync(join(tmpdir(), 'waiting-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ROUNDS = 5

function ratioOf(ours: readonly string[], bare: readonly string[]): number {
  const costs = inProcesses(process.execPath, { ours, bare }, { stream: 'stderr', rounds: ROUNDS })
  return median(costs.ours.map((cost, round) => cost / costs.bare[round]!))
}

const lines = commandLines(folder, join(built, 'cli.js'), path('../package.json'))

it.each([
  ['`commandry --version`', 2.4],
  ['`check` of a JSON file', 4],
  ['`check` of 100 builders', 2.8],
] as const)('the processor time of %s is at most %f times that of the least', (name, limit) => {
  const { ours, bare } = lines[name]
  expect(ratioOf(ours, bare)).toBeLessThanOrEqual(limit)
})

it.each([
  ['index', 3],
  ['testbed', 5],
])('the processor time of a program that imports %s is at most %f times that of none', (module, limit) => {
  const program = (name: string) => [
    ...processorAtExit,
    '--input-type=module',
    '-e',
    `import ${JSON.stringify(name)}`,
  ]
  const { href } = pathToFileURL(join(built, `${module}.js`))
  expect(ratioOf(program(href), program('node:process'))).toBeLessThanOrEqual(limit)
})
