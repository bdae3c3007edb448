/** The surroundings of a command that runs as a program. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defaultLimits, type Io } from './io.ts'

export function processIo(): Io {
  const { env, stdout, stderr } = process
  return {
    cwd: process.cwd(),
    env,
    // Opened when it is read: that takes longer than some commands.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    limits: defaultLimits,
    import: (specifier) => import(specifier),
    async ask(question) {
      const { stdin } = process
      if (!stdin.isTTY || !stdout.isTTY) return null
      const { createInterface } = await import('node:readline/promises')
      const terminal = createInterface({ input: stdin, output: stdout })
      return terminal.question(question).finally(() => terminal.close())
    },
    loader: new URL('./loader.js', import.meta.url),
    redirect: () => createRequire(import.meta.url).resolve('commandry/redirect'),
    clock: () => createRequire(import.meta.url).resolve('commandry/clock'),
    testbed: () => createRequire(import.meta.url).resolve('commandry/testbed'),
    docs: () => join(dirname(createRequire(import.meta.url).resolve('commandry/package.json')), 'docs'),
    interrupted: () =>
      new Promise((resolve) => {
        const end = () => {
          // A second signal ends the program at once.
          for (const signal of SIGNALS) process.off(signal, end).once(signal, () => process.exit(130))
          resolve()
        }
        for (const signal of SIGNALS) process.on(signal, end)
      }),
  }
}

/** Signals that end a command; that of a closed terminal among them. Windows has no SIGQUIT. */
const SIGNALS: readonly NodeJS.Signals[] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const),
  ...(process.platform === 'win32' ? [] : (['SIGQUIT'] as const)),
]
