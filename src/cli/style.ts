/** Colours, and line breaks for the terminal. */
import type { Io } from './io.ts'

const codes = { bold: 1, dim: 2, underline: 4, red: 31, green: 32, yellow: 33, cyan: 36 } as const

/** Functions that colour a text; without colours they return it unchanged. */
export type Style = { readonly [Color in keyof typeof codes]: (text: string) => string }

/** The colours and the width of the terminal. */
export interface Terminal {
  readonly style: Style
  /** False for a file, a pipe or a log, whose lines programs search. */
  readonly isTerminal: boolean
  readonly columns: number
}

/**
 * The terminal of stdout. It has at least 60 columns; a stdout that is not a terminal has 100.
 *
 * @param mode the value of `--color`
 */
export function terminalOf({ stdout, env }: Io, mode: 'auto' | 'always' | 'never'): Terminal {
  const isTerminal = stdout.isTTY === true
  const columns = Math.max(60, (isTerminal ? stdout.columns : undefined) ?? 100)
  const { NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM } = env
  const isForced = [FORCE_COLOR, CLICOLOR_FORCE].some(
    (value) => value !== undefined && value !== '0' && value !== '',
  )
  const isAuto = isForced || (isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb')
  const isColored = mode === 'always' || (mode === 'auto' && isAuto)
  const paint = (code: number) => (text: string) => (isColored ? `\u001b[${code}m${text}\u001b[0m` : text)
  const painters = Object.entries(codes).map(([name, code]) => [name, paint(code)])
  return { style: Object.fromEntries(painters) as Style, isTerminal, columns }
}

/** The lines of a text at most `width` columns wide, broken at spaces. A longer word has a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
