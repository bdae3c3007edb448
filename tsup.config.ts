import { defineConfig } from 'tsup'

const shared = { target: 'es2022' as const, external: [/^node:/], removeNodeProtocol: false }

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      http: 'src/http.ts',
      node: 'src/node.ts',
      testing: 'src/testing.ts',
      arbitraries: 'src/arbitraries.ts',
      'storage/sqlite': 'src/storage/sqlite.ts',
      'storage/postgres': 'src/storage/postgres.ts',
      'storage/redis': 'src/storage/redis.ts',
    },
    format: ['esm', 'cjs'],
    platform: 'neutral',
    splitting: true,
    dts: { compilerOptions: { ignoreDeprecations: '6.0', types: ['node'] } },
  },
  // The command line is run, not imported: one file, no declarations.
  { ...shared, entry: { cli: 'src/cli.ts' }, format: ['esm'], platform: 'node', splitting: false },
])
