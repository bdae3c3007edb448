import { guardConnections } from './guard.ts'
import { isLoopback } from './hosts.ts'
import { preloadInChildren } from './processes.ts'

/** The environment variable that refuses remote connections in a started process. */
export const OFFLINE_VARIABLE = 'COMMANDRY_OFFLINE'

/**
 * Refuses every connection of this thread to another machine, and those of the processes and workers that it starts.
 *
 * @param onRefused called in this thread with the host, and the port where it is known: `discord.com:443`
 */
export function refuseRemoteConnections(onRefused: (destination: string) => void): void {
  process.env[OFFLINE_VARIABLE] = '1'
  guardConnections({
    refusal(host, destination) {
      if (isLoopback(host)) return undefined
      onRefused(destination)
      return new Error(
        `commandry refuses the connection to ${destination}: files of commands are loaded without a network; connect when the bot starts, not when the file is loaded`,
      )
    },
  })
  preloadInChildren(OFFLINE_VARIABLE)
}
