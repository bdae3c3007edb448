/** What to do about the problems that `checkEndpoint` finds. */
import type { HandshakeProblem } from './endpoint.ts'

export const handshakeAdvice: { readonly [Problem in HandshakeProblem]: string } = {
  ping: 'A PING is not answered with a PONG: check that the bot runs and knows the public key.',
  slow: 'A PING is not answered within 3 seconds, and Discord waits no longer. A server that compiles or wakes up at its first request (next dev, wrangler dev, a cold start) answers the next one in time: send it one before you save its address, or run this again.',
  failed:
    'A PING is answered with a status of 500 or more: its log has the error, often a missing public key. Workers read .dev.vars and no variables of the environment: wrangler dev --var DISCORD_PUBLIC_KEY:$DISCORD_PUBLIC_KEY.',
  signature:
    'A request with a wrong signature is not refused with 401: verify signatures. verifyKey of discord-interactions returns a promise, which is true in an "if": await it.',
}
