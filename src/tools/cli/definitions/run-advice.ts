/** Which program of a project deploys its commands. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { printable } from '../../../core/text.ts'

/**
 * What to do about a module that is a whole program.
 *
 * @param connecting a module that connects while it loads, which is a program for that reason
 */
export function runAdvice(cwd: string, program?: string, connecting?: string): string {
  program ??= programOf(cwd, connecting)
  return `To check what a program deploys, use commandry check --run "${printable(program)}"`
}

const COMMAND = /command|slash/i

/** Names of scripts that deploy commands, the most telling first. */
const DEPLOYING: readonly ((name: string) => boolean)[] = [
  (name) => COMMAND.test(name) && /deploy|register|sync|publish|push/i.test(name),
  (name) => /register/i.test(name),
  (name) => COMMAND.test(name) && !/build|docs|generate|test|lint/i.test(name),
]
const UNDOING = /delete|clear|remove|reset|unregister/i

/** Whether a script runs a file, and so deploys commands rather than a service. */
function runsDeployingFile(script: string): boolean {
  const words = script.split(/[\s/\\"';&|=]+/)
  const runner = words.findIndex((word) => /\b(?:node|tsx|bun)\b/i.test(word))
  const rest = runner < 0 ? [] : words.slice(runner + 1)
  return rest.some((word) => MODULE.test(word) && /\b(?:deploy|register)/i.test(word))
}

/** The words of a script that runs a tool for deploying, such as `slash-up sync`. */
const RUNS_TOOL = /\b(?:slash|commands?)[\w-]{0,40}[ :](?:sync|deploy|register|publish|push)\b/i

const DEPLOYING_FILE = /^(?:deploy|register)(?:[-_.]?(?:slash|commands?))*\.[cm]?[jt]s$/i
const PROGRAM = /^(?:index|bot|main|app)\.[cm]?[jt]s$/i
const MODULE = /\.[cm]?[jt]s$/i

/** The script or program of a project that probably deploys its commands; otherwise an example. */
function programOf(cwd: string, connecting?: string): string {
  const { scripts = {}, main = '' } = projectIn(cwd)
  const names = Object.keys(scripts).filter((name) => !UNDOING.test(name))
  const deploying = DEPLOYING.flatMap((isDeploying) => names.find(isDeploying) ?? [])
  const [script] = [
    ...deploying,
    ...names.filter((name) => {
      const script = String(scripts[name])
      return runsDeployingFile(script) || RUNS_TOOL.test(script)
    }),
    ...names.filter((name) => name === 'start'),
  ]
  if (script !== undefined) return script === 'start' ? 'npm start' : `npm run ${script}`
  const isMain = MODULE.test(main) && existsSync(resolve(cwd, main))
  const files = ['', 'src/', 'scripts/', 'src/scripts/', 'src/utils/', 'src/util/'].flatMap((folder) =>
    modulesIn(cwd, folder),
  )
  const named = (pattern: RegExp) => files.find((file) => pattern.test(basename(file)))
  const file = named(DEPLOYING_FILE) ?? connecting ?? (isMain ? main : named(PROGRAM)) ?? 'deploy.js'
  return `${file.endsWith('ts') ? 'npx tsx' : 'node'} ${file}`
}

interface Project {
  readonly scripts?: Readonly<Record<string, unknown>>
  readonly main?: string
}

function projectIn(cwd: string): Project {
  try {
    return JSON.parse(readFileSync(resolve(cwd, 'package.json'), 'utf8')) as Project
  } catch {
    return {}
  }
}

function modulesIn(cwd: string, folder: string): readonly string[] {
  try {
    const names = readdirSync(resolve(cwd, folder))
    return names.filter((name) => MODULE.test(name) && !UNDOING.test(name)).map((name) => folder + name)
  } catch {
    return []
  }
}
