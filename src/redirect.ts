/** Brings the connections that a bot opens to the real service to a local one: `node --require commandry/redirect bot.js`. */
import { redirect } from './redirect/redirect.ts'

redirect(process.env, (line) => void process.stderr.write(`${line}\n`))
