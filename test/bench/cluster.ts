/** Three Redis masters with a replica each, on loopback. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BUS, onFreePort } from '../storage/ports.ts'

const run = promisify(execFile)

export interface BenchCluster {
  readonly ports: readonly number[]
  cli(port: number, ...args: string[]): Promise<string>
  child(port: number): ChildProcess
  /** Starts a node that was killed; it comes back under its old name. */
  restart(port: number): Promise<unknown>
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
    const options = `--port ${port} --bind 127.0.0.1 --dir ${directory} --appendonly no --cluster-enabled yes
      --cluster-config-file nodes-${port}.conf --cluster-node-timeout ${nodeTimeout}
      --repl-diskless-sync-delay 0 --cluster-allow-replica-migration no`
    const child = spawn('redis-server', [...options.split(/\s+/), '--save', ''])
    await new Promise<void>((resolve, reject) => {
      let printed = ''
      child.stdout.on('data', (data: Buffer) => {
        printed += data.toString()
        if (printed.includes('Ready to accept connections')) resolve()
      })
      child.on('exit', () => reject(new Error(`redis-server ended:\n${printed}`)))
    })
    children.set(port, child)
  }

  async function isWhole(port: number): Promise<boolean> {
    const info = await cli(port, 'cluster', 'info')
    const replication = await cli(port, 'info', 'replication')
    const upToDate = replication.includes('role:slave')
      ? replication.includes('master_link_status:up')
      : /connected_slaves:[1-9]/.test(replication)
    return info.includes('cluster_state:ok') && info.includes('cluster_slots_fail:0') && upToDate
  }

  async function whole(): Promise<void> {
    for (const port of children.keys()) while (!(await isWhole(port)));
  }

  while (children.size < 6) await onFreePort(startNode, BUS)
  const ports = [...children.keys()]
  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'])
  await whole()
  return {
    ports,
    cli,
    child: (port) => children.get(port)!,
    restart: startNode,
    whole,
    async stop() {
      const alive = [...children.values()].filter(
        (child) => child.exitCode === null && child.signalCode === null,
      )
      await Promise.all(alive.map((child) => (child.kill('SIGKILL'), once(child, 'exit'))))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
