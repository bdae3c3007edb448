/** The report of `fuzz` for people, and its failures as a file of tests. */
import { counted, printable, withoutRuns } from '../core/text.ts'
import type { FuzzedCommand, FuzzFailure, FuzzReport } from './fuzz.ts'

const MOST_OF_LINE = 160

/** A failure, the shortest steps that show it, and a test. */
function failureText(failure: FuzzFailure): string {
  const { code, line, step, as, channel, locale, message, repeated, test } = failure
  const place = channel === 'dm' ? 'in the DM with the bot' : `in #${channel}`
  const once = repeated ? '' : '\n  It did not happen again with the same steps.'
  const last = step === 'use' ? '' : `, ${step}`
  return [
    `✗ ${code}  ${printable(withoutRuns(line), MOST_OF_LINE)}${printable(last, MOST_OF_LINE)}`,
    `  ${as} ${place}, ${locale}${once}`,
    indented(message, '  '),
    '',
    indented(test, '    '),
  ].join('\n')
}

function indented(text: string, by: string): string {
  const lines = text.split('\n').map((line) => line.match(/^ */)![0] + printable(line.trimStart(), 240))
  return lines.map((line) => (by + line).trimEnd()).join('\n')
}

/** The failures, a table of all commands, and the routes that the service does not have. */
export function fuzzText(report: FuzzReport): string {
  const { failures, missing_routes: missing, uses, commands, seed, ok } = report
  const unused = commands.filter((command) => command.uses === 0).map(({ command }) => command)
  const routes = missing.map(({ route, count }) => `  ${route}  ${count}`)
  const total = `${counted(uses, 'use')} of ${counted(commands.length, 'command')}, seed ${seed}`
  return [
    ...failures.map((failure) => `${failureText(failure)}\n`),
    ...table(commands),
    '',
    ...(unused.length === 0 ? [] : [`Nobody in the testbed can use ${unused.join(', ')}.`]),
    ...(routes.length === 0
      ? []
      : ['The service has no such route; failures after these requests do not count:', ...routes]),
    ok ? `✓ ${total}: no failures` : `✗ ${total}: ${counted(failures.length, 'failure')}`,
  ].join('\n')
}

function table(commands: readonly FuzzedCommand[]): readonly string[] {
  const time = (milliseconds: number | null) => (milliseconds === null ? '-' : `${milliseconds} ms`)
  const rows = [
    ['command', 'uses', 'failures', 'median', 'slowest'],
    ...commands.map(({ command, uses, failures, median_ms, slowest_ms }) => [
      printable(command),
      String(uses),
      String(failures),
      time(median_ms),
      time(slowest_ms),
    ]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]! + 2)))
      .join(''),
  )
}

/** A file of tests for vitest; empty without failures. */
export function fuzzTests({ failures, seed }: FuzzReport): string {
  if (failures.length === 0) return ''
  const imports = [
    ['afterAll, beforeAll, expect, test', 'vitest'],
    ['testbed', 'commandry/testbed'],
  ]
  return `// Written by "commandry fuzz --seed ${seed}". Log your bot in where the comment is.
${imports.map(([names, from]) => `import { ${names} } from '${from}'`).join('\n')}

let bed
beforeAll(async () => {
  bed = await testbed()
  // client.login(bed.token), with bed.rest as the address: see node_modules/commandry/docs/testbed.md
})
afterAll(() => bed.close())

${failures.map(({ code, test }) => `// ${code}\n${test}\n`).join('\n')}`
}
