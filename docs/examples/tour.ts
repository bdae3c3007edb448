/** `npm start`: the life of a real-sized command set, from a draft with mistakes to a limit of the service. */
import {
  allChannelsId,
  CommandRegistry,
  everyoneId,
  formatIssues,
  globalScope,
  guildScope,
  localeNames,
  PermissionFlag,
  RegistryError,
  validateCommands,
  type ApplicationCommand,
  type Issue,
  type Locale,
} from 'commandry'
import { Limits } from 'commandry/reference'
import { ChatClient, readOptions, validateCallback, type CommandInteraction } from 'commandry/interactions'
import { firstDraft, moderationBot } from './moderation-bot.ts'
import { bold, dim, green, heading, red, say, yellow } from './terminal.ts'

const app = '1136000000000001001'
const guild = '1136000000000002001'
const staff = '1136000000000003001'
const bob = '1136000000000005002'
const MODERATE = PermissionFlag.USE_APPLICATION_COMMANDS | PermissionFlag.MODERATE_MEMBERS
const everywhere = globalScope(app)
const registry = new CommandRegistry()
registry.subscribe((event) => {
  if (event.type === 'permissions_updated') say(dim(`  event  ${event.type} in guild ${event.guildId}`))
})

/** The width of the output in columns. */
const WIDTH = 100
const columns = ['name', 'id', 'options', 'languages']
const widths = [17, 21, 25, 0]

/** The commands of the last output. */
let seen: ReadonlyMap<string, ApplicationCommand> = new Map()

heading('1  Validate the first draft')
const draft = validateCommands(firstDraft)
report('mistake', draft.ok ? [] : draft.issues, red)
say('')
report('warning', draft.warnings, yellow)

heading('2  Register the fixed set')
const fixed = validateCommands(moderationBot)
if (!fixed.ok) throw new Error(formatIssues(fixed.issues, moderationBot))
await registry.overwrite(everywhere, moderationBot)
say(`${green('valid')}, ${count(fixed.warnings.length, 'warning')} left`)
await show()

heading('3  Edit a command')
const ban = await find('ban')
const edited = await registry.edit(everywhere, ban.id, {
  description: 'Ban a member from the server, for good',
})
say(`${bold('/ban')} gets another description:`)
say(`  before  ${dim(ban.description)}`)
say(`  after   ${edited.description}`)
await show()

heading('4  Set permissions')
say(`Everyone is kept from ${bold('/history')}; the staff role is let in, in all channels of the guild.`)
const history = await find('history')
await registry.setPermissions(app, guild, history.id, [
  { id: everyoneId(guild), type: 1, permission: false },
  { id: staff, type: 1, permission: true },
  { id: allChannelsId(guild), type: 3, permission: true },
])
await show()

heading('5  Rename it, and see them go')
const renamed = await registry.edit(everywhere, history.id, { name: 'record' })
say(`${bold('/history')} is now ${bold(`/${renamed.name}`)}, with the same id, and without its permissions.`)
await show()

heading('6  A command of one guild only')
const { command: quiz, created } = await registry.upsert(guildScope(app, guild), {
  name: 'quiz',
  description: 'Ask the members something',
})
say(`${bold(`/${quiz.name}`)} was ${created ? 'created' : 'overwritten'} in guild ${quiz.guild_id}.`)
await show()

heading('7  Plan an overwrite, then do it')
const next = moderationBot
  .filter(({ name }) => name !== 'slowmode')
  .map((command) =>
    command.name === 'lock' ? { ...command, description: 'Let only moderators write in a channel' } : command,
  )
  .concat({ name: 'appeal', description: 'Ask to have a ban lifted', contexts: [1] })
const plan = await registry.plan(everywhere, next)
for (const command of plan.creates) say(`  ${green('+')} ${label(command)}`)
for (const { after, fields } of plan.updates)
  say(`  ${yellow('~')} ${label(after).padEnd(widths[0]!)}${dim(fields.join(', '))}`)
for (const command of plan.deletes) say(`  ${red('-')} ${label(command)}`)
say(
  dim(
    `  ${plan.unchanged.length} unchanged, ${plan.createsLeft} of ${Limits.DAILY_CREATES} creates left today`,
  ),
)
await registry.overwrite(everywhere, next)
await show()

heading('8  Use a command, in two languages')
for (const locale of ['de', 'ja']) {
  const client = new ChatClient(registry, {
    applicationId: app,
    guildId: guild,
    channel: { id: '1136000000000004001', type: 0 },
    member: { user: { id: '1136000000000005001', username: 'ada' }, roles: [staff], permissions: MODERATE },
    locale,
  })
  await client.refresh()
  const [shown] = client.picker.search(locale === 'de' ? 'verw' : '警')
  const typed = locale === 'de' ? { mitglied: bob, stufe: 2 } : { メンバー: bob, 段階: 3 }
  const interaction = await client.invoke(shown!.name, typed)
  say(`  ${bold(localeNames[locale as Locale][0])}`)
  say(`    a person types  ${bold(`/${shown!.name}`)} ${Object.keys(typed).join(' ')}`)
  say(`    the app gets    /${interaction.data.name} ${JSON.stringify(readOptions(interaction).values)}`)
  const answer = warn(interaction)
  const checked = validateCallback(interaction, answer)
  say(
    `    and answers     ${checked.ok ? green(answer.data.content) : red(formatIssues(checked.issues, answer))}`,
  )
}

function warn(interaction: CommandInteraction) {
  const { member, level } = readOptions(interaction).values
  const german = interaction.locale === 'de'
  return {
    type: 4,
    data: {
      content: german
        ? `<@${member}> wurde verwarnt, Stufe ${level}`
        : `<@${member}>に警告しました（段階${level}）`,
    },
  }
}

heading('9  Hit the limits')
const menus = Array.from({ length: 14 }, (_, i) => ({ type: 2, name: `Menu ${i + 1}` }))
const crowded = [...next, ...menus]
await refused('sixteen user commands', () => registry.overwrite(everywhere, crowded), crowded)
const closed = next.filter(({ type }) => type !== 4)
await refused('no entry point in the list', () => registry.overwrite(everywhere, closed), closed)
const appeal = await find('appeal')
await refused('a rename onto a name in use', () => registry.edit(everywhere, appeal.id, { name: 'ban' }))
const faulty = { name: 'Say Hello', description: '', options: [{ type: 12, name: 'to' }] }
await refused('a command with faults', () => registry.upsert(everywhere, faulty), faulty)
say('Rejected requests changed nothing.')
await show()

// --- Output ---------------------------------------------------------------------------------------------------

function report(noun: string, issues: readonly Issue[], colour: (text: string) => string): void {
  say(colour(count(issues.length, noun)))
  for (const issue of issues) {
    const line = formatIssues([issue], firstDraft)
    const place = line.indexOf(': ')
    say(`  ${colour('•')} ${bold(line.slice(0, place))}  ${dim(`[${issue.clause}]`)}`)
    for (const part of wrapped(line.slice(place + 2), 4)) say(`    ${part}`)
  }
}

/** Wraps a text into lines that fit after an indentation. */
function wrapped(text: string, indent: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && indent + last.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

async function find(name: string): Promise<ApplicationCommand> {
  return (await registry.list(everywhere)).find((command) => command.name === name)!
}

/** Prints the registry: new and changed commands in full, all others by name. */
async function show(): Promise<void> {
  const commands = await registry.list(everywhere)
  const before = seen
  seen = new Map(commands.map((command) => [command.id, command]))
  const gone = [...before.values()].filter(({ id }) => !seen.has(id))
  const same = commands.filter(({ id, version }) => before.get(id)?.version === version)
  const local = await registry.list(guildScope(app, guild))
  const more = local.length === 0 ? '' : ` and ${local.length} in the guild`
  say(`\n${bold(`The registry now has ${count(commands.length, 'command')}${more}:`)}`)
  if (before.size === 0) row(' ', columns, [dim, dim, dim, dim])
  for (const command of commands) {
    if (same.includes(command)) continue
    const cells = [label(command), command.id, shape(command), languages(command)]
    row(before.has(command.id) ? yellow('~') : green('+'), cells, [bold, dim, String, dim])
  }
  if (gone.length > 0) list(red('-'), '', gone.map(label))
  if (same.length > 0) list(' ', 'unchanged: ', same.map(label))
  if (local.length > 0) list(' ', 'in the guild: ', local.map(label))
  const names = new Map([
    [everyoneId(guild), '@everyone'],
    [allChannelsId(guild), 'All Channels'],
    [staff, '@staff'],
  ])
  for (const { id, permissions } of await registry.listPermissions(app, guild)) {
    const entries = permissions.map(
      (entry) => `${entry.permission ? 'allow' : 'deny'} ${names.get(entry.id) ?? entry.id}`,
    )
    list(' ', `permissions of ${label(seen.get(id)!)}: `, entries)
  }
}

/** Prints cells in columns, up to the last filled one. */
function row(mark: string, cells: readonly string[], colours: readonly ((text: string) => string)[]): void {
  const filled = cells.reduce((most, cell, i) => (cell === '' ? most : i), 0)
  const text = cells
    .slice(0, filled + 1)
    .map((cell, i) => colours[i]!(i === filled ? cell : cell.padEnd(widths[i]!)))
  say(`  ${mark} ${text.join('')}`)
}

/** Prints a list after a word, aligned over as many lines as it needs. */
function list(mark: string, word: string, things: readonly string[]): void {
  const indent = 4 + word.length
  // Blanks within a name must not break it.
  const text = things.map((thing) => thing.replaceAll(' ', '\u00a0')).join(', ')
  const [first, ...rest] = wrapped(text, indent).map((line) => line.replaceAll('\u00a0', ' '))
  say(`  ${mark} ${dim(word)}${first}`)
  for (const line of rest) say(`${' '.repeat(indent)}${line}`)
}

/** The name of a command as users see it. */
function label({ type, name }: Pick<ApplicationCommand, 'type' | 'name'>): string {
  return type === 1 ? `/${name}` : name
}

function languages({ name_localizations }: ApplicationCommand): string {
  return Object.keys(name_localizations ?? {}).join(' ')
}

/** The options or target of a command. */
function shape({ type, options = [] }: ApplicationCommand): string {
  if (type !== 1) return `(${{ 2: 'on users', 3: 'on messages', 4: 'entry point' }[type]})`
  const groups = options.filter((option) => option.type === 2)
  const subcommands = [...options, ...groups.flatMap((group) => group.options ?? [])].filter(
    (option) => option.type === 1,
  )
  if (subcommands.length === 0)
    return options.map(({ name, required }) => (required ? name : `[${name}]`)).join(' ')
  return `${groups.length > 0 ? `${count(groups.length, 'group')}, ` : ''}${count(subcommands.length, 'subcommand')}`
}

/** @param body the refused body, whose commands are then printed by name */
async function refused(what: string, attempt: () => Promise<unknown>, body?: unknown): Promise<void> {
  try {
    await attempt()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    say(`  ${red('refused')} ${bold(what)}  ${dim(error.code)}`)
    for (const issue of error.issues)
      for (const line of wrapped(formatIssues([issue], body), 4)) say(`    ${line}`)
  }
}
