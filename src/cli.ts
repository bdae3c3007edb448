#!/usr/bin/env node
/** The command line; `commandry help` lists its commands. */
import * as module from 'node:module'
import { main } from './tools/cli/main.ts'
import { processIo } from './tools/cli/base/process-io.ts'

// Node 22.8 and later; it is of use from the second run on.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
enableCompileCache?.()
const { exit } = process
// A reader such as `head` may close its end before everything is written. A command that has its own listener decides.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && stream.listenerCount('error') === 1) throw error
  })
}
// A module that was loaded may call it while the command is still running, which must not look like success.
process.exit = ((code?: number) => {
  process.stderr.write(
    `commandry: a loaded module called process.exit(${code ?? ''}) before the end of the command\n`,
  )
  return exit(1)
}) as typeof exit

// Until the command has ended: if nothing is left to wait for before that, it must not look like success.
process.exitCode = 1
// Not awaited at the top: modules of commands share some of this one's, so they load after it.
void main(process.argv.slice(2), processIo()).then(async (code) => {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
  )
  // A module that was checked may keep a timer or a connection open.
  exit(code)
})
