/** A little colour for the examples, where the terminal has it. */
const colourful = process.stdout.isTTY && process.env.NO_COLOR === undefined
const style = (code: number) => (text: string) => (colourful ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = style(1)
export const dim = style(2)
export const red = style(31)
export const green = style(32)
export const yellow = style(33)
export const cyan = style(36)

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function heading(text: string): void {
  say(`\n${bold(cyan(text))}\n${dim('─'.repeat(Math.max(60, text.length)))}`)
}
