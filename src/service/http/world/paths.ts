/** The paths that the routes of several resources begin with. */
export const GUILD = '/guilds/{guild.id}'
export const MEMBER = `${GUILD}/members/{user.id}`
export const CHANNEL = '/channels/{channel.id}'
export const MESSAGES = `${CHANNEL}/messages`
export const MESSAGE = `${MESSAGES}/{message.id}`
