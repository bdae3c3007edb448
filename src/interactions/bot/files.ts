/** The bytes of files that bots and people send, under addresses of the service. */
import { BoundedMap, bytesOfText } from '../../core/bounded-map.ts'

/** A file with its content. */
export interface StoredFile {
  readonly filename: string
  readonly content_type: string
  readonly bytes: Uint8Array
}

/** The oldest files are forgotten when all together have more bytes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
const FILE_OVERHEAD = 512

const NO_BYTES = new Uint8Array()

const UNKNOWN_TYPE = 'application/octet-stream'

/** Content types by the extension of a file name, as far as bots read them. */
const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  jfif: 'image/jpeg',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/x-wav',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  qt: 'video/quicktime',
  webm: 'video/webm',
  txt: 'text/plain; charset=utf-8',
  log: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
  zip: 'application/zip',
}

/** The content type of a file: that which its sender names, or else by its extension. */
export function contentTypeOf(filename: string, named?: string): string {
  if (named !== undefined && named !== '' && named !== UNKNOWN_TYPE) return named
  return types[/\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''] ?? UNKNOWN_TYPE
}

const DATA_URL = /^data:([\w/+.-]+);base64,(.*)$/s
const ATTACHMENT_PATH = /^\/attachments\/([^/]+)\//
const IMAGE_PATH = /^\/(?!attachments\/).*\/(\w+)\.(?:png|jpe?g|webp|gif)$/

/** The contents of files of messages, under addresses of the service. */
export class Files {
  /**
   * Where the addresses begin. Default: those of Discord, which `commandry/redirect` brings to the service. Null for
   * addresses that have the content in themselves.
   */
  origin: string | null = 'https://cdn.discordapp.com'
  /** By the id of an attachment, or the hash of an image: a path has the name of the file once more. */
  readonly #stored = new BoundedMap<string, StoredFile>(
    MAX_FILE_BYTES,
    ({ filename, content_type, bytes }) => bytes.length + bytesOfText(filename, content_type) + FILE_OVERHEAD,
  )

  /** Keeps a file. @returns its address */
  add(id: string, file: StoredFile): string {
    if (this.origin === null) return dataUrl(file)
    // A copy: the bytes may be a view of a whole form.
    const bytes = file.bytes.length === 0 ? NO_BYTES : new Uint8Array(file.bytes)
    this.#stored.set(attachmentKey(id), { ...file, bytes })
    return this.origin + pathOf(id, file)
  }

  /** Drops the content of an attachment. */
  forget(id: string): void {
    this.#stored.delete(attachmentKey(id))
  }

  /** Keeps an image under its hash or the id of an emoji, by which clients name it. */
  addImage(name: string, url: string): void {
    const [, type = '', digits = ''] = DATA_URL.exec(url) ?? []
    const bytes = Uint8Array.from(atob(digits), (character) => character.charCodeAt(0))
    this.#stored.set(name, { filename: name, content_type: type, bytes })
  }

  /** The file at the path of an address; undefined for other paths, and for a file that was forgotten. */
  at(path: string): StoredFile | undefined {
    const id = ATTACHMENT_PATH.exec(path)?.[1]
    if (id === undefined) return this.#stored.get(IMAGE_PATH.exec(path)?.[1] ?? '')
    const file = this.#stored.get(attachmentKey(id))
    return file !== undefined && pathOf(id, file) === path ? file : undefined
  }
}

const attachmentKey = (id: string) => `attachment ${id}`

function pathOf(id: string, { filename }: StoredFile): string {
  return `/attachments/${id}/${encodeURIComponent(filename)}`
}

function dataUrl({ content_type, bytes }: StoredFile): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte))
  return `data:${content_type.replace(/\s/g, '')};base64,${btoa(characters.join(''))}`
}
