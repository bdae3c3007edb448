/** The files of a project as they are at a commit, in a folder of their own. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { quoted } from '../../../core/text.ts'
import { CommandError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'

const run = promisify(execFile)

/**
 * Calls back with the folder that stands for the current one at a commit. Installed packages are those of today.
 *
 * @throws CommandError outside a repository, and for an unknown commit
 */
export async function withBase<T>(io: Io, ref: string, use: (cwd: string) => Promise<T>): Promise<T> {
  // Git would read it as an option.
  if (ref.startsWith('-')) throw new CommandError(`--base ${quoted(ref, 60)} is not a commit`)
  const git = (...args: readonly string[]) => run('git', args, { cwd: io.cwd, maxBuffer: 1 << 28 })
  const top = await git('rev-parse', '--show-toplevel').catch(() => {
    throw new CommandError('review compares with a commit, and this folder is in no Git repository')
  })
  const root = await realpath(top.stdout.trim())
  const commit = await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).catch(() => {
    const advice = 'in CI, fetch it first: actions/checkout needs fetch-depth: 0'
    throw new CommandError(`--base ${quoted(ref, 60)} is not a commit of this repository; ${advice}`)
  })
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'commandry-base-')))
  try {
    const files = join(folder, 'files')
    // An index of its own. Unlike an archive, a checkout has the files with `export-ignore`.
    const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'index') }
    const checkOut = (...args: readonly string[]) => run('git', ['-C', root, ...args], { env })
    await checkOut('read-tree', '--no-sparse-checkout', commit.stdout.trim())
    await checkOut('checkout-index', '--all', '--quiet', `--prefix=${files}/`)
    const place = relative(root, await realpath(io.cwd))
    await linkPackages(root, files, place)
    return await use(join(files, place))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Links the installed packages of the current folder and of those around it. */
async function linkPackages(root: string, files: string, place: string): Promise<void> {
  for (let folder = place; ; folder = dirname(folder)) {
    const installed = resolve(root, folder, 'node_modules')
    const there = join(files, folder)
    if (existsSync(installed) && existsSync(there) && !existsSync(join(there, 'node_modules')))
      await symlink(installed, join(there, 'node_modules'), 'junction')
    if (folder === '' || folder === '.') return
  }
}
