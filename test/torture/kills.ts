/** Writers that are killed, whose server crashes, or whose disk is full: acknowledged writes stay, and none is half. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { newDirectory } from '../support/directory.ts'
import { grounds } from '../storage/grounds.ts'
import { killed, rounds } from '../storage/killed-writers.ts'
import type { Place } from '../storage/place.ts'
import { postgresPrograms, startPostgresServer } from '../storage/postgres-server.ts'
import type { Program, Started } from '../storage/processes.ts'
import { hasRedisServer, startRedisServer } from '../storage/redis-servers.ts'
import type { Trial } from './trial.ts'
import { passed } from '../support/waiting.ts'

const ROUNDS = 4

function killedWriters(program: Program): readonly Trial[] {
  // A last request may reach these after the check. Their killed writers are in the histories.
  const late = ['Redis', 'NATS', 'MariaDB']
  const others = grounds.filter(({ name }) => !late.includes(name))
  return others.map((ground) => ({
    what: 'writers killed',
    store: ground.name,
    missing: ground.missing,
    async run(seed) {
      const { place, remove } = ground.place()
      try {
        const { acknowledged } = await rounds(program, place, seed, ROUNDS, killed)
        return { calls: acknowledged, faults: ROUNDS }
      } finally {
        await remove()
      }
    },
  }))
}

function crashedServer(program: Program): Trial {
  let server: Awaited<ReturnType<typeof startPostgresServer>> | undefined
  return {
    what: 'server crashed',
    store: 'PostgreSQL',
    missing: postgresPrograms() === undefined ? 'no programs of PostgreSQL' : undefined,
    async run(seed) {
      const { url, crash, start } = (server ??= await startPostgresServer())
      const place: Place = { kind: 'postgres', url, table: `documents_${seed}` }
      const { acknowledged } = await rounds(program, place, seed, 2, async ({ child }, chance) => {
        await passed(chance * 150)
        await crash()
        await start()
        child.kill('SIGKILL')
      })
      return { calls: acknowledged, faults: 2 }
    },
    close: async () => server?.stop(),
  }
}

// --- Full disks ---------------------------------------------------------------------------------------------------

/** A file system of its own, which can be filled. Only root can mount it. */
function mountDisk(megabytes: number) {
  const directory = newDirectory()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { stdio: 'ignore' })
  const ballast = join(directory, 'ballast')
  return {
    directory,
    /** Fills the disk to its last byte, also against a writer. */
    fill(): void {
      const file = openSync(ballast, 'a')
      try {
        for (let size = 1024 * 1024; size >= 1; size /= 4) fillBy(file, Buffer.alloc(size))
      } finally {
        closeSync(file)
      }
    },
    clear: () => rmSync(ballast, { force: true }),
    remove(): void {
      execFileSync('umount', ['-l', directory], { stdio: 'ignore' })
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function fillBy(file: number, part: Buffer): void {
  try {
    for (;;) if (writeSync(file, part) < part.length) return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

function whyNoDisk(): string | undefined {
  try {
    mountDisk(1).remove()
    return undefined
  } catch {
    return 'only root can mount a disk'
  }
}

interface Medium {
  place(seed: number): Place
  fill(): Promise<void>
  /** Frees the space, after the writer has ended. */
  clear(): Promise<void>
  remove(): Promise<void>
}

const media: Readonly<
  Record<string, { readonly missing: () => string | undefined; open(): Promise<Medium> }>
> = {
  SQLite: {
    missing: whyNoDisk,
    async open() {
      const { directory, fill, clear, remove } = mountDisk(8)
      return {
        place: (seed) => ({ kind: 'sqlite', file: join(directory, `${seed}.db`) }),
        fill: async () => fill(),
        clear: async () => clear(),
        remove: async () => remove(),
      }
    },
  },
  PostgreSQL: {
    missing: () => (postgresPrograms() === undefined ? 'no programs of PostgreSQL' : whyNoDisk()),
    async open() {
      const disk = mountDisk(160)
      const own = join(disk.directory, 'server')
      execFileSync('chmod', ['755', disk.directory])
      mkdirSync(own)
      const server = await startPostgresServer(own)
      return {
        place: (seed) => ({ kind: 'postgres', url: server.url, table: `documents_${seed}` }),
        fill: async () => disk.fill(),
        async clear() {
          disk.clear()
          // The server may have ended without space for its log.
          await server.crash().catch(() => undefined)
          await server.start()
        },
        async remove() {
          await server.stop()
          disk.remove()
        },
      }
    },
  },
  Redis: {
    missing: () => (hasRedisServer() ? undefined : 'no redis-server'),
    async open() {
      const server = await startRedisServer()
      const client = new Redis(server.url)
      return {
        place: (seed) => ({ kind: 'redis', url: server.url, prefix: `${seed}:` }),
        fill: async () => void (await client.config('SET', 'maxmemory', '1')),
        clear: async () => void (await client.config('SET', 'maxmemory', '0')),
        async remove() {
          client.disconnect()
          await server.stop()
        },
      }
    },
  },
}

/** Milliseconds until a writer whose disk is full is stopped, if it does not need more space. */
const PATIENCE = 10_000

async function endsOn(medium: Medium, { child, ended }: Started, chance: number): Promise<void> {
  await passed(chance * 30)
  await medium.fill()
  await Promise.race([ended, passed(PATIENCE)])
  child.kill('SIGKILL')
  await ended
  await medium.clear()
}

function fullDisks(program: Program): readonly Trial[] {
  return Object.entries(media).map(([store, { missing, open }]) => {
    let medium: Promise<Medium> | undefined
    return {
      what: store === 'Redis' ? 'memory full' : 'disk full',
      store,
      missing: missing(),
      async run(seed) {
        const opened = await (medium ??= open())
        const end = (writer: Started, chance: number) => endsOn(opened, writer, chance)
        const { acknowledged } = await rounds(program, opened.place(seed), seed, 2, end)
        return { calls: acknowledged, faults: 2 }
      },
      close: async () => (await medium)?.remove(),
    }
  })
}

export const kills = (program: Program): readonly Trial[] => [
  ...killedWriters(program),
  crashedServer(program),
  ...fullDisks(program),
]
