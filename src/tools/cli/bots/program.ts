/** A program of the user that runs beside a service on this machine, started by a command. */
import { demoId, demoServer } from '../../../model/demo-server.ts'
import type { ServerSettings } from '../../../model/server.ts'
import { serverIn } from '../../../testing/testbed/programs/placeholders.ts'
import * as programs from '../../../testing/testbed/programs/run-program.ts'
import { usageError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'

/** The demo server, under the id in the environment of a program, with an owner as every server has one: Alan. */
export const programServer = (io: Io): ServerSettings => ({
  ...demoServer(serverIn(io.env)),
  owner_id: demoId(3003),
})

export interface LocalService extends Omit<programs.ServiceOfProgram, 'serverId'> {
  /** Default: that of `programServer`. */
  readonly serverId?: string | undefined
  /** Whether Node connects to the service in place of Discord. Default true. */
  readonly isRedirected?: boolean
}

export type RunningProgram = programs.Program

/**
 * Starts a command of the shell.
 *
 * @param output where its output goes; `keep` for `lines` only, `through` for this process and `onOutput`
 * @param onOutput receives what it writes, unless that is inherited
 */
export function startBesideService(
  io: Io,
  command: string,
  { isRedirected = true, serverId = serverIn(io.env), ...service }: LocalService,
  output: 'inherit' | 'through' | 'stderr' | 'keep',
  onOutput: (text: string, isError: boolean) => void = () => {},
): RunningProgram {
  if (command.trim() === '') throw usageError('the program is empty; write one, such as "node bot.js"')
  return programs.startProgram(command, {
    ...{ cwd: io.cwd, env: io.env, limit: io.limits.end, service: { ...service, serverId } },
    preloaded: [...(isRedirected ? [io.redirect()] : []), ...(service.clock ? [io.clock()] : [])],
    ...(output !== 'inherit' && {
      onOutput(text: string, isError: boolean) {
        if (output === 'stderr' || (output === 'through' && isError)) io.stderr.write(text)
        else if (output === 'through') io.stdout.write(text)
        onOutput(text, isError)
      },
    }),
  })
}
