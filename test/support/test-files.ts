import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

function filesBelow(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name
    // Folders with a dot come and go while other tests run.
    if (entry.isDirectory()) return /^(?:\.|node_modules$)/.test(entry.name) ? [] : filesBelow(`${path}/`)
    return [path]
  })
}

/** The files of `test`, by their path below it. */
export const testFiles = (): string[] => filesBelow('').sort()
