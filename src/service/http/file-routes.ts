/** Serves the files of messages, and the images of users, servers and emojis. */
import type { Exchange } from '../../core/http-message.ts'
import type { Files } from '../../interactions/bot/files.ts'
import { withoutBody } from './respond.ts'

/** An exchange that answers GET and HEAD of the addresses of files, and asks another for all else. */
export function withFiles(exchange: Exchange, files: Files): Exchange {
  return async (incoming) => {
    const { method, path } = incoming
    const file = method === 'GET' || method === 'HEAD' ? files.at(path) : undefined
    if (file === undefined) return exchange(incoming)
    const headers = {
      'Content-Type': file.content_type,
      // The page of the service has the same origin: a file must not act as a part of it.
      'Content-Security-Policy': 'sandbox',
      'X-Content-Type-Options': 'nosniff',
      // A page may draw the image of a bot on a canvas.
      'Access-Control-Allow-Origin': '*',
    }
    const response = { status: 200, headers, body: file.bytes }
    return method === 'HEAD' ? withoutBody(response) : response
  }
}
