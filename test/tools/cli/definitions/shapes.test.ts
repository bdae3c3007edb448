/** What `check` makes of the shapes that public bots export: a command, none, or what may be one, which is never silent. */
import { describe, expect, it } from 'vitest'
import { check, directoryOf } from '../program.ts'

type Verdict = 'command' | 'unsure' | 'other'

const builder = `class SlashCommandBuilder { name = 'ping'; description = 'Pong'; toJSON() { return { ...this } } }`
const option = `{ type: 3, name: 'text', description: 'Any text' }`
const commonJs = (text: string) => `module.exports = ${text}`

/** The file of each shape, what it has, and how many commands that is, or the verdict. */
const shapes: readonly (readonly [file: string, text: string, expected: number | 'unsure' | 'other'])[] = [
  // --- Commands
  ['ping.cjs', commonJs(`{ name: 'ping', description: 'Pong', execute(interaction) {} }`), 1],
  ['ping-data.cjs', commonJs(`{ data: { name: 'ping', description: 'Pong' }, async execute() {} }`), 1],
  [
    'builder.mjs',
    `${builder}; export const data = new SlashCommandBuilder(); export const execute = () => {}`,
    1,
  ],
  ['builder-default.mjs', `${builder}; export default { data: new SlashCommandBuilder(), run() {} }`, 1],
  ['builder-held.mjs', `${builder}; export default { command: new SlashCommandBuilder(), run() {} }`, 1],
  [
    'builder-class.mjs',
    `${builder}; export default class Ping { data = new SlashCommandBuilder(); run() {} }`,
    1,
  ],
  [
    'class-options.mjs',
    `${builder}; class Command { constructor(options) { this.options = options } }
export default new Command({ cooldown: 5, data: new SlashCommandBuilder(), async execute() {} })`,
    1,
  ],
  [
    'class-settings.mjs',
    `class Command { constructor(settings) { this.settings = settings } }
export default new Command({ name: 'ping', description: 'Pong', async execute(interaction) {} })`,
    1,
  ],
  [
    'achievements.mjs',
    `export const all = [{ id: 'bump_first', name: 'First Bump', description: 'x', check: (ctx) => ctx.bumps > 0 }]`,
    'unsure',
  ],
  [
    'achievement-conditions.mjs',
    `export default [{ name: 'First Bump', description: 'x', condition: (context) => context.bumps > 0 }]`,
    'unsure',
  ],
  [
    'commands/kept-name.mjs',
    `export const ping = { meta: { name: 'ping', category: 'utility' }, cooldown: 5, execute: async (ctx) => {} }`,
    'unsure',
  ],
  [
    'commands/kept-name-of-text.mjs',
    `export const ping = { config: { name: 'ping' }, run: async (client, message, args) => {} }`,
    'other',
  ],
  ['menu-handler.mjs', `export default { name: 'Report', type: 3, run() {} }`, 1],
  ['menu-data.mjs', `export const data = { name: 'Report', type: 3 }; export const execute = () => {}`, 1],
  ['menu-held.mjs', `export const commands = [{ name: 'Report', type: 3 }, { name: 'Avatar', type: 2 }]`, 2],
  ['menus/user.mjs', `export default { name: 'Avatar', type: 2 }`, 1],
  ['menu-permissions.mjs', `export default [{ name: 'Report', type: 3, contexts: [0] }]`, 1],
  [
    'list.mjs',
    `export default [{ name: 'ping', description: 'Pong' }, { name: 'pong', description: 'Ping' }]`,
    2,
  ],
  [
    'list-beside.mjs',
    `export default [{ name: 'ping', description: 'x', type: 1 }, { name: 'Info', type: 2 }]`,
    2,
  ],
  ['worker.mjs', `export const AWW_COMMAND = { name: 'awwww', description: 'Drop some cuteness' }`, 1],
  ['worker-key.mjs', `export const INVITE = { name: 'invite', description: 'Invites the bot' }`, 1],
  [
    'typed.mjs',
    `export const TEST = { name: 'verify', description: 'x', type: 1, integration_types: [0, 1] }`,
    1,
  ],
  ['typed-alone.mjs', `export const one = { name: 'verify', description: 'x', type: 1 }`, 1],
  ['options.mjs', `export const one = { name: 'say', description: 'x', options: [${option}] }`, 1],
  [
    'map.mjs',
    `export default new Map([['ping', { data: { name: 'ping', description: 'x' }, run() {} }]])`,
    1,
  ],
  ['object.mjs', `export default { ping: { name: 'ping', description: 'x' } }`, 1],
  ['commands/sub/one.mjs', `export const meta = { name: 'ping', description: 'x' }`, 1],
  [
    'meta.mjs',
    `export const meta = { name: 'ping', description: 'x' }; export const run = (interaction) => {}`,
    1,
  ],
  ['camel.mjs', `export default { name: 'ban', description: 'x', defaultMemberPermissions: '4' }`, 1],
  [
    'data-settings.mjs',
    `export const data = { name: 'ban', description: 'x', enabled: true }; export const execute = () => {}`,
    1,
  ],
  [
    'settings.mjs',
    `export default { name: 'ban', description: 'x', cooldown: 3, emoji: '🔨', callback(ctx) {} }`,
    1,
  ],
  ['upper.mjs', `export default { name: 'Ban', description: 'x', execute() {} }`, 1],
  [
    'saiteja.cjs',
    commonJs(
      `{ name: 'ban', description: 'x', command: { enabled: true }, slashCommand: { enabled: true, options: [] }, async messageRun(message) {}, async interactionRun(interaction) {} }`,
    ),
    1,
  ],
  ['commands.json', `[{ "name": "ping", "description": "Pong" }]`, 1],
  ['typing.json', `{ "nmae": "ping", "description": "Pong" }`, 1],
  [
    'entry.mjs',
    `export const launch = { name: 'launch', description: '', type: 4, handler: 2, contexts: [0] }`,
    1,
  ],
  [
    'discordjs13.cjs',
    commonJs(
      `{ name: 'say', description: 'x', options: [{ name: 'text', type: 'STRING', description: 'x' }], run: async (client, interaction) => {} }`,
    ),
    1,
  ],

  // --- What only the program completes, or what may be a command
  [
    'nameless.mjs',
    `export default { description: 'Shows a picture', options: [${option}], execute() {} }`,
    'unsure',
  ],
  [
    'nameless-handler.mjs',
    `export default { description: 'Clears', execute: async (interaction) => {} }`,
    'unsure',
  ],
  [
    'nameless-named.mjs',
    `export const avatar = { description: 'Shows a picture', options: [], run() {} }`,
    'unsure',
  ],
  ['nameless-worker.mjs', `export const config = { description: 'Pings', options: [${option}] }`, 'unsure'],
  [
    'nameless-slash.cjs',
    commonJs(
      `{ category: 'Fun', description: 'Pings', slash: true, testOnly: true, callback: ({ interaction }) => {} }`,
    ),
    'unsure',
  ],
  [
    'user-action.mjs',
    `export default { command: { name: 'Infos utilisateur' }, execute(interaction, client) {} }`,
    'unsure',
  ],
  [
    'own-type.mjs',
    `export default { name: 'ping', description: 'Pong', type: 'SLASH', execute(interaction) {} }`,
    'unsure',
  ],
  ['default-list.mjs', `export default [{ name: 'Report', type: 3 }, { name: 'Avatar', type: 2 }]`, 'unsure'],
  ['default-one.mjs', `export default { name: 'Report', type: 3 }`, 'unsure'],
  ['plain-list.mjs', `export const all = [{ name: 'music', description: 'Plays music' }]`, 'unsure'],
  [
    'plugin.mjs',
    `export default { name: 'music', description: 'Plays music', load() {}, unload() {} }`,
    'unsure',
  ],
  [
    'described.mjs',
    `export default { name: 'ban', description: { de: 'Bannt', en: 'Bans' }, execute(interaction) {} }`,
    'unsure',
  ],
  [
    'weblogs.mjs',
    `export default { name: 'weblogs', description: 'Shows logs', needs: ['express'] }`,
    'unsure',
  ],
  [
    'help-commands.mjs',
    `export const commands = [{ name: 'ban', description: 'Bans', usage: 'ban @user' }]`,
    'unsure',
  ],
  [
    'default-fields.mjs',
    `export default [{ name: 'ban', description: 'Bans', module: 'moderation' }]`,
    'unsure',
  ],
  ['voice.json', `[{ "name": "Lounge", "type": 2 }]`, 'unsure'],

  // --- No commands
  [
    'subcommand.cjs',
    `class SlashCommandSubcommandBuilder { name = 'one'; toJSON() { return { ...this } } }; module.exports = { parent: 'list', data: new SlashCommandSubcommandBuilder(), execute(interaction) {} }`,
    'other',
  ],
  ['button-id.cjs', commonJs(`{ data: { id: 'get-user' }, async execute(interaction) {} }`), 'other'],
  [
    'audit-log.mjs',
    `export const MESSAGE_DELETE = { name: 'messageDelete', description: 'x', canIncludeRoles: true, isOld: false }`,
    'other',
  ],
  [
    'commands/prefix.cjs',
    commonJs(
      `{ config: { name: 'prefix', description: 'x', usage: 'x' }, run: async (client, message, args) => {} }`,
    ),
    'other',
  ],
  ['activity.mjs', `export default { type: 'dnd', description: 'Bot Status' }`, 'other'],
  [
    'status.cjs',
    commonJs(`{ presence: { status: 'dnd', activities: [{ name: 'the server', type: 3 }] } }`),
    'other',
  ],
  ['playing.cjs', commonJs(`{ presence: { activities: [{ name: 'chess', type: 0 }] } }`), 'other'],
  [
    'activities.mjs',
    `export const activities = [{ name: 'the server', type: 3 }, { name: 'music', type: 2 }]`,
    'other',
  ],
  ['competing.mjs', `export default { name: 'chess', type: 5 }`, 'other'],
  ['streaming.mjs', `export default { name: 'a game', type: 1, url: 'https://twitch.tv/x' }`, 'other'],
  [
    'channels.cjs',
    commonJs(`{ channels: [{ name: 'general', type: 0 }, { name: 'Lounge', type: 2 }] }`),
    'other',
  ],
  ['columns.cjs', `exports.columns = [{ name: 'id', type: 'varchar' }]`, 'other'],
  [
    'table.mjs',
    `export const users = { name: 'users', columns: { id: { name: 'id', type: 'int' } } }`,
    'other',
  ],
  ['modules.cjs', commonJs(`{ modules: [{ name: 'weblogs', enabled: true, options: {} }] }`), 'other'],
  [
    'module.config.mjs',
    `export default { name: 'weblogs', description: 'Logs', main: 'weblogs', nodeDependencies: {} }`,
    'other',
  ],
  ['bot.json', `{ "name": "My Bot", "description": "A bot", "version": "1.0.0" }`, 'other'],
  ['bot.cjs', commonJs(`{ bot: { name: 'My Bot', description: 'A bot', version: '1.0.0' } }`), 'other'],
  ['config.cjs', commonJs(`{ name: 'My Bot', prefix: '!', owners: [] }`), 'other'],
  ['database.json', `{ "type": "mysql", "host": "localhost" }`, 'other'],
  ['account.json', `{ "type": "service_account", "project_id": "x" }`, 'other'],
  ['quotes.json', `[{ "name": "Ada", "quote": "x" }]`, 'other'],
  ['roles.mjs', `export const roles = [{ name: 'Admin', color: 'red' }, { name: 'Member' }]`, 'other'],
  [
    'categories.mjs',
    `export const categories = [{ name: 'Fun', description: 'Games', emoji: '🎲' }]`,
    'other',
  ],
  ['features.mjs', `export const features = [{ name: 'Music', description: 'Plays music' }]`, 'other'],
  [
    'help-pages.mjs',
    `${builder}; export const PAGES = [{ list: [{ name: 'Get profile', description: 'x' }] }]; export const command = { data: new SlashCommandBuilder(), run() {} }`,
    1,
  ],
  ['pages.mjs', `export const pages = [{ entries: [{ name: '/ping', description: 'Answers' }] }]`, 'other'],
  ['shop.mjs', `export const items = [{ name: 'Sword', description: 'Sharp', price: 5 }]`, 'other'],
  [
    'metadata.mjs',
    `export const metadata = [{ type: 2, key: 'level', name: 'Level', description: 'x' }]`,
    'other',
  ],
  ['button.mjs', `export default { name: 'close', customId: 'close', type: 2, execute() {} }`, 'other'],
  [
    'button-data.mjs',
    `class ComponentBuilder { data = { name: 'a', customId: 'a' }; toJSON() { return this.data } }; export const command = { type: 'button', data: new ComponentBuilder(), execute() {} }`,
    'other',
  ],
  [
    'modal.mjs',
    `export const modal = { data: { custom_id: 'a', title: 'A', components: [] }, execute() {} }`,
    'other',
  ],
  ['row.mjs', `export default { type: 1, components: [{ type: 2, custom_id: 'a' }] }`, 'other'],
  ['event.mjs', `export default { name: 'ready', once: true, execute() {} }`, 'other'],
  [
    'event-described.mjs',
    `export default { name: 'ready', description: 'Says hi', once: true, execute() {} }`,
    'other',
  ],
  ['event-type.mjs', `export default { name: 'messageCreate', execute(message) {} }`, 'other'],
  [
    'job.mjs',
    `export default { name: 'backup', description: 'Every night', cron: '0 0 * * *', run() {} }`,
    'other',
  ],
  [
    'tool.mjs',
    `export const search = { name: 'search', description: 'Finds', parameters: { type: 'object' }, execute() {} }`,
    'other',
  ],
  [
    'tool-schema.mjs',
    `export const weather = { description: 'Weather', inputSchema: {}, execute() {} }`,
    'other',
  ],
  [
    'prefix.cjs',
    commonJs(`{ name: 'play', description: 'Plays', aliases: ['p'], execute(message, args) {} }`),
    'other',
  ],
  [
    'prefix-type.mjs',
    `export default { name: 'play', description: 'Plays', type: 'text', run(client, message) {} }`,
    'other',
  ],
  [
    'old-help.cjs',
    `exports.help = { name: 'ping', description: 'Pong' }; exports.run = (client, message, args) => {}`,
    'other',
  ],
  [
    'prefix-builder.mjs',
    `class MessageBuilder { name = 'ping'; description = 'x'; aliases = []; toJSON() { return { ...this } } }; export const command = { type: 'message', data: new MessageBuilder(), execute(client, message) {} }`,
    'other',
  ],
  ['option.mjs', `export const target = { type: 6, name: 'user', description: 'Whom' }`, 'other'],
  [
    'option-required.mjs',
    `export const text = { type: 3, name: 'text', description: 'x', required: true }`,
    'other',
  ],
  ['options-shared.mjs', `export const options = [${option}]`, 'other'],
  [
    'group.mjs',
    `export const settings = { type: 2, name: 'settings', description: 'x', options: [{ type: 1, name: 'show', description: 'x' }] }`,
    'other',
  ],
  ['choices.mjs', `export const choices = [{ name: 'One', value: '1' }]`, 'other'],
  [
    'embed.mjs',
    `export const embed = { title: 'Hi', description: 'x', fields: [{ name: 'a', value: 'b' }] }`,
    'other',
  ],
  ['emojis.mjs', `export const emojis = { wave: { name: 'wave', id: '1' } }`, 'other'],
  [
    'client.mjs',
    `class Client { options = {}; toJSON() { return { shards: 1 } } }; export const client = new Client()`,
    'other',
  ],
  ['poll.mjs', `export const polls = [{ name: 'lunch', question: 'Where?', options: ['a', 'b'] }]`, 'other'],
  ['server.json', `{ "name": "Templates", "channels": [{ "name": "general", "type": 0 }] }`, 'other'],
]

describe('shapes of public bots', () => {
  it(`has at least sixty of them`, () => expect(shapes.length).toBeGreaterThanOrEqual(60))

  it('reads every command, accuses nothing else, and lists what may be a command', async () => {
    const files = Object.fromEntries(shapes.map(([file, text]) => [`src/${file}`, text]))
    const cwd = await directoryOf({ ...files, 'src/x/package.json': '{}' })
    const { out } = await check(cwd, ['src', '--each', '--format', 'json'])
    const result = JSON.parse(out) as {
      files: { file: string; commands: number; issues: { code: string; message: string }[] }[]
      not_seen: { name: string }[]
      skipped: string[]
    }
    const verdictOf = (file: string): number | Verdict => {
      const read = result.files.find((each) => each.file === file)
      if (read !== undefined) return read.commands
      if (result.not_seen.some(({ name }) => name === file || name.endsWith(` of ${file}`))) return 'unsure'
      return result.skipped.includes(file) ? 'other' : ('silent' as Verdict)
    }
    expect(shapes.map(([file]) => [file, verdictOf(`src/${file}`)])).toEqual(
      shapes.map(([file, , expected]) => [file, expected]),
    )
    // The only mistakes are those of the authors.
    const accused = result.files.flatMap(({ file, issues }) =>
      issues.map(({ code }) => `${file.slice(4)} ${code}`),
    )
    expect(accused).toEqual([
      'data-settings.mjs keys.unknown',
      'discordjs13.cjs option.type',
      'typing.json shape.required',
      'typing.json keys.unknown',
      'upper.mjs name.case',
    ])
  })
})
