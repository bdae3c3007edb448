/** What to do about the problems that `checkEndpoint` finds. */
import type { HandshakeProblem } from './endpoint.ts'

export const handshakeAdvice: { readonly [Problem in HandshakeProblem]: string } = {
  ping: 'A PING is not answered with a PONG: check that the bot runs and knows the public key.',
  signature:
    'A request with a wrong signature is not refused with 401: verify signatures. verifyKey of discord-interactions returns a promise, which is true in an "if": await it.',
}
