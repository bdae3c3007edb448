/** Programs that take turns, and what a person waits for in each. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { isQuick } from './contest.ts'
import { seeded, shuffled } from '../support/random.ts'

/** Milliseconds by contender: each starts its program in every round, in shuffled order, and prints a number at last. */
export function inProcesses<Name extends string>(
  node: string,
  contenders: Readonly<Record<Name, readonly string[]>>,
  {
    stream = 'stdout',
    rounds = isQuick ? 1 : 9,
  }: { readonly stream?: 'stdout' | 'stderr'; readonly rounds?: number } = {},
): Readonly<Record<Name, readonly number[]>> {
  const random = seeded(1)
  const names = Object.keys(contenders) as Name[]
  const costs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round++)
    for (const name of shuffled(names, random)) {
      const program = spawnSync(node, ['--no-warnings', ...contenders[name]], { encoding: 'utf8' })
      if (program.status !== 0) throw new Error(`${name} ended with ${program.status}: ${program.stderr}`)
      costs[name].push(Number(program[stream].trim().split('\n').at(-1)))
    }
  return costs
}

/** Arguments of Node that print the milliseconds of the processor to stderr when a program ends. */
export const processorAtExit: readonly string[] = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    console.error((user + system) / 1_000)
  })`)}`,
]

/** Arguments of Node that do the same when a program prints an address, and end it. Modules of commands may not call `exit`. */
const processorAtAddress: readonly string[] = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`const { write } = process.stdout
    process.stdout.write = function (text, ...rest) {
      if (!String(text).includes('http://')) return write.call(this, text, ...rest)
      const { user, system } = process.cpuUsage()
      console.error((user + system) / 1_000)
      process.reallyExit(0)
    }`)}`,
]

/**
 * A module for each of many commands, written with the builders of discord.js.
 *
 * @param packages a file in the folder of the packages
 * @returns their addresses
 */
export function writeBuilders(folder: string, packages: string): readonly string[] {
  const library = createRequire(packages).resolve('@discordjs/builders')
  mkdirSync(folder, { recursive: true })
  return Array.from({ length: 100 }, (_, i) => {
    const path = `${folder}/command-${i}.mjs`
    const code = `import { SlashCommandBuilder } from ${JSON.stringify(pathToFileURL(library).href)}
      export const data = new SlashCommandBuilder()
        .setName('command-${i}')
        .setDescription('What command ${i} does')
        .addStringOption((option) => option.setName('text').setDescription('Any text').setRequired(true))`
    writeFileSync(path, code)
    return pathToFileURL(path).href
  })
}

/** The commands of the command line for which people wait, each beside the least that does the same. */
export function commandLines(folder: string, cli: string, packages: string) {
  const modules = writeBuilders(`${folder}/builders`, packages)
  const json = `${folder}/command.json`
  writeFileSync(json, JSON.stringify([{ name: 'ping', description: 'Answers with pong', type: 1 }]))
  const nothing = [...processorAtExit, '-e', '0']
  const imports = modules.map((module) => `import ${JSON.stringify(module)}`).join('\n')
  const line = (...args: readonly string[]) => [...processorAtExit, cli, ...args]
  const importing = [...processorAtExit, '--input-type=module', '-e', imports]
  return {
    '`commandry --version`': { floor: '`node -e 0`', ours: line('--version'), bare: nothing },
    '`check` of a JSON file': { floor: '`node -e 0`', ours: line('check', json), bare: nothing },
    '`check` of 100 builders': {
      floor: 'import',
      ours: line('check', `${folder}/builders`),
      bare: importing,
    },
    '`serve` of 100 builders': {
      floor: 'import',
      ours: [...processorAtAddress, cli, 'serve', `${folder}/builders`, '--port', '0'],
      bare: importing,
    },
  } as const
}
