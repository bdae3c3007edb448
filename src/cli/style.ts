/** Colours, and line breaks for the terminal. */
import type { Io, Output } from './io.ts'

/** Values of `--color`. */
export const colorModes = ['auto', 'always', 'never'] as const
export type ColorMode = (typeof colorModes)[number]

const codes = { bold: 1, dim: 2, underline: 4, red: 31, green: 32, yellow: 33, cyan: 36 } as const

/** Functions that colour a text; without colours they return it unchanged. */
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

/** The columns of the terminal, at least 60; 100 if the output is not a terminal. */
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
