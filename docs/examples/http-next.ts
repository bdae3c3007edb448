/** The service as a route of a Next.js app: `app/api/v10/[...path]/route.ts`. */
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'

// Next.js runs routes in several processes and loads them again: pass a `store` for anything that must last.
const registry = new CommandRegistry()
const handler = createHandler({ registry, authenticate: openAccess() })

export const dynamic = 'force-dynamic'
export { handler as DELETE, handler as GET, handler as PATCH, handler as POST, handler as PUT }
