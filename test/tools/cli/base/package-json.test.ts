import { expect, it } from 'vitest'
import { packageIn } from '../../../../src/tools/cli/base/package-json.ts'
import { directoryOf } from '../program.ts'

it('a package.json has a name, a main file and scripts, whatever else stands in it', async () => {
  const read = async (text: string) => packageIn(await directoryOf({ 'package.json': text }))
  const scripts = { start: 'node bot.js', count: 5 }
  expect(await read(JSON.stringify({ name: 'bot', main: 'bot.js', scripts }))).toEqual({
    name: 'bot',
    main: 'bot.js',
    scripts: new Map([['start', 'node bot.js']]),
    runner: 'npm run',
  })
  const nothing = { name: '', main: '', scripts: new Map(), runner: 'npm run' }
  for (const text of ['null', '[]', '{', '{ "name": 5, "scripts": null }'])
    expect(await read(text)).toEqual(nothing)
  expect(packageIn('missing')).toEqual(nothing)
})
