/** Hosts, as the callers of Node's connections give them. */
import { domainToASCII } from 'node:url'

const DISCORD = /(?:^|\.)(?:discord(?:app)?\.com|discord\.gg|discord\.media|discordapp\.net)$/
const LOOPBACK =
  /^(?:(?:.+\.)?localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::ffff:7f[\da-f]{2}:[\da-f]{1,4}|::1|0\.0\.0\.0|::)$/

/** True for Discord's names and every name below them. */
export function isDiscord(host: unknown): boolean {
  return DISCORD.test(comparable(host))
}

/** True for the names and addresses of this machine. */
export function isThisMachine(host: unknown): boolean {
  return LOOPBACK.test(comparable(host))
}

/** A host as DNS compares it: lower case, ASCII, without a dot at the end or the brackets of a URL. */
function comparable(host: unknown): string {
  const text = String(host).replace(/^\[|\]$/g, '')
  return (domainToASCII(text) || text.toLowerCase()).replace(/\.$/, '')
}

type Destination = Partial<Readonly<Record<'host' | 'port' | 'path' | 'servername' | 'socket', unknown>>>

/** Reads `connect(options)`, `connect(port, host, options)` and `connect(path, options)`, each with a listener or without. */
export function readDestination(given: readonly unknown[]): Destination {
  // Node passes its functions a list of the arguments that it has read already.
  const [first, second, ...rest] = Array.isArray(given[0]) ? (given[0] as unknown[]) : given
  const options = [first, second, ...rest].find((value) => typeof value === 'object' && value !== null)
  const isPath = typeof first === 'string' && !/^\d+$/.test(first)
  return {
    ...(isPath ? { path: first } : typeof first !== 'object' && { port: first }),
    ...(typeof second === 'string' && { host: second }),
    ...options,
  }
}
