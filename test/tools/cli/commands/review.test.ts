import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, directoryOf, ending, failing, type CallOptions } from '../program.ts'
import { root } from '../../../support/markdown.ts'

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd })

type Files = Readonly<Record<string, unknown>>

async function put(cwd: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true })
    await writeFile(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** A repository with one commit, and other files in its work tree. */
async function repository(base: Files, now: Files): Promise<string> {
  const cwd = await directoryOf({})
  git(cwd, 'init', '-q')
  await put(cwd, base)
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-q', '-m', 'base')
  for (const name of Object.keys(base)) if (!(name in now)) await rm(join(cwd, name))
  await put(cwd, now)
  return cwd
}

/** The script of the action, whose programs are replaced by ones that print what they are given. */
async function runAction(cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const action = readFileSync(new URL('docs/review/action.yml', root), 'utf8')
  const script = action.slice(action.indexOf('run: |\n') + 7).replaceAll(/^ {8}/gm, '')
  const bin = join(cwd, 'bin')
  const program = (name: string) => `#!/bin/sh\nprintf '${name}'; printf ' [%s]' "$@"; echo\n`
  await put(cwd, { 'bin/npx': program('npx'), 'bin/gh': program('gh') })
  await Promise.all(['npx', 'gh'].map((name) => chmod(join(bin, name), 0o755)))
  const PATH = `${bin}:${process.env.PATH}`
  return execFileSync('bash', ['-e', '-c', script], { cwd, env: { ...env, PATH }, encoding: 'utf8' })
}

describe.skipIf(process.platform === 'win32')('the action', () => {
  it('passes the files and the configuration, and comments once', async () => {
    const cwd = await repository({ 'a.json': [stay] }, { 'a.json': [stay] })
    const BASE = String(git(cwd, 'rev-parse', 'HEAD')).trim()
    const GITHUB_STEP_SUMMARY = join(cwd, 'summary.md')
    const FILES = 'commands/ $(touch-hacked) more.json'
    const out = await runAction(cwd, {
      BASE,
      FILES,
      CONFIG: 'my server.json',
      PULL_REQUEST: 'URL',
      GITHUB_STEP_SUMMARY,
    })
    expect(out).toMatch(
      /^gh \[pr\] \[comment\] \[URL\] \[--body-file\] \[.+\] \[--edit-last\] \[--create-if-none\]\n$/,
    )
    expect(readFileSync(GITHUB_STEP_SUMMARY, 'utf8')).toBe(
      `npx [--no-install] [commandry] [review] [--base] [${BASE}] [commands/] [$(touch-hacked)] [more.json] [--config] [my server.json]\n`,
    )
  })
})

const review = (cwd: string, args: readonly string[], options: CallOptions = {}) =>
  call(['review', '--base', 'HEAD', ...args], { cwd, ...options })

const ban = {
  name: 'ban',
  description: 'Bans',
  options: [
    {
      type: 4,
      name: 'days',
      description: 'How long',
      description_localizations: { de: 'Wie lange', fr: 'Durée' },
    },
  ],
}
const roll = { name: 'roll', description: 'Rolls dice', description_localizations: { de: 'Würfelt' } }
const stay = { name: 'stay', description: 'Stays' }

describe('commandry review', () => {
  it('tells who gains and loses which command, which texts change, and what renames delete', async () => {
    const [days] = ban.options
    const cwd = await repository(
      { 'commands/all.json': [ban, roll, stay, { name: 'greet', description: 'Greets a person' }] },
      {
        'commands/all.json': [
          {
            ...ban,
            default_member_permissions: '4',
            options: [
              { ...days, description: 'How many days', description_localizations: { de: 'Wie lange' } },
            ],
          },
          { ...roll, contexts: [0] },
          stay,
          { name: 'hello', description: 'Greets a person' },
        ],
      },
    )
    const { code, out, err } = await review(cwd, ['commands'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(`### Commands: 1 new, 2 changed and 1 deleted

| Command | Change |
| --- | --- |
| \`/greet\` | **deleted** |
| \`/ban\` | \`default_member_permissions none → "4"\`<br>\`options.days.description "How long" → "How many days"\`<br>\`options.days.description_localizations.fr "Durée" → none\` |
| \`/roll\` | \`contexts none → [0]\` |
| \`/hello\` | new |

- \`/greet\` looks renamed to \`/hello\`: its permissions are deleted in every server.

#### Who sees it

| Command | \`@everyone\` | \`Moderators\` | \`Administrators\` | \`DM with the bot\` |
| --- | --- | --- | --- | --- |
| \`/ban\` | loses |  |  |  |
| \`/greet\` | loses | loses | loses | loses |
| \`/hello\` | gains | gains | gains | gains |
| \`/roll\` |  |  |  | loses |

#### Texts

| Text | Before → after | Translations |
| --- | --- | --- |
| \`/ban\` \`options.days.description\` | \`How long\` → \`How many days\` | **lost: fr**<br>not changed with it: de |

#### Translations

| Language | Texts without a translation |
| --- | --- |
| \`fr\` | 9 → 10 |
`)
  })

  it('takes the roles of a configuration, and leaves out audiences without a change', async () => {
    const server = {
      id: '2001',
      name: 'Mine',
      roles: [
        { id: '7', name: 'Bouncers', permissions: '4' },
        { id: '8', name: 'Guests|`', permissions: '0' },
      ],
    }
    const cwd = await repository(
      { 'a.json': [stay], 'server.json': { applications: [], tokens: [], servers: [server] } },
      { 'a.json': [stay, { ...ban, contexts: [0], default_member_permissions: '4' }] },
    )
    git(cwd, 'checkout', 'HEAD', '--', 'server.json')
    const { out } = await review(cwd, ['a.json', '--config', 'server.json'])
    expect(out).toContain('| Command | `Bouncers` |\n| --- | --- |\n| `/ban` | gains |\n')
  })

  it('loads modules of the base with the packages of today, and shows each subcommand', async () => {
    const module = (names: readonly string[]) =>
      `import { prefix } from 'prefix'
       export default { name: prefix + 'a', description: 'd', options: ${JSON.stringify(names)}.map((name) => ({ type: 1, name, description: 'd' })) }`
    const cwd = await repository({ 'a.mjs': module(['x', 'y']) }, { 'a.mjs': module(['x', 'z']) })
    await put(cwd, {
      'node_modules/prefix/package.json': { name: 'prefix', type: 'module', exports: './index.js' },
      'node_modules/prefix/index.js': `export const prefix = 'the-'`,
    })
    const { out } = await review(cwd, ['a.mjs'], { limits: { load: 20_000 } })
    expect(out).toContain('| `/the-a y` | loses |')
    expect(out).toContain('| `/the-a z` | gains |')
  })

  it('compares a new file with nothing, and says when nothing changes', async () => {
    const cwd = await repository({ 'a.json': [stay] }, { 'a.json': [stay], 'b.json': [roll] })
    expect(await review(cwd, ['b.json'])).toMatchObject(ending(0, '### Commands: 1 new\n'))
    expect(await review(cwd, ['a.json'])).toMatchObject(
      ending(0, '### Commands: no change\n\n1 command, as before.\n'),
    )
  })

  it('cuts long tables and texts, and mentions nobody', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      name: `c${index}`,
      description: '@everyone `x` | ' + 'y'.repeat(80),
    }))
    const cwd = await repository(
      { 'a.json': many },
      { 'a.json': many.map((one) => ({ ...one, description: 'z'.repeat(100) })) },
    )
    const { out } = await review(cwd, ['a.json'])
    expect(out).toContain('| and 35 more |  |')
    expect(out.split('\n').length).toBeLessThan(70)
    // Outside of code, GitHub would notify people.
    expect(out.replace(/(`+)[^]*?\1/g, '')).not.toContain('@everyone')
  })

  it('takes a command for the same one by the id in its definition, and does not need to know the id', async () => {
    const id = '112233445566778899'
    const other = { ...roll, id: '998877665544332211' }
    const cwd = await repository({ 'a.json': [{ ...stay, id }] }, { 'a.json': [{ ...ban, id }, other] })
    const { out } = await review(cwd, ['a.json'])
    expect(out).toContain('### Commands: 1 new and 1 changed')
    expect(out).toContain('`/stay` is renamed to `/ban`: its permissions are deleted in every server.')
  })

  it('leaves out an invalid definition of the base, and prints the problems of today', async () => {
    const cwd = await repository(
      { 'a.json': [{ name: 'Old', description: 'd' }, stay] },
      { 'a.json': [stay, roll] },
    )
    const { out, err } = await review(cwd, ['a.json'])
    expect(out).toContain('### Commands: 1 new\n')
    expect(err).toContain('1 definition of the base is invalid and left out')
    await put(cwd, { 'a.json': [{ name: 'New', description: 'd' }] })
    expect(await review(cwd, ['a.json'])).toMatchObject(ending(1, /name: .*upper case/))
  })

  it.each([
    [['--base', 'nowhere', 'a.json'], 1, '--base "nowhere" is not a commit of this repository'],
    [['--base', '--output=x', 'a.json'], 2, ''],
    // Git would read it as an option.
    [['--base=-x', 'a.json'], 1, /^commandry review: --base "-x" is not a commit$/m],
    [['a.json'], 2, '--base REF is required'],
    [['--base', 'HEAD'], 2, 'FILE is required'],
  ])('refuses %j', async (args, code, why) => {
    const cwd = await repository({ 'a.json': [stay] }, { 'a.json': [stay] })
    expect(await call(['review', ...args], { cwd })).toMatchObject(failing(code, why))
  })

  it('says that a folder is in no repository', async () => {
    const cwd = await directoryOf({ 'a.json': [stay] })
    expect(await review(cwd, ['a.json'])).toMatchObject(failing(1, 'this folder is in no Git repository'))
  })
})
