/** One server process of a bench: the whole service over HTTP, on a store that it shares with the others. */
import { CommandRegistry } from '../../src/index.ts'
import { createHandler, openAccess } from '../../src/http.ts'
import { serve } from '../../src/node.ts'
import { openBenchPlace, type BenchPlace } from './places.ts'

const { store, close } = await openBenchPlace(JSON.parse(process.argv[2]!) as BenchPlace)
const registry = new CommandRegistry({ store })
const server = await serve({ handler: createHandler({ registry, authenticate: openAccess() }) })
process.once('disconnect', () => void server.close().then(close))
process.send?.(server.url)
