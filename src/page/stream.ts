/** Server-sent events for open pages: notifications with ids, without bodies. */
import type { Outgoing } from '../http/message.ts'
import type { Recorder } from './recorder.ts'

// Pages beyond this number get no stream, but can still ask questions.
const MAX_STREAMS = 50

// Milliseconds between empty lines, which reveal closed connections.
const HEARTBEAT = 15_000

/** The event streams of a recorder. */
export function liveStreams(recorder: Recorder): { open(): Outgoing; close(): void } {
  const encoder = new TextEncoder()
  const open = new Set<() => void>()
  return {
    open() {
      if (open.size >= MAX_STREAMS) return { status: 503, headers: {}, body: null }
      let stop = (): void => {}
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const send = (text: string) => controller.enqueue(encoder.encode(text))
          const unsubscribe = recorder.subscribe((notification) =>
            send(`data: ${JSON.stringify(notification)}\n\n`),
          )
          const timer = setInterval(() => send(':\n\n'), HEARTBEAT)
          const close = () => {
            stop()
            controller.close()
          }
          stop = () => {
            open.delete(close)
            clearInterval(timer)
            unsubscribe()
          }
          open.add(close)
          send('retry: 1000\n\n')
        },
        cancel: () => stop(),
      })
      return {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
        body,
      }
    },
    close() {
      for (const close of [...open]) close()
    },
  }
}
