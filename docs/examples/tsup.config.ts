import { defineConfig } from 'tsup'
import { pagePlugin } from '../../test/package/page.mjs'

// `npm start` and `npm run serve` run from the source: the tour imports `commandry` as a user does, and tsconfig's
// `paths` points that name at this checkout.
export default defineConfig({
  entry: {
    tour: 'docs/examples/tour.ts',
    playground: 'docs/examples/playground.ts',
    cli: 'src/cli.ts',
    loader: 'src/tools/cli/definitions/loader.ts',
  },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  outDir: 'node_modules/.cache/commandry',
  splitting: false,
  noExternal: [/^commandry/],
  removeNodeProtocol: false,
  esbuildPlugins: [pagePlugin],
})
