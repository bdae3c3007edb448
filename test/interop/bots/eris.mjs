import Eris from 'eris'
import { BOT_TOKEN } from './commands.mjs'
import { run } from './eris-like.mjs'

// It speaks only TLS on the default port, so it needs commandry/redirect.
await run(new Eris(`Bot ${BOT_TOKEN}`, { intents: ['guilds'] }))
