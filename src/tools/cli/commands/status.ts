/** `commandry status`: every scope of an application side by side, and what no file defines. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { definitionSet, allErrors, findProblems } from '../../authoring/findings.ts'
import { commandMention, type CommandStatus, type ScopeStatus } from '../../authoring/side-by-side.ts'
import { commandLabel } from '../../authoring/words.ts'
import { counted, listed } from '../../../core/text.ts'
import { skippedAndOthers, type NotSeen } from '../../../model/not-seen.ts'
import {
  color,
  command,
  count,
  flag,
  asId,
  list,
  wordOf,
  option,
  optionWith,
  timeout,
} from '../base/cli-command.ts'
import { usageError } from '../base/errors.ts'
import { JSON_VERSION, prettyReport } from '../base/format-findings.ts'
import { print, terminalOf, type Io, type Style, type Terminal } from '../base/io.ts'
import { pruneTargets } from '../deployed/prune.ts'
import { statusOf, type TargetStatus } from '../deployed/target-status.ts'
import { isAddress, serviceOf } from '../deployed/remote.ts'
import { readSources } from '../definitions/sources.ts'
import { loadTargets, TARGETS_FILE, targetsIn } from '../deployed/targets.ts'

export default command({
  help: [
    `Examples
  COMMANDRY_TOKEN=… commandry status commands/ --against discord --application 112233445566778899 --guild 998877665544332211
  commandry status                  every target of ${TARGETS_FILE}
  commandry status --target staging --prune

commandry status [FILE|FOLDER|-...]

Shows the global commands and those of each named server side by side: which are as the files define them, which differ,
which no file defines ("ghost"), and which people of a server see twice because they are global too.
${TARGETS_FILE} has the definitions and the targets of a project, without secrets:
  { "definitions": ["commands/"],
    "targets": { "production": { "application": "1122…", "guilds": ["9988…"], "token_variable": "PRODUCTION_TOKEN" } } }`,
    `Exit codes: 0 shown, or pruned; 1 invalid, unreadable or not confirmed; 2 wrong usage, or --expect-no-changes and a
difference, a ghost, a missing or a repeated command.`,
  ],
  options: {
    against: option('URL|discord', 'the service, where there is no file of targets'),
    application: option('ID', 'the id of your application', asId),
    guild: list('ID', 'a server that may have commands of its own; may be repeated', asId),
    targets: option('FILE', `the file of targets (${TARGETS_FILE}, if it is there)`),
    target: list('NAME', 'only this target; may be repeated'),
    ids: flag('also list the id and the mention of each command'),
    prune: flag('delete ghosts, and commands of a server that are global too; shows them and asks'),
    yes: flag('with --prune: do not ask; needs --delete N'),
    delete: option('N', 'with --prune: delete exactly N commands', count),
    'allow-loss': flag('with --prune --yes: delete even if permissions are lost'),
    'expect-no-changes': flag('exit with 2 if anything is not as the files define it'),
    format: optionWith('pretty|json', '(pretty)', 'pretty', wordOf('pretty', 'json')),
    timeout: timeout('10'),
    color,
  },
  async run(io, values, args) {
    const { files, targets } = await findTargets(io, values, args)
    const read = files.length === 0 ? null : await readSources(io, files)
    const set = read && definitionSet(read.sources)
    const terminal = terminalOf(io, values.color)
    if (set !== null) {
      const problems = findProblems(set.sources, 'global')
      if (allErrors(problems).length > 0) {
        print(io, prettyReport(problems, terminal, files))
        return 1
      }
    }
    if (values.prune && set === null)
      throw usageError('--prune needs the definitions: without them every command would be a ghost')
    const states: TargetStatus[] = []
    for (const target of targets) states.push(await statusOf(target, set, values.prune))
    const notSeen = read?.notSeen ?? []
    if (values.format === 'json') print(io, statusJson(states, notSeen))
    else print(io, states.map((state) => statusText(state, terminal, values.ids)).join('\n\n'))
    if (values.prune) return pruneTargets(io, states, { ...values, notSeen })
    return values['expect-no-changes'] && states.some(isDifferent) ? 2 : 0
  },
})

interface Choice {
  readonly against: string | undefined
  readonly application: string | undefined
  readonly guild: readonly string[]
  readonly targets: string | undefined
  readonly target: readonly string[]
  readonly timeout: number
}

/** The targets, and the files of the definitions. @throws CommandError */
async function findTargets(io: Io, values: Choice, args: readonly string[]) {
  const { against, application, guild } = values
  if (against !== undefined || application !== undefined) {
    if (values.targets !== undefined || values.target.length > 0)
      throw usageError('--against and --application name one target; leave out --targets and --target')
    if (against === undefined || !isAddress(against))
      throw usageError('--against URL or --against discord is required; an address begins with http://')
    if (application === undefined) throw usageError('--application is required')
    const service = serviceOf(io, 'against', against, application, values.timeout)
    const target = { name: against, application, url: against, guilds: [...new Set(guild)], service }
    return { files: args, targets: [target] }
  }
  if (guild.length > 0) throw usageError('--guild needs --against and --application')
  const file = values.targets ?? TARGETS_FILE
  if (values.targets === undefined && !existsSync(resolve(io.cwd, file)))
    throw usageError(`--against and --application are required where there is no ${TARGETS_FILE}`)
  const read = await loadTargets(io, file)
  const targets = targetsIn(io, file, read, values.target, values.timeout)
  return { files: args.length > 0 ? args : (read.definitions ?? []), targets }
}

function isDifferent({ scopes, missing }: TargetStatus): boolean {
  const isOff = ({ state, globalTwin }: CommandStatus) =>
    globalTwin !== null || state === 'differs' || state === 'ghost'
  return missing.length > 0 || scopes.some(({ commands }) => commands.some(isOff))
}

function scopeName({ scope }: Pick<ScopeStatus, 'scope'>): string {
  return scope.kind === 'global' ? 'global' : scope.guildId
}

// --- For programs ---------------------------------------------------------------------------------------------

function statusJson(states: readonly TargetStatus[], notSeen: readonly NotSeen[]): string {
  const { skipped, others } = skippedAndOthers(notSeen)
  const targets = states.map(({ target, scopes, missing }) => ({
    name: target.name,
    applicationId: target.application,
    service: target.service.base,
    scopes: scopes.map(({ scope, commands }) => ({
      guildId: scope.kind === 'guild' ? scope.guildId : null,
      commands: commands.map(({ command, globalTwin, ...status }) => {
        const { id, type, name } = command
        return { id, type, name, mention: commandMention(command), ...status, isTwice: globalTwin !== null }
      }),
    })),
    missing,
  }))
  const ok = !states.some(isDifferent)
  return JSON.stringify({ version: JSON_VERSION, ok, skipped, not_seen: others, targets }, null, 2)
}

// --- For people -----------------------------------------------------------------------------------------------

function statusText(state: TargetStatus, terminal: Terminal, hasIds: boolean): string {
  const { target, scopes, set } = state
  const { style } = terminal
  const place = target.url === 'discord' ? 'Discord' : target.url
  const name = target.name === target.url ? '' : `${target.name}: `
  const title = style.bold(`${name}application ${target.application} at ${place}`)
  const commands = scopes.flatMap((each) => each.commands)
  if (commands.length === 0 && state.missing.length === 0) return `${title}\n\nNo commands.`
  const blocks = [title, ...tablesOf(state, terminal), notesOf(state).join('\n')]
  if (hasIds) blocks.push(idLines(scopes).join('\n'))
  blocks.push(summaryOf(state, style, set !== null))
  return blocks.filter((block) => block !== '').join('\n\n')
}

const NAME_MAX = 34

/** Commands as rows, scopes as columns; as many tables as it takes for the width of the terminal. */
function tablesOf({ scopes, missing }: TargetStatus, { style, columns }: Terminal): readonly string[] {
  const labels = new Map<string, string>()
  for (const { commands } of scopes)
    for (const { command } of commands) labels.set(commandLabel(command), commandLabel(command))
  for (const label of missing) labels.set(label, label)
  const rows = [...labels.keys()].sort((one, other) => one.localeCompare(other, 'en'))
  const width = Math.min(NAME_MAX, Math.max(7, ...rows.map((row) => row.length)))
  const cut = (text: string) => (text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width))
  const cells = scopes.map((scope) => ({
    title: scopeName(scope),
    of: new Map(scope.commands.map((status) => [commandLabel(status.command), cellOf(status)])),
  }))
  const wide = cells.map(({ title, of }) =>
    Math.max(title.length, ...[...of.values()].map((text) => text.length)),
  )
  const tables: string[] = []
  for (let from = 0; from < cells.length;) {
    let to = from + 1
    let taken = width + 2 + wide[from]!
    while (to < cells.length && taken + 2 + wide[to]! <= columns) taken += 2 + wide[to++]!
    const shown = cells.slice(from, to)
    const head = `${'command'.padEnd(width)}  ${shown.map(({ title }, i) => title.padEnd(wide[from + i]!)).join('  ')}`
    const start = from
    const lines = rows.map((row) => {
      const marks = shown.map(({ of }, i) => paint(style, (of.get(row) ?? '–').padEnd(wide[start + i]!)))
      return `${cut(row)}  ${marks.join('  ').trimEnd()}`
    })
    tables.push([style.dim(head.trimEnd()), ...lines].join('\n'))
    from = to
  }
  return tables
}

function cellOf({ state, globalTwin }: CommandStatus): string {
  const word = state === null || state === 'same' || state === 'entry_point' ? '✓' : state
  return globalTwin !== null ? `${word}, twice` : word
}

function paint(style: Style, cell: string): string {
  if (/ghost/.test(cell)) return style.red(cell)
  if (/differs|twice/.test(cell)) return style.yellow(cell)
  return /✓/.test(cell) ? style.green(cell) : style.dim(cell)
}

// A command with many translations may have hundreds of differences.
const MAX_DIFFERENCES = 6

function notesOf({ scopes, missing }: TargetStatus): readonly string[] {
  const notes = scopes.flatMap((scope) => {
    const place = scope.scope.kind === 'global' ? 'global' : `server ${scope.scope.guildId}`
    return scope.commands.flatMap(({ command, state, differences, globalTwin }) => {
      const label = commandLabel(command)
      const lines: string[] = []
      if (globalTwin !== null) lines.push(`${label} is global and in ${place}: people there see it twice.`)
      if (state === 'differs') {
        const more = differences.length - MAX_DIFFERENCES
        lines.push(`${label}, ${place}: deployed → defined`)
        lines.push(...differences.slice(0, MAX_DIFFERENCES).map((line) => `    ${line}`))
        if (more > 0) lines.push(`    and ${more} more`)
      }
      if (state === 'ghost') lines.push(`${label}, ${place}: no file defines it.`)
      if (state === 'entry_point') lines.push(`${label}, ${place}: starts the Activity; no file defines it.`)
      return lines
    })
  })
  if (missing.length > 0) notes.push(`Not deployed: ${listed(missing)}.`)
  return notes
}

function idLines(scopes: readonly ScopeStatus[]): readonly string[] {
  return scopes.flatMap((scope) =>
    scope.commands.map(({ command }) => {
      const mention = commandMention(command) ?? commandLabel(command)
      return `${scopeName(scope)}  ${command.id}  ${mention}`
    }),
  )
}

function summaryOf({ scopes, missing }: TargetStatus, style: Style, hasFiles: boolean): string {
  const all = scopes.flatMap(({ commands }) => commands)
  const twice = all.filter(({ globalTwin }) => globalTwin !== null).length
  const count = (state: CommandStatus['state']) => all.filter((each) => each.state === state).length
  const parts = [
    ...(count('differs') > 0 ? [`${count('differs')} not as the files define`] : []),
    ...(count('ghost') > 0 ? [`${counted(count('ghost'), 'ghost')}`] : []),
    ...(twice > 0 ? [`${counted(twice, 'command')} seen twice`] : []),
    ...(missing.length > 0 ? [`${missing.length} not deployed`] : []),
  ]
  if (parts.length > 0) return `${style.bold('Status:')} ${listed(parts)}.`
  const what = counted(all.length, 'command')
  return `${style.green('✓')} ${what}${hasFiles ? ', as the files define them' : ''}.`
}
