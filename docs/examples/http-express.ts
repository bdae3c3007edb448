/** The service as a part of an Express app. */
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { requestListener } from 'commandry/node'
import express from 'express'

// Express removes the mount path from the URL, so the base path of the service is empty.
const handler = createHandler({ registry: new CommandRegistry(), authenticate: openAccess(), basePath: '' })

export const app = express()
// Before express.json(): the service reads the body itself, with its own limits and its own errors.
app.use('/api/v10', requestListener(handler))
app.use(express.json())
app.post('/echo', (request, response) => void response.json(request.body))
