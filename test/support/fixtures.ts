/** The application, its token, the server and the commands of tests to which it does not matter what those are. */
import { globalScope, guildScope } from 'commandry'

export { placeholderToken } from '../../src/service/http/placeholder-token.ts'

export const app = '1001'
export const guild = '2001'
/** The demo server, which the page and the testbed have by default. */
export const demoGuild = '100000000000002001'
export const everywhere = globalScope(app)
export const here = guildScope(app, guild)
export const ping = { name: 'ping', description: 'Says pong' }
export const hello = { name: 'hello', description: 'Says hello' }
