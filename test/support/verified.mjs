/** Whether a request has a right signature, as `verifyKey` of discord-interactions says it: as a promise. */
import { createPublicKey, verify } from 'node:crypto'

export async function verified(publicKey, headers, body) {
  const signature = Buffer.from(String(headers['x-signature-ed25519'] ?? ''), 'hex')
  const key = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey, 'hex')])
  const message = Buffer.from(headers['x-signature-timestamp'] + body)
  return verify(null, message, createPublicKey({ key, format: 'der', type: 'spki' }), signature)
}
