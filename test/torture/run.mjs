/**
 * Hours of faults on one command: `npm run torture -- [--minutes 2] [--seed 1] [--only TEXT] [--draw 12] [--limit 5] [--calls 600]`.
 *
 * Runs every trial once, or as many as --draw says, in rounds until the time is over, against SQLite, the example of D1, and the servers of
 * DATABASE_URL, REDIS_URL, NATS_URL and MARIADB_URL, and `commandry serve` of the built package beside it. Prints one table. Fails when anything was lost.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const rest = process.argv.slice(2)
if (!rest.includes('--built')) {
  const { status } = spawnSync(process.execPath, ['test/package/build.mjs'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const outfile = `test/node_modules/.cache/commandry/torture-${process.pid}.mjs`
try {
  await build({
    entryPoints: ['test/torture/torture.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  const child = spawn(
    process.execPath,
    ['--no-warnings', outfile, ...rest.filter((each) => each !== '--built')],
    {
      stdio: 'inherit',
    },
  )
  // The child removes what it has made, and ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  const [status] = await once(child, 'exit')
  process.exitCode = status ?? 1
} finally {
  rmSync(outfile, { force: true })
}
