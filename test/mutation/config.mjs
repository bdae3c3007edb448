/** The tests of a mutation run: all that load the source in their own process, in one project and one worker. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { instrument } from './mutants.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `globalThis.mutantsRunner` is `reach` or `switch`. `globalThis.mutantsToLoad` maps a file to a function from the position of a mutant to its id, or `undefined`. */
const switches = {
  name: 'switches of mutants',
  enforce: 'pre',
  load(id) {
    const file = relative(root, id)
    const wanted = globalThis.mutantsToLoad?.(file)
    return wanted === undefined ? null : instrument(file, readFileSync(id, 'utf8'), wanted)
  },
}

const further = ['clients', 'tools', 'drivers']
const [fast, deep, ...others] = base.test.projects.map(({ test }) => test)

export default defineConfig({
  root,
  plugins: [...base.plugins, switches],
  resolve: base.resolve,
  test: {
    ...base.test,
    projects: undefined,
    name: 'mutants',
    include: [...fast.include, ...deep.include],
    // The rest of these projects compiles, starts programs, measures, or reads the source as text.
    exclude: [
      '**/node_modules/**',
      ...others.filter(({ name }) => !further.includes(name)).flatMap(({ include }) => include),
      'test/{speed,runtimes,package}/**',
      'test/types/{compilers,exported-results}.test.ts',
      'test/tools/{page,openapi-clients}*',
      'test/house/{layers,architecture,docs,waiting}.test.ts',
      'test/storage/{crash,concurrency,silence,nats,tenants}.test.ts',
      'test/tools/cli/**/{delete-application,export-import,fuzz,fuzz-days,process,stores}.test.ts',
      'test/interop/**/{discordpy,pytest-plugin,cron,long-run,redirect,bot-folder,bot-recipes,recipes}.test.ts',
    ],
    isolate: false,
    pool: 'forks',
    runner: fileURLToPath(new URL(`${globalThis.mutantsRunner}-runner.mjs`, import.meta.url)),
    sequence: { sequencer: InGivenOrder },
  },
})

function InGivenOrder() {
  return { sort: (files) => files, shard: (files) => files }
}
