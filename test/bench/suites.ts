/** The size of the package, and the time of a bot's tests in Vitest. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Run } from './rows.ts'

/** Megabytes. */
export function packageSize(): number {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const text = execFileSync('npm', args, { cwd: '..', encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ size }] = JSON.parse(text)
  return size / 1e6
}

interface Report {
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly duration?: number | null }[]
  }[]
}

/** Runs Vitest by the clock on the wall, from its start to its end. */
function runVitest(node: string, cwd: string, args: readonly string[]) {
  const outputFile = resolve(`node_modules/.cache/commandry/report-${process.pid}.json`)
  const vitest = resolve('../node_modules/vitest/vitest.mjs')
  const began = performance.now()
  spawnSync(node, [vitest, 'run', '--reporter=json', `--outputFile=${outputFile}`, ...args], { cwd })
  const seconds = (performance.now() - began) / 1_000
  const report = JSON.parse(readFileSync(outputFile, 'utf8')) as Report
  const failed = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.some(({ status }) => status === 'failed') ? [name] : [],
  )
  if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`)
  return { seconds, report }
}

/** Seconds for the tests of a bot: 300 uses in ten files, of which 100 press the button of the answer. */
export function measureUses({ node, package: measured }: Run): number {
  const folder = resolve(`node_modules/.cache/commandry/uses`)
  mkdirSync(folder, { recursive: true })
  const vitest = pathToFileURL(resolve('../node_modules/vitest/dist/index.js')).href
  const testbed = pathToFileURL(`${measured}/dist/node/testbed.js`).href
  for (let file = 0; file < 10; file++)
    writeFileSync(`${folder}/bot-${file}.test.mjs`, testFile({ vitest, testbed }))
  // The folder is below one that Vitest leaves out.
  writeFileSync(
    `${folder}/vitest.config.mjs`,
    `export default { test: { include: ['*.test.mjs'], exclude: [] } }\n`,
  )
  const { seconds, report } = runVitest(node, folder, [])
  if (report.numTotalTests !== 300) throw new Error(`300 tests should run, not ${report.numTotalTests}`)
  return seconds
}

const testFile = (paths: { readonly vitest: string; readonly testbed: string }) => `
import { ActionRowBuilder, ButtonBuilder, Client } from 'discord.js'
import { WebSocketServer } from 'ws'
import { afterAll, expect, test } from ${JSON.stringify(paths.vitest)}
import { testbed } from ${JSON.stringify(paths.testbed)}

const bed = await testbed({ commands: [{ name: 'poll', description: 'Starts a poll' }], ws: { WebSocketServer } })
const bot = new Client({ intents: [1], rest: { api: bed.rest } })
const button = new ButtonBuilder({ customId: 'vote', label: 'Vote', style: 1 })
bot.on('interactionCreate', (interaction) =>
  interaction.isButton()
    ? interaction.update('1 vote')
    : interaction.reply({ content: '0 votes', components: [new ActionRowBuilder().addComponents(button)] }))
await bot.login(bed.token)
await bed.online()
afterAll(async () => {
  await bot.destroy()
  await bed.close()
})
for (let i = 0; i < 30; i++)
  test('poll ' + i, async () => {
    const shown = await bed.as('ada').use('/poll')
    expect(shown.content).toBe('0 votes')
    if (i % 3 === 0) expect((await shown.press('Vote')).content).toBe('1 vote')
  })
`
