/** Prints the memory that a registry holds for each byte of the JSON of its commands, and what plain objects take. */
import { CommandRegistry, globalScope } from 'commandry'
import { isQuick } from './contest.ts'
import { middle, small } from './payloads.ts'

const [what, holder] = process.argv.slice(2)
const collect = (globalThis as unknown as { gc(): void }).gc
const PER_APPLICATION = 10
const applications = (what === 'S' ? 100_000 : 1_000) / (isQuick ? 100 : 1)

/** As it comes from the wire: no two commands share a text. */
function bodiesText(application: number): string {
  const body = what === 'S' ? small : middle
  const bodies = Array.from({ length: PER_APPLICATION }, (_, i) => ({
    ...body,
    name: `command_${application}_${i}`,
    description: `What command ${i} of application ${application} does`,
  }))
  return JSON.stringify(bodies)
}

const scopes = Array.from({ length: applications }, (_, i) => globalScope(String(1_000_000_000 + i)))
const registry = new CommandRegistry()
const kept: unknown[] = [registry]
let bytes = 0
collect()
const before = process.memoryUsage().heapUsed
for (const [i, scope] of scopes.entries()) {
  const owner = holder === 'objects' ? new CommandRegistry() : registry
  const text = JSON.stringify(await owner.overwrite(scope, JSON.parse(bodiesText(i))))
  bytes += text.length
  if (holder === 'objects') kept.push(JSON.parse(text))
}
// Twice: what the first finds unused may have kept other things.
collect()
collect()
console.log((process.memoryUsage().heapUsed - before) / bytes)
if (kept.length === 0) throw new Error('nothing was kept')
