/** What a scene that was played shows, in words. */
import { isObject } from '../../../core/json.ts'
import type { Scene } from '../../page/questions/query.ts'
import { LONGEST, type Played, type PlayedTest } from './play-scene.ts'

type PlayedScene = Pick<Scene, 'phase' | 'difference' | 'step' | 'line' | 'expected' | 'seen' | 'output'>

export const untold = { difference: '', step: '', line: 0, expected: null, seen: null, output: '' } as const

/** @param code the code of the scene */
export function outcomeOf(
  { failure, tests, isLate, output }: Played,
  file: string,
  code: string,
): PlayedScene {
  const told = { ...untold, output: output.trimEnd() }
  if (isLate)
    return { ...told, phase: 'failed', difference: `It did not end within ${LONGEST / 1_000} seconds` }
  if (failure === undefined && tests > 0) return { ...untold, phase: 'holds' }
  if (failure === undefined) {
    const reason = /^\w*Error.*$/m.exec(output)?.[0] ?? 'it has no test'
    return { ...told, phase: 'failed', difference: `It cannot be played: ${reason}` }
  }
  const line = lineOf(failure, file)
  const step = stepAt(code.split('\n'), line)
  const more = { ...told, step, line }
  const [head = '', ...rest] = failure.message.split('\n')
  // A list follows.
  const first = head.replace(/(?:; it sent)?:$/, '')
  const whole = [rest.join('\n').trim(), told.output].filter(Boolean).join('\n')
  if (failure.isHook)
    return { ...more, phase: 'failed', difference: `The bot is not ready: ${first}`, output: whole }
  const { expected, seen, difference } = comparedIn(failure)
  if (difference === '') return { ...more, phase: 'differs', difference: `${step}: ${first}`, output: whole }
  return { ...more, phase: 'differs', difference: `${step}: ${difference}`, expected, seen }
}

/** The line of the scene at which it failed; 0 where the error does not tell. */
function lineOf({ stack }: PlayedTest, file: string): number {
  const name = file.split('/').at(-1)!
  const encoded = [name, encodeURIComponent(name)]
  const found = stack.split('\n').find((one) => encoded.some((part) => one.includes(`${part}:`)))
  return Number(/:(\d+):\d+\)?$/.exec(found ?? '')?.[1] ?? 0)
}

const CALL = /\b(?!assert\b)(\w{1,60})\.(?!text\b)([a-z]\w{0,30})\((.{0,500})/
const PEOPLE = /^\s*const \w+ = bed\.as\(/

/** What was done last, up to a line: a command as it was typed, or a verb with what it was done to. */
function stepAt(lines: readonly string[], line: number): string {
  const until = lines.slice(0, line).filter((one) => !PEOPLE.test(one) && !/^\s*assert\.equal\(/.test(one))
  const [, , verb = '', values = ''] =
    CALL.exec(until.at(-1) ?? '') ?? until.map((one) => CALL.exec(one)).findLast(Boolean) ?? []
  const texts = Array.from(values.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g), ([, a, b]) => a ?? b)
  const [text = ''] = texts
  if (verb === 'use') return text.replaceAll("\\'", "'")
  const words = verb.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return [words, text].filter(Boolean).join(' ')
}

const quotedLine = (text: string | undefined) =>
  text === undefined ? 'nothing' : `“${text.length > 80 ? `${text.slice(0, 80)}…` : text}”`

/** The first difference of what an assertion compared; empty for other errors. */
function comparedIn({ actual, expected, message, code }: PlayedTest) {
  if (typeof actual === 'string' && typeof expected === 'string') {
    const [seen, wanted] = [actual.split('\n'), expected.split('\n')]
    const at = wanted.findIndex((one, index) => one !== seen[index])
    const index = at < 0 ? wanted.length : at
    const difference = `${quotedLine(seen[index])} in place of ${quotedLine(wanted[index])}`
    return { expected, seen: actual, difference }
  }
  const refusal = isObject(expected) && typeof expected.code === 'string' ? expected.code : undefined
  if (code === 'ERR_ASSERTION' && /Missing expected rejection/.test(message))
    return {
      expected: null,
      seen: null,
      difference: `accepted, in place of refused${refusal ? ` with ${refusal}` : ''}`,
    }
  if (refusal === undefined || !isObject(actual)) return { expected: null, seen: null, difference: '' }
  const got = String(actual.code ?? actual.message)
  return { expected: refusal, seen: got, difference: `refused with ${got} in place of ${refusal}` }
}
