/** Three Redis masters with a replica each, on loopback. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface BenchCluster {
  readonly ports: readonly number[]
  cli(port: number, ...args: string[]): Promise<string>
  child(port: number): ChildProcess
  /** Starts a node that was killed; it comes back under its old name. */
  restart(port: number): Promise<void>
  /** Asks until every node finds the cluster whole and every replica is up to date. */
  whole(): Promise<void>
  stop(): Promise<void>
}

export async function startBenchCluster(nodeTimeout: number): Promise<BenchCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'commandry-'))
  const children = new Map<number, ChildProcess>()
  const cli = async (port: number, ...args: string[]) =>
    (await run('redis-cli', ['-p', `${port}`, ...args])).stdout

  async function startNode(port: number): Promise<void> {
    const child = spawn('redis-server', [
      ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no'],
      ...['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`],
      ...[
        '--cluster-node-timeout',
        `${nodeTimeout}`,
        '--repl-diskless-sync-delay',
        '0',
        '--cluster-allow-replica-migration',
        'no',
      ],
    ])
    await new Promise<void>((resolve, reject) => {
      let said = ''
      child.stdout.on('data', (data: Buffer) => {
        said += data.toString()
        if (said.includes('Ready to accept connections')) resolve()
      })
      child.on('exit', () => reject(new Error(`redis-server ended:\n${said}`)))
    })
    children.set(port, child)
  }

  async function whole(): Promise<void> {
    for (const port of children.keys()) {
      for (;;) {
        const info = await cli(port, 'cluster', 'info')
        const replication = await cli(port, 'info', 'replication')
        const isReplica = replication.includes('role:slave')
        const upToDate = isReplica
          ? replication.includes('master_link_status:up')
          : /connected_slaves:[1-9]/.test(replication)
        if (info.includes('cluster_state:ok') && info.includes('cluster_slots_fail:0') && upToDate) break
      }
    }
  }

  while (children.size < 6) await startNode(await freePort())
  const ports = [...children.keys()]
  await run('redis-cli', [
    ...['--cluster', 'create', ...ports.map((port) => `127.0.0.1:${port}`)],
    ...['--cluster-replicas', '1', '--cluster-yes'],
  ])
  await whole()
  return {
    ports,
    cli,
    child: (port) => children.get(port)!,
    restart: startNode,
    whole,
    async stop() {
      await Promise.all(
        [...children.values()].map(
          (child) =>
            new Promise<void>((resolve) => {
              if (child.exitCode !== null || child.signalCode !== null) return resolve()
              child.on('exit', () => resolve())
              child.kill('SIGKILL')
            }),
        ),
      )
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

// The nodes talk to each other on a port ten thousand above.
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    if (port < 55_000) return port
  }
}
