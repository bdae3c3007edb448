/** Colours, and lines that fit the terminal. */
import type { Io, Output } from './io.ts'

/** When output is coloured. */
export const colorModes = ['auto', 'always', 'never'] as const
export type ColorMode = (typeof colorModes)[number]

const codes = { bold: 1, dim: 2, underline: 4, red: 31, green: 32, yellow: 33, cyan: 36 } as const

/** Paints text, or leaves it as it is where there are no colours. */
export type Style = { readonly [Color in keyof typeof codes]: (text: string) => string }

export function styleFor(io: Io, mode: ColorMode, output: Output = io.stdout): Style {
  const { NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE } = io.env
  const isForced = [FORCE_COLOR, CLICOLOR_FORCE].some(
    (value) => value !== undefined && value !== '0' && value !== '',
  )
  const isAuto = isForced || (output.isTTY === true && (NO_COLOR ?? '') === '' && io.env.TERM !== 'dumb')
  const isColored = mode === 'always' || (mode === 'auto' && isAuto)
  const paint = (code: number) => (text: string) => (isColored ? `\u001b[${code}m${text}\u001b[0m` : text)
  return Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [name, paint(code)]),
  ) as unknown as Style
}

/** Columns of the terminal, from 60 on; 100 where the output is not a terminal. */
export function columnsOf({ stdout }: Io): number {
  return Math.max(60, (stdout.isTTY === true ? stdout.columns : undefined) ?? 100)
}

/** The lines of a text at most `width` columns wide, broken at spaces. A longer word has a line of its own. */
export function wrapped(text: string, width: number): readonly string[] {
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
