/** What the command line prints without a command. It loads nothing else, because people wait for it. */
import packageJson from '../../../package.json' with { type: 'json' }
import { DISCORD_AS_OF } from '../../core/platform-day.ts'

/** The commands, each in one line. */
export const summaries = {
  check: 'find every mistake in command definitions',
  explain: 'explain a rule by its code',
  plan: 'show what a deploy would do',
  deploy: 'replace the deployed commands, after showing the plan',
  status: 'show every scope side by side, and what no file defines',
  review: 'print what a pull request means for people',
  changes: 'list what Discord changed, and what of it concerns you',
  fuzz: 'use every command of a bot, and shorten what fails',
  serve: 'run the service on this machine, with its page',
  page: 'write the workbench and your commands as one HTML file',
  export: 'write an application from a store to a file',
  'delete-application': 'delete an application from a store, after asking',
  import: 'read an application from a file into a store',
  vectors: 'write the rules as cases, score a service, or ask Discord',
} as const

export type CommandName = keyof typeof summaries

const WIDEST_NAME = Math.max(...Object.keys(summaries).map(({ length }) => length)) + 1

export const usage = `commandry: Discord's application commands, offline

Examples
  commandry check commands/                                     find every mistake before you deploy
  commandry serve commands/                                     try the commands in a browser
  commandry plan commands/ --against discord --application ID   show what a deploy would change
  commandry deploy commands/ --to discord --application ID      deploy, after showing the plan

ID is your application's id; set the environment variable COMMANDRY_TOKEN to its bot token.

Commands
${Object.entries(summaries)
  .map(([name, summary]) => `  ${name.padEnd(WIDEST_NAME)}${summary}`)
  .join('\n')}

  commandry COMMAND --help   shows the options of a command
  commandry --version        prints the version, and the day as of which it describes Discord`

export const version = `${packageJson.version}\nDiscord as of ${DISCORD_AS_OF}`
