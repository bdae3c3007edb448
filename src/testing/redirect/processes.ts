/** Loads the redirect in the processes and workers that this one starts, also where they get an environment of their own. */
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { preloadInThreads } from './worker-threads.ts'
import { wrap } from './wrap.ts'

// From the folder of each build, whose chunks lie beside its entries. A CommonJS file, as every Node and every worker can
// require it before its program.
const ENTRY = fileURLToPath(new URL('../cjs/redirect.cjs', import.meta.url))
const CLOCK = fileURLToPath(new URL('../cjs/clock.cjs', import.meta.url))

/** The files with which a program on Node is redirected, and follows a clock. @throws Error in a bundle */
export function preloadedFiles(): readonly string[] {
  return [ENTRY, CLOCK].map(existing)
}

function existing(file: string): string {
  if (existsSync(file)) return file
  throw new Error(
    `commandry is bundled, and ${file} is not found, which threads and started programs load; leave the package "commandry" out of the bundle`,
  )
}

type Environment = Readonly<Record<string, string | undefined>>

const pairsOf = (environment: Environment) =>
  Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))

function ofPairs(pairs: readonly unknown[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=([^]*)$/.exec(String(pair)) ?? []
      return [name, value]
    }),
  )
}

/** True in a process or worker that was started by one with the redirect. */
export function isPreloaded(environment: Environment): boolean {
  return environment.NODE_OPTIONS?.includes(JSON.stringify(ENTRY)) ?? false
}

/** The variables with which Node and Deno, and Bun, load files before a program. */
export function preloading(environment: Environment, files: readonly string[]): Record<string, string> {
  if (files.length === 0) return {}
  const add = (name: string, options: readonly string[]) =>
    [environment[name], ...options].filter(Boolean).join(' ')
  return {
    NODE_OPTIONS: add(
      'NODE_OPTIONS',
      files.map((file) => `--require ${JSON.stringify(file)}`),
    ),
    // Bun reads quotes only around a whole option.
    BUN_OPTIONS: add(
      'BUN_OPTIONS',
      files.map((file) => JSON.stringify(`--preload=${file}`)),
    ),
  }
}

/** @param variable the variable that sets up the redirect, which started programs get as well */
export function preloadInChildren(variable: string): void {
  existing(ENTRY)
  const value = process.env[variable]
  const preload = <Given extends Environment>(environment: Given): Given =>
    Object.assign(environment, {
      [variable]: value,
      ...(!isPreloaded(environment) && preloading(environment, [ENTRY])),
    })
  const withPreload = <Given>(options: Given): Given => {
    const { env } = (options ?? {}) as { env?: unknown }
    const isOwn = typeof env === 'object' && env !== null && env !== process.env
    return isOwn ? { ...options, env: preload({ ...env }) } : options
  }
  const start = (original: (...given: unknown[]) => unknown, _self: object, given: unknown[]): unknown => {
    preload(process.env)
    return original(...given.map((each) => (Array.isArray(each) ? each : withPreload(each))))
  }
  preload(process.env)
  for (const name of ['spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync', 'execFileSync'])
    wrap(childProcess, name, start)
  for (const each of [childProcess.exec, childProcess.execFile]) wrap(each, promisify.custom, start)
  // By hand, with an environment of pairs. Deno and Bun have another class.
  wrap(childProcess.ChildProcess?.prototype ?? {}, 'spawn', (original, _, [options, ...more]) => {
    const { envPairs } = (options ?? {}) as { envPairs?: unknown }
    if (!Array.isArray(envPairs)) return original(options, ...more)
    return original({ ...(options as object), envPairs: pairsOf(preload(ofPairs(envPairs))) }, ...more)
  })
  // Node has it from 22.15 on: the program that takes the place of this one.
  wrap(process, 'execve', (original, _, [file, args, env = process.env]) => {
    preload(process.env)
    return original(file, args, preload({ ...(env as Environment) }))
  })
  preloadInThreads(ENTRY, (options) => {
    preload(process.env)
    return withPreload(options)
  })
  syncBuiltinESMExports()
}
