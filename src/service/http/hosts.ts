/**
 * Checks the `Host` header. A web page can make a browser connect to this machine under the name of its own site (DNS
 * rebinding) and then read the responses; the `Host` header has the name of the site.
 */
import { quoted } from '../../core/text.ts'
import type { Outgoing } from '../../core/http-message.ts'
import { refuse } from './respond.ts'

const LOOPBACK = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.[0-9]{1,3}){3}|::1|\[::1\])$/i

/** Discord's hosts, as `commandry/redirect` has them: a bot keeps them in `Host` when its connections go to this service. */
const DISCORD = /^(?:[a-z0-9-]+\.)*(?:discord(?:app)?\.com|discord\.gg|discord\.media|discordapp\.net)$/

const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?$/i

/** Whether a `Host` header, which the client chooses, is a host with perhaps a port, and nothing more. */
export function isHost(host: string): boolean {
  return HOST.test(host) && URL.canParse(`http://${host}`)
}

/** Whether a name or an address, without a port, is one of this machine. */
export function isLoopback(name: string): boolean {
  return LOOPBACK.test(name)
}

/** Whether a `Host` header names this machine. The port does not matter. */
export function isLoopbackHost(host: string | null): boolean {
  return host !== null && isLoopback(nameOf(host))
}

/** @returns the refusal of a request with this `Host` header; undefined for one that may be answered */
export type HostRule = (host: string | null | undefined) => Outgoing | undefined

/**
 * Refuses requests under other names than those of this machine, of Discord, and `allowed`.
 *
 * @param allowed names or addresses without a port
 */
export function hostRule(allowed: readonly string[]): HostRule {
  const names = new Set(allowed.map((name) => name.toLowerCase()))
  return (host) => {
    const name = nameOf(host ?? '')
    if (isLoopback(name) || DISCORD.test(name) || names.has(name)) return undefined
    const subject = host == null ? 'The request has no Host header' : `The Host header is ${quoted(host)}`
    const message = `${subject}. This service takes any token, so it answers only to the names of this machine: any website could call it under its own name; add a name with --allow-host NAME, or with the option hosts of serve`
    return refuse('foreign_host', { message })
  }
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:[0-9]+$/, '')
}
