/** Files that the command line checks. */
import { check, directoryOf } from './program.ts'
import { hello } from '../../support/fixtures.ts'

/** Checks modules in a folder of their own. The output has single spaces in place of all white space. */
export async function checkFiles(files: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
  const ended = await check(await directoryOf(files), args, { limits: { load: 20_000 } })
  return { ...ended, out: ended.out.replace(/\s+/g, ' ') }
}
export const json = JSON.stringify(hello)
export const helloModule = `export default ${json}`

/** The issues of one module. */
export async function issuesOf(text: string, file = 'module.mjs'): Promise<[number, string[]]> {
  const cwd = await directoryOf({ [file]: text })
  const { out } = await check(cwd, [file, '--format', 'json'])
  const [{ commands, issues }] = JSON.parse(out).files as [
    { commands: number; issues: { path: unknown[]; code: string; message: string }[] },
  ]
  return [
    commands,
    issues.map(({ path, code, message }) => `${code === 'file' ? message : code} ${path.join('.')}`.trim()),
  ]
}
