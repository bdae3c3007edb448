const bytesOf = (digits: string) =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Whether the signature of a delivery fits the public key of an application. */
export async function isSigned(publicKey: string, headers: Headers, body: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify'])
  const signature = bytesOf(headers.get('x-signature-ed25519') ?? '')
  const signed = new TextEncoder().encode(headers.get('x-signature-timestamp') + body)
  return crypto.subtle.verify('Ed25519', key, signature, signed)
}
