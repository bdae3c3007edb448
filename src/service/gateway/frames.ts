/** The frames of the gateway: opcodes, close codes, how frames of clients are parsed, and those for them are encoded. */
import { isObject, NestedTooDeep, parseIds, parseJson, TOO_DEEP, type JsonObject } from '../../core/json.ts'

/** The opcode of a frame. */
export const GatewayOpcode = /* @__PURE__ */ Object.freeze({
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  PRESENCE_UPDATE: 3,
  VOICE_STATE_UPDATE: 4,
  RESUME: 6,
  RECONNECT: 7,
  REQUEST_GUILD_MEMBERS: 8,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
  REQUEST_SOUNDBOARD_SOUNDS: 31,
  REQUEST_CHANNEL_INFO: 43,
} as const)
export type GatewayOpcode = (typeof GatewayOpcode)[keyof typeof GatewayOpcode]

/** The codes with which the gateway closes a connection. */
export const GatewayCloseCode = /* @__PURE__ */ Object.freeze({
  /** Something went wrong; the client may reconnect. */
  UNKNOWN_ERROR: 4000,
  UNKNOWN_OPCODE: 4001,
  DECODE_ERROR: 4002,
  NOT_AUTHENTICATED: 4003,
  AUTHENTICATION_FAILED: 4004,
  ALREADY_AUTHENTICATED: 4005,
  INVALID_SEQ: 4007,
  RATE_LIMITED: 4008,
  SESSION_TIMED_OUT: 4009,
  INVALID_SHARD: 4010,
  SHARDING_REQUIRED: 4011,
  INVALID_API_VERSION: 4012,
  INVALID_INTENTS: 4013,
  DISALLOWED_INTENTS: 4014,
} as const)
export type GatewayCloseCode = (typeof GatewayCloseCode)[keyof typeof GatewayCloseCode]

/** A WebSocket, as the host passes it. Its methods must not call back into the gateway. */
export interface GatewaySocket {
  /** Sends a text frame for a string, a binary frame for bytes. */
  send(data: string | Uint8Array): void
  /** Closes the connection; ends it soon even if the client does not answer the close frame. */
  close(code: number, reason: string): void
  /**
   * Resolves when the client has read what was sent before: the host sends a ping and waits for its pong. Without an
   * answer the gateway waits 100 ms before HELLO, and 2 s after READY; 50 ms when this is absent.
   */
  whenRead?(): Promise<void>
}

/** Closes the connection, with a sentence of at most 123 bytes. */
export class Close extends Error {
  readonly code: number

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
  }
}

export function closing(name: keyof typeof GatewayCloseCode, reason: string): Close {
  return new Close(GatewayCloseCode[name], reason)
}

// --- Frames of clients ----------------------------------------------------------------------------------------

const MAX_FRAME_BYTES = 4_096

const encoder = new TextEncoder()

/** The frame of a client. @throws Close */
export function readFrame(data: string | Uint8Array): { readonly op: number; readonly d: unknown } {
  const bytes = typeof data === 'string' ? encoder.encode(data) : data
  if (bytes.byteLength > MAX_FRAME_BYTES)
    throw closing('DECODE_ERROR', `A frame has at most ${MAX_FRAME_BYTES} bytes.`)
  let frame: unknown
  try {
    frame = parseJson(bytes, parseIds)
  } catch (error) {
    const problem = error instanceof NestedTooDeep ? TOO_DEEP : 'is not valid JSON'
    throw closing('DECODE_ERROR', `The frame ${problem}.`)
  }
  if (!isObject(frame) || !Number.isInteger(frame.op))
    throw closing('DECODE_ERROR', 'The frame is not an object with a whole number "op".')
  return { op: frame.op as number, d: frame.d }
}

export interface Identify {
  readonly token: string
  readonly intents: number
  readonly shard: readonly [number, number] | null
  /** Bits of what the client takes. */
  readonly capabilities: number
}

/** The client takes channels without name and details before they are sent to everybody. */
export const TAKES_HIDDEN_CHANNELS = 1 << 15

// The bits that are documented: 17 to 19, 22 and 23 are not.
const KNOWN_INTENTS = 0b11_0011_0001_1111_1111_1111_1111

/** The used fields of an IDENTIFY. @throws Close */
export function readIdentify(d: unknown): Identify {
  const { token, intents, shard = null, capabilities } = readLogin('IDENTIFY', d)
  if (!isIntents(intents)) throw closing('INVALID_INTENTS', '"intents" is not a whole number of known bits.')
  if (shard !== null && !isShard(shard))
    throw closing('INVALID_SHARD', '"shard" is not [id, count] with an id from 0 and below the count.')
  // Clients that are people send many other bits, which have no meaning for bots.
  return {
    token,
    intents,
    shard,
    capabilities: Number.isSafeInteger(capabilities) ? Number(capabilities) : 0,
  }
}

function isIntents(value: unknown): value is number {
  const bits = value as number
  return Number.isInteger(bits) && bits >= 0 && bits <= KNOWN_INTENTS && (bits & ~KNOWN_INTENTS) === 0
}

function isShard(value: unknown): value is readonly [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [id, count] = value as [number, number]
  return Number.isInteger(id) && Number.isSafeInteger(count) && id >= 0 && id < count
}

export interface Resume {
  readonly token: string
  readonly sessionId: string
  readonly seq: number
}

/** The fields of a RESUME. @throws Close */
export function readResume(d: unknown): Resume {
  const { token, session_id: sessionId, seq } = readLogin('RESUME', d)
  if (typeof sessionId !== 'string') throw closing('UNKNOWN_OPCODE', 'RESUME needs a text "session_id".')
  if (!Number.isInteger(seq) || (seq as number) < 0)
    throw closing('INVALID_SEQ', '"seq" is not a whole number from 0.')
  return { token, sessionId, seq: seq as number }
}

/** The data with its token, which some libraries send with `Bot ` as in HTTP. */
function readLogin(name: string, d: unknown): JsonObject & { readonly token: string } {
  if (!isObject(d)) throw closing('UNKNOWN_OPCODE', `${name} needs an object "d".`)
  if (typeof d.token !== 'string') throw closing('AUTHENTICATION_FAILED', `${name} needs a text "token".`)
  return { ...d, token: d.token.replace(/^Bot /, '') }
}

// --- Frames for clients ---------------------------------------------------------------------------------------

/** A frame that is not an event. */
export function frameOf(op: GatewayOpcode, d: unknown): string {
  return JSON.stringify({ op, d, s: null, t: null })
}

/**
 * Compresses bytes to raw deflate blocks that end with a sync flush and are independent of earlier ones. In Node:
 * `(bytes) => deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })`.
 */
export type Deflate = (bytes: Uint8Array) => Uint8Array

const API_VERSIONS = ['6', '7', '8', '9', '10']

/**
 * A socket for JSON texts in the encoding of the connection's query. Without a compressor, and for compressions other
 * than `zlib-stream`, frames are text, which every client accepts.
 *
 * @throws Close
 */
export function withEncoding(
  socket: GatewaySocket,
  query: URLSearchParams,
  deflate: Deflate | undefined,
): GatewaySocket {
  const version = query.get('v')
  if (version !== null && !API_VERSIONS.includes(version))
    throw closing('INVALID_API_VERSION', 'The version is unknown; use v=10.')
  if ((query.get('encoding') ?? 'json') !== 'json')
    throw closing('DECODE_ERROR', 'This gateway supports JSON only; use encoding=json (uninstall erlpack).')
  return query.get('compress') === 'zlib-stream' && deflate !== undefined
    ? zlibStream(socket, deflate)
    : socket
}

/** A zlib stream is its header, then any number of flushed deflate blocks. */
function zlibStream(socket: GatewaySocket, deflate: Deflate): GatewaySocket {
  let header: readonly number[] = [0x78, 0x9c]
  return {
    send(data) {
      const blocks = deflate(typeof data === 'string' ? encoder.encode(data) : data)
      socket.send(header.length > 0 ? Uint8Array.of(...header, ...blocks) : blocks)
      header = []
    },
    close: (code, reason) => socket.close(code, reason),
    ...(socket.whenRead && { whenRead: () => socket.whenRead!() }),
  }
}
