/** Packs the package and unpacks it where the tests import it from: `test/node_modules/commandry`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = fileURLToPath(new URL('../node_modules/commandry', import.meta.url))
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })

// `prepack` builds it.
const options = {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
}
const packed = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', target], options),
)
const { filename, entryCount, size } = Object.values(packed)[0]
execFileSync('tar', ['-xzf', filename, '--strip-components=1'], { cwd: target })
console.log(`${filename}: ${entryCount} files, ${size} bytes`)
