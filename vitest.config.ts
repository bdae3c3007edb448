import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { builtAlias, builtDeadlines, publicTests } from './test/package/built.mjs'
import { rollupPagePlugin } from './test/package/page.mjs'
import { LIMIT, LONG_TEST_LIMIT, TEST_LIMIT } from './test/support/limits.mjs'

type Plugin = Extract<NonNullable<ViteUserConfig['plugins']>[number], { name: string }>

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/**
 * The projects that need more than the root's packages: those of `test/package.json`, and for some a server or a
 * program (docs/decisions/27-test-packages.md). Every other test belongs to `fast`.
 */
const further: Readonly<Record<string, readonly string[]>> = {
  drivers: [
    'test/storage/{concurrency,crash,follow-changes,nats,postgres,text,redis,redis-cluster,silence,sqlite,tenants}.test.ts',
    'test/tools/cli/**/{delete-application,export-import,fuzz,fuzz-days,gaps,module-loading,modules,process,run,serve-store,stores}.test.ts',
  ],
  clients: ['test/interop/**/*.test.ts'],
  tools: [
    'test/tools/*.test.ts',
    'test/types/*.test.ts',
    'test/testing/fuzz/*.test.ts',
    'test/{house/{architecture,docs,waiting},speed/speed,torture/torture}.test.ts',
  ],
  browser: ['test/tools/page/**/*.test.ts'],
  package: [
    'test/package/{clock,coverage,declarations,fuzzed,package,pages,recipes,recorded,runners}.test.ts',
    'test/speed/waiting.test.ts',
  ],
  runtimes: ['test/runtimes/*.test.ts'],
}

/** Whole tables, long properties and bounds that only large data reaches, which need no more than the root's packages. */
const deep = 'test/**/*.deep.test.ts'

/**
 * What measures memory or time of the processor, which runs alone: `alone` with the root's packages, `speed` with those of
 * `test/package.json`.
 */
const measuring: Readonly<Record<string, readonly string[]>> = {
  alone: ['test/**/*.alone.test.ts'],
  speed: [
    'test/speed/growth.test.ts',
    'test/interop/discordjs/long-run.test.ts',
    'test/tools/page/browser/speed.test.ts',
  ],
}
const measures = Object.values(measuring).flat()

/** The projects whose tests kill hundreds of programs, or run the suite of another runtime. */
const long = ['drivers', 'runtimes']

/** What `npm ci` at the root installs, and what comes with it. */
const rootPackages = /^(node:|commandry|vitest|fast-check|tsup$|esbuild$|typescript$)/

/** Refuses imports of other packages, so that `npm test` needs nothing but `npm ci` at the root. */
const rootPackagesOnly: Plugin = {
  name: 'only packages of the root',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer?.startsWith(path('test/')) || /^[./]/.test(source) || rootPackages.test(source)) return null
    throw new Error(`${importer} imports ${source}: give its test to another project of vitest.config.ts`)
  },
}

/**
 * Lets the examples of the docs, and the gateway, import what their users have installed; here those packages are in
 * `test/`.
 */
const packagesOfExamples: Plugin = {
  name: 'packages of the examples',
  enforce: 'pre',
  resolveId(source, importer) {
    const isExample = importer?.startsWith(path('docs/examples/')) && !/^(\.|\/|node:|commandry)/.test(source)
    const isSocket = importer?.startsWith(path('src/service/node/')) && source === 'ws'
    if (!isExample && !isSocket) return null
    return this.resolve(source, path('test/package.json'), { skipSelf: true })
  },
}

/** What `fast` leaves to other projects. */
const notFast = [...Object.values(further).flat(), ...measures]

export default defineConfig({
  plugins: [rollupPagePlugin, packagesOfExamples],
  resolve: {
    alias: [
      { find: /^commandry$/, replacement: path('src/index.ts') },
      { find: /^commandry\/(.*)$/, replacement: path('src/$1.ts') },
    ],
  },
  test: {
    setupFiles: ['test/support/set-up.ts'],
    testTimeout: TEST_LIMIT,
    hookTimeout: TEST_LIMIT,
    expect: { poll: { timeout: LIMIT } },
    exclude: ['**/node_modules/**'],
    // Transformed modules are kept in node_modules/.experimental-vitest-cache, which later runs read.
    experimental: { fsModuleCache: true },
    projects: [
      ...Object.entries({ fast: 'test/**/*.test.ts', deep }).map(([name, include]) => ({
        extends: true as const,
        plugins: [rootPackagesOnly],
        test: {
          name,
          include: [include],
          exclude: [...notFast, ...(name === 'deep' ? [] : [deep])],
          // Loading every module again for each file took half of the time (docs/decisions/27-test-packages.md).
          isolate: false,
          // Some wait for sockets or timers: one file more than processors keeps all of these busy.
          maxWorkers: availableParallelism() + 1,
        },
      })),
      {
        extends: true as const,
        plugins: [builtDeadlines],
        resolve: { alias: builtAlias },
        test: {
          name: 'built',
          include: publicTests(),
          exclude: [...notFast, deep],
          server: { deps: { inline: [/commandry-bundled/] } },
          maxWorkers: availableParallelism() + 1,
          isolate: false,
        },
      },
      ...Object.entries(further).map(([name, include]) => ({
        extends: true as const,
        test: {
          name,
          include: [...include],
          exclude: [...measures, deep],
          // Most of them wait, for programs, browsers, servers and silences.
          maxWorkers: 2 * availableParallelism() + 1,
          sequence: { groupOrder: 1 },
          ...(long.includes(name) && { testTimeout: LONG_TEST_LIMIT }),
          // The files of a worker share its modules and its browser (test/tools/page/open.ts).
          ...(name === 'browser' && { isolate: false }),
        },
      })),
      ...Object.entries(measuring).map(([name, include], index) => ({
        extends: true as const,
        plugins: name === 'speed' ? [] : [rootPackagesOnly],
        // One file after the other, each in a process of its own, after the files of all other projects.
        test: { name, include: [...include], maxWorkers: 1, sequence: { groupOrder: 2 + index } },
      })),
    ],
  },
})
