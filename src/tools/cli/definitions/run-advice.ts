/** Which program of a project deploys its commands. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve } from 'node:path'
import { printable } from '../../../core/text.ts'
import { packageIn, type PackageJson } from '../base/package-json.ts'

/**
 * What to do about a module that is a whole program.
 *
 * @param connecting a module that connects while it loads, which is a program for that reason
 */
export function runAdvice(cwd: string, program?: string, connecting?: string): string {
  program ??= programOf(cwd, connecting)
  return `To check what a program deploys, use commandry check --run "${printable(program)}"`
}

/** Folders that a build writes. */
const BUILT = /(?:^|[\\/])(?:dist|build|out|lib|\.output)(?:[\\/]|$)/

/** The script of a project that builds it; undefined without one. */
function buildScript(cwd: string): string | undefined {
  const { scripts, runner } = packageIn(cwd)
  const names = [...scripts.keys()]
  const script =
    names.find((name) => name === 'build') ?? names.find((name) => /^(?:compile|tsc)$/.test(name))
  return script && `${runner} ${script}`
}

/** What to do when a file is missing that a build writes. @param text an error, or what a program wrote */
export function buildAdvice(cwd: string, text: string): string {
  const [, missing = ''] = /Cannot find (?:module|package) '([^']+)'/.exec(text) ?? []
  const file = isAbsolute(missing) ? relative(cwd, missing) : missing
  const isOwn = !file.includes('node_modules') && !(isAbsolute(missing) && file.startsWith('..'))
  const script = isOwn && BUILT.test(file) && buildScript(cwd)
  return script ? `; run "${script}" first` : ''
}

/** Whether a script runs a file that only a build writes, and that is missing. */
function isUnbuilt(cwd: string, script: string, main: string): boolean {
  const files = script.split(/[\s"';&|=]+/).map((word) => (word === '.' ? main : word))
  const isMissing = (file: string) =>
    !['', '.js', '/index.js'].some((end) => existsSync(resolve(cwd, file + end)))
  return files.some((file) => BUILT.test(file) && /^[\w.][\w./\\-]*$/.test(file) && isMissing(file))
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
  const runner = words.findIndex((word) => /\b(?:node|tsx|bun|deno)\b/i.test(word))
  const rest = runner < 0 ? [] : words.slice(runner + 1)
  return rest.some((word) => MODULE.test(word) && /\b(?:deploy|register)/i.test(word))
}

/** The words of a script that runs a tool for deploying, such as `slash-up sync`. */
const RUNS_TOOL = /\b(?:slash|commands?)[\w-]{0,40}[ :](?:sync|deploy|register|publish|push)\b/i

const DEPLOYING_FILE = /^(?:deploy|register)(?:[-_.]?(?:slash|commands?))*\.[cm]?[jt]s$/i
const PROGRAM = /^(?:index|bot|main|app)\.[cm]?[jt]s$/i
const MODULE = /\.[cm]?[jt]s$/i

/** What runs a file of JavaScript, and one of TypeScript. */
const RUNTIMES: Readonly<Record<PackageJson['runner'], readonly [string, string]>> = {
  'npm run': ['node', 'npx tsx'],
  'bun run': ['bun', 'bun'],
  'deno task': ['deno run -A', 'deno run -A'],
}

/** The name of the script that deploys the commands, without the bot. */
function deployingScript({ scripts }: PackageJson): string | undefined {
  const names = [...scripts.keys()].filter((name) => !UNDOING.test(name))
  const [deploying] = DEPLOYING.flatMap((isDeploying) => names.find(isDeploying) ?? [])
  const isDeploying = (script: string) => runsDeployingFile(script) || RUNS_TOOL.test(script)
  return deploying ?? names.find((name) => isDeploying(scripts.get(name)!))
}

/** The line of `fuzz` that deploys before it starts a bot. @param bot the program of the bot; empty for one that runs */
export function deployFirst(cwd: string, bot: string): string {
  const project = packageIn(cwd)
  const script = deployingScript(project)
  const deploy = script === undefined ? 'node deploy.js' : `${project.runner} ${script}`
  const isPlain = bot !== '' && !/["\\]/.test(bot)
  return `commandry fuzz -- "${deploy} && ${isPlain ? printable(bot) : 'node bot.js'}"`
}

/** The script or program of a project that probably deploys its commands; otherwise an example. */
function programOf(cwd: string, connecting?: string): string {
  const project = packageIn(cwd)
  const { scripts, main, runner } = project
  const script = deployingScript(project) ?? [...scripts.keys()].find((name) => name === 'start')
  if (script !== undefined) {
    const run = script === 'start' && runner === 'npm run' ? 'npm start' : `${runner} ${script}`
    const build = isUnbuilt(cwd, scripts.get(script)!, main) ? buildScript(cwd) : undefined
    return build === undefined ? run : `${build} && ${run}`
  }
  const isMain = MODULE.test(main) && existsSync(resolve(cwd, main))
  const files = ['', 'src/', 'scripts/', 'src/scripts/', 'src/utils/', 'src/util/'].flatMap((folder) =>
    modulesIn(cwd, folder),
  )
  const named = (pattern: RegExp) => files.find((file) => pattern.test(basename(file)))
  const file = named(DEPLOYING_FILE) ?? connecting ?? (isMain ? main : named(PROGRAM)) ?? 'deploy.js'
  const [javaScript, typeScript] = RUNTIMES[runner]
  return `${file.endsWith('ts') ? typeScript : javaScript} ${file}`
}

function modulesIn(cwd: string, folder: string): readonly string[] {
  try {
    const names = readdirSync(resolve(cwd, folder))
    return names.filter((name) => MODULE.test(name) && !UNDOING.test(name)).map((name) => folder + name)
  } catch {
    return []
  }
}
