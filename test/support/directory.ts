import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The path of a new empty directory. */
export const newDirectory = () => mkdtempSync(join(tmpdir(), 'commandry-'))
