import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { fences, read } from '../../support/markdown.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const file = join(root, `node_modules/.cache/commandry/node-test-${process.pid}.mjs`)

// The example of docs/testing.md, with an additional failing assertion.
const example = fences(read('docs/testing.md')).find(({ code }) => code.includes("from 'node:test'"))!
const suite = `${example.code}
test('Ping is a command', () => assertValidCommand(slashCommand({ name: 'Ping' })))`

it('node:test runs the plain assertions', async () => {
  await build({
    stdin: { contents: suite, resolveDir: root, loader: 'ts' },
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: { 'commandry/testing': join(root, 'src/testing.ts') },
    logLevel: 'silent',
  })
  try {
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['--test-reporter=tap', file], (_, stdout) => resolve(stdout))
    })
    expect(printed).toMatch(/^ok 1 - ping is a command$/m)
    expect(printed).toMatch(/^ok 2 - ping is answered$/m)
    expect(printed).toMatch(/^not ok 3 - Ping is a command$/m)
    expect(printed).toContain('expected a valid command, but')
    expect(printed).toContain('command "Ping", name: "Ping" has upper case; write "ping"')
    expect(printed).toMatch(/code: 'ERR_ASSERTION'/)
  } finally {
    rmSync(file, { force: true })
  }
})
