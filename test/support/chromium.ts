import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of Chromium: `CHROMIUM`, else one of its names on the path; `undefined` when it is missing. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  if (CHROMIUM !== undefined) return CHROMIUM
  // The shell draws no windows: a test takes half of the time of the processor.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ]
  return PATH.split(delimiter)
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find((file) => existsSync(file))
}
