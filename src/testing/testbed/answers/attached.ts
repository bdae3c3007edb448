/** Files that people attach: their contents are kept, so that the bot can fetch them. */
import { readFileSync, statSync } from 'node:fs'
import { basename, isAbsolute, normalize } from 'node:path'
import type { AnswerFile } from '../../../model/answer-types.ts'
import { isObject } from '../../../core/json.ts'
import { describeValue } from '../../../core/text.ts'
import { cleanContentType } from '../../../interactions/answer/form.ts'
import { contentTypeOf, type Files } from '../../../interactions/bot/files.ts'
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import type { AttachedFile } from '../../../interactions/usage/complete.ts'
import type { ModalValues } from '../../../interactions/usage/component-values.ts'
import { ATTACHMENT_SIZE_LIMIT } from '../../../interactions/usage/create.ts'
import { sampleFile } from './sample-files.ts'

/** The content of a file: text is sent as UTF-8. */
export type FileContent = string | Uint8Array | Blob

/** A file that a person attaches, with what is in it. A `File` is one as well. */
export interface FileToAttach extends AttachedFile {
  /** A text or bytes. Default: a small valid file of the kind that its name says. */
  readonly content?: FileContent
}

/** The values of a modal; files may have their contents. */
export interface SubmittedValues {
  readonly [name: string]: ModalValues[string] | AnyFile | readonly AnyFile[]
}

type AnyFile = FileToAttach | Blob

export class AttachedFiles {
  readonly #files: Files
  readonly #nextId: () => string

  constructor(files: Files, nextId: () => string) {
    this.#files = files
    this.#nextId = nextId
  }

  /** A value, or the values of a list, with an address in place of a content. Other values stay as they are. */
  async stored(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((one) => this.stored(one)))
    if (value instanceof Blob) {
      const { name = 'file' } = value as { readonly name?: string }
      return this.#keep({ filename: name, content_type: value.type }, await bytesOf(value))
    }
    if (!isObject(value) || typeof value.filename !== 'string') return value
    const { content, ...file } = value as unknown as FileToAttach
    checkHead(file)
    return content === undefined ? this.#sampleOf(file) : this.#keep(file, await bytesOf(content))
  }

  /** The values of an object, as `stored`. */
  async storedValues<Values extends object>(values: object): Promise<Values> {
    const entries = Object.entries(values).map(async ([name, value]) => [name, await this.stored(value)])
    return Object.fromEntries(await Promise.all(entries)) as Values
  }

  /** The file of a typed line: with its content, when there is one with this name below the current folder. */
  typed(path: string): AttachedFile {
    const isBelow = !isAbsolute(path) && !normalize(path).startsWith('..')
    const isFile = isBelow && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
    const filename = basename(path)
    return isFile ? this.#keep({ filename }, readFileSync(path)) : this.#sampleOf({ filename })
  }

  /** A file that is given by its name alone: what a bot fetches is a small valid one of its kind. */
  #sampleOf(file: AttachedFile): AttachedFile {
    const kept = this.#keep(file, sampleFile(file.filename))
    return file.size === undefined ? kept : { ...kept, size: file.size }
  }

  #keep(file: AttachedFile, bytes: Uint8Array): AttachedFile {
    const { filename, id = this.#nextId() } = file
    checked(filename, bytes)
    const content_type = contentTypeOf(filename, file.content_type)
    const url = this.#files.add(id, { filename, content_type, bytes })
    return { ...file, id, content_type, size: bytes.length, url, proxy_url: url }
  }
}

/** A file of a message, with its bytes where it has a content. */
export async function openedFile(file: FileToAttach | Blob, index: number): Promise<AnswerFile> {
  const key = String(index)
  if (file instanceof Blob) {
    const { name = 'file' } = file as { readonly name?: string }
    const bytes = await bytesOf(file)
    return { key, filename: name, size: bytes.length, content_type: file.type, bytes: checked(name, bytes) }
  }
  const { content, filename, size = 0, content_type } = file
  checkHead(file)
  const bytes = content === undefined ? undefined : checked(filename, await bytesOf(content))
  return {
    ...{ key, filename, size: bytes?.length ?? size },
    ...(content_type !== undefined && { content_type }),
    ...(bytes && { bytes }),
  }
}

/** @throws InvocationError for a name or a content type that no address and no header can have */
function checkHead({ filename, content_type: type }: AttachedFile): void {
  const refuse = (message: string) => {
    throw new InvocationError('invalid_options', { message })
  }
  if (typeof filename !== 'string' || filename === '' || /\p{Surrogate}/u.test(filename))
    refuse(`filename: expected a name, got ${describeValue(filename)}`)
  if (type !== undefined && (typeof type !== 'string' || (type !== '' && cleanContentType(type) === '')))
    refuse(`content_type of ${filename}: expected one such as "text/plain", got ${describeValue(type)}`)
}

/** @throws InvocationError for a file that is larger than a client sends */
function checked(filename: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length <= ATTACHMENT_SIZE_LIMIT) return bytes
  throw new InvocationError('invalid_options', {
    message: `${filename} has ${bytes.length} bytes; a file has at most ${ATTACHMENT_SIZE_LIMIT}`,
  })
}

async function bytesOf(content: FileContent): Promise<Uint8Array> {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  return content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content
}
