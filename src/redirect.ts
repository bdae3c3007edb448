/** Brings the connections that a bot opens to the real service to a local one: `node --require commandry/redirect bot.js`. */
import { OFFLINE_VARIABLE, refuseRemoteConnections } from './testing/redirect/guard.ts'
import { redirect } from './testing/redirect/redirect.ts'

// `commandry check` sets the variable for the processes that a module starts while it loads.
if (process.env[OFFLINE_VARIABLE]) refuseRemoteConnections(() => {})
else redirect(process.env, (line) => void process.stderr.write(`${line}\n`))
