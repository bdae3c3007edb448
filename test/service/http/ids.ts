/** Ids that look like real ones: clients find them in paths by their length. */
export const APP = '100100100100100101'
export const EMBEDDED_APP = '100100100100100102'
export const OTHER_APP = '100100100100100103'
export const GUILD = '200200200200200201'
export const OTHER_GUILD = '200200200200200202'
export const FOREIGN_GUILD = '200200200200200209'
export const USER = '300300300300300301'

export const base = `/applications/${APP}/commands`
export const guildBase = `/applications/${APP}/guilds/${GUILD}/commands`
