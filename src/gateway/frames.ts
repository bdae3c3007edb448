/** The frames of the gateway: opcodes, close codes, and how frames of clients are parsed. */
import { isObject, type JsonObject } from '../core/json.ts'

/** The opcode of a frame. */
export const GatewayOpcode = {
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
} as const
export type GatewayOpcode = (typeof GatewayOpcode)[keyof typeof GatewayOpcode]

/** The codes with which the gateway closes a connection. */
export const GatewayCloseCode = {
  /** Something went wrong; the client may reconnect. */
  UNKNOWN_ERROR: 4000,
  /** The client sent an unknown opcode, or an invalid payload for one. */
  UNKNOWN_OPCODE: 4001,
  /** The client sent a payload that is not valid. */
  DECODE_ERROR: 4002,
  NOT_AUTHENTICATED: 4003,
  /** The token is not valid. */
  AUTHENTICATION_FAILED: 4004,
  ALREADY_AUTHENTICATED: 4005,
  /** The sequence number of a RESUME is not valid. */
  INVALID_SEQ: 4007,
  RATE_LIMITED: 4008,
  SESSION_TIMED_OUT: 4009,
  /** The shard is not valid. */
  INVALID_SHARD: 4010,
  SHARDING_REQUIRED: 4011,
  /** The version of the gateway is not valid. */
  INVALID_API_VERSION: 4012,
  /** The intents are not valid. */
  INVALID_INTENTS: 4013,
  /** The app may not use one of the intents. */
  DISALLOWED_INTENTS: 4014,
} as const
export type GatewayCloseCode = (typeof GatewayCloseCode)[keyof typeof GatewayCloseCode]

/** A reason to close a connection: a code, and a sentence of at most 123 bytes. */
export interface CloseReason {
  readonly code: GatewayCloseCode
  readonly reason: string
}

export function closeReason(name: keyof typeof GatewayCloseCode, reason: string): CloseReason {
  return { code: GatewayCloseCode[name], reason }
}

/** Bytes of the largest frame of a client. */
const FRAME_BYTES = 4_096

export interface ClientFrame {
  readonly op: number
  readonly d: unknown
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The frame of a client, or the reason to close the connection. */
export function readFrame(data: string | Uint8Array): ClientFrame | CloseReason {
  if (bytesOf(data) > FRAME_BYTES)
    return closeReason('DECODE_ERROR', `A frame has at most ${FRAME_BYTES} bytes.`)
  let frame: unknown
  try {
    frame = JSON.parse(typeof data === 'string' ? data : decoder.decode(data))
  } catch {
    return closeReason('DECODE_ERROR', 'The frame is not valid JSON.')
  }
  if (!isObject(frame) || !Number.isInteger(frame.op)) {
    return closeReason('DECODE_ERROR', 'The frame is not an object with a whole number "op".')
  }
  return { op: frame.op as number, d: frame.d }
}

function bytesOf(data: string | Uint8Array): number {
  if (typeof data !== 'string') return data.byteLength
  // A UTF-16 unit takes 1 to 3 bytes.
  if (data.length > FRAME_BYTES || data.length * 3 <= FRAME_BYTES) return data.length
  return new TextEncoder().encode(data).byteLength
}

export interface Identify {
  readonly token: string
  readonly intents: number
  readonly shard: readonly [number, number] | null
}

// The bits that are documented: 17 to 19, 22 and 23 are not.
const KNOWN_INTENTS = 0b11_0011_0001_1111_1111_1111_1111

/** The used fields of an IDENTIFY, or the reason to close the connection. */
export function readIdentify(d: unknown): Identify | CloseReason {
  if (!isObject(d)) return closeReason('UNKNOWN_OPCODE', 'IDENTIFY needs an object "d".')
  const token = readToken(d)
  if (token === undefined) return closeReason('AUTHENTICATION_FAILED', 'IDENTIFY needs a text "token".')
  const { intents, shard = null } = d
  if (!isIntents(intents)) {
    return closeReason('INVALID_INTENTS', '"intents" is not a whole number of known bits.')
  }
  if (shard !== null && !isShard(shard)) {
    return closeReason('INVALID_SHARD', '"shard" is not [id, count] with an id from 0 and below the count.')
  }
  return { token, intents, shard }
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

/** The fields of a RESUME, or the reason to close the connection. */
export function readResume(d: unknown): Resume | CloseReason {
  if (!isObject(d)) return closeReason('UNKNOWN_OPCODE', 'RESUME needs an object "d".')
  const token = readToken(d)
  if (token === undefined) return closeReason('AUTHENTICATION_FAILED', 'RESUME needs a text "token".')
  const { session_id: sessionId, seq } = d
  if (typeof sessionId !== 'string') return closeReason('UNKNOWN_OPCODE', 'RESUME needs a text "session_id".')
  if (!Number.isInteger(seq) || (seq as number) < 0) {
    return closeReason('INVALID_SEQ', '"seq" is not a whole number from 0.')
  }
  return { token, sessionId, seq: seq as number }
}

/** A token without `Bot `, which some libraries send as in HTTP. */
function readToken({ token }: JsonObject): string | undefined {
  return typeof token === 'string' ? token.replace(/^Bot /, '') : undefined
}
