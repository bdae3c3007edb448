import { defineConfig } from 'tsup'
import { pagePlugin } from '../../test/package/page.mjs'

// `npm start` and `npm run serve` run from the source: the tour imports `commandry` as a user does, and tsconfig's
// `paths` points that name at this checkout.
const programs = {
  entry: {
    tour: 'docs/examples/tour.ts',
    playground: 'docs/examples/playground.ts',
    cli: 'src/cli.ts',
    loader: 'src/tools/cli/definitions/loader.ts',
  },
  format: ['esm' as const],
  target: 'node20',
  platform: 'node' as const,
  outDir: 'node_modules/.cache/commandry',
  splitting: false,
  noExternal: [/^commandry/],
  removeNodeProtocol: false,
  esbuildPlugins: [pagePlugin],
}

// Loaded in the threads of modules, from the folder beside that of the programs.
const redirect = {
  entry: { redirect: 'src/redirect.ts' },
  format: ['cjs' as const],
  target: 'node20',
  platform: 'node' as const,
  outDir: 'node_modules/.cache/cjs',
  shims: true,
}

export default defineConfig([programs, redirect])
