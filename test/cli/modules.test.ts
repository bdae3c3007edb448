import { describe, expect, it } from 'vitest'
import { call, directoryOf } from './program.ts'

const check = (cwd: string, ...args: readonly string[]) => call(['check', ...args], { cwd })
const hello = { name: 'hello', description: 'Says hello' }
const json = JSON.stringify(hello)

/** The issues of one module. */
async function issuesOf(text: string, file = 'module.mjs'): Promise<[number, string[]]> {
  const cwd = await directoryOf({ [file]: text })
  const { out } = await check(cwd, file, '--format', 'json')
  const [{ commands, issues }] = JSON.parse(out).files as [
    { commands: number; issues: { path: unknown[]; code: string; message: string }[] },
  ]
  return [
    commands,
    issues.map(({ path, code, message }) => `${code === 'file' ? message : code} ${path.join('.')}`.trim()),
  ]
}

describe('commandry check of modules', () => {
  it.each<[string, string, string?]>([
    ['a default export', `export default ${json}`],
    ['a list', `export default [${json}]`],
    ['a builder', `class B { toJSON() { return ${json} } }; export default new B()`],
    ['data and execute', `export const data = ${json}; export const execute = async () => {}`],
    [
      'data and execute as default',
      `class B { toJSON() { return ${json} } }; export default { data: new B(), execute() {} }`,
    ],
    [
      'named exports',
      `export const helloCommand = ${json}; export const COLOR = 5; export function help() {}`,
    ],
    ['a map', `export default new Map([['hello', { data: ${json}, execute() {} }]])`],
    ['an object of commands', `export default { hello: ${json} }`],
    ['a command with its handler', `export default { ...${json}, execute() {} }`],
    ['CommonJS', `module.exports = ${json}`, 'module.cjs'],
    [
      'CommonJS with data and execute',
      `module.exports = { data: ${json}, async execute() {} }`,
      'module.cjs',
    ],
    ['a compiled default export', `exports.__esModule = true; exports.default = ${json}`, 'module.cjs'],
    [
      'compiled named exports',
      `exports.__esModule = true; exports.data = ${json}; exports.execute = () => {}`,
      'module.cjs',
    ],
  ])('accepts %s', async (_, text, file) => {
    expect(await issuesOf(text, file)).toEqual([1, []])
  })

  it('prints paths from the export to the problem', async () => {
    const bad = JSON.stringify({ ...hello, options: [{ type: 3, name: 'Bad', description: 'x' }] })
    expect(await issuesOf(`export const data = ${bad}; export const execute = () => {}`)).toEqual([
      1,
      ['name.case data.options.0.name'],
    ])
    expect(
      await issuesOf(`export default [${json}, { data: { ...${bad}, name: 'bye' }, execute() {} }]`),
    ).toEqual([2, ['name.case 1.data.options.0.name']])
  })

  it('reports what is not a command where one is expected', async () => {
    expect(await issuesOf('export default { description: "x" }')).toEqual([1, ['shape.required name']])
    expect(await issuesOf('export default [5]')).toEqual([1, ['shape.object 0']])
    expect(await issuesOf('export const a = 1')).toEqual([0, [expect.stringContaining('exports no command')]])
    expect(await issuesOf('throw new Error("no database")')).toEqual([0, ['cannot be loaded: no database']])
  })

  it('skips the events, helpers and data files of a folder', async () => {
    const cwd = await directoryOf({
      'bot/events/ready.mjs': 'export default { name: "ready", once: true, execute() {} }',
      'bot/events/named.mjs': 'export const name = "ready"; export function execute() {}',
      'bot/util.mjs': 'export const pick = (list) => list[0]; export const emoji = { wave: "x" }',
      'bot/config.json': { token: 'geheim', clientId: '1' },
      'bot/package.json': { name: 'bot', description: 'A bot' },
      'bot/node_modules/x/index.mjs': 'throw new Error("never loaded")',
      'bot/commands/hello.mjs': `export const data = ${json}; export const execute = () => {}`,
    })
    const { code, out } = await check(cwd, 'bot')
    expect([code, out]).toEqual([0, expect.stringMatching(/^✓ 1 command in 1 file: no problems found/)])
    expect(out).not.toContain('geheim')
  })

  it('reports a module that never finishes loading', async () => {
    expect(await issuesOf('await new Promise(() => {})')).toEqual([
      0,
      ['has not finished loading after 0.3 s'],
    ])
  })

  it('reports a module that ends the process', async () => {
    expect(await issuesOf('process.exit(7)')).toEqual([0, ['calls process.exit(7) while it loads']])
    expect(
      await issuesOf('setTimeout(() => { try { process.exit() } catch {} }, 5); await new Promise(() => {})'),
    ).toEqual([0, ['calls process.exit() while it loads']])
  })

  it('keeps the output of a module out of the results', async () => {
    const { log } = console
    expect(await issuesOf(`console.log('starting'); export default ${json}`)).toEqual([1, []])
    expect(console.log).toBe(log)
  })

  const isLoaded = 'typescript' in process.features && process.features.typescript !== false
  it.skipIf(isLoaded)(
    `explains how to load TypeScript${isLoaded ? ` (skipped: Node ${process.versions.node} loads it)` : ''}`,
    async () => {
      const [, [message]] = await issuesOf(`export const a: number = 1`, 'module.ts')
      expect(message).toContain('NODE_OPTIONS="--import tsx"')
    },
  )
})
