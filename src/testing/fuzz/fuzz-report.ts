/** The report of `fuzz`: as data, for people, and its failures as a file of tests. */
import type { Issue } from '../../core/rules/report.ts'
import { vitest, type TestSetup } from '../test-code/frameworks.ts'
import type { HandshakeProblem } from '../../interactions/bot/endpoint.ts'
import { handshakeAdvice } from '../../interactions/bot/handshake.ts'
import { counted, listed, printable, withoutRuns, wrapText } from '../../core/text.ts'
import { isIncomplete, notSeenLines, type NotSeen } from '../../model/not-seen.ts'

/** What a bot did wrong. */
export type FuzzCode =
  /** It did not answer in 3 seconds. */
  | 'no_answer'
  /** The service refused its answer; `issues` has every problem. */
  | 'refused_answer'
  /** It deferred an answer and never edited it. */
  | 'never_edited'
  /** It ended, or left an error unhandled. */
  | 'crashed'
  /** It suggested a value that its own option refuses, or more than 25. */
  | 'bad_suggestion'
  /** It repeated a person's mention of everyone or of a role, so that all of them are notified. */
  | 'mentions_everyone'
  /** It left the gateway and did not come back. */
  | 'lost_connection'
  /** It answered one interaction twice. */
  | 'answered_twice'
  /** The function `invariant` said so. Only with two people. */
  | 'broken_invariant'

/** A fault of a bot. */
export interface FuzzFailure {
  readonly code: FuzzCode
  readonly command: string
  readonly line: string
  /** What the person did last: `use`, `press Undo`. */
  readonly step: string
  readonly as: string
  /** The channel, or `dm`. */
  readonly channel: string
  readonly locale: string
  readonly message: string
  readonly issues: readonly Issue[]
  /** Whether it happened again with the same steps. */
  readonly repeated: boolean
  /** Whether it also happened on a bot that had just been started; null where none can be, or with two people. */
  readonly fresh: boolean | null
  /** For a fault that two people cause: the other one, and how many of the tries failed. */
  readonly together?: { readonly other: string; readonly failed: number; readonly of: number }
  /** A test with the same steps, for `commandry/testbed`. */
  readonly test: string
}

/** A fault that did not happen again when it was tried more slowly. A busy machine can cause it, so it is not a failure. */
export interface FuzzWarning extends Pick<
  FuzzFailure,
  'code' | 'command' | 'line' | 'step' | 'as' | 'channel' | 'locale' | 'message'
> {
  /** How often it happened. */
  readonly failed: number
  /** How often the same steps were tried, with those times. */
  readonly of: number
}

/** @param of how often the steps were tried */
export function warningOf(fault: Omit<FuzzWarning, 'failed' | 'of'>, of: number): FuzzWarning {
  const { code, command, line, step, as, channel, locale, message } = fault
  return { code, command, line, step, as, channel, locale, message, failed: 1, of }
}

/** How a command was used, and how fast it answered. */
export interface FuzzedCommand {
  /** The names of the command and its subcommand: `/note add`. */
  readonly command: string
  /** Whether anybody in the testbed can use it. */
  readonly available: boolean
  /** The interactions, with buttons, menus, modals and suggestions. */
  readonly uses: number
  readonly failures: number
  /** The median time of an answer; null without one. */
  readonly median_ms: number | null
  /** The longest time of an answer; null without one. */
  readonly slowest_ms: number | null
}

/** The check of an endpoint: PINGs with a right and a wrong signature, and in the end one of each kind with a wrong one. */
export interface FuzzedEndpoint {
  readonly url: string
  /** Empty for an address that Discord takes. */
  readonly problems: readonly HandshakeProblem[]
  /** What the bot did not refuse with 401 although the signature was invalid, such as `the use of a command`. */
  readonly forged: readonly string[]
  /** The error that the bot left unhandled meanwhile; null without one. */
  readonly error: string | null
}

/** What `fuzz` found. */
export interface FuzzReport {
  readonly version: 1
  readonly ok: boolean
  readonly seed: number
  readonly uses: number
  readonly commands: readonly FuzzedCommand[]
  readonly failures: readonly FuzzFailure[]
  readonly warnings: readonly FuzzWarning[]
  /** How often two people have used something at once, in some order; 0 with one person. */
  readonly schedules: number
  /** What Discord finds when it saves the address of the endpoint; null for a bot without an address. */
  readonly endpoint: FuzzedEndpoint | null
  /** What the run has not seen. A command or a file among it makes `ok` false. */
  readonly not_seen: readonly NotSeen[]
  /** The intents without which events were empty: MESSAGE_CONTENT. */
  readonly missing_intents: readonly string[]
  /** The commands that are global and in the server, so that people see them twice. Only those of the server were used. */
  readonly in_two_scopes: readonly string[]
}

const MAX_LINE_LENGTH = 160

/** A failure, the shortest steps that show it, and a test. */
function failureText(failure: FuzzFailure): string {
  const { code, line, step, as, channel, locale, message, repeated, fresh, together, test } = failure
  const place = channel === 'dm' ? 'in the DM with the bot' : `in #${channel}`
  const elsewhere =
    '\n  It did not happen on a bot that had just been started: earlier uses or the time are part of the cause.'
  const again = !repeated
    ? '\n  It did not happen again with the same steps.'
    : fresh === false
      ? elsewhere
      : ''
  const once = together === undefined ? again : `\n  It failed ${together.failed} of ${together.of} times.`
  const people = together === undefined ? as : `${as} and ${together.other}`
  return [
    `✗ ${code}  ${titleOf(line, step)}`,
    `  ${people} ${place}, ${locale}${once}`,
    indented(message, '  '),
    '',
    indented(test, '    '),
  ].join('\n')
}

function warningText({ code, line, step, as, channel, message, failed, of }: FuzzWarning): string {
  const place = channel === 'dm' ? 'in the DM with the bot' : `in #${channel}`
  return [
    `! ${code}  ${titleOf(line, step)}`,
    `  ${as} ${place}: it failed ${failed} of ${counted(of, 'time')}, and ${of === 1 ? 'was not tried again' : 'not when it was tried more slowly'}.`,
    indented(message.split('\n', 1)[0]!, '  '),
  ].join('\n')
}

function titleOf(line: string, step: string): string {
  const last = step === 'use' ? '' : `, ${step}`
  return printable(withoutRuns(line), MAX_LINE_LENGTH) + printable(last, MAX_LINE_LENGTH)
}

/** The message of a failure; an error that an earlier failure has too is not repeated. */
function failureMessage({ line, message }: FuzzFailure, failures: readonly FuzzFailure[]): string {
  const [title, ...error] = message.split('\n')
  const first = failures.find((other) => other.message === message)!.line
  return error.length === 0 || first === line ? message : `${title}\nthe error of ${withoutRuns(first)}`
}

function indented(text: string, by: string): string {
  const lines = text.split('\n').map((line) => line.match(/^ */)![0] + printable(line.trimStart(), 240))
  return lines.map((line) => (by + line).trimEnd()).join('\n')
}

/** The failures, a table of all commands, and what was not seen. @param width the columns of the screen */
export function fuzzText(report: FuzzReport, width = Infinity): string {
  const { failures, warnings, schedules, in_two_scopes: twice, uses, commands, endpoint, seed, ok } = report
  const together = schedules === 0 ? '' : `, ${counted(schedules, 'schedule')} of two people`
  const total = `${counted(uses, 'use')} of ${counted(commands.length, 'command')}${together}, seed ${seed}`
  return [
    ...failures.map(
      (failure) => `${failureText({ ...failure, message: failureMessage(failure, failures) })}\n`,
    ),
    ...warnings.map((warning) => `${warningText(warning)}\n`),
    ...table(commands),
    '',
    ...endpointLines(endpoint, width),
    ...(report.missing_intents.length === 0
      ? []
      : [`The bot has no ${report.missing_intents.join(', ')}: messages arrived with empty content.`]),
    ...(twice.length === 0
      ? []
      : [
          `Global and in the server too, so that people see two: ${printable(twice.join(', '))}. Uses reach that of the server.`,
        ]),
    ...notSeenLines(report.not_seen, width),
    ok ? `✓ ${total}: no failures` : `✗ ${total}: ${resultOf(report)}`,
  ].join('\n')
}

/** Why a run is not green. */
function resultOf({ failures, endpoint, not_seen: notSeen }: FuzzReport): string {
  const { problems = [], forged = [] } = endpoint ?? {}
  const unfit =
    (problems.length > 0 ? ', and Discord will not take the address' : '') +
    (forged.length > 0 ? ', and everyone can forge interactions' : '')
  const missed = isIncomplete(notSeen) ? ', and not all was seen' : ''
  return counted(failures.length, 'failure') + unfit + missed
}

function endpointLines(endpoint: FuzzedEndpoint | null, width: number): readonly string[] {
  const { url = '', problems = [], forged = [], error = null } = endpoint ?? {}
  const advised = (advice: string) => wrapText(advice, width - 2).map((line) => `  ${line}`)
  const unfit = [
    `✗ Discord will not take the address ${printable(url)}:`,
    ...problems.flatMap((problem) => advised(handshakeAdvice[problem])),
    ...(error === null ? [] : [indented(error, '  ')]),
    '',
  ]
  const forgeable = [
    `✗ Everyone who knows the address ${printable(url)} can forge ${listed(forged)}:`,
    ...advised(handshakeAdvice.signature),
    '',
  ]
  return [...(problems.length > 0 ? unfit : []), ...(forged.length > 0 ? forgeable : [])]
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

/**
 * A file of tests for vitest; empty without failures.
 *
 * @param passed the tests that pass though the bot has the fault, or what kept them from being run, by their code
 */
export function fuzzTests(
  { failures, seed }: FuzzReport,
  setup: Omit<TestSetup, 'header'>,
  passed: ReadonlyMap<string, string>,
): string {
  if (failures.length === 0) return ''
  const tests = failures.map(({ code, test }) => {
    const mark = passed.get(test)
    return `// ${code}${mark === undefined ? '' : `. ${mark}`}\n${test}`
  })
  return vitest.file(tests, { header: `Written by "commandry fuzz --seed ${seed}".`, ...setup })
}
