/** A bot's deploy script, and a test of it that needs no account, no network and no second process. */
import assert from 'node:assert/strict'
import { CommandRegistry, guildScope } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { serve } from 'commandry/node'
import { DiscordAPIError, PermissionFlagsBits, REST, Routes, SlashCommandBuilder } from 'discord.js'

// --- deploy.ts: the bot's own script --------------------------------------------------------------------------

const commands = [
  new SlashCommandBuilder().setName('ping').setDescription('Replies with Pong!'),
  new SlashCommandBuilder()
    .setName('ban')
    .setDescription('Bans a member')
    .setDefaultMemberPermissions(PermissionFlagsBits.BanMembers)
    .addUserOption((option) => option.setName('who').setDescription('Whom').setRequired(true)),
]

async function deploy(rest: REST, applicationId: string, guildId: string, bodies: unknown[]): Promise<void> {
  await rest.put(Routes.applicationGuildCommands(applicationId, guildId), { body: bodies })
}

// --- deploy.test.ts -------------------------------------------------------------------------------------------

const application = '100200300400500600'
const guild = '200300400500600700'

const registry = new CommandRegistry()
const { url, close } = await serve({ handler: createHandler({ registry, authenticate: openAccess() }) })
const rest = new REST({ api: `${url}/api`, version: '10' }).setToken('any-token')

await deploy(rest, application, guild, commands)
const deployed = await registry.list(guildScope(application, guild))
assert.deepEqual(
  deployed.map(({ name, default_member_permissions }) => [name, default_member_permissions]),
  [
    ['ping', null],
    ['ban', '4'],
  ],
)

// A second deploy changes nothing: the same ids, the same versions.
await deploy(rest, application, guild, commands)
assert.deepEqual(await registry.list(guildScope(application, guild)), deployed)

// The client's own error reports a mistake with its path, and the deployed commands stay.
await assert.rejects(deploy(rest, application, guild, [{ name: 'Ping', description: '' }]), (error) => {
  assert(error instanceof DiscordAPIError)
  assert.equal(error.code, 50035)
  assert.match(error.message, /0\.description\[BASE_TYPE_BAD_LENGTH\]/)
  return true
})
assert.equal((await registry.list(guildScope(application, guild))).length, 2)

await close()
console.log('the deploy script does what it should')
