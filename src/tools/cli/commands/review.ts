/** `commandry review`: what a pull request means for people, as Markdown. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { definitionSet, allErrors, findProblems, type DefinitionSet } from '../../authoring/findings.ts'
import { changesOf } from '../../authoring/plan-words.ts'
import { pathText } from '../../authoring/words.ts'
import { reviewOf } from '../../authoring/review.ts'
import { reviewMarkdown } from '../../authoring/review-markdown.ts'
import { counted } from '../../../core/text.ts'
import { isIncomplete } from '../../../model/not-seen.ts'
import { completeServer, demoServer } from '../../../model/demo-server.ts'
import type { ServerSettings } from '../../../model/server.ts'
import { withBase } from '../definitions/base-files.ts'
import { command, option, required, requireFiles } from '../base/cli-command.ts'
import { CommandError } from '../base/errors.ts'
import { prettyReport } from '../base/format-findings.ts'
import { print, terminalOf, warn, type Io } from '../base/io.ts'
import { readSources, type SourceReading } from '../definitions/sources.ts'
import { readConfiguration } from '../base/config.ts'
import { loadJson } from '../base/text-file.ts'
import { loadTargets, TARGETS_FILE } from '../deployed/targets.ts'

export default command({
  help: [
    `Examples
  commandry review --base origin/main commands/
  commandry review --base origin/main commands/ --config server.json >> "$GITHUB_STEP_SUMMARY"

commandry review --base REF [FILE|FOLDER...]

Prints Markdown about the definitions of today and those at a commit: for each role, who gains and loses which command; which
texts change, and which lose their translation; which permissions a rename deletes; what the deploy would do. Without files it
takes the definitions of ${TARGETS_FILE}. Of the commit, only the definitions are loaded, as "commandry check" loads them.`,
    'Exit codes: 0 reviewed, 1 definitions of today or of the commit are invalid or not read, 2 wrong usage.',
  ],
  options: {
    base: option('REF', 'the commit to compare with, such as origin/main'),
    config: option(
      'FILE',
      'a configuration of "commandry serve", whose first server has the roles (the demo server)',
    ),
  },
  async run(io, values, args) {
    const base = required(values.base, '--base REF is required, such as origin/main')
    const files = await filesOf(io, args)
    const server = await serverOfConfig(io, values.config)
    const today = await readSources(io, files)
    const after = definitionSet(today.sources)
    const problems = findProblems(after.sources, 'global')
    if (allErrors(problems).length > 0) {
      print(io, prettyReport(problems, terminalOf(io, 'never'), files))
      return 1
    }
    const before = await withBase(io, base, (cwd) => readBase({ ...io, cwd }, files))
    const { bodies, ignored } = validIn(definitionSet(before.sources))
    const review = await reviewOf(bodies, after.bodies, server)
    print(io, reviewMarkdown(review, changesOf(review.plan), { now: today.notSeen, base: before.notSeen }))
    if (ignored > 0)
      warn(io, `commandry review: ${counted(ignored, 'definition')} of the base is invalid and left out`)
    return isIncomplete([...today.notSeen, ...before.notSeen]) ? 1 : 0
  },
})

async function filesOf(io: Io, args: readonly string[]): Promise<readonly string[]> {
  const isDefault = args.length === 0 && existsSync(resolve(io.cwd, TARGETS_FILE))
  const files = isDefault ? ((await loadTargets(io, TARGETS_FILE)).definitions ?? []) : args
  requireFiles(files)
  return files
}

async function serverOfConfig(io: Io, file: string | undefined): Promise<ServerSettings> {
  if (file === undefined) return demoServer()
  const read = readConfiguration(await loadJson(io, file))
  if (!read.ok) {
    const [first] = read.issues
    throw new CommandError(`${file}: ${pathText(first!.path)} ${first!.message}`)
  }
  const [server] = read.value.servers ?? []
  if (server === undefined) throw new CommandError(`${file} has no server, whose roles the review is about`)
  return completeServer(server)
}

/** The definitions of the base: a file that is new is not there. */
async function readBase(
  io: Io,
  files: readonly string[],
): Promise<Pick<SourceReading, 'sources' | 'notSeen'>> {
  const there = files.filter((file) => existsSync(resolve(io.cwd, file)))
  return there.length === 0 ? { sources: [], notSeen: [] } : readSources(io, there)
}

/** The definitions without an error; a base may be older than a rule. */
function validIn({ sources, bodies }: DefinitionSet) {
  const wrong = new Set(allErrors(findProblems(sources, 'global')).map(({ definition }) => definition?.body))
  const valid = bodies.filter((body) => !wrong.has(body))
  return { bodies: valid, ignored: bodies.length - valid.length }
}
