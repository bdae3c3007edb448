import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read } from '../../../support/markdown.ts'
import { check, directoryOf, ending } from '../program.ts'
import { hello } from '../../../support/fixtures.ts'
import { checkFiles, json, helloModule, issuesOf } from '../checked-files.ts'

describe('commandry check of modules', () => {
  it.each(
    Object.entries({
      'a default export': `export default ${json}`,
      'a list': `export default [${json}]`,
      'a builder': `class B { toJSON() { return ${json} } }; export default new B()`,
      'data and execute': `export const data = ${json}; export const execute = async () => {}`,
      'data and execute as default': `class B { toJSON() { return ${json} } }; export default { data: new B(), execute() {} }`,
      'named exports': `export const helloCommand = ${json}; export const COLOR = 5; export function help() {}`,
      'a map': `export default new Map([['hello', { data: ${json}, execute() {} }]])`,
      'an object of commands': `export default { hello: ${json} }`,
      'a command with its handler': `export default { ...${json}, execute() {} }`,
      'a context menu with its handler': 'export default { name: "Report", type: 3, run() {} }',
      'a command whose framework keeps settings beside it': `export default { ...${json}, category: 'fun', cooldown: 3, aliases: [], options: [], run() {} }`,
      'the options of a "slashCommand"': `export default { ...${json}, slashCommand: { options: [] }, run() {} }`,
      'a command and its handler made by a class': `class C { toJSON() { return { command: ${json}, run() {} } } }; export default new C()`,
      'an instance of a class with data': `class C { data = ${json}; execute() {} }; export default new C()`,
      'a class with data': `export class C { data = ${json}; execute() {} }`,
      'a client that has toJSON': `class Client { toJSON() { return { shards: 1 } } }; export const client = new Client(); export const commands = [${json}]`,
      'a command that is exported twice': `const one = ${json}; export const all = [one]; export { one }`,
      'a class that is its own definition': `export default class { constructor() { Object.assign(this, ${json}, { ephemeral: true }) } handler() {} }`,
      'a builder in a field of an instance': `class SlashCommandBuilder { toJSON() { return ${json} } }; class C { slashcommand = new SlashCommandBuilder() }; export default new C()`,
      'a command beside buttons and modals': `export const list = [{ data: ${json}, execute() {} }, { data: { type: 2, custom_id: 'a' }, execute() {} }, { custom_id: 'b', title: 'B', components: [] }]`,
      'a command beside the text command of its name': `export default [${json}, { name: 'hello', description: 'x', run(client, message) {} }]`,
      'a class whose settings have the name of a field': `class SlashCommandBuilder { toJSON() { return ${json} } }; export default class { data = new SlashCommandBuilder(); name = 'hello'; options = {}; execute() {} }`,
      'a builder whose toJSON throws': `class B { name = 'hello'; description = 'b'; options = [] ; toJSON() { return { ...this } } }; export default new B()`,
    }),
  )('accepts %s', async (_, text) => {
    expect(await issuesOf(text)).toEqual([1, []])
  })

  it.each(
    Object.entries({
      'an export': `module.exports = ${json}`,
      'data and execute': `module.exports = { data: ${json}, async execute() {} }`,
      'a compiled default export': `exports.__esModule = true; exports.default = ${json}`,
      'compiled named exports': `exports.__esModule = true; exports.data = ${json}; exports.execute = () => {}`,
      'commands beside the client': `const client = {}; client.self = { client }; module.exports = { client, commands: [${json}] }`,
    }),
  )('accepts %s in CommonJS', async (_, text) => {
    expect(await issuesOf(text, 'module.cjs')).toEqual([1, []])
  })

  it('prints paths from the export to the problem', async () => {
    const bad = JSON.stringify({ ...hello, options: [{ type: 3, name: 'Bad', description: 'x' }] })
    const exported = await issuesOf(`export const data = ${bad}; export const execute = () => {}`)
    expect(exported).toEqual([1, ['name.case data.options.0.name']])
    const list = await issuesOf(
      `export default [${json}, { data: { ...${bad}, name: 'bye' }, execute() {} }]`,
    )
    expect(list).toEqual([2, ['name.case 1.data.options.0.name']])
  })

  const builder = (fields: string) =>
    `class B { ${fields} options = []; toJSON() { throw new Error('no') } }; export default new B()`

  it.each<[string, string, ...unknown[]]>([
    ['an object that is not one', 'export default { description: "x" }', 'shape.required name'],
    [
      'a context menu whose type is a name',
      'export default { name: "Report", type: "MESSAGE", run() {} }',
      'command.type type',
    ],
    ['a list of something else', 'export default [5]', 'shape.object 0'],
    [
      'a builder that is not complete',
      builder(`name = 'A';`),
      'shape.required description',
      'name.case name',
    ],
    [
      'a builder that fails although its fields are right',
      builder(`name = 'a'; description = "b";`),
      'toJSON() throws "no"',
    ],
    [
      'a getter that throws',
      `export default { ...${json}, get options() { throw new Error('no') } }`,
      'options: is a value that throws "no" when it is read',
    ],
    [
      'a nameless builder whose toJSON throws, beside a command',
      `export default [${json}, { toJSON() { throw new Error('no') } }]`,
      '1: is a value that throws "no" when it is read',
    ],
    [
      'a misspelt "data"',
      `export default { dta: ${json}, execute() {} }`,
      expect.stringContaining('exports no "data"; did you mean it by "dta"?'),
    ],
  ])('reports the faults of a command: %s', async (_, text, ...issues) => {
    expect(await issuesOf(text)).toEqual([1, issues])
  })

  const written = 'calls process.exit(1) while it loads, after it wrote "no token"'

  it.each([
    ['it exports none', 'export const a = 1', expect.stringContaining('exports no command')],
    ['an error', 'throw new Error("no database")', 'cannot be loaded: no database'],
    ['a thrown null', 'throw null', 'cannot be loaded: null'],
    ['the end of the process', 'process.exit(7)', 'calls process.exit(7) while it loads'],
    [
      'the end of the process later',
      'setTimeout(() => { try { process.exit() } catch {} }, 5); await new Promise(() => {})',
      'calls process.exit() while it loads',
    ],
    ['the last line that it wrote', `console.error('no token'); process.exit(1)`, written],
    ['that line without colors', `console.error('\u001b[31mno token\u001b[0m'); process.exit(1)`, written],
  ])('explains why a module has no command: %s', async (_, text, message) => {
    expect(await issuesOf(text)).toEqual([0, [message]])
  })

  it('explains why a module has no command: an endless load', async () => {
    const cwd = await directoryOf({ 'module.mjs': 'await new Promise(() => {})' })
    const { out } = await check(cwd, ['module.mjs', '--format', 'json'], { limits: { load: 300 } })
    expect(JSON.parse(out).files).toMatchObject([
      { commands: 0, issues: [{ message: 'has not finished loading after 0.3 s' }] },
    ])
  })

  it('keeps what a module writes to the streams and their numbers out of the results', async () => {
    const { log } = console
    const writes = `import fs from 'node:fs'; console.log('zero'); process.stdout.write('one'); fs.writeSync(1, 'two'); fs.write(1, 'three', () => {})`
    expect(await issuesOf(`${writes}; export default ${json}`)).toEqual([1, []])
    expect(console.log).toBe(log)
  })

  it('skips the events, helpers and data files of a folder', async () => {
    const files = {
      'bot/events/ready.mjs': 'export default { name: "ready", once: true, execute() {} }',
      'bot/events/named.mjs': 'export const name = "ready"; export function execute() {}',
      'bot/util.mjs': 'export const pick = (list) => list[0]; export const emoji = { wave: "x" }',
      'bot/config.json': { token: 'geheim', clientId: '1' },
      'bot/data/package.json': { name: 'bot', description: 'A bot' },
      'bot/node_modules/x/index.mjs': 'throw new Error("never loaded")',
      'bot/commands/hello.mjs': `export const data = ${json}; export const execute = () => {}`,
    }
    const ended = await checkFiles(files, 'bot')
    expect(ended).toMatchObject(ending(0, /^✓ 1 command in 1 file: no problems found/))
    expect(ended.out).not.toContain('geheim')
  })

  it('shows the line of an error, the innermost line of the project, and all files of one error', async () => {
    const cwd = await directoryOf({
      'commands/a.cjs': "require('./lib/fail.cjs')",
      'commands/b.cjs': "\nrequire('./lib/fail.cjs')",
      'commands/c.mjs': 'export const a = 1\nlet b = ;',
      'commands/d.cjs': 'require("./missing")',
      'commands/lib/fail.cjs': '\nthrow new Error("boom")',
      'commands/late.mjs': `Promise.reject(new Error('late')); export default ${json}`,
    })
    // Node starts once more to find the line of a syntax error.
    const { out } = await check(cwd, ['commands', '--format', 'json'], { limits: { load: 20_000 } })
    const { files } = JSON.parse(out) as {
      files: { file: string; issues: { line: number; message: string }[] }[]
    }
    expect(files.map(({ file, issues: [issue] }) => [file, issue!.line, issue!.message])).toEqual([
      ['commands/a.cjs', 1, expect.stringMatching(/boom \(at commands.lib.fail.cjs:2:7\) \(and/)],
      ['commands/c.mjs', 2, "cannot be loaded: Unexpected token ';'"],
      ['commands/d.cjs', 1, "cannot be loaded: Cannot find module './missing'"],
      ['commands/late.mjs', 1, 'cannot be loaded: late'],
      ['commands/lib/fail.cjs', 2, 'cannot be loaded: boom'],
    ])
  })

  it('loads camel case, with one note for a file', async () => {
    const text = `export default { ...${json}, defaultMemberPermissions: '8', options: [{ type: 4, name: 'n', description: 'd', minValue: 1 }] }`
    const { code, out } = await checkFiles({ 'a.mjs': text }, 'a.mjs')
    expect([code, out]).toEqual([0, expect.stringContaining('no problems found')])
    expect(out).toContain('note: a.mjs reads defaultMemberPermissions and minValue as')
  })

  it('loads every field of a command and of an option in camel case', async () => {
    const assigned = ['application_id', 'guild_id', 'name_localized', 'description_localized']
    const { Command, CommandOption } = JSON.parse(read('docs/commands.schema.json')).definitions
    const fields = Object.keys({ ...Command.properties, ...CommandOption.properties }).filter(
      (field) => field.includes('_') && !assigned.includes(field),
    )
    const camelCase = (field: string) => field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    const camel = fields.map((field) => [camelCase(field), null])
    const text = `export default ${JSON.stringify({ ...hello, ...Object.fromEntries(camel) })}`
    const { out } = await checkFiles({ 'a.mjs': text }, 'a.mjs')
    expect(fields).toContain('max_length')
    const [, listed = ''] = / as ([\w, ]+), as client\.application\.commands\.set\(\) does/.exec(out) ?? []
    expect(listed.split(/, | and /)).toEqual(fields)
  })

  it('names the files of a name that is used twice', async () => {
    const { out } = await checkFiles({ 'c/a.mjs': helloModule, 'c/b.mjs': helloModule }, 'c')
    expect(out).toContain('has the same name "hello" as /hello in c/a.mjs')
  })

  it('counts a file once, whatever its names', async () => {
    const cwd = await directoryOf({ 'c/a.json': hello })
    await symlink(join(cwd, 'c'), join(cwd, 'c/again'))
    await symlink(join(cwd, 'c/a.json'), join(cwd, 'c/b.json'))
    const { out } = await check(cwd, ['c', 'c/a.json', './c'])
    expect(out).toMatch(/^✓ 1 command in 1 file/)
  })

  it('reports a folder without a command, with its classes and another way', async () => {
    const files = { 'c/a.mjs': 'export class Ping { run() {} }', 'none/x.txt': '' }
    const { code, out } = await checkFiles(files, 'c', 'none')
    expect(code).toBe(1)
    expect(out).toContain('no command found in 1 file; there are classes: Ping. To check')
    expect(out).toContain('commandry check --run "node deploy.js"')
    expect(out).toContain('none error no command found in 0 files')
  })

  it('names the classes of a folder once, and none without a name', async () => {
    const files = {
      'c/a.mjs': 'export class Ping { run() {} }',
      'c/b.mjs': 'export class Ping { run() {} }',
      'c/d.mjs': 'export default class { run() {} }',
      'c/e.mjs': 'const decorated = [class { run() {} }]\nexport default decorated[0]',
    }
    expect((await checkFiles(files, 'c')).out).toContain('in 4 files; there are classes: Ping. To check')
  })

  it('leaves out commands that a class or another file completes, and never reads their options as commands', async () => {
    const option = '{ type: 3, name: "text", description: "a" }'
    const files = {
      'c/hello.mjs': helloModule,
      'c/keys.mjs': `export default { say: { description: 'a', options: [${option}], run() {} } }`,
      'c/named-by-file.mjs': `class C { data = { description: 'a', options: [${option}] }; run() {} }; export default new C()`,
      'c/options-beside.mjs': `class C { data = { name: 'say', description: 'a' }; options = [${option}]; run = () => {} }; export default new C()`,
    }
    const { code, out, err } = await checkFiles(files, 'c')
    const first = /^! 1 command in 1 file: no problems found, and not all was seen/
    expect([code, out]).toEqual([0, expect.stringMatching(first)])
    expect(out).toContain('1 object, without a name, which only the program adds: say of c/keys.mjs')
    const part = '(only a part of one, which the program completes)'
    expect(out).toContain(`no command: c/named-by-file.mjs ${part}, c/options-beside.mjs ${part}`)
    expect(err).toContain('commandry check --run "node deploy.js"')
  })

  it('reads a command once that a class and its instance have', async () => {
    const ping = `export class Ping { data = ${json}; execute() {} }`
    const files = {
      'c/a-list.mjs': "import { Ping } from './ping.mjs'; export const commands = [new Ping()]",
      'c/ping.mjs': ping,
      'd/ping.mjs': ping,
      'd/z-list.mjs': "import { Ping } from './ping.mjs'; export const commands = [new Ping()]",
    }
    expect(await checkFiles(files, 'c')).toMatchObject(ending(0, '✓ 1 command in 1 file'))
    expect(await checkFiles(files, 'd')).toMatchObject(ending(0, '✓ 1 command in 1 file'))
  })

  it('leaves out text commands, other instances, and classes and objects that only their program completes', async () => {
    const builder = `class SlashCommandSubcommandBuilder { toJSON() { return ${json} } }`
    const files = {
      'c/hello.mjs': helloModule,
      'c/sub.mjs': `${builder}; class Sub extends SlashCommandSubcommandBuilder {}; export default class extends Sub { handler() {} }`,
      'c/nameless.mjs': `export default class { constructor(name) { this.data = { name, description: 'a' } } run() {} }`,
      'c/options.mjs': `export default class { name = 'a'; description = 'b'; static getOptions() {} run() {} }`,
      'c/prefix.mjs': `export default { name: 'Play', aliases: ['p'], description: 'a', execute: async (message) => {} }`,
      'c/source.mjs': `export class Source { name = 'default'; options = { type: 'sqlite' } }; export const source = new Source()`,
      'c/base.mjs': `export default class { name = ''; description = 'a'; execute() {} }`,
      'c/wrapped.mjs': `export default { name: 'a', description: 'b', options: [{ String: { name: 'c', description: 'd' } }], run() {} }`,
      'c/text.mjs': `export default class { constructor() { this.name = 'a'; this.description = { content: 'b' } } run() {} }`,
    }
    const { code, out } = await checkFiles(files, 'c')
    expect([code, out]).toEqual([0, expect.stringMatching(/^! 1 command in 1 file: no problems found/)])
    const part = '(only a part of one, which the program completes)'
    expect(out).toContain(`no command: c/base.mjs, c/nameless.mjs, c/options.mjs ${part}, c/prefix.mjs, `)
    expect(out).toContain(`c/source.mjs, c/sub.mjs, c/text.mjs, c/wrapped.mjs ${part}`)
  })

  it('gives modules the variables of .env and those of ids, and a placeholder for each token', async () => {
    const files = {
      'bot/.env': 'PREFIX="!"\nCLIENT_ID=1001\nBOT_TOKEN=secret\nCOMMANDRY_TOKEN=secret',
      'bot/c/hello.mjs': `
        const { PREFIX, CLIENT_ID, APP_ID, BOT_TOKEN, GUILD_ID, PUBLIC_KEY } = process.env
        if (PREFIX !== '!' || CLIENT_ID !== '1001' || APP_ID !== '1001') throw new Error('ids')
        if (atob(BOT_TOKEN.split('.')[0]) !== '1001' || !GUILD_ID || !PUBLIC_KEY) throw new Error('token')
        if (Object.values(process.env).includes('secret')) throw new Error('secret')
        ${helloModule}`,
    }
    expect(await checkFiles(files, 'bot/c')).toMatchObject(ending(0, '✓ 1 command in 1 file'))
  })

  it('names the module that ends the thread that loads it, and reads those beside it', async () => {
    const bye = 'export default { name: "bye", description: "Says bye" }'
    const breaking = 'process.reallyExit(1)'
    const files = { 'c/a.mjs': 'export const colour = 5', 'c/b.mjs': breaking, 'c/c.mjs': bye }
    const { out } = await checkFiles(files, 'c')
    expect(out).toContain('c/b.mjs error ends its process while it loads')
    expect(out).toContain('✗ 1 error in 1 of 2 files')
    expect(out).toContain('skipped, as they hold no command: c/a.mjs')
  })

  it('says once, beside modules that fail, how to check what a program deploys', async () => {
    const files = { 'c/a.mjs': 'throw new Error("no database")', 'c/b.mjs': 'process.exit(1)' }
    const { out, err } = await checkFiles(files, 'c')
    expect(out).toContain('✗ 2 errors')
    expect(err).toBe('To check what a program deploys, use commandry check --run "node deploy.js"\n')
  })

  it.each([
    ['npm run register', { scripts: { 'delete-commands': 'a', register: 'b', start: 'c' }, main: 'bot.mjs' }],
    ['npm run deploy-commands', { scripts: { 'build-commands': 'a', 'deploy-commands': 'b' } }],
    ['npm run deploy', { scripts: { start: 'a', deploy: 'node --env-file=.env dist/deploy.js' } }],
    ['npm start', { scripts: { start: 'c', deploy: 'the whole program' }, main: 'bot.mjs' }],
    ['node bot.mjs', { main: 'bot.mjs' }],
    ['node bot.mjs', { main: 'missing.mjs' }],
    ['node src/deploy-commands.js', { main: 'bot.mjs' }, 'src/deploy-commands.js'],
    ['npx tsx src/index.ts', { main: 'missing.mjs' }, 'src/index.ts', 'other.mjs'],
    ['node deploy.js', { main: 'missing.mjs' }, 'src/commands.js', 'src/delete-commands.js'],
  ])('advises to run "%s", by package.json %j and the files %s %s', async (program, project, ...names) => {
    const own = names.length === 2 ? names : [...names, 'bot.mjs']
    const files = Object.fromEntries(own.map((name) => [name, '']))
    const all = { ...files, 'package.json': project, 'c/a.mjs': 'export class Ping {}' }
    expect((await checkFiles(all, 'c')).out).toContain(`commandry check --run "${program}"`)
  })

  it.each([
    [
      'deno task deploy',
      { 'deno.json': { tasks: { dev: 'deno run -A bot.ts', deploy: 'deno run -A src/deploy.ts' } } },
    ],
    ['deno task register', { 'deno.json': { tasks: { register: { command: 'deno run -A x.ts' } } } }],
    ['deno task sync-commands', { 'deno.jsonc': '{\n  // Tasks\n  "tasks": { "sync-commands": "x" }\n}' }],
    ['deno run -A deploy.ts', { 'deno.json': {}, 'deploy.ts': '' }],
    ['npm run register', { 'deno.json': { fmt: {} }, 'package.json': { scripts: { register: 'x' } } }],
    ['bun run start', { 'bun.lock': '', 'package.json': { scripts: { start: 'bun bot.ts' } } }],
    ['bun deploy.ts', { 'bun.lockb': '', 'package.json': {}, 'deploy.ts': '' }],
  ])('advises to run "%s", with the runtime of the project %j', async (program, files) => {
    const { out } = await checkFiles({ ...files, 'c/a.mjs': 'export class Ping {}' }, 'c')
    expect(out).toContain(`commandry check --run "${program}"`)
  })

  it('advises the task of a Deno project for a module that Node cannot load', async () => {
    const tasks = { deploy: 'deno run -A deploy.ts' }
    const files = {
      'deno.json': { tasks },
      'c/a.mjs': 'import "utils"',
      'c/b.ts': 'import "utils"; let a: string',
    }
    const { out } = await checkFiles(files, 'c')
    expect(out).toContain('; Node does not load the modules of a Deno project. To check')
    expect(out).toContain('commandry check --run "deno task deploy"')
    expect(out).not.toMatch(/npm install|packages of the project/)
  })

  it('advises to run a program in Python', async () => {
    const { code, out } = await checkFiles({ 'bot.py': 'import discord' }, 'bot.py')
    expect([code, out]).toEqual([1, expect.stringContaining('commandry check --run "python3 bot.py"')])
  })

  it('does not run the modules of a whole project', async () => {
    const files = { 'package.json': {}, 'src/commands/a.mjs': 'process.exit(1)' }
    const advice =
      'such as src/commands. To check what a program deploys, use commandry check --run "node deploy.js"'
    expect(await checkFiles(files, '.')).toMatchObject(ending(1, advice))
    const other = { 'MessageCommands/a.mjs': '', 'SlashCommands/a.mjs': '' }
    expect(await checkFiles({ ...files, ...other }, '.')).toMatchObject(ending(1, 'such as SlashCommands'))
  })
})
