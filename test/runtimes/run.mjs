/** For runtimes that read files themselves: Node, Bun, Deno. */
import * as domain from 'commandry'
import * as interactions from 'commandry/interactions'
import * as http from 'commandry/http'
import * as testing from 'commandry/testing'
import { mainJob } from './web.mjs'

console.log(await mainJob({ domain, interactions, http, testing }))
