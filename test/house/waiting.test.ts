/** What a test may wait for, which test/support/waiting.ts owns: a busy machine takes minutes for milliseconds of others. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { parse } from '../support/source-files.ts'
import { testFiles } from '../support/test-files.ts'

const root = new URL('../', import.meta.url)
const files = testFiles().filter(
  (name) => name.endsWith('.ts') && !/^bench\/|^support\/waiting\.ts$/.test(name),
)

/** What files have of their own, and why. */
const OWN = new Map([
  ['interop/discordjs/busy.test.ts: the clock of the wall', 'the process is busy for some time'],
  ['testing/clock/bot-program.ts: a timer of its own', 'the program of a test, whose clock is moved'],
  ['testing/clock/bot-program.ts: timers of its own', 'the program of a test, whose clock is moved'],
  ['testing/clock/clock.test.ts: a timer of its own', 'a bot, whose timers are fake'],
  ['testing/clock/timers-program.ts: a timer of its own', 'the program of a test, whose clock is moved'],
  ['testing/clock/timers-program.ts: timers of its own', 'the program of a test, whose clock is moved'],
  ['testing/fuzz/cause.test.ts: a timer of its own', 'a bot that does something later'],
  ['testing/fuzz/fuzz.test.ts: a timer of its own', 'a bot that does something later'],
  ['testing/fuzz/together.test.ts: a timer of its own', 'a bot that does something later'],
  ['torture/torture.ts: a timer of its own', 'its limit is an argument'],
])

/** Files that let time pass on purpose, and what is slow. */
const SLOW = new Map([
  ['interactions/bot/answer-times.test.ts', 'a store'],
  ['interactions/bot/deliver.test.ts', 'a timer that begins before the one of a delivery'],
  ['interop/discordjs/quiet.test.ts', 'a database of the bot'],
  ['storage/crash.test.ts', 'the moment of a crash is a random one'],
  ['storage/killed-writers.ts', 'the moment of a kill is a random one'],
  ['storage/postgres-server.ts', 'a primary beside the standby that has taken over'],
  ['storage/redis-servers.ts', 'a master beside the replica that has taken over'],
  ['storage/tcp-proxy.ts', 'a connection'],
  ['support/restored-history.ts', 'a writer that pauses'],
  ['testing/testbed/quiet.test.ts', 'a server elsewhere'],
  ['torture/histories.ts', 'faults come at random moments'],
  ['torture/hostile.ts', 'clients that stall'],
  ['torture/kills.ts', 'faults come at random moments'],
  ['torture/restores.ts', 'faults come at random moments'],
  ['torture/soak.ts', 'people'],
  ['torture/torture.ts', 'the end of the time that it is given'],
])

const ownTimers = ['setTimeout', 'setInterval']
const ownWaiting = ['waitFor', 'waitUntil']
const isTestCall = /^(?:it|test|testWith|contractTest|before(?:All|Each)|after(?:All|Each))\b/
const isProcessCall = /^(?:exec|execFile|spawn|fork)(?:Sync)?$/
const isClock = /\b(?:Date\.now|performance\.now|hrtime(?:\.bigint)?)\(/
const isComparison = /^toBe(?:Less|Greater)Than|^toBeCloseTo$/

/** Whether an expression is an object with a time limit. */
const hasTimeout = (node: ts.Node | undefined) =>
  node !== undefined &&
  ts.isObjectLiteralExpression(node) &&
  node.properties.some(({ name }) => name !== undefined && ts.isIdentifier(name) && name.text === 'timeout')

/** Whether an argument is a number of milliseconds: a literal, a sum, or a constant. */
const isNumber = (node: ts.Node) =>
  ts.isNumericLiteral(node) ||
  ts.isBinaryExpression(node) ||
  (ts.isIdentifier(node) && /^[A-Z_]+$/.test(node.text))

/**
 * What is wrong with a call; undefined when nothing is.
 *
 * @param isExecuted whether it is in the function of a new Promise, alone
 */
function faultOf(call: ts.CallExpression, source: ts.SourceFile, isExecuted: boolean): string | undefined {
  const { expression: called, arguments: given } = call
  const text = called.getText(source)
  const name = ts.isPropertyAccessExpression(called) ? called.name.text : text
  const last = given.at(-1)
  if (ts.isIdentifier(called) && ownTimers.includes(text)) return 'a timer of its own'
  if (text === 'setImmediate' && isExecuted) return 'a turn of its own'
  if (text.startsWith('vi.') && ownWaiting.includes(name)) return 'a waiting of its own'
  if (name === 'poll' && hasTimeout(last)) return 'a limit of its own'
  if (isTestCall.test(text) && given.length > 1 && (given.some(hasTimeout) || isNumber(last!)))
    return 'a limit of its own'
  if (isProcessCall.test(name) && given.some(hasTimeout)) return 'a limit of its own'
  if (isComparison.test(name) && isClock.test(call.getText(source))) return 'the clock of the wall'
  return undefined
}

/** Each place where a test sets a time of its own. */
function faultsIn(name: string, text = readFileSync(new URL(name, root), 'utf8')): string[] {
  const source = parse(name, text)
  const found: string[] = []
  /** The bodies of arrow functions that are given to a constructor. */
  const executed = new Set<ts.Node>()
  const visit = (node: ts.Node): void => {
    const add = (fault: string) =>
      found.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}: ${fault}`)
    if (ts.isCallExpression(node)) {
      const fault = faultOf(node, source, executed.has(node))
      if (fault !== undefined) add(fault)
    }
    if (ts.isNewExpression(node))
      for (const given of node.arguments ?? []) {
        if (ts.isArrowFunction(given)) executed.add(given.body)
        if (ts.isIdentifier(given) && given.text === 'setImmediate') add('a turn of its own')
      }
    if (ts.isImportDeclaration(node) && /timers\/promises'$/.test(node.moduleSpecifier.getText(source)))
      add('timers of its own')
    const condition =
      ts.isWhileStatement(node) || ts.isDoStatement(node)
        ? node.expression
        : ts.isForStatement(node)
          ? node.condition
          : undefined
    if (condition && isClock.test(condition.getText(source))) add('the clock of the wall')
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether a file calls `passed` of the owner. */
const letsTimePass = (name: string) =>
  /\bpassed\b[^;]*\} from '[^']*\/waiting\.ts'/.test(readFileSync(new URL(name, root), 'utf8'))

/** Whether a file measures memory, or time of the processor. */
const measures = (name: string) =>
  /\bheap\b[^;]*\} from '[^']*\/heap\.ts'|\/cpu-time\.ts'|process\.(?:cpuUsage|memoryUsage)\(/.test(
    readFileSync(new URL(name, root), 'utf8'),
  )

describe('measuring', () => {
  it('is alone: other tests of a process leave garbage, and compilers work for them', () => {
    const beside = files.filter(
      (name) =>
        measures(name) &&
        !/\.alone\.test\.ts$|^(?:speed|support|torture)\/|^house\/slow-texts\.ts$/.test(name),
    )
    // Needs a package: the project `speed` has it.
    expect(beside).toEqual(['interop/discordjs/long-run.test.ts'])
  })
})

describe('waiting', () => {
  it('has one owner, and one limit', () => {
    const found = files.flatMap((name) => faultsIn(name))
    const kindOf = (fault: string) => fault.replace(/:\d+:/, ':')
    expect(found.filter((fault) => !OWN.has(kindOf(fault)))).toEqual([])
    expect([...OWN.keys()].filter((kind) => !found.map(kindOf).includes(kind))).toEqual([])
  })

  it('lets real time pass only where something is slow on purpose', () => {
    expect(files.filter(letsTimePass).sort()).toEqual([...SLOW.keys()])
  })

  it.each([
    ['await new Promise((resolve) => setTimeout(resolve, 5))', 'a timer of its own'],
    ['setInterval(tick, delay)', 'a timer of its own'],
    ['await new Promise((resolve) => setImmediate(resolve))', 'a turn of its own'],
    ['await new Promise(setImmediate)', 'a turn of its own'],
    ["import { setTimeout as sleep } from 'node:timers/promises'", 'timers of its own'],
    ['await vi.waitUntil(() => done)', 'a waiting of its own'],
    ['await expect.poll(() => done, { timeout: 10 }).toBe(true)', 'a limit of its own'],
    ["it('waits', async () => {}, 10_000)", 'a limit of its own'],
    ["it.each(all)('waits', { timeout: 10 * MINUTE }, async () => {})", 'a limit of its own'],
    ["execFileSync('node', [], { timeout: 10 })", 'a limit of its own'],
    ['expect(performance.now() - began).toBeLessThan(10)', 'the clock of the wall'],
    ['while (performance.now() < end) await turn()', 'the clock of the wall'],
  ])('is refused elsewhere: %s', (code, fault) => {
    expect(faultsIn('a.test.ts', code)).toEqual([`a.test.ts:1: ${fault}`])
  })
})
