import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { watchesItself, watchSources } from '../../../../src/tools/cli/bots/watch-sources.ts'
import { directoryOf } from '../program.ts'
import { until } from '../../../support/waiting.ts'

/** A save within the milliseconds that a file may take to be written counts as the same one. */
const SAVED = { every: 400 }

/** Watches a folder until the end of the test. Returns the files that were saved. */
function watching(folder: string, command: string): string[] {
  const saved: string[] = []
  onTestFinished(watchSources(folder, command, (file) => saved.push(file)))
  return saved
}

it('reports saved sources in every folder, also a new one, but no data and nothing in built folders', async () => {
  const cwd = await directoryOf({
    'bot.js': '',
    'commands/ping.js': '',
    'dist/bot.js': '',
    'data.json': '{}',
  })
  const saved = watching(cwd, 'node bot.js')
  // Each would be reported before the file that is waited for.
  const unless = async (file: string, expected: string) => {
    const before = saved.length
    await writeFile(join(cwd, file), '1')
    await until(async () => {
      await writeFile(join(cwd, expected), String(Math.random()))
      expect(saved.slice(before)).toContain(expected)
      return true
    }, SAVED)
    expect(saved).not.toContain(file)
  }
  await unless('data.json', 'bot.js')
  await unless('dist/bot.js', 'commands/ping.js')
  await mkdir(join(cwd, 'events'))
  await unless('data.json', 'events/ready.js')
  await unless('data.json', '.env')
  await rename(join(cwd, 'events'), join(cwd, 'data.old'))
  await mkdir(join(cwd, 'events'))
  await unless('data.json', 'events/again.js')
})

it('watches a built folder that the line names', async () => {
  const cwd = await directoryOf({ 'dist/bot.js': '' })
  const saved = watching(cwd, 'node dist/bot.js')
  await until(async () => {
    await writeFile(join(cwd, 'dist/bot.js'), String(Math.random()))
    expect(saved).toContain('dist/bot.js')
    return true
  }, SAVED)
})

it('knows lines and scripts that watch by themselves', async () => {
  const cwd = await directoryOf({
    'package.json': { scripts: { dev: 'nodemon bot.js', start: 'node bot.js' } },
  })
  const watched = ['node --watch bot.js', 'npx nodemon', 'npx tsx watch bot.ts', 'npm run dev', 'pnpm dev']
  const plain = ['node bot.js', 'npm start', 'npm run missing', 'python bot.py']
  expect(watched.filter((line) => !watchesItself(cwd, line))).toEqual([])
  expect(plain.filter((line) => watchesItself(cwd, line))).toEqual([])
})
