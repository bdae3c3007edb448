/** Why a module cannot be loaded, as its author needs it: the line, the value, and what to do. */
import childProcess from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileFault } from '../../authoring/findings.ts'
import type { Position } from '../../authoring/locate.ts'
import { messageOf } from '../../../core/rules/readable.ts'
import { describeValue, printable } from '../../../core/text.ts'
import { packageIn } from '../base/package-json.ts'
import { buildAdvice, runAdvice } from './run-advice.ts'
import { plainFailure } from './plain-failure.ts'

// As it is before modules, and the refusal of connections, change it.
const { spawnSync } = childProcess

/** The folder of the loader, whose calls are part of every stack. */
const LOADER = dirname(fileURLToPath(import.meta.url))

/** Describes what a module throws while it loads. @param cwd the folder to which the message shortens paths */
export function loadFailure(error: unknown, file: string, cwd: string): FileFault {
  const { code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?tsx?$/i.test(file))
    return plainFailure(isOfDeno(cwd) ? `cannot be loaded${deno(cwd)}` : TYPESCRIPT, error)
  const frames = framesOf(error)
  const own = frames.find((frame) => frame.file === file) ?? syntaxFrame(error, file)
  const inner = frames.find((frame) => !/^node:|[\\/]node_modules[\\/]/.test(frame.file))
  const isElsewhere = inner !== undefined && inner.file !== file
  const place = isElsewhere
    ? ` (at ${relative(cwd, inner.file)}:${inner.position.line}:${inner.position.column})`
    : ''
  const message = `cannot be loaded: ${legible(error)}${valueOf(error)}${place}${remedyFor(error, file, cwd)}`
  return { ...plainFailure(message, error), position: own?.position ?? null }
}

const isOfDeno = (cwd: string) => packageIn(cwd).runner === 'deno task'
const deno = (cwd: string) => `; Node does not load the modules of a Deno project. ${runAdvice(cwd)}`

const TYPESCRIPT =
  'cannot be loaded: this version of Node does not load TypeScript; run "npm install --save-dev tsx", or set NODE_OPTIONS="--import tsx"'

// Some messages quote whole files.
const MAX_MESSAGE_LENGTH = 400

/** The message in one line, without the files that import a missing one. */
function legible(error: unknown): string {
  return printable(messageOf(error).split(/\nRequire stack:| imported from /)[0]!, MAX_MESSAGE_LENGTH)
}

/** The value that a builder refuses. */
function valueOf(error: unknown): string {
  if (!(error instanceof Error) || !('given' in error)) return ''
  return `: got ${describeValue(error.given)}`
}

function remedyFor(error: unknown, file: string, cwd: string): string {
  if (!(error instanceof Error)) return ''
  const { code, requireStack } = error as NodeJS.ErrnoException & { requireStack?: readonly string[] }
  if (code === 'TokenInvalid' || code === 'TokenMissing')
    return `; it logs in while it loads. ${runAdvice(cwd)}`
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return '; run "npm install --save-dev tsx"'
  const isUngenerated = error instanceof SyntaxError && error.message.includes("'@prisma/client'")
  if (isUngenerated || error.message.includes("'.prisma/")) return '; run "npx prisma generate"'
  const [, missing = ''] = /^Cannot find (?:module|package) '([^']+)'/.exec(error.message) ?? []
  if (missing === '') return ''
  const importer = requireStack?.[0] ?? / imported from (.+)$/s.exec(error.message)?.[1]
  const from = importer === undefined || importer === file ? '' : ` (required by ${relative(cwd, importer)})`
  const build = buildAdvice(cwd, error.message)
  if (build !== '') return from + build
  const source = ['.js', '.ts', '/index.js', '/index.ts'].find((end) => existsSync(resolve(missing) + end))
  if (/^[./]|^[A-Za-z]:/.test(missing))
    return source === undefined || from !== ''
      ? from
      : `; imports name the whole file: add "${source.replace('ts', 'js')}"`
  if (/^[@~#]\//.test(missing)) return from + aliasRemedy(importer ?? file, cwd)
  if (/^bun(?::|$)/.test(missing)) return `${from}; it is part of Bun: run "bunx --bun commandry"`
  return isOfDeno(cwd) ? from + deno(cwd) : `${from}; install the packages of the project`
}

/** An alias of a tsconfig.json, which loaders read only in the current folder. */
function aliasRemedy(importer: string, cwd: string): string {
  for (let folder = dirname(importer); folder !== dirname(folder); folder = dirname(folder)) {
    if (folder === cwd) break
    if (existsSync(resolve(folder, 'tsconfig.json')))
      return `; if it is an alias of ${relative(cwd, folder)}/tsconfig.json, run commandry in ${relative(cwd, folder)}`
  }
  return ''
}

interface Frame {
  readonly file: string
  readonly position: Position
}

const FRAME = /^ +at (?:async )?(?:.*\()?(file:\/\/[^\s)]+|(?:\/|[A-Za-z]:\\)[^()\n]*?):(\d+):(\d+)\)?$/gm

/** The places in files where an error was thrown, innermost first. */
export function framesOf(error: unknown): readonly Frame[] {
  return framesIn(error instanceof Error && typeof error.stack === 'string' ? error.stack : '')
}

function framesIn(stack: string): readonly Frame[] {
  const frames = [...stack.matchAll(FRAME)]
    .map(([, file, line, column]) => frame(file!, line!, column!))
    .filter(({ file }) => dirname(file) !== LOADER)
  // Before the message of a syntax error in CommonJS stand its file and line, the text, and a mark below it.
  const [, file, line, mark] = /^(\S.*?):(\d+)\n.*\n( *\^)/.exec(stack) ?? []
  return file === undefined ? frames : [frame(file, line!, String(mark!.length)), ...frames]
}

/** Node tells the line of a syntax error in an ES module only when it checks the file as a program. */
function syntaxFrame(error: unknown, file: string): Frame | undefined {
  if (!(error instanceof SyntaxError)) return undefined
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', env })
  return framesIn(stderr).find((frame) => frame.file === file)
}

function frame(file: string, line: string, column: string): Frame {
  const path = file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/s, '')) : file
  return { file: path, position: { line: Number(line), column: Number(column) } }
}
