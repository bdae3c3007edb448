import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
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

/** The scripts of the steps of the action. */
function scripts(): readonly string[] {
  const action = readFileSync(new URL('docs/review/action.yml', root), 'utf8')
  return action
    .split('run: |\n')
    .slice(1)
    .map((step) =>
      step
        .split('\n')
        .filter((line) => line === '' || line.startsWith(' '.repeat(8)))
        .map((line) => line.slice(8))
        .join('\n'),
    )
}

interface Comment {
  readonly id: number
  readonly body: string
  readonly viewerDidAuthor: boolean
}

/** A `gh` that keeps comments as GitHub does, whose filter is the one of the action, written in JavaScript. */
const gh = (comments: string) => `#!${process.execPath}
const fs = require('node:fs')
const args = process.argv.slice(2)
const list = JSON.parse(fs.readFileSync(${JSON.stringify(comments)}, 'utf8'))
const keep = () => fs.writeFileSync(${JSON.stringify(comments)}, JSON.stringify(list))
if (process.env.GH_TOKEN !== 'secret') process.exit(4)
if (args[0] === 'pr' && args[1] === 'view') {
  const [, marker] = /startswith\\("([^"]+)"\\)/.exec(args.at(-1))
  const own = list.filter((one) => one.viewerDidAuthor && one.body.startsWith(marker))
  console.log(own.map(({ id }) => 'https://github.example/o/r/pull/1#issuecomment-' + id).join('\\n'))
} else if (process.env.READ_ONLY) process.exit(1)
else if (args[0] === 'api') {
  const id = Number(args.find((arg) => arg.startsWith('repos/')).split('/').at(-1))
  list.find((one) => one.id === id).body = fs.readFileSync(args.at(-1).replace('body=@', ''), 'utf8')
  keep()
} else {
  list.push({ id: list.length + 1, body: fs.readFileSync(args.at(-1), 'utf8'), viewerDidAuthor: true })
  keep()
}
`

/** A repository in which the action runs: the CLI of this tree, and a `gh` of its own. */
async function acting(base: Files, now: Files) {
  const cwd = await repository(base, now)
  const commit = String(git(cwd, 'rev-parse', 'HEAD')).trim()
  const at = await directoryOf({ 'comments.json': [] })
  const [bin, comments, summary] = ['bin', 'comments.json', 'summary.md'].map((name) => join(at, name))
  const arguments_ = join(at, 'arguments')
  const npx = `#!/bin/sh\nprintf '%s\\n' "token=$GH_TOKEN$GITHUB_TOKEN output=$GITHUB_OUTPUT" "$@" >'${arguments_}'\nshift 2\nexec "$REVIEW_COMMAND" "$@"\n`
  await put(bin!, { npx, gh: gh(comments!) })
  await Promise.all(['npx', 'gh'].map((name) => chmod(join(bin!, name), 0o755)))
  const list = () => JSON.parse(readFileSync(comments!, 'utf8')) as readonly Comment[]
  /** Runs both steps; the review prints a text, or fails. */
  const run = async (review: string, env: Readonly<Record<string, string>> = {}) => {
    await put(bin!, { review: `#!/bin/sh\n${review}\n`, 'output.txt': '' })
    await chmod(join(bin!, 'review'), 0o755)
    const GITHUB_OUTPUT = join(bin!, 'output.txt')
    const all = {
      ...{ PATH: `${bin}:${process.env.PATH}`, REVIEW_COMMAND: join(bin!, 'review'), GITHUB_OUTPUT },
      ...{ GITHUB_STEP_SUMMARY: summary!, GH_TOKEN: 'of the job', FILES: 'commands', CONFIG: '' },
      ...{ BASE: commit, HEAD: 'abc123', PULL_REQUEST: 'https://github.example/o/r/pull/1' },
      ...env,
    }
    const [first, second] = scripts()
    const step = (script: string, more: object) =>
      execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        cwd,
        env: { ...all, ...more },
        encoding: 'utf8',
        stdio: 'pipe',
      })
    step(first!, {})
    const outputs = Object.fromEntries(
      readFileSync(GITHUB_OUTPUT, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    ) as Record<string, string>
    const of = { RESULT: outputs.result, REVIEW: outputs.file, REPOSITORY: 'o/r', GH_TOKEN: 'secret' }
    try {
      return { code: 0, out: step(second!, of) }
    } catch (error) {
      return { code: (error as { status: number }).status, out: String((error as { stdout: string }).stdout) }
    }
  }
  return {
    run,
    list,
    write: (comment: Omit<Comment, 'id'>) =>
      put(at, { 'comments.json': [...list(), { id: list().length + 1, ...comment }] }),
    given: () => readFileSync(arguments_, 'utf8').trim().split('\n'),
    summary: () => readFileSync(summary!, 'utf8'),
    commit,
  }
}

describe.skipIf(process.platform === 'win32')('the action', () => {
  const change = (text: string) => `printf '### Commands: 1 changed\\n\\n${text}\\n'`
  const MARKER = '<!-- commandry review -->'

  it('has two steps, of which only the second has the token', () => {
    expect(scripts()).toHaveLength(2)
    const [, first, second] = readFileSync(new URL('docs/review/action.yml', root), 'utf8').split(
      'shell: bash',
    )
    expect(first).not.toContain('inputs.token')
    expect(second).toContain('GH_TOKEN: ${{ inputs.token }}')
  })

  it('passes files on several lines and the configuration, without a token', async () => {
    const { run, given, commit } = await acting({ 'a.json': [stay] }, { 'a.json': [stay] })
    await run(change('x'), { FILES: 'commands/ $(touch-hacked)\nmore.json\n', CONFIG: 'my server.json' })
    expect(given()).toEqual([
      'token= output=',
      ...['--no-install', 'commandry', 'review', '--base', commit],
      ...['commands/', '$(touch-hacked)', 'more.json', '--config', 'my server.json'],
    ])
  })

  it('edits its own comment, and none of another workflow or person', async () => {
    const { run, list, write } = await acting({ 'a.json': [stay] }, { 'a.json': [stay] })
    await run(change('one'))
    await write({ body: 'Coverage: 93 %', viewerDidAuthor: true })
    await write({ body: `${MARKER} of somebody`, viewerDidAuthor: false })
    await run(change('two'))
    expect(list().map(({ body }) => body)).toEqual([
      `${MARKER}\n### Commands: 1 changed\n\ntwo\n\nFor commit abc123.\n`,
      'Coverage: 93 %',
      `${MARKER} of somebody`,
    ])
  })

  it('writes no new comment without a change, but edits an old one', async () => {
    const { run, list } = await acting({ 'a.json': [stay] }, { 'a.json': [stay] })
    const same = "printf '### Commands: no change\\n'"
    await run(same)
    expect(list()).toEqual([])
    await run(change('x'))
    await run(same)
    expect(list().map(({ body }) => body)).toEqual([
      `${MARKER}\n### Commands: no change\n\nFor commit abc123.\n`,
    ])
  })

  it('writes errors into the comment with their commit, and then fails', async () => {
    const { run, list, summary } = await acting({ 'a.json': [stay] }, { 'a.json': [stay] })
    await run(change('x'))
    const { code } = await run("printf 'a.json:1 ```error```\\n'; echo '# not a title' >&2; exit 1")
    expect(code).toBe(1)
    const body = `${MARKER}\n### Commands: the review failed\n\n    a.json:1 \`\`\`error\`\`\`\n    # not a title\n\nFor commit abc123.\n`
    expect(list().map((comment) => comment.body)).toEqual([body])
    expect(summary()).toContain(body)
  })

  it('gives the pull request of a fork, whose token only reads, the summary', async () => {
    const { run, list, summary } = await acting({ 'a.json': [stay] }, { 'a.json': [stay] })
    const { code, out } = await run(change('x'), { READ_ONLY: '1' })
    expect([code, list()]).toEqual([0, []])
    expect(out).toMatch(/^::notice::/)
    expect(summary()).toContain('### Commands: 1 changed')
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
  it('compares with files that archives leave out', async () => {
    const attributes = { '.gitattributes': 'commands/ export-ignore\n' }
    const cwd = await repository(
      { ...attributes, 'commands/all.json': [stay] },
      { ...attributes, 'commands/all.json': [{ ...stay, description: 'Leaves' }] },
    )
    expect((await review(cwd, ['commands'])).out).toContain('### Commands: 1 changed\n')
  })

  it('leaves no copy of the earlier files behind', async () => {
    const cwd = await repository({ 'a.json': [stay] }, { 'a.json': [stay, roll] })
    const folder = await directoryOf({})
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await review(cwd, ['a.json'])).out).toContain('### Commands: 1 new\n')
    expect(readdirSync(folder)).toEqual([])
  })

  it('cuts texts of more than 60 characters', async () => {
    const described = (description: string) => ({ 'a.json': [{ ...stay, description }] })
    const cwd = await repository(described('Stays'), described('x'.repeat(61)))
    expect((await review(cwd, ['a.json'])).out).toContain(`\`Stays\` → \`${'x'.repeat(59)}…\``)
  })

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
