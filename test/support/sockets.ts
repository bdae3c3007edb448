/**
 * Stands for the package `ws`, which `npm ci` at the root does not install: the WebSocketServer that a gateway needs, and
 * a client. Frames are a kind, a length and the content, as both ends are here.
 */
import { EventEmitter } from 'node:events'
import { request as send, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

const Kind = { TEXT: 0, BINARY: 1, PING: 2, PONG: 3, CLOSE: 4 }

const HEAD = 5

/** One end of a connection, with the methods and events of `ws`. */
class Socket extends EventEmitter {
  #stream: Duplex | undefined
  #unread = Buffer.alloc(0)
  #code = 1006

  get bufferedAmount(): number {
    return this.#stream?.writableLength ?? 0
  }

  attach(stream: Duplex, head: Buffer): this {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => this.#read(chunk))
    // An HTTP server leaves its half of a connection open.
    stream.on('end', () => stream.end())
    stream.on('error', () => stream.destroy())
    stream.on('close', () => this.emit('close', this.#code, Buffer.alloc(0)))
    if (head.length > 0) this.#read(head)
    return this
  }

  send(data: string | Uint8Array): void {
    this.#write(typeof data === 'string' ? Kind.TEXT : Kind.BINARY, data)
  }

  ping(data: string): void {
    this.#write(Kind.PING, data)
  }

  close(code = 1000, reason = ''): void {
    this.#write(Kind.CLOSE, JSON.stringify([code, reason]))
  }

  terminate(): void {
    this.#stream?.destroy()
  }

  #write(kind: number, data: string | Uint8Array): void {
    if (!this.#stream?.writable) return
    const content = Buffer.from(data as Uint8Array)
    const head = Buffer.alloc(HEAD)
    head.writeUInt8(kind)
    head.writeUInt32BE(content.length, 1)
    this.#stream.write(Buffer.concat([head, content]))
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk])
    for (;;) {
      if (this.#unread.length < HEAD) return
      const end = HEAD + this.#unread.readUInt32BE(1)
      if (this.#unread.length < end) return
      const kind = this.#unread.readUInt8()
      const content = this.#unread.subarray(HEAD, end)
      this.#unread = this.#unread.subarray(end)
      this.#take(kind, content)
    }
  }

  #take(kind: number, content: Buffer): void {
    if (kind === Kind.PING) {
      this.#write(Kind.PONG, content)
      this.emit('ping')
    } else if (kind === Kind.PONG) this.emit('pong', content)
    else if (kind === Kind.CLOSE) {
      ;[this.#code] = JSON.parse(String(content))
      this.#stream!.end()
    } else this.emit('message', content, kind === Kind.BINARY)
  }
}

export class WebSocketServer {
  handleUpgrade(_request: IncomingMessage, stream: Duplex, head: Buffer, done: (socket: Socket) => void) {
    stream.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    const socket = new Socket()
    done(socket)
    socket.attach(stream, head)
  }
}

/** A client: it sends once it is `open`. */
export class WebSocket extends Socket {
  /** @param url begins with `ws:` */
  constructor(url: string) {
    super()
    const asked = send(url.replace(/^ws/, 'http'), {
      headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
    })
    asked.on('upgrade', (_response, stream, head) => {
      this.attach(stream, head)
      this.emit('open')
    })
    asked.on('response', ({ statusCode }) => this.emit('error', new Error(`refused with ${statusCode}`)))
    asked.on('error', (error) => this.emit('error', error))
    asked.end()
  }
}
