/** Bots of `bots/` as programs, and `commandry/redirect` for them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import type { Testbed } from 'commandry/testbed'
import { newDirectory } from '../../support/directory.ts'
import { buildRedirect } from '../../support/redirect.ts'
import { findPython } from '../python/python.ts'

/** Builds `commandry/redirect` as the package has it, in a folder that is removed after the tests of the file. */
export function redirectInFolder(): {
  readonly folder: string
  readonly redirect: string
  readonly imported: string
} {
  const folder = newDirectory()
  afterAll(() => rmSync(folder, { recursive: true }))
  const { required, imported } = buildRedirect(folder)
  return { folder, redirect: required, imported }
}

/** The Python with discord.py; undefined if it is not installed. */
export const python = findPython('discord')

/** Bots that print the channels they get, each with its file, and whether it must be redirected. */
export const channelBots = [
  ['discord.js', 'hidden-discordjs.mjs', false],
  ['oceanic.js', 'hidden-oceanic.mjs', false],
  // It speaks only TLS on the default port.
  ['eris', 'hidden-eris.mjs', true],
  ...(python === undefined ? [] : ([['discord.py', 'hidden.py', false]] as const)),
] as const

/**
 * Starts a bot.
 *
 * @param knowsAddresses whether it is given the addresses of the testbed
 * @param redirect the file of `commandry/redirect`, which redirects the connections of a bot on Node
 */
export function startBot(bed: Testbed, file: string, knowsAddresses: boolean, redirect?: string) {
  const env = {
    ...process.env,
    ...{ BOT_TOKEN: bed.token, BOT_APPLICATION: bed.applicationId },
    PYTHONDONTWRITEBYTECODE: '1',
    ...(knowsAddresses && { BOT_REST: bed.rest, BOT_GATEWAY: bed.gateway }),
    ...(redirect !== undefined && { COMMANDRY_URL: new URL(bed.rest).origin }),
  }
  const command = file.endsWith('.py') ? python! : process.execPath
  const args = redirect === undefined ? [] : ['--require', redirect]
  const script = fileURLToPath(new URL(file, import.meta.url))
  const child: ChildProcess = spawn(command, [...args, script], { env })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (output += String(data)))
  return { child, output: () => output }
}
