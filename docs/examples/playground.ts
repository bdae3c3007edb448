/** Writes `docs/playground.html`: the workbench with the moderation bot as one file. Part of `npm run docs`. */
import { writeFileSync } from 'node:fs'
import { pageWith } from '../../src/tools/cli/commands/page.ts'
import { moderationBot } from './moderation-bot.ts'

writeFileSync('docs/playground.html', await pageWith(JSON.stringify(moderationBot)))
