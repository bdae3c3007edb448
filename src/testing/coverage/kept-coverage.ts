/** The coverage of several test files: each testbed writes its own when it closes, and a reporter adds them up. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsedJson } from '../../core/json.ts'
import { uniqueText } from '../../core/random.ts'
import { mergeCoverage, type BotCoverage } from './coverage.ts'

/** The variable of the environment with the folder, which the processes of the tests inherit. */
const FOLDER = 'COMMANDRY_COVERAGE'

/** Writes the coverage of a testbed where a reporter has asked for it. */
export async function keepCoverage(coverage: () => Promise<BotCoverage>): Promise<void> {
  const folder = process.env[FOLDER]
  if (folder === undefined || folder === '') return
  await writeFile(join(folder, `${uniqueText()}.json`), JSON.stringify(await coverage()))
}

/** A folder for the coverage of testbeds that open from now on, also in processes that start from now on. */
export class CoverageFolder {
  readonly #path = mkdtempSync(join(tmpdir(), 'commandry-coverage-'))

  constructor() {
    process.env[FOLDER] = this.#path
  }

  /** Adds up what is there, and removes the folder. @returns null when no testbed was closed */
  take(): BotCoverage | null {
    const files = readdirSync(this.#path).map((name) =>
      parsedJson(readFileSync(join(this.#path, name), 'utf8')),
    )
    rmSync(this.#path, { recursive: true, force: true })
    delete process.env[FOLDER]
    return files.length === 0 ? null : mergeCoverage(files as readonly BotCoverage[])
  }
}
