/** Child processes for the tests of shared stores: built once, started with a task, read when they have ended. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { newDirectory } from '../support/directory.ts'
import type { Operation } from '../support/linearizability.ts'
import type { Line, Task } from './writer.ts'

/** Programs of the tests run in the root of the repository. */
const root = process.cwd()

export type Program = Awaited<ReturnType<typeof buildProgram>>

/** Bundles a TypeScript file of the tests as a program; the drivers are not bundled. */
export async function buildProgram(source: string) {
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
    logLevel: 'silent',
  })
  return { file, remove: () => rmSync(file, { force: true }) }
}

export interface Started {
  readonly child: ChildProcess
  /** Resolves when the process waits for `begin`, or has ended. */
  readonly ready: Promise<void>
  /** Why it failed; undefined when it ended successfully. */
  readonly ended: Promise<string | null>
  /** The lines that it has written so far. */
  lines(): readonly Line[]
}

/** The processes at work, each with its last line. */
const atWork = new Map<ChildProcess, () => Line | undefined>()
process.on('exit', () => {
  for (const child of atWork.keys()) child.kill('SIGKILL')
})

/** What each process that is at work does, to say where something hangs. */
export const underWay = (): readonly string[] =>
  [...atWork.values()].map((lastLine, i) => `process ${i + 1} ${JSON.stringify(lastLine()) ?? 'did nothing'}`)

/** Starts processes, and stops them at the end. */
export function bench(program: Program) {
  const directory = newDirectory()
  const started: Started[] = []
  return {
    /** Opens the place and then waits for `begin`. */
    start(task: Task): Started {
      // To a file, so that the output survives a kill.
      const file = join(directory, `${started.length}.jsonl`)
      const out = openSync(file, 'w')
      const child = spawn(process.execPath, ['--no-warnings', program.file, JSON.stringify(task)], {
        stdio: ['ignore', out, 'pipe', 'ipc'],
      })
      closeSync(out)
      let said = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
      const ended = new Promise<string | null>((resolve) => {
        child.on('close', (code, signal) => {
          atWork.delete(child)
          resolve(code === 0 ? null : `${signal ?? `exit ${code}`} ${said}`)
        })
      })
      const ready = new Promise<void>((resolve) => {
        child.once('message', () => resolve())
        void ended.then(() => resolve())
      })
      const lines = () =>
        readFileSync(file, 'utf8')
          .split('\n')
          // The last line may be incomplete.
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line)
      started.push({ child, ready, ended, lines })
      atWork.set(child, () => lines().at(-1))
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

/** Lets all processes begin at the same time. */
export async function begin(processes: readonly Started[]): Promise<void> {
  await Promise.all(processes.map(({ ready }) => ready))
  for (const { child } of processes) if (child.connected) child.send('begin')
}

/**
 * The log of a process as operations. An operation without an end has an unknown output; one that failed without an
 * effect is left out.
 */
export function history<Input, Output>(lines: readonly Line[]): Recorded<Input, Output>[] {
  const ends = new Map(lines.flatMap((line) => ('end' in line ? [[line.n, line] as const] : [])))
  const failed = lines.flatMap((line) => ('failed' in line && !line.failed.mayHaveHappened ? [line.n] : []))
  const without = new Set(failed)
  return lines.flatMap((line) => {
    if (!('start' in line) || without.has(line.n)) return []
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
