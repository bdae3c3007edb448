import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const root = fileURLToPath(new URL('../..', import.meta.url))
const outDir = join(root, `node_modules/.cache/commandry/cli-${process.pid}`)

/** Builds the program as a package would, and answers where it is. */
export async function buildProgram(): Promise<string> {
  await build({
    entry: { cli: join(root, 'src/cli.ts') },
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    outDir,
    config: false,
    silent: true,
  })
  return join(outDir, 'cli.js')
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  /** What stdout holds once it has a whole line, or the program has ended. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<Ended>
}

/** Starts the program with arguments, and with more in its environment. */
export function start(
  program: string,
  args: readonly string[],
  cwd = root,
  more: Readonly<Record<string, string>> = {},
): Running {
  // Node 22 says on stderr that its SQLite is an experiment, which is not what these tests are about.
  const env = { ...process.env, NODE_NO_WARNINGS: '1', ...more }
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  const ended = new Promise<Ended>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk))
    child.on('close', (code) => resolve({ code, out, err }))
  })
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk
      if (out.includes('\n')) resolve(out)
    })
    void ended.then(() => resolve(out))
  })
  return { child, firstLine, ended }
}

/** Files in a directory of their own; answers where they are. */
export async function files(contents: Readonly<Record<string, unknown>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'commandry-'))
  for (const [name, content] of Object.entries(contents)) {
    await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return directory
}
