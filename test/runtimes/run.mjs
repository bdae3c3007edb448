/** For runtimes that read files themselves: Node, Bun, Deno. */
import * as domain from '../../dist/index.js'
import * as http from '../../dist/http.js'
import * as testing from '../../dist/testing.js'
import { mainJob } from './web.mjs'

console.log(await mainJob({ domain, http, testing }))
