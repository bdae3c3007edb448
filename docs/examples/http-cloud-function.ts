/** The service as a function of Google Cloud or Firebase. Their framework reads bodies first; `rawBody` is used. */
import { http } from '@google-cloud/functions-framework'
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { requestListener } from 'commandry/node'

// Each instance of a function has its own memory: pass a `store` for anything that must last.
const handler = createHandler({ registry: new CommandRegistry(), authenticate: openAccess() })

// Firebase: export const commands = onRequest(requestListener(handler))
http('commands', requestListener(handler))
