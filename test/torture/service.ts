/** `commandry serve --gateway` of the built package as a process, which reports its heap after a garbage collection. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

export type Service = Awaited<ReturnType<typeof startService>>

const reporter =
  'process.on("message", () => { gc(); gc(); process.send(process.memoryUsage()) }); process.channel.unref()'

const inMiB = (bytes: number) => Math.round(bytes / 1024 / 1024)

export async function startService(store: string) {
  const child = fork(resolve('dist/node/cli.js'), ['serve', '--gateway', '--port', '0', '--store', store], {
    // Where `ws` is installed.
    cwd: 'test',
    execArgv: [
      '--no-warnings',
      '--expose-gc',
      '--import',
      `data:text/javascript,${encodeURIComponent(reporter)}`,
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'exit')
  const said = String((await Promise.race([once(child.stdout!, 'data'), ended]))[0])
  const origin = /(http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1]
  if (origin === undefined) throw new Error(`the service did not start: ${said}${errors}`)
  child.stdout!.resume()
  return {
    origin,
    port: Number(new URL(origin).port),
    /** What it has printed as errors, besides the notice of its start. */
    errors: () => errors.replace(/^No --config.*\n/, ''),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** MiB of the heap, of the buffers beside it, such as those of files, and of the process. */
    async memory(): Promise<{ readonly heap: number; readonly buffers: number; readonly rss: number }> {
      child.send('memory')
      const [{ heapUsed, arrayBuffers, rss }] = (await once(child, 'message')) as [NodeJS.MemoryUsage]
      return { heap: inMiB(heapUsed), buffers: inMiB(arrayBuffers), rss: inMiB(rss) }
    },
    async stop(): Promise<void> {
      child.kill()
      await ended
    },
  }
}
