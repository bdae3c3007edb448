/** Tests as files of a test framework: Vitest, Jest, node:test or pytest. */
import { withoutRuns } from '../../core/text.ts'
import { javaScript, python, type Language, type Value } from './language.ts'

/** What a file of tests begins with. */
export interface TestSetup {
  /** Where the file comes from. */
  readonly header: string
  /** A JSON file beside it with the options of the testbed, in place of those below. Only in ES modules. */
  readonly optionsFile?: string | undefined
  /** Servers other than the demo server. */
  readonly servers?: readonly object[]
  /** The URL of a bot that receives interactions over HTTP. Default: it logs in. */
  readonly endpoint?: string
  /** The application of the bot. Default: that of the testbed. */
  readonly applicationId?: string | undefined
  /** A line of the shell that starts the bot. Default: the reader starts it. */
  readonly program?: string | undefined
  /** Variables of the environment of the program. */
  readonly environment?: Readonly<Record<string, string>>
  /** The names of further variables, whose values must not stand in a file. */
  readonly secrets?: readonly string[]
  /** Statements that follow the start of the program. */
  readonly started?: readonly string[]
  /** A command that the bot deploys itself. Default: none is waited for. */
  readonly deployed?: string | undefined
  /** Whether the test moves the clock of the bot. */
  readonly movesClock?: boolean
  /** Whether each test has a bot and a testbed of its own. Default: all share one. Only for Vitest. */
  readonly isFresh?: boolean
}

export interface Framework {
  readonly language: Language
  /** A test as code. */
  readonly test: (title: string, statements: readonly string[]) => string
  readonly file: (tests: readonly string[], setup: TestSetup) => string
  /** A statement that fails unless both expressions are equal. */
  readonly equal: (actual: string, expected: string) => string
  /** A statement that fails unless a call is refused with a code. */
  readonly refused: (call: string, code: string) => string
}

const indented = (lines: readonly string[], by: string) =>
  lines
    .flatMap((line) => line.split('\n'))
    .map((line) => (line === '' ? '' : by + line))
    .join('\n')

// --- JavaScript ---------------------------------------------------------------------------------------------------

interface Runner extends Pick<Framework, 'equal' | 'refused'> {
  readonly load: (names: string, from: string) => string
  /** What the runner itself offers, as lines. */
  readonly imports: readonly string[]
  readonly before: string
  readonly after: string
  /** The arguments of a hook after its function, with a time limit in which a program starts. */
  readonly limit: string
}

const DOCS = 'node_modules/commandry/docs/testbed.md'

function startLines({
  endpoint,
  program,
  environment,
  secrets = [],
  started = [],
  deployed,
}: TestSetup): readonly string[] {
  if (endpoint !== undefined && program === undefined)
    return [`// Deploy the commands to bed.rest, and give the bot bed.publicKey: see ${DOCS}`]
  const login =
    program === undefined
      ? `// Log your bot in here: client.login(bed.token), with bed.rest as the address. See ${DOCS}`
      : `await bed.run(${javaScript.value(program)})`
  const variables = Object.entries(environment ?? {}).map(
    ([name, value]) => `process.env[${javaScript.value(name)}] = ${javaScript.value(value)}`,
  )
  const needed = secrets.length === 0 ? [] : [`// Set these in your environment: ${secrets.join(', ')}`]
  return [
    ...needed,
    ...variables,
    login,
    ...started,
    ...(deployed === undefined ? [] : [`await bed.deployed(${javaScript.value(deployed)})`]),
  ]
}

function setupLines(runner: Runner, setup: TestSetup): readonly string[] {
  const { limit } = runner
  const [before, after] = setup.isFresh === true ? ['beforeEach', 'afterEach'] : [runner.before, runner.after]
  const { optionsFile, servers, endpoint, applicationId, program } = setup
  const code =
    optionsFile === undefined
      ? javaScript.value({ servers: servers as Value, endpoint, applicationId })
      : `JSON.parse(readFileSync(new URL(${javaScript.value(optionsFile)}, import.meta.url), 'utf8'))`
  const isStarted = program !== undefined
  return [
    'let bed',
    `${before}(async () => {`,
    `  bed = await testbed(${code === '{}' ? '' : code})`,
    indented(startLines(setup), '  '),
    `}${isStarted ? limit : ''})`,
    `${after}(async () => {`,
    ...(isStarted ? [] : ['  // End your bot here: client.destroy()']),
    '  await bed.close()',
    '})',
  ]
}

function framework(runner: Runner): Framework {
  const { load, imports, equal, refused } = runner
  return {
    ...{ language: javaScript, equal, refused },
    test: (title, statements) =>
      `test(${javaScript.value(withoutRuns(title))}, async () => {\n${indented(statements, '  ')}\n})`,
    file(tests, setup) {
      const head = [
        `// ${setup.header}`,
        // Libraries keep the timers that they find.
        ...(setup.movesClock && setup.program === undefined ? [load('', 'commandry/clock')] : []),
        ...(setup.optionsFile === undefined ? [] : [load('readFileSync', 'node:fs')]),
        ...imports.map((line) => (setup.isFresh === true ? line.replaceAll('All', 'Each') : line)),
        load('testbed', 'commandry/testbed'),
      ]
      return [...head, '', ...setupLines(runner, setup), '', `${tests.join('\n\n')}\n`].join('\n')
    },
  }
}

const imported = (names: string, from: string) =>
  names === '' ? `import '${from}'` : `import { ${names} } from '${from}'`
const required = (names: string, from: string) =>
  names === '' ? `require('${from}')` : `const { ${names} } = require('${from}')`

const expectation: Pick<Runner, 'equal' | 'refused' | 'before' | 'after' | 'limit'> = {
  before: 'beforeAll',
  after: 'afterAll',
  limit: ', 60_000',
  equal: (actual, expected) => `expect(${actual}).toBe(${expected})`,
  refused: (call, code) => `await expect(${call}).rejects.toMatchObject({ code: ${code} })`,
}

export const vitest = /* @__PURE__ */ framework({
  ...expectation,
  load: imported,
  imports: [imported('afterAll, beforeAll, expect, test', 'vitest')],
})

// As CommonJS, which Jest runs without a flag. Its own functions are global.
const jest = /* @__PURE__ */ framework({ ...expectation, load: required, imports: [] })

const nodeTest = /* @__PURE__ */ framework({
  load: imported,
  imports: [imported('after, before, test', 'node:test'), "import assert from 'node:assert/strict'"],
  before: 'before',
  after: 'after',
  limit: '',
  equal: (actual, expected) => `assert.equal(${actual}, ${expected})`,
  refused: (call, code) => `await assert.rejects(${call}, { code: ${code} })`,
})

// --- Python -------------------------------------------------------------------------------------------------------

const PYTEST = 'npx commandry serve --gateway --port 0 --run "pytest -q"'

const pytest: Framework = {
  language: python,
  test(title, statements) {
    const words = title.toLowerCase().match(/[a-z\d]+/g) ?? []
    const name = ['test', ...words].join('_').slice(0, 60).replace(/_$/, '')
    return `def ${name}(people):\n    """${docString(title)}"""\n${indented(statements, '    ')}`
  },
  file(tests, { header, deployed, program }) {
    const isStarted = program !== undefined && deployed !== undefined
    const code = [...(isStarted ? [botFixture(program, deployed)] : []), ...tests].join('\n\n\n')
    const names = ['Refused', 'attachment'].filter(
      (name) => code.includes(`${name}(`) || code.includes(`${name},`),
    )
    const modules = [
      ...(code.includes('b64decode(') ? ['from base64 import b64decode', ''] : []),
      ...(/\bpytest\.(raises|fixture)/.test(code) ? ['import pytest'] : []),
      ...(names.length > 0 ? [`from commandry_pytest import ${names.join(', ')}`] : []),
    ]
    const ready =
      deployed === undefined || isStarted
        ? ''
        : ` Start your bot in conftest.py: run_bot(…, ready='/${deployed}').`
    const head = [`# ${header} Run it with: ${PYTEST}`, ...(ready === '' ? [] : [`#${ready}`]), ...modules]
    const plugin = isStarted ? ['', "pytest_plugins = ['commandry_pytest']"] : []
    return `${[...head, ...plugin, '', '', code].join('\n')}\n`
  },
  equal: (actual, expected) => `assert ${actual} == ${expected}`,
  refused: (call, code) => `with pytest.raises(Refused, match=${code}):\n    ${call}`,
}

/** The fixture that starts a bot: a plain command by its words, any other by a shell. */
function botFixture(program: string, deployed: string): string {
  const words = /^[\w./@:=+-]+( [\w./@:=+-]+)*$/.test(program) ? program.split(' ') : ['sh', '-c', program]
  const given = [...words.map(python.value), `ready=${python.value(`/${deployed}`)}`].join(', ')
  return `@pytest.fixture(scope='session', autouse=True)\ndef bot(run_bot):\n    return run_bot(${given})`
}

const docString = (title: string) =>
  withoutRuns(title).replaceAll('\\', '\\\\').replaceAll('"', "'").replaceAll('\n', ' ')

/** The frameworks by the names that people know. */
export const frameworks = { vitest, jest, 'node:test': nodeTest, pytest } as const

export type FrameworkName = keyof typeof frameworks
