/** Programs of tests that are built from the source, as the package has it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { root } from './markdown.ts'

/** Whether a program is installed. */
export const hasProgram = (name: string) => spawnSync(name, ['--version']).status === 0

const built = new Map<string, Promise<string>>()

/** Builds one file, once in a process: a CommonJS file when its name ends with `.cjs`. */
export function buildProgram(source: URL | string, target: string): Promise<string> {
  if (!built.has(target)) built.set(target, buildOnce(source, target))
  return built.get(target)!
}

async function buildOnce(source: URL | string, target: string): Promise<string> {
  const isCommonJs = target.endsWith('.cjs')
  await build({
    entryPoints: [typeof source === 'string' ? source : fileURLToPath(source)],
    outfile: target,
    bundle: true,
    platform: 'node',
    format: isCommonJs ? 'cjs' : 'esm',
    external: ['ws', 'fast-check'],
    // `package.json` names the files with side effects as they are built.
    ignoreAnnotations: true,
    alias: Object.fromEntries(
      ['clock', 'testbed'].map((name) => [
        `commandry/${name}`,
        fileURLToPath(new URL(`src/${name}.ts`, root)),
      ]),
    ),
    ...(isCommonJs && {
      define: { 'import.meta.url': 'moduleUrl' },
      banner: { js: `const moduleUrl = require('node:url').pathToFileURL(__filename)` },
    }),
  })
  return target
}

/** Runs Node. The options and variables of the test runner are not passed on. */
export async function runNode(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const { NODE_OPTIONS, VITEST, ...rest } = process.env
  const child = spawn(process.execPath, args, { env: { ...rest, ...more } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
