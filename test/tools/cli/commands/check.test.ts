import { chmod, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, check, directoryOf, ending } from '../program.ts'
import { hello, ping } from '../../../support/fixtures.ts'

/** Checks files in a folder of their own. */
const checkFiles = async (files: Readonly<Record<string, unknown>>, ...args: readonly string[]) =>
  check(await directoryOf(files), args.length === 0 ? Object.keys(files) : args)

const withoutTime = (text: string) => text.replace(/ {2}\d+\.\d s$/m, '')

describe('commandry check', () => {
  it('prints one line when there are no problems', async () => {
    const files = { 'one.json': hello, 'many.json': [ping, { name: 'Report', type: 3 }] }
    const { code, out, err } = await checkFiles(files)
    expect([code, withoutTime(out), err]).toEqual([0, '✓ 3 commands in 2 files: no problems found\n', ''])
    expect(await checkFiles(files, 'one.json', '--quiet')).toEqual({ code: 0, out: '', err: '' })
  })

  it('shows every problem at its line and column, and exits with 1', async () => {
    const { code, out } = await checkFiles(
      {
        'commands/remind.json': `{
  "name": "remind",
  "description": "Remind me later",
  "options": [
    { "type": 3, "name": "what", "description": "What" },
    {
      "type": 4, "name": "hours", "description": "When", "required": true
    }
  ],
  "dm_permision": true,
  "name_localizations": { "de-DE": "erinnern" }
}`,
        'commands/ping.mjs': `export default ${JSON.stringify({ ...ping, name: 'Ping' })}`,
        'commands/good.json': hello,
      },
      'commands/',
    )
    expect(code).toBe(1)
    // The messages of rules have tests of their own; here only where each stands, and its code on the same line.
    const rows = withoutTime(out).split('\n')
    expect(rows.map((line) => line.replace(/^(.* (?:error|warning) +[^:]*: ).* {2}(.*)/, '$1… $2'))).toEqual([
      'commands/ping.mjs (module: no line numbers)',
      '         error    /Ping, name: … name.case',
      'commands/remind.json',
      '    6:5  error    /remind, option "hours": … options.order, fixable',
      '   10:3  warning  /remind, dm_permision: … keys.unknown, fixable',
      '  11:27  error    /remind, name in de-DE: … localization.locale, fixable',
      '',
      '✗ 3 errors and 1 warning in 2 of 3 files',
      expect.stringMatching(/About a rule: commandry explain name\.case$/),
      '',
    ])
  })

  it('reads the files after -- too', async () => {
    const cwd = await directoryOf({ 'bad.json': { ...hello, name: 'Bad' } })
    expect((await check(cwd, ['--', 'bad.json'])).code).toBe(1)
  })

  it('prints a warning that is the same at several places once, with the places', async () => {
    const choices = ['a', 'b', 'c'].map((name) => ({ name, value: name, emoji: name }))
    const option = { type: 3, name: 'o', description: 'd', choices }
    const bodies = [
      { ...hello, options: [option] },
      { ...ping, options: [option] },
    ]
    const files = {
      'a.json': bodies,
      'b.mjs': `export default ${JSON.stringify({ ...bodies[0]!, name: 'more' })}`,
    }
    const { code, out } = await checkFiles(files)
    const rows = out.split('\n').filter((line) => line.includes('"emoji"'))
    const column = (part: number) =>
      JSON.stringify(bodies).split('"emoji"').slice(0, part).join('"emoji"').length + 1
    const at = [2, 3, 4, 5, 6].map((part) => `1:${column(part)}`).join(', ')
    const [one, two, three] = ['a', 'b', 'c'].map(
      (name) => `b.mjs /more, option "o", choice "${name}", emoji`,
    )
    expect(code).toBe(0)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toContain(`(9 places; also at ${at}, ${one}, ${two} and ${three})`)
    expect(out).toContain('! 1 warning at 9 places in 2 of 2 files')
    expect(out).not.toMatch(/^b\.mjs/m)
    const { counts } = JSON.parse((await checkFiles(files, '--format', 'json', 'a.json', 'b.mjs')).out)
    expect(counts.warnings).toBe(9)
  })

  it('names at most eleven places of a warning', async () => {
    const choices = Array.from({ length: 20 }, (_, n) => ({ name: `n${n}`, value: `v${n}`, emoji: 'x' }))
    const body = { ...hello, options: [{ type: 3, name: 'o', description: 'd', choices }] }
    const { out } = await checkFiles({ 'a.json': body })
    expect(out).toMatch(/\(20 places; also at (1:\d+, ){9}1:\d+ and 9 more\)/)
  })

  it('prints each error at its own place', async () => {
    const bodies = ['a', 'b', 'c'].map((name) => ({ name }))
    const { out } = await checkFiles({ 'a.json': bodies })
    expect(out.match(/description: is missing/g)).toHaveLength(3)
  })

  it('asks about the environment where a field of a module is undefined', async () => {
    const text =
      "export default { name: process.env.COMMANDRY_UNSET, description: 'd', options: [{ type: 3, name: 'o' }, undefined] }"
    const { out } = await checkFiles({ 'a.mjs': text })
    expect(out).toContain('command 1, name: is undefined; is a variable of the environment unset?')
    expect(out).toContain('option "o", description: is missing')
    expect(out).toContain('option 2: is undefined; is a variable of the environment unset?')
  })

  it('colours the output on request', async () => {
    const cwd = await directoryOf({ 'bad.json': { ...hello, name: 'Bad' } })
    const isColored = async (args: readonly string[], env: Record<string, string> = {}) =>
      (await check(cwd, ['bad.json', ...args], { env })).out.includes('\u001b[')
    expect(await isColored([])).toBe(false)
    expect(await isColored(['--color', 'always'])).toBe(true)
    expect(await isColored(['--color', 'always'], { NO_COLOR: '1' })).toBe(true)
    expect(await isColored([], { CLICOLOR_FORCE: '1' })).toBe(true)
    expect(await isColored(['--color', 'never'], { FORCE_COLOR: '1' })).toBe(false)
  })

  it.each([
    ['', true],
    ['1', false],
  ])('colours the output in a terminal with NO_COLOR=%j: %j', async (NO_COLOR, expected) => {
    const cwd = await directoryOf({ 'bad.json': { ...hello, name: 'Bad' } })
    const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 100 })
    await check(cwd, ['bad.json'], { stdout: terminal, env: { NO_COLOR } })
    expect(String(terminal.read()).includes('\u001b[')).toBe(expected)
  })

  it('wraps messages with an indent in a terminal, and never shortens them', async () => {
    const cwd = await directoryOf({
      'bad.json': { ...hello, options: [{ type: 99, name: 'a', description: 'b' }] },
    })
    const linesOn = async (columns: number) => {
      const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns })
      await check(cwd, ['bad.json', '--color', 'never'], { stdout: terminal })
      return String(terminal.read()).split('\n')
    }
    expect((await linesOn(70)).every((line) => line.length <= 70)).toBe(true)
    const lines = await linesOn(100)
    expect(lines.every((line) => line.length <= 100)).toBe(true)
    const last = lines.findIndex((line) => line.trim() === 'option.type')
    expect(last).toBeGreaterThan(2)
    expect(
      lines
        .slice(1, last)
        .map((line) => line.trim())
        .join(' '),
    ).toContain('11 ATTACHMENT')
  })

  it('escapes and cuts texts of others', async () => {
    const message = `\u001b[2Jfirst\nsecond${'x'.repeat(10_000)}`
    const cwd = await directoryOf({ 'a.mjs': `throw new Error(${JSON.stringify(message)})` })
    for (const format of ['pretty', 'github']) {
      const { out } = await check(cwd, ['a.mjs', '--format', format])
      expect(out).toContain('\\u001b[2Jfirst second')
      expect(out).not.toContain('\u001b')
      expect(out.length).toBeLessThan(2_500)
    }
    expect((await check(cwd, ['a.mjs', '--verbose'])).err).not.toContain('\u001b')
  })

  it('prints where code failed with --verbose, and no more for files that load', async () => {
    const good = { 'good.json': '{ "name": "a", "description": "b" }' }
    const bad = { 'bad.mjs': "throw new Error('broken')", 'text.mjs': "throw 'text'" }
    const cwd = await directoryOf({ ...good, ...bad })
    expect(await check(cwd, ['good.json', '--verbose'])).toMatchObject({ code: 0, err: '' })
    const { err } = await check(cwd, ['good.json', 'bad.mjs', 'text.mjs', '--verbose'])
    expect(err).toMatch(/^bad\.mjs: Error: broken\n/)
    expect(err).toMatch(/^bad\.mjs: +at .*bad\.mjs:1:7/m)
    expect(err).not.toMatch(/good|text/)
  })

  it('warns of duplicate keys at the later one', async () => {
    const { code, out } = await checkFiles({
      'a.json': '[{ "name": "a", "description": "b", "options": [],\n"n\\u0061me": "c" }]',
    })
    expect(code).toBe(0)
    expect(out).toMatch(
      /^ +2:1 {2}warning {2}"name" is a duplicate key; the last one counts, so remove the others$/m,
    )
  })

  it('also prints the total first when there are more than 50 problems', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ name: `N${index}`, description: 'b' }))
    const lines = withoutTime((await checkFiles({ 'many.json': many })).out).split('\n')
    expect(lines[0]).toBe('✗ 60 errors in 1 of 1 file')
    expect(lines.filter((line) => line.includes(' error '))).toHaveLength(60)
  })

  it('checks all named files as one set, or each alone with --each', async () => {
    const cwd = await directoryOf({ 'a.json': hello, 'b.json': [hello] })
    const together = await check(cwd, ['a.json', 'b.json'])
    expect(together).toMatchObject(ending(1, 'has the same name "hello" as /hello in a.json'))
    expect(together.out).toMatch(/^b\.json\n {4}1:2 {2}error/)
    expect((await check(cwd, ['a.json', 'b.json', '--each'])).code).toBe(0)
  })

  it('applies --scope and --warnings-as-errors', async () => {
    const cwd = await directoryOf({
      'warned.json': { ...hello, contexts: [0] },
      'launch.json': { type: 4, name: 'Launch' },
    })
    expect((await check(cwd, ['warned.json', '--warnings-as-errors'])).code).toBe(0)
    expect((await check(cwd, ['warned.json', '--scope', 'guild'])).code).toBe(0)
    const strict = await check(cwd, ['warned.json', '--scope=guild', '--warnings-as-errors'])
    expect(strict).toMatchObject(ending(1, '! 1 warning in 1 of 1 file'))
    expect((await check(cwd, ['launch.json'])).code).toBe(0)
    expect((await check(cwd, ['launch.json', '--scope', 'guild'])).code).toBe(1)
  })

  it('prints the issues as JSON', async () => {
    const body = {
      ...hello,
      options: [{ type: 3, name: 'Bad', description: 'x', name_localizations: { de: 'A B' } }],
    }
    const { code, out } = await checkFiles({ 'bad.json': body }, '--format', 'json', 'bad.json')
    expect(code).toBe(1)
    const { version, ok, counts, files } = JSON.parse(out)
    expect({ version, ok, counts }).toEqual({
      version: 1,
      ok: false,
      counts: { files: 1, commands: 1, errors: 3, warnings: 0, fixable: expect.any(Number) },
    })
    const [{ issues, ...file }] = files
    expect([files.length, file, issues.length]).toEqual([1, { file: 'bad.json', commands: 1 }, 3])
    expect(issues[0]).toMatchObject({
      code: 'name.case',
      level: 'error',
      path: ['options', 0, 'name'],
      line: 1,
      column: JSON.stringify(body).indexOf('"Bad"') + 1,
      command: '/hello',
      option: 'Bad',
      locale: null,
      message: expect.stringContaining('upper case'),
      url: 'node_modules/commandry/docs/rules.md#name-case',
    })
    expect(issues[1]).toMatchObject({ path: ['options', 0, 'name_localizations', 'de'], locale: 'de' })
  })

  it('names the subcommand whose list of options is wrong', async () => {
    const show = { type: 1, name: 'show', description: 'x', options: {} }
    const { out } = await checkFiles(
      { 'bad.json': { ...hello, options: [show] } },
      '--format',
      'json',
      'bad.json',
    )
    expect(JSON.parse(out).files[0].issues).toMatchObject([
      { path: ['options', 0, 'options'], option: 'show' },
    ])
  })

  it('prints annotations for GitHub, beside the rows in its runs', async () => {
    const cwd = await directoryOf({ 'a,b.json': { ...hello, name: '100%\nA' } })
    const { out } = await check(cwd, ['a,b.json', '--format', 'github'])
    expect(out.split('\n')[0]).toMatch(
      /^::error file=a%2Cb\.json,line=1,col=9,title=name\.\w+::a,b\.json:1:9: .*100%25.*$/,
    )
    expect(out).not.toContain('✗')
    const both = (await check(cwd, ['a,b.json'], { env: { GITHUB_ACTIONS: 'true' } })).out
    expect([both.includes('::error'), both.includes('✗')]).toEqual([true, true])
  })

  it('reads JSON from stdin, also with a byte order mark', async () => {
    expect((await call(['check', '-'], { stdin: `\ufeff${JSON.stringify([hello])}` })).code).toBe(0)
    const broken = await call(['check', '-'], { stdin: '[{]' })
    expect(broken).toMatchObject(ending(1, /<stdin>\n *1:3 +error +is not valid JSON; /))
  })

  it('says that the end is missing of a file that is cut off, also in a text', async () => {
    const whole = '{ "name": "remind", "description": "Remind me" }'
    for (let length = 1; length < whole.length; length++) {
      const { out } = await checkFiles({ 'a.json': whole.slice(0, length) })
      expect(out).toMatch(/^ *1:\d+ +error +is not valid JSON; the end is missing/m)
    }
    expect((await checkFiles({ 'a.json': '{ "name": "re\nmind" }' })).out).toContain('for the line breaks')
    const cwd = await directoryOf({ 'a.json': '[\n  {"name": "a",\n' })
    const [found] = JSON.parse((await check(cwd, ['a.json', '--format', 'json'])).out).files[0].issues
    expect(found).toMatchObject({ line: 3, column: 1, message: 'is not valid JSON; the end is missing' })
    const { out } = await check(cwd, ['a.json'], { env: { GITHUB_ACTIONS: 'true' } })
    expect(out).toContain('::error file=a.json,line=3,col=1,')
  })

  it('names the folder as the remedy for a wildcard that the shell did not expand', async () => {
    const { out } = await check(await directoryOf({}), ['commands/*.json'])
    expect(out).toContain('file not found; name the folder instead of "commands/*.json"')
  })

  it('refuses bytes that are not UTF-8, and does not repair them', async () => {
    const bytes = Buffer.from('{"name":"Upper","description":"caf\u00e9"}', 'latin1')
    const cwd = await directoryOf({})
    await writeFile(join(cwd, 'a.json'), bytes)
    expect(await check(cwd, ['a.json', '--fix'])).toMatchObject(
      ending(1, 'is not UTF-8: byte 35; save it as UTF-8'),
    )
    expect(await readFile(join(cwd, 'a.json'))).toEqual(bytes)
  })

  it('accepts a list below "commands", and a "$schema"', async () => {
    const cwd = await directoryOf({
      'set.json': { $schema: 'x', commands: [hello, { ...ping, name: 'Ping' }] },
      'one.json': { $schema: 'x', ...hello },
    })
    const { out } = await check(cwd, ['set.json', '--format', 'json'])
    const issues = [{ path: ['commands', 1, 'name'] }]
    expect(JSON.parse(out).files[0]).toMatchObject({ commands: 2, issues })
    expect((await check(cwd, ['one.json', '--warnings-as-errors'])).code).toBe(0)
  })

  it.each<[string, unknown]>([
    ['a description', { nmae: 'a', description: 'd' }],
    ['options', { options: [] }],
    ['a type', { type: 2 }],
    ['a name alone', { name: 'a' }],
    ['a field of a list', [{ nsfw: true }]],
  ])('takes a JSON object of a folder with %s for a command', async (_, content) => {
    const { code, out } = await checkFiles({ 'c/a.json': hello, 'c/b.json': content }, 'c')
    expect([code, out]).toEqual([1, expect.stringMatching(/c\/b\.json\n.*(?:name|description): is missing/)])
  })

  it('lists what it leaves out of a folder, with the reason', async () => {
    const files = {
      'c/a.json': hello,
      'c/manifest.json': { name: 'App', description: 'd', start_url: '/' },
      'c/ids.json': ['1', '2'],
      'c/config.json': { version: 1, application_id: '1' },
      'c/ban.yaml': 'name: ban',
      'c/package.json': { name: 'c' },
      'c/pnpm-lock.yaml': '',
      'other/b.json': { ...hello, name: 'Wrong' },
    }
    const cwd = await directoryOf(files)
    await symlink(join(cwd, 'other'), join(cwd, 'c/link'))
    await symlink(join(cwd, 'other/b.json'), join(cwd, 'c/link.json'))
    await symlink(join(cwd, 'c/a.json'), join(cwd, 'c/same.json'))
    await symlink(join(cwd, 'none.json'), join(cwd, 'c/none.json'))
    await symlink(join(cwd, 'missing'), join(cwd, 'c/missing'))
    await symlink('loop', join(cwd, 'c/loop'))
    const skipped = [
      'c/ban.yaml (not JSON)',
      'c/link (a link that leaves c)',
      'c/link.json (a link that leaves c)',
      'c/loop (cannot be read: ELOOP)',
      'c/missing (a link to nothing)',
      'c/none.json (a link to nothing)',
      'c/config.json',
      'c/ids.json',
      'c/manifest.json (a web manifest)',
    ]
    const { out } = await check(cwd, ['c', '--format', 'json'])
    expect(JSON.parse(out)).toMatchObject({ ok: true, counts: { commands: 1 }, skipped })
    const line = `skipped, as they hold no command: ${skipped.join(', ')}`
    expect((await check(cwd, ['c'])).out).toContain(line)
    expect(await check(cwd, ['c', '--quiet'])).toEqual({ code: 0, out: '', err: `${line}\n` })
  })

  it.skipIf(process.platform === 'win32')('skips a folder that cannot be read', async () => {
    const cwd = await directoryOf({
      'c/a.json': hello,
      'c/closed/b.json': hello,
      'c/names/b.json': hello,
      'c/names/more/b.json': hello,
    })
    // Of the second only the names can be read.
    for (const [name, mode] of [
      ['closed', 0],
      ['names', 0o444],
    ] as const) {
      await chmod(join(cwd, 'c', name), mode)
      onTestFinished(() => chmod(join(cwd, 'c', name), 0o700))
    }
    if (process.getuid!() === 0) {
      // Root can read every folder; another user cannot build the program, so that is done before.
      await check(cwd, ['c/a.json'])
      await chmod(cwd, 0o755)
      process.seteuid!(65_534)
      onTestFinished(() => process.seteuid!(0))
    }
    const { code, out } = await check(cwd, ['c'])
    const skipped = ['c/closed/', 'c/names/b.json', 'c/names/more'].map(
      (name) => `${name} (cannot be read: EACCES)`,
    )
    expect([code, out]).toEqual([0, expect.stringContaining(skipped.join(', '))])
  })

  it('checks again when a watched file changes, until it is interrupted', async () => {
    const cwd = await directoryOf({ 'a.json': hello })
    const watching = check(cwd, ['a.json', '--watch'])
    expect(await watching.firstLine).toContain('no problems found')
    await writeFile(join(cwd, 'a.json'), JSON.stringify({ ...hello, name: 'Hello!' }))
    await utimes(join(cwd, 'a.json'), 1, 2)
    await watching.lineWith('name.case')
    watching.interrupt()
    expect(await watching).toMatchObject({ code: 0, err: expect.stringContaining('Watching for changes') })
  })

  it('does not change files without --fix', async () => {
    const text = JSON.stringify({ ...hello, name: 'Hello' })
    const cwd = await directoryOf({ 'a.json': text })
    await check(cwd, ['a.json'])
    expect(await readFile(join(cwd, 'a.json'), 'utf8')).toBe(text)
  })
})
