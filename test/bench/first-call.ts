/** Prints the milliseconds of the processor that the first call of a validator takes; of ajv with its compilation. */
import { processorTime } from './contest.ts'
import { app, small } from './payloads.ts'
import { checksOf } from './races.ts'

const [what, contender] = process.argv.slice(2) as ['S' | 'APP', 'ajv' | 'commandry']
const body: unknown = JSON.parse(JSON.stringify(what === 'S' ? small : app()))
// The modules are loaded before.
await (contender === 'ajv'
  ? Promise.all([import('ajv/dist/2020.js'), import('./peer.ts')])
  : import('commandry'))
const before = processorTime()
const check = await checksOf(body)[contender]()
const isValid = check(body)
console.log((processorTime() - before) / 1_000)
if (!isValid) throw new Error('refused')
