import Eris from 'eris'
import { BOT_TOKEN } from './commands.mjs'
import { run } from './eris-like.mjs'

// It speaks only TLS on the default port, so it needs commandry/redirect.
await run(
  new Eris(`Bot ${BOT_TOKEN}`, { intents: ['guilds'] }),
  {
    custom_id: 'form',
    title: 'Form',
    components: [{ type: 1, components: [{ type: 4, custom_id: 'name', label: 'Name', style: 1 }] }],
  },
  { type: 2, style: 4, label: 'Undo', custom_id: 'undo' },
)
