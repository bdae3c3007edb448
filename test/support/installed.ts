import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The directory of an installed package: of `test/package.json`, else of the root. */
export function installed(name: string): string {
  const places = ['../', '../../'].map((up) =>
    fileURLToPath(new URL(`${up}node_modules/${name}`, import.meta.url)),
  )
  const found = places.find((place) => existsSync(place))
  if (found === undefined) throw new Error(`${name} is not installed: run npm run test:install`)
  return found
}
