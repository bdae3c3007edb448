/** Sets of commands in links: compressed, in the part of the address that is not sent to any server. */
import { place } from './place.ts'
import { ask } from './ask.ts'

const throughStream = (bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) =>
  new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer()

/** A link to this file with the deployed commands. */
export async function linkWithSet(): Promise<string> {
  const text = await ask<string>('deployed', { app: place.app, server: '' })
  const packed = await throughStream(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const code = btoa(String.fromCharCode(...new Uint8Array(packed)))
  return `${location.href.replace(/#.*/s, '')}#set=${code.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/** The definitions that the address carries, as text. @throws when they cannot be read */
export async function linkedSet(): Promise<string | undefined> {
  const code = new URLSearchParams(location.hash.slice(1)).get('set')
  if (code === null) return undefined
  const packed = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0),
  )
  return new TextDecoder().decode(await throughStream(packed, new DecompressionStream('deflate-raw')))
}
