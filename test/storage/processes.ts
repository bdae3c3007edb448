/** Processes of their own for the tests of shared places: built once, started with a task, read when they are over. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Operation } from '../support/linearizability.ts'
import type { Line, Task } from './writer.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Program {
  readonly file: string
  remove(): void
}

/** A TypeScript file of the tests as a program; the drivers stay where they are installed. */
export async function buildProgram(source: string): Promise<Program> {
  const file = join(
    root,
    `test/node_modules/.cache/commandry/${source.replaceAll(/\W/g, '-')}-${randomUUID()}.mjs`,
  )
  await build({
    entryPoints: [join(root, source)],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { commandry: join(root, 'src/index.ts') },
    logLevel: 'silent',
  })
  return { file, remove: () => rmSync(file, { force: true }) }
}

export interface Started {
  readonly child: ChildProcess
  /** When it waits for a word to begin, or is over. */
  readonly ready: Promise<void>
  /** Why it ended, when not by itself and well. */
  readonly ended: Promise<string | null>
  /** What it wrote so far, a line each. */
  lines(): readonly Line[]
}

export interface Bench {
  /** It opens the place and then waits for `begin`. */
  start(task: Task): Started
  close(): Promise<void>
}

/** Where processes are started, and stopped at the end. */
export function bench(program: Program): Bench {
  const directory = mkdtempSync(join(tmpdir(), 'commandry-'))
  const started: Started[] = []
  return {
    start(task) {
      // To a file, so that what was written before a kill is there after it.
      const file = join(directory, `${started.length}.jsonl`)
      const out = openSync(file, 'w')
      const child = spawn(process.execPath, ['--no-warnings', program.file, JSON.stringify(task)], {
        stdio: ['ignore', out, 'pipe', 'ipc'],
      })
      closeSync(out)
      let said = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
      const ended = new Promise<string | null>((resolve) => {
        child.on('close', (code, signal) =>
          resolve(code === 0 ? null : `${signal ?? `exit ${code}`} ${said}`),
        )
      })
      const ready = new Promise<void>((resolve) => {
        child.once('message', () => resolve())
        void ended.then(() => resolve())
      })
      const lines = () =>
        readFileSync(file, 'utf8')
          .split('\n')
          // The last one may be half a line.
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line)
      started.push({ child, ready, ended, lines })
      return started.at(-1)!
    },
    async close() {
      for (const { child } of started) child.kill('SIGKILL')
      await Promise.all(started.map(({ ended }) => ended))
      rmSync(directory, { recursive: true })
    },
  }
}

export interface Recorded<Input, Output> extends Operation<Input, Output> {
  readonly key: string | undefined
}

/** Lets processes begin, all at once. */
export async function begin(processes: readonly Started[]): Promise<void> {
  await Promise.all(processes.map(({ ready }) => ready))
  for (const { child } of processes) if (child.connected) child.send('begin')
}

/** What a process wrote, as operations; one without an end has an output nobody knows. */
export function history<Input, Output>(lines: readonly Line[]): Recorded<Input, Output>[] {
  const ends = new Map(lines.flatMap((line) => ('end' in line ? [[line.n, line] as const] : [])))
  return lines.flatMap((line) => {
    if (!('start' in line)) return []
    const end = ends.get(line.n)
    return [
      {
        key: line.key,
        input: line.input as Input,
        output: end?.output as Output | undefined,
        start: line.start,
        end: end?.end ?? Infinity,
      },
    ]
  })
}

export type { Line, Task }
