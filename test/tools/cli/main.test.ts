import { expect, it } from 'vitest'
import { read } from '../../support/markdown.ts'
import { call, failing } from './program.ts'

it('[1-07] commandry prints its version, and the day as of which it describes Discord', async () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const [, day] = /^# Discord as of (\S+)$/m.exec(read('docs/platform.md'))!
  for (const flag of ['--version', '-v'])
    expect(await call([flag])).toEqual({
      code: 0,
      out: `${version}\nDiscord as of ${day}\n`,
      err: '',
    })
})

it('commandry shows examples first, then the commands', async () => {
  for (const args of [['--help'], ['-h'], ['help']]) {
    const { code, out } = await call(args)
    expect(code).toBe(0)
    expect(out).toMatch(/^commandry: Discord.*\n\nExamples\n {2}commandry check /)
    for (const name of [
      'check',
      'explain',
      'plan',
      'deploy',
      'serve',
      'export',
      'import',
      'delete-application',
    ])
      expect(out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
    expect(out.split('\n').every((line) => line.length <= 100)).toBe(true)
  }
  expect((await call([])).code).toBe(2)
})

it('commandry shows the options of a command, with examples first', async () => {
  for (const name of [
    'check',
    'explain',
    'plan',
    'deploy',
    'serve',
    'export',
    'import',
    'delete-application',
  ]) {
    const { code, out } = await call([name, '--help'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^Examples\n {2}/)])
    expect(await call(['help', name])).toMatchObject({ code: 0, out })
    expect(await call(['help', `${name}x`])).toMatchObject(failing(2, `did you mean "${name}"?`))
  }
})

it('commandry aligns what options are for, except after a long option', async () => {
  const { out } = await call(['plan', '--help'])
  const lines = out.split('\n').filter((line) => /^ {2}--(?:against|all-differences|application) /.test(line))
  expect(lines).toEqual([
    '  --against SNAPSHOT|URL|discord  the deployed commands',
    '  --application ID        the id of your application; not needed for a snapshot',
    '  --all-differences       show every difference of a command',
  ])
})

it('commandry suggests the nearest command for an unknown one', async () => {
  expect(await call(['chekc', 'x.json'])).toEqual({
    code: 2,
    out: '',
    err: 'commandry: unknown command "chekc"; did you mean "check"?\n',
  })
  expect((await call(['frobnicate'])).err).toContain('the commands are check, ')
})
