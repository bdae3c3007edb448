/** Encodes frames: as text, or as one zlib stream for the whole connection. */
import { closeReason, type CloseReason } from './frames.ts'
import type { GatewaySocket } from './connection.ts'

/**
 * Compresses bytes to raw deflate blocks that end with a sync flush and are independent of earlier ones. In Node:
 * `(bytes) => deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })`.
 */
export type Deflate = (bytes: Uint8Array) => Uint8Array

const API_VERSIONS = ['6', '7', '8', '9', '10']

/**
 * A socket for JSON texts in the encoding of the connection's query, or the reason to close the connection. Without a
 * compressor, and for compressions other than `zlib-stream`, frames are text, which every client accepts.
 */
export function withEncoding(
  socket: GatewaySocket,
  query: URLSearchParams,
  deflate: Deflate | undefined,
): GatewaySocket | CloseReason {
  const version = query.get('v')
  if (version !== null && !API_VERSIONS.includes(version)) {
    return closeReason('INVALID_API_VERSION', 'The version is unknown; use v=10.')
  }
  const encoding = query.get('encoding') ?? 'json'
  if (encoding !== 'json') {
    const reason = 'This gateway supports JSON only; use encoding=json (uninstall erlpack).'
    return closeReason('DECODE_ERROR', reason)
  }
  return query.get('compress') === 'zlib-stream' && deflate !== undefined
    ? zlibStream(socket, deflate)
    : socket
}

const HEADER = Uint8Array.of(0x78, 0x9c)
const encoder = new TextEncoder()

/** A zlib stream is its header, then any number of flushed deflate blocks. */
function zlibStream(socket: GatewaySocket, deflate: Deflate): GatewaySocket {
  let isFirst = true
  return {
    send(data) {
      const blocks = deflate(typeof data === 'string' ? encoder.encode(data) : data)
      socket.send(isFirst ? Uint8Array.of(...HEADER, ...blocks) : blocks)
      isFirst = false
    },
    close: (code, reason) => socket.close(code, reason),
  }
}
