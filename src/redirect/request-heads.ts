/** Finds the hosts that the head of an HTTP/1.1 request names: in `CONNECT`, in an absolute URL, and in `Host`. */

const METHOD_FIRST = /^[A-Z]{1,16}(?: |$)/
const REQUEST_LINE = /^[A-Z]{1,16} \S+ HTTP\/1\.[01]\r?\n/
const HOSTS =
  /^(?:CONNECT |[A-Z]+ \w+:\/\/|host:[ \t]*)(?:[^\s/@]*@)?(\[[^\s\]]*\]|[^\s/:?#]+)(?=[\s/:?#])/gim
const HEAD_LIMIT = 65_536

/** Reads what a socket writes, as several chunks may form one head. */
export class RequestHeads {
  readonly #unfinished = new WeakMap<object, string>()

  /** The hosts in the head that this chunk begins or continues; none in a body or in other bytes. */
  hosts(socket: object, chunk: unknown): readonly string[] {
    const text = textOf(chunk)
    // A body may look like the start of a head, so a chunk is also read by itself.
    const head = [(this.#unfinished.get(socket) ?? '') + text, text].find(isHead)
    this.#unfinished.delete(socket)
    if (head === undefined) return []
    const [complete = '', ...body] = head.split(/(?<=\n)\r?\n/, 2)
    if (body.length === 0 && head.length < HEAD_LIMIT) this.#unfinished.set(socket, head)
    return REQUEST_LINE.test(head) ? [...complete.matchAll(HOSTS)].map(([, host = '']) => host) : []
  }
}

function isHead(text: string): boolean {
  return text.includes('\n') ? REQUEST_LINE.test(text) : METHOD_FIRST.test(text)
}

function textOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk.slice(0, HEAD_LIMIT)
  const { buffer, byteOffset, byteLength } = chunk as Uint8Array
  return Buffer.from(buffer, byteOffset, Math.min(byteLength, HEAD_LIMIT)).toString('latin1')
}
