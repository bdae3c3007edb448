/** `npm start`: the life of a real-sized command set, from a draft with mistakes to a limit of the service. */
import {
  allChannelsId,
  ChatClient,
  CommandRegistry,
  everyoneId,
  formatIssues,
  globalScope,
  guildScope,
  Limits,
  localeNames,
  PermissionFlag,
  readOptions,
  RegistryError,
  validateCallback,
  validateCommands,
  type ApplicationCommand,
  type CommandInteraction,
  type Issue,
  type Locale,
} from 'commandry'
import { firstDraft, moderationBot } from './moderation-bot.ts'
import { bold, cyan, dim, green, heading, red, say, yellow } from './terminal.ts'

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

/** The versions of the commands as they were printed last. */
let seen: ReadonlyMap<string, string> = new Map()

heading('1  Validate the first draft')
const draft = validateCommands(firstDraft)
report('mistake', draft.ok ? [] : draft.issues, red)
report('warning', draft.warnings, yellow)

heading('2  Register the mended set')
const mended = validateCommands(moderationBot)
if (!mended.ok) throw new Error(formatIssues(mended.issues, moderationBot))
say(`${green('valid')}, ${count(mended.warnings.length, 'warning')} left\n`)
await registry.overwrite(everywhere, moderationBot)
await table()

heading('3  Edit a command')
const ban = await find('ban')
await registry.edit(everywhere, ban.id, {
  description: 'Ban a member from the server, for good',
  nsfw: false,
})
await table()

heading('4  Set permissions')
say(`Everyone is kept from ${bold('/history')}, the staff role is let in, in all channels of the guild:`)
const history = await find('history')
await registry.setPermissions(app, guild, history.id, [
  { id: everyoneId(guild), type: 1, permission: false },
  { id: staff, type: 1, permission: true },
  { id: allChannelsId(guild), type: 3, permission: true },
])
await permissions()

heading('5  Rename it, and see them go')
await registry.edit(everywhere, history.id, { name: 'record' })
await permissions()
await table()

heading('6  A command of one guild only')
const { command: quiz, created } = await registry.upsert(guildScope(app, guild), {
  name: 'quiz',
  description: 'Ask the members something',
})
say(
  `/${quiz.name} was ${created ? 'created' : 'overwritten'} in guild ${quiz.guild_id}; the global list is as it was.`,
)

heading('7  Plan an overwrite, then do it')
const next = moderationBot
  .filter(({ name }) => name !== 'slowmode')
  .map((command) =>
    command.name === 'lock' ? { ...command, description: 'Let only moderators write in a channel' } : command,
  )
  .concat({ name: 'appeal', description: 'Ask to have a ban lifted', contexts: [1] })
const plan = await registry.plan(everywhere, next)
for (const { name } of plan.creates) say(`  ${green('+')} ${name}`)
for (const { after, fields } of plan.updates) say(`  ${yellow('~')} ${after.name}  ${dim(fields.join(', '))}`)
for (const { name } of plan.deletes) say(`  ${red('-')} ${name}`)
say(
  dim(
    `  ${plan.unchanged.length} unchanged, ${plan.createsLeft} of ${Limits.DAILY_CREATES} creates left today\n`,
  ),
)
await registry.overwrite(everywhere, next)
await table()

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
  say(
    `  ${bold(`/${shown!.name}`)} ${Object.keys(typed).join(' ')}  ${dim(`what ${localeNames[locale as Locale][1]} readers type`)}`,
  )
  say(`    the app gets  /${interaction.data.name} ${JSON.stringify({ ...readOptions(interaction).values })}`)
  const answer = warn(interaction)
  const checked = validateCallback(interaction, answer)
  say(
    `    and answers   ${checked.ok ? green(answer.data.content) : red(formatIssues(checked.issues, answer))}`,
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
await refused('sixteen user commands', () => registry.overwrite(everywhere, [...next, ...menus]))
await refused('no entry point in the list', () =>
  registry.overwrite(
    everywhere,
    next.filter(({ type }) => type !== 4),
  ),
)
const board = await find('appeal')
await refused('a rename onto a name in use', () => registry.edit(everywhere, board.id, { name: 'ban' }))
await refused('a command with faults', () =>
  registry.upsert(everywhere, { name: 'Say Hello', description: '', options: [{ type: 12, name: 'to' }] }),
)
await table()
say(dim('Nothing that was refused has changed anything.'))

// --- What is printed ------------------------------------------------------------------------------------------

function report(noun: string, issues: readonly Issue[], colour: (text: string) => string): void {
  say(colour(count(issues.length, noun)))
  for (const issue of issues) {
    const line = formatIssues([issue], firstDraft)
    const place = line.indexOf(': ')
    say(
      `  ${colour('•')} ${bold(line.slice(0, place))}\n    ${line.slice(place + 2)} ${dim(`[${issue.clause}]`)}`,
    )
  }
  say('')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

async function find(name: string): Promise<ApplicationCommand> {
  return (await registry.list(everywhere)).find((command) => command.name === name)!
}

/** The commands of the application, with what is new since the last time marked. */
async function table(): Promise<void> {
  const commands = await registry.list(everywhere)
  const icons: Record<number, string> = { 1: '/', 2: '@', 3: '✉', 4: '▶' }
  const before = seen
  say(dim(`     ${'name'.padEnd(18)}${'id'.padEnd(21)}${'options'.padEnd(24)}languages`))
  for (const command of commands) {
    const old = before.get(command.id)
    const mark = old === undefined ? green('+') : old === command.version ? ' ' : yellow('~')
    const name = command.name.padEnd(18)
    const shown = old === command.version ? name : bold(name)
    const languages = Object.keys(command.name_localizations ?? {}).join(' ')
    say(
      `  ${mark} ${cyan(icons[command.type]!)} ${shown}${dim(command.id.padEnd(21))}${shape(command).padEnd(24)}${dim(languages)}`,
    )
  }
  const gone = [...before.keys()].filter((id) => !commands.some((command) => command.id === id))
  if (gone.length > 0) say(`  ${red('-')} ${dim(`${gone.length} deleted`)}`)
  say('')
  seen = new Map(commands.map(({ id, version }) => [id, version]))
}

function shape({ options = [] }: ApplicationCommand): string {
  if (options.length === 0) return ''
  const groups = options.filter(({ type }) => type === 2)
  const subcommands = [...options, ...groups.flatMap((group) => group.options ?? [])].filter(
    ({ type }) => type === 1,
  )
  if (subcommands.length === 0)
    return options.map(({ name, required }) => (required ? name : `[${name}]`)).join(' ')
  return `${groups.length > 0 ? `${count(groups.length, 'group')}, ` : ''}${count(subcommands.length, 'subcommand')}`
}

async function permissions(): Promise<void> {
  const sets = await registry.listPermissions(app, guild)
  if (sets.length === 0) say(dim('  no permissions are set in this guild\n'))
  const targets: Record<number, string> = { 1: 'role', 2: 'user', 3: 'channel' }
  const names = new Map([
    [everyoneId(guild), '@everyone'],
    [allChannelsId(guild), 'All Channels'],
    [staff, '@staff'],
  ])
  for (const { permissions: entries } of sets) {
    for (const { id, type, permission } of entries) {
      say(`  ${permission ? green('allow') : red('deny ')} ${targets[type]!.padEnd(8)}${names.get(id) ?? id}`)
    }
    say('')
  }
}

async function refused(what: string, attempt: () => Promise<unknown>): Promise<void> {
  try {
    await attempt()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const [first, ...rest] = error.message.split('\n')
    say(`  ${red('refused')} ${bold(what)}  ${dim(error.code)}`)
    for (const line of rest.length > 0 ? rest : [first]) say(`    ${line}`)
  }
}
