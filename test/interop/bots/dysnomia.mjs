import { Client } from '@projectdysnomia/dysnomia'
import { BOT_REST, BOT_TOKEN } from './commands.mjs'
import { run } from './eris-like.mjs'

const address = BOT_REST && new URL(BOT_REST)
const rest = address && {
  domain: address.hostname,
  port: Number(address.port),
  https: false,
  baseURL: `${address.pathname}/v10`,
}
await run(new Client(`Bot ${BOT_TOKEN}`, { gateway: { intents: ['guilds'] }, ...(rest && { rest }) }))
