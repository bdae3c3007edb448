/** Hides secrets in what a program of the user writes, before it is shown. */
import type { Io } from '../base/io.ts'

const SECRET_NAME = /token|secret|passw|pwd|api_?key|private|credential|dsn|_url$/i

/** The folder of a shell and the one before it, which stand in every stack trace. */
const FOLDER_NAME = /^(?:OLD)?PWD$/

/** Whether the value of a variable must not be shown, nor stand in a file. */
export const namesSecret = (name: string): boolean => SECRET_NAME.test(name) && !FOLDER_NAME.test(name)
const DISCORD_TOKEN = /(?<![\w-])[\w-]{18,40}\.[\w-]{6}\.[\w-]{27,60}/g
/** The password in the address of a database. */
const PASSWORD = /(:\/\/[^\s:/@]{0,100}:)[^\s/@]{1,200}@/g
/** Characters. Shorter values are found in ordinary words. */
const LEAST_SECRET = 6

/**
 * Replaces the values of variables with the name of a secret, further values, and what has the form of a token.
 *
 * @param more values that are secret under any name
 */
export function masking(env: Io['env'], more: readonly string[]): (text: string) => string {
  const own = Object.entries(env).flatMap(([name, value = '']) => (namesSecret(name) ? value : []))
  // An output may begin within a private key of several lines.
  const secrets = [...new Set([...own, ...more].flatMap((value) => [value, ...value.split(/\r?\n/)]))]
    .filter(({ length }) => length >= LEAST_SECRET)
    // One value may begin with another.
    .sort((a, b) => b.length - a.length)
  return (text) =>
    secrets
      .reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
      .replace(DISCORD_TOKEN, '***')
      .replace(PASSWORD, '$1***@')
}
